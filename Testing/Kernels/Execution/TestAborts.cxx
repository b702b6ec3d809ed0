// Claims about aborts in paths, gradients, residuals and ray matrices: each call soon ends after the monitor
// returns false, and leaves nothing. Exceptions of the monitor reach the caller of every solver.
#include "CurvaturePaths/CurvaturePaths.h"
#include "DistanceTransform/DistanceTransform.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "MeshTravelTime/MeshTravelTimeMeshes.h"
#include "OrientedCost/OrientedCost.h"
#include "RayTracing/RayTracing.h"
#include "Surface/Surface.h"
#include "Workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace isochrone {

namespace {

/// Aborts at the first call.
struct Stop {
  int calls = 0;
  double share = 0;
  Monitor monitor{[this](double done) {
    share = done;
    ++calls;
    return false;
  }};

  Stop() = default;
  Stop(const Stop&) = delete; // the monitor views it

  /// Expects the work to end with the task of the first call, on one thread.
  void expectAskedEarly() const {
    EXPECT_EQ(calls, 1);
    EXPECT_LE(share, 0.5);
  }
};

/// Records the reported shares of the work; the last one is 1.
struct Shares {
  std::vector<double> seen;
  Monitor monitor{[this](double done) {
    seen.push_back(done);
    return true;
  }};
};

template <class Options>
Options onHost() {
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  return options;
}

image::Problem imageProblem() {
  image::Problem p;
  p.grid = {128, 128, 1, 1, 1, 1};
  p.seeds = {{{5, 5, 0}, 0, false}};
  return p;
}

curvature::Problem curvatureProblem() {
  curvature::Problem p;
  p.grid = {24, 24, 8, 1, 1};
  p.turningRadius.constant = 3;
  p.seeds = {{{6, 6, 0.3, false}, 0}};
  return p;
}

rays::Problem rayProblem(const std::vector<float>& slowness) {
  rays::Problem p;
  p.grid = {32, 32, 1, 1, 1, 1};
  p.slowness = slowness;
  p.sources = {{{3, 3, 0}, 0}};
  return p;
}

} // namespace

TEST(Workers, DoEachTaskOnceAndReportRisingShares) {
  for (const int threads : {1, 3}) {
    std::vector<std::atomic<int>> done(10000);
    Shares shares;
    EXPECT_TRUE(Workers(threads, shares.monitor).runInBlocks(10000, [&](std::int64_t i, int thread) {
      EXPECT_LT(thread, threads);
      ++done[i];
    }));
    for (const auto& times : done) ASSERT_EQ(times, 1);
    EXPECT_TRUE(std::is_sorted(shares.seen.begin(), shares.seen.end()));
  }
}

TEST(Workers, ReportFromTheCallerAlsoWithFewerTasksThanThreads) {
  for (int repeated = 0; repeated < 500; ++repeated) {
    Shares shares;
    EXPECT_TRUE(Workers(4, shares.monitor).run(2, [](std::int64_t, int) {}));
    ASSERT_EQ(shares.seen.front(), 0.5); // after the first task
  }
}

TEST(Workers, StartNoTaskAfterAnAbort) {
  Stop stop;
  int done = 0;
  EXPECT_FALSE(Workers(1, stop.monitor).run(100, [&](std::int64_t, int) { ++done; }));
  EXPECT_EQ(done, 1);
}

TEST(Workers, RethrowExceptionsOfTasksAndTheMonitor) {
  const Monitor none, throwing{[](double) -> bool { throw 2; }};
  EXPECT_THROW(Workers(2, none).run(100,
                                    [](std::int64_t i, int) {
                                      if (i == 50) throw 1;
                                    }),
               int);
  EXPECT_THROW(Workers(1, throwing).run(100, [](std::int64_t, int) {}), int);
}

TEST(Aborts, AnExceptionOfTheMonitorReachesTheCallerOfEverySolver) {
  const std::vector<float> ones(64 * 64, 1), slowness(32 * 32, 1);
  std::vector<std::uint8_t> sites(ones.size(), 0);
  sites[7] = 1;
  const mesh::MeshCase cubes = mesh::withSeeds(mesh::cubes(17, 17, 17, 1, 0.2), {{0, -1, {}, 0}});
  oriented::Problem tubes;
  tubes.nx = tubes.ny = 64, tubes.intensity = ones, tubes.widths = {2}, tubes.length = 4;
  const distance::Problem places{{64, 64, 1, 1, 1, 1}, sites};
  const surface::Surface curve{{{{{9, 9, 0}, {40, 50, 0}, {40, 50, 0}}}}, {}, 0, {}};
  distance::Problem toSurface = places;
  toSurface.surface = &curve;
  const std::map<std::string, std::function<void(const Monitor&)>> solvers{
      {"curvature paths",
       [&](const Monitor& m) { solveCurvaturePaths(curvatureProblem(), onHost<curvature::Options>(), m); }},
      {"distances",
       [&](const Monitor& m) { solveDistanceTransform(places, onHost<distance::Options>(), m); }},
      {"distances to a surface",
       [&](const Monitor& m) { solveDistanceTransform(toSurface, onHost<distance::Options>(), m); }},
      {"images",
       [&](const Monitor& m) { solveImageTravelTime(imageProblem(), onHost<image::Options>(), m); }},
      {"meshes", [&](const Monitor& m) { solveMeshTravelTime(cubes.problem, onHost<mesh::Options>(), m); }},
      {"oriented costs", [&](const Monitor& m) { makeOrientedCost(tubes, 1, m); }},
      {"rays", [&](const Monitor& m) { solveRayTracing(rayProblem(slowness), onHost<rays::Options>(), m); }}};
  const Monitor throwing{[](double) -> bool { throw 1; }};
  for (const auto& [name, solve] : solvers) {
    SCOPED_TRACE(name);
    EXPECT_THROW(solve(throwing), int);
  }
}

