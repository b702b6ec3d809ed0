// Claims about solves with exact distances: what they refuse, that they stop, and what they report.
#include "Error.h"
#include "MeshTravelTimeSurfaces.h"

#include <initializer_list>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

void expectError(const MeshCase& c, std::initializer_list<const char*> words,
                 const Options& options = onHost()) {
  try {
    solve(c, options);
    ADD_FAILURE() << "no error with " << *words.begin();
  } catch (const Error& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

} // namespace

TEST(MeshExactRuns, RefusesTetrahedra) {
  expectError(exact(cubes(1, 1, 1, 1, 0)), {"cell 0 is a tetrahedron", "Extract Surface", "First Order"});
}

TEST(MeshExactRuns, RefusesSpeedsOfCells) {
  MeshCase c = exact(withSpeed(squares(3, 3, 1, 0, 0), false, [](auto, auto&) { return 2; }));
  expectError(c, {"one speed everywhere", "Speed Type Constant"});
}

TEST(MeshExactRuns, RefusesCudaByNameOnly) {
  const MeshCase c = roughSquare(3, 0, 1);
  Options options = onHost();
  options.backend = Backend::Cuda;
  expectError(c, {"host only", "Automatic or Host"}, options);
  options.backend = Backend::Automatic;
  const Result result = solve(c, options);
  EXPECT_EQ(result.ranOn.backend, Backend::Host);
  EXPECT_NE(result.ranOn.reason.find("exact distances"), std::string::npos);
}

TEST(MeshExactRuns, RefusesPartsOfAMesh) {
  MeshCase c = roughSquare(3, 0, 1);
  c.problem.sharing.exchange = [](auto, auto, auto) { return 0.0; };
  expectError(c, {"on one rank"});
}

TEST(MeshExactRuns, RefusesUnitsBeyondSinglePrecision) {
  for (const double factor : {1e-60, 1e60}) {
    MeshCase c = roughSquare(3, 0, 1);
    for (double& x : c.points) x *= factor;
    expectError(c, {"travel times along edges", "single precision"});
    c.problem.constantSpeed = factor;
    EXPECT_NEAR(solve(c, onHost()).travelTime[15], distancesFrom(c, 0)[15], 1e-6);
  }
  MeshCase c = roughSquare(3, 0, 1);
  c.at(0, 0) = -1.7e308, c.at(1, 0) = 1.7e308;
  expectError(c, {"1.8e308"});
}

TEST(MeshExactRuns, RefusesSeedsInBarriersOnly) {
  MeshCase c = roughSquare(3, 0, 1);
  c.hidden.assign(std::size_t(c.cellCount()), 1);
  c.link();
  expectError(c, {"every seed is in a barrier"});
}

TEST(MeshExactRuns, CountsBarriersAndOpenVertices) {
  MeshCase c = roughSquare(3, 0.2, 1);
  c.hidden.assign(std::size_t(c.cellCount()), 0);
  c.hidden[16] = c.hidden[17] = 1; // the last square
  c.problem.seeds.push_back({15});
  c.link();
  const Result result = solve(c, onHost());
  EXPECT_EQ(result.barriers.closed, 2);
  EXPECT_EQ(result.open[15], 0);
  EXPECT_EQ(result.open[14], 1);
  EXPECT_EQ(result.usable, (std::vector<bool>{true, false}));
}

TEST(MeshExactRuns, StartTimesTooLateForSinglePrecisionAreReported) {
  MeshCase c = exact(roughSquare(5, 0, 1), {{0}, {20, -1, {}, 1e7}});
  EXPECT_EQ(solve(c, onHost()).blurredSeed, -1); // an earlier wave passes it
  c = exact(beside(roughSquare(5, 0, 1), roughSquare(5, 0, 2), 20), {{0}, {40, -1, {}, 1e7}});
  EXPECT_EQ(solve(c, onHost()).blurredSeed, 1);
}

TEST(MeshExactRuns, AnAbortStopsASolve) {
  const MeshCase c = roughSquare(60, 0.3, 1);
  int calls = 0;
  const Result result = solveMeshTravelTime(c.problem, onHost(), {[&](double) { return ++calls < 3; }});
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.travelTime.empty());
  EXPECT_EQ(calls, 3);
}

TEST(MeshExactRuns, ProgressNeverFalls) {
  const MeshCase c = roughSquare(60, 0.3, 1);
  double last = 0;
  const auto progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return true;
  };
  solveMeshTravelTime(c.problem, onHost(), {progress});
  EXPECT_EQ(last, 1);
}

TEST(MeshExactRuns, AnAbortStopsPaths) {
  MeshCase c = roughSquare(20, 0.3, 1);
  const std::vector<float> times = distancesFrom(c, 0);
  EXPECT_TRUE(extractPaths(c.problem, times, everyVertex(c), 1, {[](double) { return false; }}).empty());
}

TEST(MeshExactRuns, AnAbortStopsTheSearchOfAPath) {
  MeshCase c = grid(10, 1000, false, [](int row, int column) {
    return Point{double(column), 100. * row, 0};
  });
  const std::vector<float> times = distancesFrom(c, 0);
  std::vector<double> shares;
  const auto stop = [&](double share) {
    shares.push_back(share);
    return false;
  };
  const std::vector<Tip> tips{{c.vertexCount() - 1}};
  EXPECT_TRUE(extractPaths(c.problem, times, tips, 1, {stop}).empty());
  EXPECT_EQ(shares.at(0), 0) << "the search ended before the monitor was asked";
}

TEST(MeshExactRuns, TipsOutsideOrInBarriersHaveNoPath) {
  MeshCase c = roughSquare(6, 0.3, 1);
  c.hidden.assign(std::size_t(c.cellCount()), 0);
  c.hidden[70] = c.hidden[71] = 1; // the last square: vertex 48 has no other
  c.link();
  const std::vector<float> times = distancesFrom(c, 0);
  const std::vector<Tip> tips{{}, {48}, {-1, 70, c.middle(70)}, {5}};
  const std::vector<Path> paths = extractPaths(c.problem, times, tips, 1);
  EXPECT_EQ(paths[0].status, PathStatus::TipOutside);
  EXPECT_EQ(paths[1].status, PathStatus::TipInWall);
  EXPECT_EQ(paths[2].status, PathStatus::TipInWall);
  EXPECT_EQ(paths[3].status, PathStatus::Complete);
}
