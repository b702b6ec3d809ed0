// Claims about memory that cannot be had: whichever allocation fails, in whichever thread, a solver throws
// std::bad_alloc or Error, or comes to the right result without it, and solves right the next time. An
// exception that a parallel region does not carry out ends the process, and this program with it.
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

/// Allocations until one fails; it fails when this falls to 0. Negative: all that are made are counted.
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

// Large results take their memory from std::aligned_alloc; the linker leads the calls here (--wrap).
extern "C" {
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return failsNow() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
}

namespace {

using namespace isochrone;

/// Runs with the allocation of this number failing, none for -1; returns the allocations made.
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

/// @param most  tries; so many of the allocations fail, at equal distances, in turn
void expectSurvivesFailures(const Solve& solve, long most) {
  Bytes right, counted;
  solve(right);
  const long allocations = runFailing(solve, -1, counted);
  EXPECT_TRUE(counted.all == right.all);
  ASSERT_GT(allocations, 10);
  long thrown = 0, tries = 0;
  for (long number = 1; number <= allocations; number += (allocations + most - 1) / most, ++tries) {
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

TEST(AllocationFailures, LeaveTheRegionsOfImageTravelTime) {
  expectSurvivesFailures(imageSolve(Backend::Host, 1, image::SourceFactoring::Off, false), 200);
}
TEST(AllocationFailures, LeaveTheRegionsOfImageTravelTimeOfSecondOrder) {
  expectSurvivesFailures(imageSolve(Backend::Host, 2, image::SourceFactoring::Additive, false), 400);
}
TEST(AllocationFailures, LeaveTheRegionsOfImageTravelTimeWithTensors) {
  expectSurvivesFailures(imageSolve(Backend::Host, 1, image::SourceFactoring::Additive, true), 500);
}

TEST(AllocationFailures, LeaveTheRegionsOfCurvaturePaths) {
  expectSurvivesFailures(curvatureSolve(Backend::Host, curvature::Accuracy::FirstOrder), 300);
}
TEST(AllocationFailures, LeaveTheRegionsOfCurvaturePathsWithSeedBalls) {
  expectSurvivesFailures(curvatureSolve(Backend::Host, curvature::Accuracy::SeedBall), 100);
}
TEST(AllocationFailures, LeaveTheRegionsOfCurvaturePathsOfSecondOrder) {
  expectSurvivesFailures(curvatureSolve(Backend::Host, curvature::Accuracy::SecondOrder), 100);
}

TEST(AllocationFailures, LeaveTheRegionsOfMeshTravelTime) {
  expectSurvivesFailures(meshSolve(Backend::Host, mesh::Method::Automatic), 2000);
}
TEST(AllocationFailures, LeaveTheRegionsOfMeshTravelTimeInSubdomains) {
  expectSurvivesFailures(meshSolve(Backend::Host, mesh::Method::DecomposedOneBlock), 400);
}

TEST(AllocationFailures, LeaveTheRegionsOfRayTracing) {
  expectSurvivesFailures(raySolve(Backend::Host, false), 1000);
}
TEST(AllocationFailures, LeaveTheRegionsOfRayTracingOfSeparateSources) {
  expectSurvivesFailures(raySolve(Backend::Host, true), 1000);
}

TEST(AllocationFailures, LeaveTheRegionsOfDistanceTransform) {
  expectSurvivesFailures(distanceSolve(Backend::Host), 200);
}

TEST(AllocationFailures, LeaveTheRegionsOfOrientedCost) {
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
