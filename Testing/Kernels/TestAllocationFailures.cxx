// Claims about memory that cannot be had: whichever allocation fails, in whichever thread, a solver throws
// std::bad_alloc or Error, or comes to the right result without it, and solves right the next time. An
// exception that a parallel region does not carry out ends the process, and this program with it.
#include "CurvaturePaths/CurvaturePaths.h"
#include "DistanceTransform/DistanceTransform.h"
#include "Error.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTimeMeshes.h"
#include "OrientedCost/OrientedCost.h"
#include "RayTracing/RayTracing.h"

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

/// The bytes of results, to compare them.
struct Bytes {
  std::string all;
  template <class Array>
  void add(const Array& values) {
    all.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  }
  void add(const std::vector<Path>& paths) {
    for (const Path& path : paths) add(path.x), add(path.y), add(path.travelTime);
  }
};

/// Solves with two threads and adds all that was computed.
using Solve = std::function<void(Bytes&)>;

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

/// A square with waves of cost, tensors, and walls of a point each.
struct Square {
  std::int64_t n;
  std::vector<float> cost = std::vector<float>(n * n), tensors = std::vector<float>(3 * n * n);
  std::vector<std::uint8_t> walls = std::vector<std::uint8_t>(n * n);
  explicit Square(std::int64_t points) : n(points) {
    for (std::int64_t p = 0; p < n * n; ++p) {
      cost[p] = 1 + 0.3f * float(std::sin(0.01 * double(p)));
      walls[p] = p % 35 == 31;
      tensors[3 * p] = 2, tensors[3 * p + 1] = 1, tensors[3 * p + 2] = cost[p] / 2;
    }
  }
};
const Square square(66);
const Position tip{60, 60, 0};

