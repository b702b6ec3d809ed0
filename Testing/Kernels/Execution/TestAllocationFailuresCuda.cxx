// Claims about failed allocations of device memory: for any failing allocation a solver throws Error, frees
// all memory, and the next solve succeeds. With the Automatic backend the host solves instead.
#include "AllocationCases.h"
#include "Error.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <ostream>
#include <string>

namespace {

/// Number of allocations until one fails, number that then fail, number that exist now.
long untilFailure = 0, failures = 0, live = 0;

bool failsNow() { return --untilFailure < 0 && untilFailure >= -failures; }

} // namespace

// The linker redirects the solvers' calls to here (--wrap). A failing call requests more memory than any
// device has, so that the runtime also records the error.
extern "C" {
cudaError_t __real_cudaMalloc(void** memory, std::size_t bytes);
cudaError_t __real_cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags);
cudaError_t __real_cudaFree(void* memory);
cudaError_t __real_cudaFreeHost(void* memory);

cudaError_t __wrap_cudaMalloc(void** memory, std::size_t bytes) {
  const cudaError_t e = __real_cudaMalloc(memory, failsNow() ? std::size_t(1) << 60 : bytes);
  live += e == cudaSuccess;
  return e;
}
cudaError_t __wrap_cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  const cudaError_t e = __real_cudaHostAlloc(memory, failsNow() ? std::size_t(1) << 60 : bytes, flags);
  live += e == cudaSuccess;
  return e;
}
cudaError_t __wrap_cudaFree(void* memory) {
  live -= memory != nullptr;
  return __real_cudaFree(memory);
}
cudaError_t __wrap_cudaFreeHost(void* memory) {
  live -= memory != nullptr;
  return __real_cudaFreeHost(memory);
}
}

namespace {

using namespace isochrone;

struct SolverCase {
  std::string name;
  Solve (*make)(Backend);
  friend void PrintTo(const SolverCase& c, std::ostream* out) { *out << c.name; }
};

class AllocationFailuresCuda : public testing::TestWithParam<SolverCase> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
  /// Solves while allocation `first` (from 1) and the following `count` - 1 fail; returns the bytes of the
  /// result.
  std::string solveFailing(Backend backend, long first, long count) const {
    Bytes bytes;
    untilFailure = first - 1, failures = count;
    GetParam().make(backend)(bytes);
    return bytes.all;
  }
};

constexpr long never = std::numeric_limits<long>::max();

} // namespace

TEST_P(AllocationFailuresCuda, LeaveNothingAndTheNextSolveSucceeds) {
  const std::string right = solveFailing(Backend::Cuda, never, 1);
  const long allocations = never - 1 - untilFailure;
  ASSERT_GT(allocations, 3);
  EXPECT_EQ(live, 0);
  for (long number = 1; number <= allocations; ++number) {
    try {
      solveFailing(Backend::Cuda, number, 1);
      FAIL() << "allocation " << number << " of " << allocations << " failed and nothing was thrown";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("out of memory"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("choose the Host"), std::string::npos) << e.what();
    }
    ASSERT_EQ(live, 0) << "allocation " << number << " of " << allocations << " failed";
    ASSERT_EQ(cudaPeekAtLastError(), cudaSuccess) << number;
  }
  EXPECT_TRUE(solveFailing(Backend::Cuda, never, 1) == right);
  std::printf("%ld allocations failed in turn\n", allocations);
}

TEST_P(AllocationFailuresCuda, FallBackToTheHostWithTheAutomaticBackend) {
  const std::string host = solveFailing(Backend::Host, never, 1);

  for (const long first : {1, 2, 4})
    EXPECT_TRUE(solveFailing(Backend::Automatic, first, never / 2) == host) << first;
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, AllocationFailuresCuda,
    testing::Values(
        SolverCase{"ImageTravelTime",
                   [](Backend b) { return imageSolve(b, 1, image::SourceFactoring::Off, false); }},
        SolverCase{"ImageTravelTimeFactored",
                   [](Backend b) { return imageSolve(b, 2, image::SourceFactoring::Additive, false); }},
        SolverCase{"ImageTravelTimeTensors",
                   [](Backend b) { return imageSolve(b, 1, image::SourceFactoring::Additive, true); }},
        SolverCase{"ImageTravelTimePeriodic", [](Backend b) { return periodicSolve(b, false); }},
        SolverCase{"ImageTravelTimePeriodicTensors", [](Backend b) { return periodicSolve(b, true); }},
        SolverCase{"ImageTravelTimeOnSphere", [](Backend b) { return sphereSolve(b); }},
        SolverCase{"CurvaturePaths",
                   [](Backend b) { return curvatureSolve(b, curvature::Accuracy::FirstOrder); }},
        SolverCase{"CurvaturePathsSecondOrder",
                   [](Backend b) { return curvatureSolve(b, curvature::Accuracy::SecondOrder, 12); }},
        SolverCase{"MeshTravelTime", [](Backend b) { return meshSolve(b, mesh::Method::Automatic); }},
        SolverCase{"ImageDerivatives", [](Backend b) { return imageDerivatives(b, 1, false); }},
        SolverCase{"ImageSecondDerivatives", [](Backend b) { return imageDerivatives(b, 2, false); }},
        SolverCase{"MeshDerivatives", [](Backend b) { return meshDerivatives(b); }},
        SolverCase{"MeshTravelTimePlain", [](Backend b) { return meshSolve(b, mesh::Method::PlainFim); }},
        SolverCase{"MeshTravelTimeManyBlocks",
                   [](Backend b) { return meshSolve(b, mesh::Method::DecomposedManyBlocks); }},
        SolverCase{"MeshTravelTimeOneBlock",
                   [](Backend b) { return meshSolve(b, mesh::Method::DecomposedOneBlock); }},
        SolverCase{"RayTracing", [](Backend b) { return raySolve(b, false); }},
        SolverCase{"RayTracingSeparateSources", [](Backend b) { return raySolve(b, true); }},
        SolverCase{"RayTracingPeriodic", [](Backend b) { return raySolve(b, false, 2, true); }},
        SolverCase{"RayTracingTilted", [](Backend b) { return raySolve(b, false, 2, false, true); }},
        SolverCase{"DistanceTransform", [](Backend b) { return distanceSolve(b); }}),
    [](const auto& info) { return info.param.name; });
