// Fronts that start from a level set between the points.
#include "Error.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeds/SurfaceStarts.h"
#include "Median.h"
#include "Reference/SurfaceReference.h"
#include "Surface/SurfaceCases.h"

#include <gtest/gtest.h>

namespace isochrone::image {
namespace {

/// A front from the surface of a level set.
struct SurfaceProblem {
  surface::Case levelSet;
  surface::Surface surface;
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  Problem problem;

  SurfaceProblem(const Grid& grid, const std::function<double(const Position&)>& value)
      : levelSet(grid, value), surface(surface::extractLevelSet(levelSet.levelSet, 1)) {
    problem.grid = grid;
    problem.seeds = {{{}, 0, true}};
    problem.seedSurface = &surface;
  }
  Result solve(int threads = 1, int order = 1) const {
    Options options;
    options.order = order;
    options.backend = Backend::Host;
    options.threads = threads;
    return solveImageTravelTime(problem, options, {});
  }
  /// Returns the corners of the crossed cells.
  std::vector<std::int64_t> corners() const {
    std::vector<std::int64_t> points;
    for (const std::int64_t cell : surface.cells)
      for (int k = 0; k < 8; ++k) {
        GridIndex at = problem.grid.indices(cell);
        for (int a = 0; a < 3; ++a) at[a] = std::min(at[a] + (k >> a & 1), problem.grid.sizes()[a] - 1);
        points.push_back(problem.grid.index(at));
      }
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }
  Position at(std::int64_t point) const { return surface::positionOf(problem.grid, point); }
};

TEST(SurfaceSeeds, CornersOfCrossedCellsStartWithTheExactDistance) {
  for (const Grid& grid :
       {Grid{26, 25, 24, 1, 1, 1}, Grid{26, 25, 24, 1, 0.3, 0.7}, Grid{61, 50, 1, 1, 1, 1}}) {
    SurfaceProblem p(grid, surface::ball({12.2, grid.hy * 12.1, grid.nz > 1 ? grid.hz * 11.7 : 0}, 3.6));
    p.problem.constantSpeed = 2;
    const std::vector<SeedPoint> starts = SurfaceStarts(p.problem).starts(1);
    const std::vector<std::int64_t> corners = p.corners();
    ASSERT_EQ(starts.size(), corners.size());
    const Result result = p.solve();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      EXPECT_EQ(starts[i].point, corners[i]);
      EXPECT_NEAR(starts[i].value, reference::distanceTo(p.surface.pieces, p.at(corners[i])) / 2, 1e-12);
      EXPECT_LE(result.travelTime[std::size_t(corners[i])],
                starts[i].value * (1 + 1e-6)); // or an earlier arrival
    }
  }
}

TEST(SurfaceSeeds, FrontFromASphereArrivesOnBothSides) {
  SurfaceProblem p({41, 41, 41, 1, 1, 1}, surface::ball({20.2, 19.9, 20.1}, 10.3));
  const auto errorsOf = [&](const Result& result) {
    std::vector<double> errors;
    for (std::int64_t i = 0; i < p.problem.grid.points(); ++i)
      errors.push_back(
          std::abs(result.travelTime[std::size_t(i)] - std::abs(p.levelSet.values[std::size_t(i)])));
    return errors;
  };
  EXPECT_LT(median(errorsOf(p.solve(1, 1))), 0.3);
  EXPECT_LT(median(errorsOf(p.solve(1, 2))), 0.05);
}

TEST(SurfaceSeeds, SlownessAndStartValueApply) {
  SurfaceProblem p({16, 15, 1, 1, 1, 1}, [](const Position& at) { return at[0] - 4.25; });
  p.problem.speedType = SpeedType::Slowness;
  p.problem.constantSpeed = 3;
  p.problem.seeds[0].startValue = 100;
  const Result result = p.solve();
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i)
    EXPECT_NEAR(result.travelTime[std::size_t(i)], 100 + 3 * std::abs(p.at(i)[0] - 4.25), 1e-4);
}

