// Claims about failed allocations: for any failing allocation in any thread, a solver throws std::bad_alloc
// or Error, or reaches the correct result without it, and the next solve succeeds. An exception that leaves a
// parallel region ends the process, and this program with it.
#include "AllocationCases.h"
#include "Error.h"
#include "OrientedCost/OrientedCost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace {

/// Number of allocations until one fails; it fails when this reaches 0. Negative: all allocations are
/// counted.
std::atomic<long> untilFailure{0};
std::atomic<bool> armed{false};

bool failsNow() { return armed.load(std::memory_order_relaxed) && untilFailure.fetch_sub(1) == 1; }

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (failsNow()) throw std::bad_alloc();
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), std::max<std::size_t>(bytes, 1)) != 0)
    throw std::bad_alloc();
  return memory;
}

} // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new[](std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t align) { return allocate(bytes, std::size_t(align)); }
void* operator new[](std::size_t bytes, std::align_val_t align) {
  return allocate(bytes, std::size_t(align));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using namespace isochrone;

/// Runs with this allocation failing (-1: none) and returns the number of allocations made.
long runFailing(const Solve& solve, long number, Bytes& bytes) {
  struct Arm {
    explicit Arm(long n) {
      untilFailure = n;
      armed = true;
    }
    ~Arm() { armed = false; }
  } arm(number);
  solve(bytes);
  return number - untilFailure;
}

/// @param maximum  number of allocations that fail in turn, at equal distances
void expectSurvivesFailures(const Solve& solve, long maximum) {
  Bytes right, counted;
  solve(right);
  const long allocations = runFailing(solve, -1, counted);
  EXPECT_TRUE(counted.all == right.all);
  ASSERT_GT(allocations, 10);
  long thrown = 0, tries = 0;
  for (long number = 1; number <= allocations; number += (allocations + maximum - 1) / maximum, ++tries) {
    Bytes bytes;
    try {
      runFailing(solve, number, bytes);
      EXPECT_TRUE(bytes.all == right.all) << "allocation " << number << " of " << allocations << " failed";
    } catch (const std::bad_alloc&) {
      ++thrown;
    } catch (const Error&) {
      ++thrown;
    }
  }
  EXPECT_GT(thrown, tries / 2);
  Bytes again;
  solve(again);
  EXPECT_TRUE(again.all == right.all);
  std::printf("%ld of %ld allocations failed in turn: %ld exceptions\n", tries, allocations, thrown);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfImageTravelTime) {
  expectSurvivesFailures(imageSolve(Backend::Host, 1, image::SourceFactoring::Off, false), 200);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfImageTravelTimeOfSecondOrder) {
  expectSurvivesFailures(imageSolve(Backend::Host, 2, image::SourceFactoring::Additive, false), 400);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfImageTravelTimeWithTensors) {
  expectSurvivesFailures(imageSolve(Backend::Host, 1, image::SourceFactoring::Additive, true), 500);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfDerivativesOfImages) {
  expectSurvivesFailures(imageDerivatives(Backend::Host, 1, false), 200);
  expectSurvivesFailures(imageDerivatives(Backend::Host, 2, false), 200);
  expectSurvivesFailures(imageDerivatives(Backend::Host, 1, true), 200);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfDerivativesOfMeshes) {
  expectSurvivesFailures(meshDerivatives(Backend::Host), 400);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfCurvaturePaths) {
  expectSurvivesFailures(curvatureSolve(Backend::Host, curvature::Accuracy::FirstOrder), 300);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfCurvaturePathsWithSeedBalls) {
  expectSurvivesFailures(curvatureSolve(Backend::Host, curvature::Accuracy::SeedBall), 100);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfCurvaturePathsOfSecondOrder) {
  expectSurvivesFailures(curvatureSolve(Backend::Host, curvature::Accuracy::SecondOrder), 100);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfMeshTravelTime) {
  expectSurvivesFailures(meshSolve(Backend::Host, mesh::Method::Automatic), 2000);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfSurfaces) {
  expectSurvivesFailures(surfaceSolve(mesh::Accuracy::FirstOrder), 200);
}
TEST(AllocationFailures, LeaveExactDistances) {
  expectSurvivesFailures(surfaceSolve(mesh::Accuracy::Exact), 400);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfMeshTravelTimeInSubdomains) {
  expectSurvivesFailures(meshSolve(Backend::Host, mesh::Method::DecomposedOneBlock), 400);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfRayTracing) {
  expectSurvivesFailures(raySolve(Backend::Host, false), 1000);
}
TEST(AllocationFailures, LeaveTheParallelRegionsOfRayTracingOfSeparateSources) {
  expectSurvivesFailures(raySolve(Backend::Host, true), 1000);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfDistanceTransform) {
  expectSurvivesFailures(distanceSolve(Backend::Host), 200);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfDistancesToASurface) {
  const Solve solve = [](Bytes& bytes) {
    surface::LevelSet levelSet;
    levelSet.grid = {40, 30, 20, 1, 1, 1};
    std::vector<float> values;
    for (std::int64_t i = 0; i < levelSet.grid.points(); ++i)
      values.push_back(float(i % 40) - 9.5F + float(i % 7));
    levelSet.floats = values;
    const surface::Surface surface = surface::extractLevelSet(levelSet, 2);
    std::int64_t count = 0;
    const Values<std::uint8_t> inside = surface::insideOf(levelSet, 2, count);
    distance::Problem p;
    p.grid = levelSet.grid;
    p.sites = inside;
    p.surface = &surface;
    distance::Options options;
    options.backend = Backend::Host, options.threads = 2;
    bytes.add(distance::solveDistanceTransform(p, options, {}).distance);
  };
  expectSurvivesFailures(solve, 150);
}

TEST(AllocationFailures, LeaveTheParallelRegionsOfOrientedCost) {
  const Solve solve = [](Bytes& bytes) {
    oriented::Problem p;
    p.nx = p.ny = square.n;
    p.intensity = square.cost;
    p.headings = 8;
    p.widths = {1.5, 3};
    p.length = 6;
    bytes.add(oriented::makeOrientedCost(p, 2, {}).cost);
  };
  expectSurvivesFailures(solve, 400);
}

} // namespace
