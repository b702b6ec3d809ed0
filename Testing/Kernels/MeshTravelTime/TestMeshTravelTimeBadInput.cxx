// Claims about refused meshes, messages with what, where and value, and about barriers.
#include "Error.h"
#include "MeshTravelTimeChecks.h"

#include <algorithm>
#include <initializer_list>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

void expectError(const Problem& problem, std::initializer_list<const char*> words,
                 const Options& options = onHost()) {
  try {
    solveMeshTravelTime(problem, options, {});
    ADD_FAILURE() << "no error with " << *words.begin();
  } catch (const Error& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

/// Returns 27 vertices and 48 cells.
MeshCase small() { return cubes(2, 2, 2, 0.5, 0.2); }

} // namespace

TEST(MeshTravelTimeBadInput, RefusesInvalidMeshes) {
  MeshCase c = small();
  c.problem.cells = {};
  expectError(c.problem, {"no cells"});
  c = small();
  c.problem.cells = c.problem.cells.first(47);
  expectError(c.problem, {"four vertices"});
  c = small();
  c.problem.points.precise = c.problem.points.precise.first(80);
  expectError(c.problem, {"three coordinates"});
  for (const double bad : {notANumber, infinite, -infinite}) {
    c = small();
    c.at(17, 1) = bad;
    expectError(c.problem, {"coordinates", "finite", "point 17"});
    c.problem.vertexName = [](std::int64_t v) {
      return "vertex " + std::to_string(v) + " of the left piece";
    };
    expectError(c.problem, {"vertex 17 of the left piece"});
  }
}

TEST(MeshTravelTimeBadInput, RefusesCellsWithUnknownVerticesByNumber) {
  for (const std::int64_t bad : {27, 1 << 30, -1, -7})
    for (const std::size_t place : {0, 2, 3}) {
      if (bad == -1 && place == 3) continue; // a triangle
      MeshCase c = small();
      c.cells[4 * 5 + place] = bad;
      expectError(c.problem, {"cell 5", std::to_string(bad).c_str(), "27"});
      c.problem.cellName = [](std::int64_t t) { return "block " + std::to_string(t); };
      expectError(c.problem, {"block 5"});
    }
}

TEST(MeshTravelTimeBadInput, RefusesArraysOfOtherSizesByName) {
  MeshCase c = withSpeed(small(), false, [](auto, auto&) { return 1.; });
  c.problem.speed.ofVertices = true;
  expectError(c.problem, {"speed", "27", "points", "48"});
  c = withSpeed(small(), true, [](auto, auto&) { return 1.; });
  c.problem.speed.ofVertices = false;
  expectError(c.problem, {"speed", "48", "cells", "27"});
  c = withTensors(small(), 1, 2);
  c.tensor.pop_back();
  c.link();
  expectError(c.problem, {"tensors", "6 values", "48"});
  c = withFibres(small(), 3, 1);
  c.problem.fibre.components = 2;
  expectError(c.problem, {"fibres", "3 values"});
  c.problem.fibre = {};
  expectError(c.problem, {"fibres"});
  c = withFibres(small(), 3, 1);
  c.sheet.assign(3 * 47, 1);
  c.link();
  expectError(c.problem, {"sheets", "48"});
  c = withHiddenCells(small(), 0.1);
  c.hidden.pop_back();
  c.link();
  expectError(c.problem, {"hidden", "each cell"});
}

TEST(MeshTravelTimeBadInput, RefusesInvalidSpeedsByPlace) {
  MeshCase c = small();
  for (const double bad : {0., -2., notANumber, infinite}) {
    c.problem.constantSpeed = bad;
    expectError(c.problem, {"speed", "positive"});
  }
  for (const double bad : {-1.5, -infinite, infinite}) {
    c = withSpeed(small(), false, [=](auto t, auto&) { return t == 33 ? bad : 1.; });
    expectError(c.problem, {"speed", "not negative", "cell 33", std::isinf(bad) ? "inf" : "-1.5"});
    c = withSpeed(small(), true, [=](auto v, auto&) { return v == 13 ? bad : 1.; });
    expectError(c.problem, {"speed", "not negative", "point 13"});
    c = withFibres(small(), 3, 1);
    c.speed.assign(2 * 48, 1);
    c.problem.speed.components = 2;
    c.speed[2 * 21 + 1] = bad;
    c.link();
    expectError(c.problem, {"conduction velocities", "not negative", "cell 21"});
    c.problem.speedType = SpeedType::Conductivities;
    expectError(c.problem, {"conductivities", "not negative", "cell 21"});
  }
}

TEST(MeshTravelTimeBadInput, RefusesInvalidVelocitiesOfFibres) {
  for (const double bad : {0., -1., notANumber, infinite}) {
    MeshCase c = withFibres(small(), 3, 1);
    c.problem.velocities[1] = bad;
    expectError(c.problem, {"conduction velocities", "positive"});
    c = withFibres(small(), 3, 1);
    c.problem.velocities[2] = bad; // unused without sheets
    EXPECT_EQ(solve(c, onHost()).travelTime.size(), 27u);
    for (int t = 0; t < 48; ++t)
      for (const double x : {0., 0., 1.}) c.sheet.push_back(x);
    c.link();
    expectError(c.problem, {"conduction velocities", "positive"});
    c = withFibres(small(), 3, 1);
    c.problem.speedType = SpeedType::Conductivities, c.problem.velocityScale = bad;
    expectError(c.problem, {"conductivity", "positive"});
  }
  MeshCase c = withFibres(small(), 3, 1);
  c.problem.speed.components = 4;
  c.speed.assign(4 * 48, 1);
  c.link();
  expectError(c.problem, {"2 or 3", "got 4"});
  c.speed.assign(2 * 48, 1), c.sheet.assign(3 * 48, 1);
  c.problem.speed.components = 2;
  c.link();
  expectError(c.problem, {"3 values where there are sheets", "got 2"});
}

TEST(MeshTravelTimeBadInput, RefusesInvalidSeedsByNumber) {
  MeshCase c = small();
  c.problem.seeds.clear();
  expectError(c.problem, {"no seed"});
  for (const Seed& outside : {Seed{27}, Seed{-1, 48}, Seed{}, Seed{-1, -1}}) {
    c.problem.seeds = {{3}, outside};
    expectError(c.problem, {"seed 1", "outside"});
  }
  for (const double bad : {notANumber, infinite, -infinite}) {
    c.problem.seeds = {{3}, {4}, {5, -1, {}, bad}};
    expectError(c.problem, {"start time", "seed 2", "finite"});
    c.problem.startName = [](std::int64_t seed) { return "the onset of " + std::to_string(10 * seed); };
    expectError(c.problem, {"the onset of 20 must be finite"});
    c.problem.startName = {};
  }
  c = small();
  for (const double bad : {-1., notANumber, infinite}) {
    c.problem.ballRadius = bad;
    expectError(c.problem, {"radius", "not negative"});
  }
}

TEST(MeshTravelTimeBadInput, ReportsSeedsInBarriers) {
  MeshCase c = withSpeed(small(), false, [](auto, auto&) { return 0.; });
  expectError(c.problem, {"every seed", "barrier"});
  c = beside(small(), small(), 5); // with the first mesh hidden
  c.hidden.assign(96, 0);
  std::fill_n(c.hidden.begin(), 48, 1);
  c.link();
  c.problem.seeds = {{0}, {27}, {-1, 3, c.middle(3)}, {-1, 50, c.middle(50)}};
  const Result result = solve(c, onHost());
  EXPECT_EQ(result.usable, (std::vector<bool>{false, true, false, true}));
  for (std::size_t v = 0; v < 54; ++v) EXPECT_EQ(std::isinf(result.travelTime[v]), v < 27) << v;
}

TEST(MeshTravelTimeBadInput, RefusesInvalidSubdomains) {
  Options options = onHost();
  options.subdomains = -3;
  expectError(small().problem, {"subdomains", "-3"}, options);
}

TEST(MeshTravelTimeBadInput, RefusesTimesOutOfRange) {
  expectError(scaled(cubes(2, 2, 2, 0.5, 0.2), 1e200).problem, {"precision"});
  expectError(withSpeed(small(), false, [](auto t, auto&) { return t == 5 ? 1e-30 : 1.; }).problem,
              {"precision"});
}

TEST(MeshTravelTimeBadInput, RefusesCoordinatesAndSpeedsBeyondSinglePrecision) {
  for (const double scale : {1e-300, 1e-200, 1e-40, 1e39, 1e160, 1e300})
    expectError(scaled(small(), scale).problem, {"travel times along edges", "too small or too large"});
  for (const double speed : {1e-39, 1e45}) {
    MeshCase c = small();
    c.problem.constantSpeed = speed;
    expectError(c.problem, {"travel times along edges", "too small or too large"});
  }
  MeshCase c = scaled(small(), 1e37); // every edge is representable, some travel times are not
  c.problem.constantSpeed = 0.05;
  expectError(c.problem, {"single precision"});
}

TEST(MeshTravelTimeBadInput, RefusesStartTimesTooFarApart) {
  for (const double start : {1e39, -1e39}) {
    MeshCase c = withSeeds(small(), {{0}, {26, -1, {}, start}});
    expectError(c.problem, {"start time of seed", "closer together"});
  }
}

TEST(MeshTravelTimeBadInput, ReportsAStartTimeThatBlursArrivals) {
  const auto blurred = [](double start) {
    MeshCase c =
        withSeeds(beside(cubes(2, 2, 2, 0.5, 0), cubes(2, 2, 2, 0.5, 0), 5), {{0}, {27, -1, {}, start}});
    return solve(c, onHost()).blurredSeed;
  };
  EXPECT_EQ(blurred(1000), -1);
  EXPECT_EQ(blurred(1.7e9), 1);
  EXPECT_EQ(solve(withSeeds(small(), {{0}, {26, -1, {}, 1.7e9}}), onHost()).blurredSeed, -1); // overrun
}

TEST(MeshTravelTimeBadInput, AcceptsAnyUnitOfLength) {
  const auto latest = [](double scale) {
    const Values<float> times = solve(scaled(cubes(2, 2, 2, 0.5, 0.2), scale), onHost()).travelTime;
    return double(*std::max_element(times.begin(), times.end())) / scale;
  };
  for (const double scale : {1e-30, 1e-20, 1e20, 1e30})
    EXPECT_NEAR(latest(scale), latest(1), 1e-6 * latest(1));
}

TEST(MeshTravelTimeBarriers, AreCountedByReason) {
  MeshCase c = withTensors(small(), 1, 2);
  c.hidden.assign(48, 0), c.hidden[40] = c.hidden[41] = 1;
  const auto set = [&](std::size_t cell, const std::array<double, 6>& m) {
    std::ranges::copy(m, c.tensor.begin() + std::ptrdiff_t(6 * cell));
  };
  set(41, {1, 1, 1, 5, 0, 0}); // hidden, so any tensor is accepted
  set(3, {0, 0, 0, 0, 0, 0});
  set(7, {1, 1, 1, 0, notANumber, 0});
  set(11, {1, 1, 1, 1.5, 0, 0});
  set(13, {-1, -1, -1, 0, 0, 0});
  set(15, {1, 1, 0, 0, 0, 0});
  set(17, {infinite, 1, 1, 0, 0, 0});
  c.link();
  const Barriers b = solve(c, onHost()).barriers;
  EXPECT_EQ(b.closed, 4);
  EXPECT_EQ(b.noFrame, 0);
  EXPECT_EQ(b.firstNoFrame, -1);
  EXPECT_EQ(b.notDefinite, 4);
  EXPECT_EQ(b.firstNotDefinite, 11);
}

TEST(MeshTravelTimeBarriers, AreCellsWithoutAFrameOrSpeed) {
  MeshCase c = withFibres(small(), 3, 1);
  for (std::size_t t = 0; t < 48; ++t) {
    for (const double x : {0., 0., 2.}) c.sheet.push_back(x);
    c.speed.push_back(t == 9 ? 0 : t == 10 ? notANumber : 0.5);
  }
  c.fibre[3 * 20] = c.fibre[3 * 20 + 1] = 0;                                  // zero length
  c.fibre[3 * 21 + 2] = notANumber;                                           // NaN
  for (int a = 0; a < 3; ++a) c.sheet[3 * 22 + a] = -4 * c.fibre[3 * 22 + a]; // along the fibre
  for (int a = 0; a < 3; ++a) c.sheet[3 * 23 + a] = 0;
  for (int a = 0; a < 3; ++a) c.fibre[3 * 24 + a] *= 1e-30, c.sheet[3 * 24 + a] *= 1e30; // any length
  c.link();
  const Result result = solve(c, onHost());
  EXPECT_EQ(result.barriers.closed, 2);
  EXPECT_EQ(result.barriers.noFrame, 4);
  EXPECT_EQ(result.barriers.firstNoFrame, 20);
  EXPECT_EQ(result.barriers.notDefinite, 0);
  expectReference(c, result);
}

TEST(MeshTravelTimeBarriers, SurroundAVertexWithoutASpeed) {
  MeshCase c = withSpeed(cubes(4, 4, 4, 0.25, 0.2), true, [](auto v, auto&) { return v == 62 ? 0. : 1.; });
  const Result result = solve(c, onHost());
  EXPECT_EQ(result.barriers.closed, 24);
  EXPECT_TRUE(std::isinf(result.travelTime[62]));
  expectReference(c, result);
}