Solve imageSolve(int order, image::SourceFactoring factoring, bool tensors) {
  return [=](Bytes& bytes) {
    image::Problem p;
    p.grid = {square.n, square.n, 1, 1, 1, 1};
    p.speed = tensors ? square.tensors : square.cost;
    if (tensors) p.speedType = image::SpeedType::SquaredVelocityTensor;
    p.barriers = square.walls;
    p.seeds = {{{6.3, 5.2, 0}, 0, false}, {{50, 6, 0}, 1, false}};
    image::Options o;
    o.backend = Backend::Host;
    o.threads = 2;
    o.order = order;
    o.factoring = factoring;
    o.seedIds = true;
    const image::Result r = image::solveImageTravelTime(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(r.seed);
    bytes.add(image::extractPaths(p, r.travelTime, std::vector<Position>{tip, {9, 60, 0}}, 2));
    bytes.add(image::gradient(p, r.travelTime, 2));
    bytes.add(std::vector{image::residual(p, r.travelTime, 2)});
  };
}

Solve curvatureSolve(curvature::Accuracy accuracy) {
  static const Square square(24);
  return [=](Bytes& bytes) {
    curvature::Problem p;
    p.grid = {square.n, square.n, 8, 1, 1};
    p.cost.values = square.cost;
    p.turningRadius.constant = 3;
    p.model = curvature::Model::Elastica;
    p.accuracy = accuracy;
    p.walls = square.walls;
    p.seeds = {{{6, 6, 0.3, false}, 0}};
    curvature::Options o;
    o.backend = Backend::Host;
    o.threads = 2;
    const curvature::Result r = curvature::solveCurvaturePaths(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(curvature::reduceToPlane(p, r, 2).seed);
    const curvature::State tips[2] = {{20, 20, 0, true}, {9, 21, 0, true}};
    bytes.add(curvature::extractPaths(p, r, tips, 2));
    const curvature::WeightedTip weighted{tips[0], 1};
    curvature::SensitivityOptions s;
    s.backend = Backend::Host;
    s.threads = 2;
    bytes.add(curvature::differentiate(p, r, std::span(&weighted, 1), s, {}).cost);
    bytes.add(std::vector{curvature::residual(p, r, 2)});
  };
}

Solve meshSolve(mesh::Method method) {
  const auto c = std::make_shared<mesh::MeshCase>(
      mesh::withSeeds(mesh::cubes(6, 6, 6, 1, 0.2), {{0, -1, {}, 0}, {300, -1, {}, 0.5}}));
  return [=](Bytes& bytes) {
    mesh::Problem p = c->problem;
    p.ballRadius = 2;
    mesh::Options o;
    o.backend = Backend::Host;
    o.threads = 2;
    o.method = method;
    o.seedIds = true;
    const mesh::Result r = mesh::solveMeshTravelTime(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(r.seed);
    std::vector<mesh::Tip> tips(2);
    tips[0].vertex = 342, tips[1].vertex = 48;
    bytes.add(mesh::extractPaths(p, r.travelTime, tips, 2));
    bytes.add(mesh::conduction(p, r.travelTime, 2).direction);
    bytes.add(std::vector{mesh::residual(p, r.travelTime, 2)});
    for (const mesh::Location& at : mesh::locate(p, std::vector<Position>{{3, 3, 3}, {1, 2, 9}}, 1e-6, 2))
      bytes.add(at.cells), bytes.add(at.vertices);
  };
}

Solve raySolve(bool separate) {
  return [=](Bytes& bytes) {
    rays::Problem p;
    p.grid = {square.n, square.n, 1, 1, 1, 1};
    p.slowness = square.cost;
    p.sources = {{{5.3, 5.2, 0}, 0}, {{50, 5, 0}, 1}};
    rays::Options o;
    o.backend = Backend::Host;
    o.threads = 2;
    o.predecessors = true;
    o.sourceIds = o.separateSources = false;
    (separate ? o.separateSources : o.sourceIds) = true;
    const rays::Result r = rays::solveRayTracing(p, o, {});
    for (std::size_t f = 0; f < r.fields.size(); ++f) {
      bytes.add(r.fields[f].travelTime);
      bytes.add(r.fields[f].predecessor);
      const std::vector<std::int32_t> sources = separate ? std::vector{std::int32_t(f)} : std::vector{0, 1};
      const auto traced =
          rays::traceRays(p, o, r.fields[f], sources, std::vector<Position>{tip, {9, 60.5, 0}});
      bytes.add(rays::rayMatrix(p, o, traced).weight);
    }
  };
}

TEST(AllocationFailures, LeaveTheRegionsOfImageTravelTime) {
  expectSurvivesFailures(imageSolve(1, image::SourceFactoring::Off, false), 200);
}
TEST(AllocationFailures, LeaveTheRegionsOfImageTravelTimeOfSecondOrder) {
  expectSurvivesFailures(imageSolve(2, image::SourceFactoring::Additive, false), 400);
}
TEST(AllocationFailures, LeaveTheRegionsOfImageTravelTimeWithTensors) {
  expectSurvivesFailures(imageSolve(1, image::SourceFactoring::Additive, true), 500);
}

TEST(AllocationFailures, LeaveTheRegionsOfCurvaturePaths) {
  expectSurvivesFailures(curvatureSolve(curvature::Accuracy::FirstOrder), 300);
}
TEST(AllocationFailures, LeaveTheRegionsOfCurvaturePathsWithSeedBalls) {
  expectSurvivesFailures(curvatureSolve(curvature::Accuracy::SeedBall), 200);
}
TEST(AllocationFailures, LeaveTheRegionsOfCurvaturePathsOfSecondOrder) {
  expectSurvivesFailures(curvatureSolve(curvature::Accuracy::SecondOrder), 200);
}

TEST(AllocationFailures, LeaveTheRegionsOfMeshTravelTime) {
  expectSurvivesFailures(meshSolve(mesh::Method::Automatic), 2000);
}
TEST(AllocationFailures, LeaveTheRegionsOfMeshTravelTimeInSubdomains) {
  expectSurvivesFailures(meshSolve(mesh::Method::DecomposedOneBlock), 400);
}

TEST(AllocationFailures, LeaveTheRegionsOfRayTracing) { expectSurvivesFailures(raySolve(false), 1000); }
TEST(AllocationFailures, LeaveTheRegionsOfRayTracingOfSeparateSources) {
  expectSurvivesFailures(raySolve(true), 1000);
}

TEST(AllocationFailures, LeaveTheRegionsOfDistanceTransform) {
  const Solve solve = [](Bytes& bytes) {
    distance::Problem p;
    p.grid = {square.n, square.n, 1, 1, 1, 1};
    p.sites = square.walls;
    distance::Options o;
    o.backend = Backend::Host;
    o.threads = 2;
    o.region = distance::Region::Signed;
    o.nearestSite = o.squaredDistance = true;
    const distance::Result r = distance::solveDistanceTransform(p, o, {});
    bytes.add(r.distance);
    bytes.add(r.nearestSite);
    const std::vector<Position> tips(130, tip); // for two threads
    for (const distance::Segment& s : distance::nearestSites(p, o, r, tips)) bytes.add(std::vector{s.site});
  };
  expectSurvivesFailures(solve, 200);
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