TEST(Aborts, EndImagePathsGradientsAndResiduals) {
  const image::Problem p = imageProblem();
  const image::Result r = image::solveImageTravelTime(p, onHost<image::Options>(), {});
  const std::vector<image::Position> tips(8, {100, 90, 0});
  Stop paths, gradient, residual;

  EXPECT_TRUE(image::extractPaths(p, r.travelTime, tips, 1, paths.monitor).empty());
  EXPECT_TRUE(image::gradient(p, r.travelTime, 1, gradient.monitor).empty());
  EXPECT_TRUE(std::isnan(image::residual(p, r.travelTime, 1, true, residual.monitor)));

  for (const Stop* stop : {&paths, &gradient, &residual}) stop->expectAskedEarly();
}

TEST(Aborts, EndCurvaturePathsAndResiduals) {
  const curvature::Problem p = curvatureProblem();
  const curvature::Result r = curvature::solveCurvaturePaths(p, onHost<curvature::Options>(), {});
  const std::vector<curvature::State> tips(8, {20, 20, 0, true});
  Stop paths, residual;

  EXPECT_TRUE(curvature::extractPaths(p, r, tips, 1, paths.monitor).empty());
  EXPECT_TRUE(std::isnan(curvature::residual(p, r, 1, residual.monitor)));

  for (const Stop* stop : {&paths, &residual}) stop->expectAskedEarly();
}

TEST(Aborts, EndOutwardAndReturnPathsOfRoundTrips) {
  const curvature::Problem p = curvatureProblem();
  const curvature::RoundTrip trip = curvature::solveRoundTrip(p, onHost<curvature::Options>(), {});
  const std::vector<curvature::State> vias(8, {20, 20, 0, true});
  for (const double last : {0., 0.5}) {
    const Monitor monitor{[=](double done) { return done <= last; }};
    EXPECT_TRUE(curvature::extractPaths(p, trip, vias, 1, monitor).empty()) << last;
  }
}

TEST(Aborts, EndMeshPathsConductionAndResiduals) {
  const mesh::MeshCase c = mesh::withSeeds(mesh::cubes(17, 17, 17, 1, 0.2), {{0, -1, {}, 0}});
  const mesh::Problem& p = c.problem;
  const mesh::Result r = mesh::solveMeshTravelTime(p, onHost<mesh::Options>(), {});
  std::vector<mesh::Tip> tips(8);
  for (mesh::Tip& tip : tips) tip.vertex = 3000;
  Stop paths, conduction;

  EXPECT_TRUE(mesh::extractPaths(p, r.travelTime, tips, 1, paths.monitor).empty());
  EXPECT_TRUE(mesh::conduction(p, r.travelTime, 1, conduction.monitor).speed.empty());
  for (const Stop* stop : {&paths, &conduction}) stop->expectAskedEarly();

  // During the construction of the stars, which reports no progress, and after it.
  for (const double last : {-1., 0.}) {
    const Monitor monitor{[=](double done) { return done <= last; }};
    EXPECT_TRUE(std::isnan(mesh::residual(p, r.travelTime, 1, monitor))) << last;
  }
}

TEST(Aborts, EndRaysAndRayMatrices) {
  const std::vector<float> slowness(32 * 32, 1);
  const rays::Problem p = rayProblem(slowness);
  const auto options = onHost<rays::Options>();
  const rays::Result r = rays::solveRayTracing(p, options, {});
  const std::vector<std::int32_t> sources{0};
  const std::vector<rays::Position> receivers(8, {20, 25, 0});
  Stop traced, matrix;

  EXPECT_TRUE(rays::traceRays(p, options, r.fields[0], sources, receivers, traced.monitor).empty());
  const std::vector<rays::Ray> rays = rays::traceRays(p, options, r.fields[0], sources, receivers);
  EXPECT_TRUE(rays::rayMatrix(p, options, rays, matrix.monitor).row.empty());

  for (const Stop* stop : {&traced, &matrix}) stop->expectAskedEarly();
}

TEST(Aborts, EndTheExtractionOfALevelSet) {
  std::vector<double> values(64 * 64 * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i % 7) - 3;
  surface::LevelSet levelSet;
  levelSet.grid = {64, 64, 64, 1, 1, 1};
  levelSet.doubles = values;
  Stop first;
  const surface::Surface none = surface::extractLevelSet(levelSet, 1, first.monitor);
  first.expectAskedEarly();
  EXPECT_TRUE(none.aborted && none.pieces.empty() && none.cells.empty());
  Shares all;
  const surface::Surface some = surface::extractLevelSet(levelSet, 1, all.monitor);
  EXPECT_TRUE(!some.aborted && some.pieces.size() > 30000);
  EXPECT_TRUE(std::is_sorted(all.seen.begin(), all.seen.end()) && all.seen.back() == 1);
  const surface::Surface later =
      surface::extractLevelSet(levelSet, 1, {[](double share) { return share <= 0.2; }});
  EXPECT_TRUE(later.aborted && later.pieces.empty());
}

} // namespace isochrone