TEST(SurfaceSeeds, TensorsMeasureTheDistanceInTheirMetric) {
  SurfaceProblem p({16, 15, 14, 1, 1, 1}, [](const Position& at) { return at[0] + at[1] - 13.3; });
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i)
    for (const float c : {4.F, 1.F, 9.F, 1.F, 0.F, 0.F}) p.speed.push_back(c); // xx yy zz xy yz xz
  p.problem.speedType = SpeedType::MetricTensor;
  p.problem.speed = p.speed;
  const Result result = p.solve();
  // The distance to the plane n x = c in the metric G is |n x - c| / sqrt(n G^-1 n); the determinant in the
  // plane is 3 and n G^-1 n = (1 + 4 - 2) / 3 = 1.
  std::int64_t inner = 0;
  for (const std::int64_t corner : p.corners()) {
    const Position at = p.at(corner);
    if (at[0] < 4 || at[0] > 11 || at[1] < 4 || at[1] > 11) continue; // the surface ends at the border
    EXPECT_NEAR(result.travelTime[std::size_t(corner)], std::abs(at[0] + at[1] - 13.3), 1e-5);
    ++inner;
  }
  EXPECT_GT(inner, 100);
}

TEST(SurfaceSeeds, PathsEndOnTheSurface) {
  SurfaceProblem p({26, 25, 24, 1, 1, 1}, surface::ball({12.2, 12.1, 11.7}, 6.6));
  const Result result = p.solve();
  const std::vector<Position> tips{{2, 3, 4}, {12.5, 11.5, 11}, {22, 12, 11}};
  const std::vector<Path> paths = extractPaths(p.problem, result.travelTime, tips, 1);
  for (const Path& path : paths) {
    ASSERT_EQ(path.status, PathStatus::Complete);
    const Position begin{path.x[0], path.y[0], path.z[0]};
    EXPECT_NEAR(reference::distanceTo(p.surface.pieces, begin), 0, 1e-5);
  }
}

TEST(SurfaceSeeds, ResidualIsZero) {
  SurfaceProblem p({26, 25, 24, 1, 0.8, 1.1}, surface::ball({12.2, 10.1, 12.7}, 6.6));
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i)
    p.speed.push_back(float(1 + noise(std::uint64_t(i))));
  p.problem.speed = p.speed;
  EXPECT_LT(residual(p.problem, p.solve().travelTime, 1), 1e-5);
}

TEST(SurfaceSeeds, DoNotStartBehindBarriers) {
  SurfaceProblem p({21, 11, 1, 1, 1, 1}, [](const Position& at) { return at[0] - 10.25; });
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i) p.barriers.push_back(p.at(i)[0] == 11);
  p.problem.barriers = p.barriers;
  const Result result = p.solve();
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i)
    EXPECT_EQ(std::isinf(result.travelTime[std::size_t(i)]), p.at(i)[0] > 10);
}

TEST(SurfaceSeeds, SameBitsForAnyThreadCount) {
  SurfaceProblem p({41, 37, 33, 1, 1, 1}, surface::ball({20.2, 17.9, 16.1}, 10.3));
  const Result expected = p.solve(1);
  for (const int threads : {2, 4}) EXPECT_EQ(p.solve(threads).travelTime, expected.travelTime);
}

TEST(SurfaceSeeds, RefusesASurfaceWithoutCellsAndOtherSeeds) {
  SurfaceProblem p({11, 11, 11, 1, 1, 1}, surface::ball({5, 5, 5}, 3.2));
  p.surface.cells.pop_back();
  EXPECT_THROW(p.solve(), Error);
  p.surface.cells.push_back(5000);
  EXPECT_THROW(p.solve(), Error);
  p.surface.cells.back() = p.surface.cells[0];
  p.problem.seeds.push_back({{1, 1, 1}, 0, false});
  EXPECT_THROW(p.solve(), Error);
}

TEST(SurfaceSeeds, NamesAnIsoValueThatNothingCrosses) {
  SurfaceProblem p({11, 11, 11, 1, 1, 1}, [](const Position&) { return 1.; });
  try {
    p.solve();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no cell is crossed by the iso value"), std::string::npos);
  }
}

} // namespace
} // namespace isochrone::image
