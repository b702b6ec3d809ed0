// Images divided among processes: every division gives the bits of the whole image.
#include "RayTracingParts.h"

#include "Error.h"
#include "RayTracingChecks.h"
#include "RayTracingRayCases.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>
#include <string>

namespace isochrone::rays {

namespace {

using grid::Boxes, grid::Division, grid::divisionsOf, grid::junctions;

class RayParts : public testing::TestWithParam<std::string> {};

/// Each case takes another rule and another forward star.
Options optionsFor(const CaseMaker& maker) {
  const std::vector<Options> stars = starsFor(maker.grid);
  const std::size_t number = std::size_t(&maker - caseMakers().data());
  Options options = stars[number % stars.size()];
  options.rule = allRules[number % 3];
  options.doublePrecision = number % 5 == 4;
  options.predecessors = options.sourceIds = true;
  options.threads = 1;
  return options;
}

/// Returns receivers all over an image, on points and between them, and one outside.
std::vector<Position> receiversIn(const Grid& g) {
  std::vector<Position> places;
  for (int n = 0; n < 30; ++n)
    places.push_back({double(g.nx - 1) * g.hx * noise(3 * n), double(g.ny - 1) * g.hy * noise(3 * n + 1),
                      double(g.nz - 1) * g.hz * noise(3 * n + 2)});
  for (int n = 0; n < 20; ++n)
    places.push_back(placeOf(g, std::int64_t(noise(1000 + n) * double(g.points()))));
  for (const Position& source : {Position{3.2, 4, 0}, {0, 0, 0}}) // also close to sources
    places.push_back({source[0] * g.hx, source[1] * g.hy, source[2] * g.hz});
  places.push_back({-3 * g.hx, -3 * g.hy, -3 * g.hz});
  return places;
}

void expectSameRay(const Ray& got, const Ray& expected) {
  EXPECT_EQ(got.source, expected.source);
  EXPECT_EQ(got.startTime, expected.startTime);
  EXPECT_EQ(got.travelTime, expected.travelTime);
  EXPECT_EQ(got.points, expected.points);
  EXPECT_EQ(got.times, expected.times);
}

void expectSameRow(const RayMatrix& got, const RayMatrix& expected, std::size_t ray) {
  const auto rowOf = [&](const RayMatrix& m) {
    std::vector<std::pair<std::int64_t, double>> row;
    for (std::int64_t n = m.row[ray]; n < m.row[ray + 1]; ++n) row.emplace_back(m.element[n], m.weight[n]);
    return row;
  };
  EXPECT_EQ(rowOf(got), rowOf(expected));
}

/// Expects each ray, and its row of the matrix, in one part, and its status in all of them.
void expectSameRays(const PartedSolution& parts, const std::vector<Ray>& whole, const RayMatrix& matrix) {
  for (std::size_t r = 0; r < whole.size(); ++r) {
    SCOPED_TRACE("ray " + std::to_string(r));
    int owners = 0;
    for (std::size_t p = 0; p < parts.parts.size(); ++p) {
      const Ray& ray = parts.rays[p].at(r);
      EXPECT_EQ(ray.status, whole[r].status);
      if (ray.points.empty() && ray.source < 0) continue;
      ++owners;
      expectSameRay(ray, whole[r]);
      expectSameRow(parts.matrices[p], matrix, r);
    }
    EXPECT_EQ(owners, whole[r].status == PathStatus::Complete ? 1 : 0);
  }
}

TEST_P(RayParts, GiveTheTimesAndTheRaysOfTheWhole) {
  const CaseMaker& maker = makerOf(GetParam());
  const Options options = optionsFor(maker);
  const Case c = makeCase(maker, options);
  const Result whole = solve(c.problem, options);
  const std::vector<Position> receivers = receiversIn(c.problem.grid);
  std::vector<std::int32_t> sources(c.problem.sources.size());
  std::iota(sources.begin(), sources.end(), 0);
  const std::vector<Ray> rays = traceRays(c.problem, options, whole.fields[0], sources, receivers);
  const RayMatrix matrix = rayMatrix(c.problem, options, rays);
  for (const Division& division : divisionsOf(c.problem.grid.sizes())) {
    SCOPED_TRACE(nameOf(options) + ", " + division.name);
    const PartedSolution parts = solveInParts(c.problem, options, division.boxes, receivers);
    expectSame(c, division.name, parts.result, whole);
    expectSameRays(parts, rays, matrix);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RayParts, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(RayPartsRuns, AnyNumberOfThreadsGivesTheSame) {
  for (const char* name : {"Everything", "NoiseVolume"}) {
    Options options = optionsFor(makerOf(name));
    const Case c = makeCase(makerOf(name), options);
    const Result whole = solve(c.problem, options);
    options.threads = 3;
    expectSame(c, "threads", solveInParts(c.problem, options, junctions(c.problem.grid.sizes())).result,
               whole);
  }
}

TEST(RayPartsRuns, SourcesAreSolvedSeparately) {
  for (const int threads : {1, 2, 8}) {
    Options options = onHost(WeightRule::Accurate, StarKind::Coprime, {4, 4, 4});
    options.separateSources = options.predecessors = true;
    options.threads = threads;
    const Case c = makeCase(makerOf("Sources"), options);
    const Result whole = solve(c.problem, options);
    const std::vector<Position> receivers = receiversIn(c.problem.grid);
    const PartedSolution parts =
        solveInParts(c.problem, options, grid::boxesOf(c.problem.grid.sizes(), {3, 2, 1}), receivers);
    expectSame(c, "separate", parts.result, whole);
    std::vector<Ray> rays;
    for (std::size_t f = 0; f < whole.fields.size(); ++f)
      for (Ray& ray : traceRays(c.problem, options, whole.fields[f], std::vector{std::int32_t(f)}, receivers))
        rays.push_back(std::move(ray));
    expectSameRays(parts, rays, rayMatrix(c.problem, options, rays));
  }
}

/// Parts without a wave of one source work on another: 8 parts have a larger speedup with 16 sources than
/// with one. It is counted in relaxations.
TEST(RayPartsRuns, SeparateSourcesOverlap) {
  Options options = onHost(WeightRule::Fast, StarKind::Coprime, {3, 3, 1});
  options.separateSources = true;
  options.threads = 1;
  CaseMaker maker{"Noise", {512, 512, 1}, rough, {}, {}};
  const auto speedup = [&] {
    const Case c = makeCase(maker, options);
    const double edges =
                     double(c.problem.grid.points()) *
                     double(
                         makeForwardStar(c.problem.grid, options.neighbours, options.radius).offsets.size()),
                 whole =
                     solve(c.problem, options).relaxationsPerPoint * edges * double(c.problem.sources.size());
    const PartedSolution parts =
        solveInParts(c.problem, options, grid::boxesOf(c.problem.grid.sizes(), {2, 4, 1}));
    for (const Result& part : parts.parts)
      EXPECT_EQ(part.criticalRelaxations, parts.parts[0].criticalRelaxations);
    return whole / parts.parts[0].criticalRelaxations;
  };
  maker.sources = {{{64, 64, 0}}};
  EXPECT_LT(speedup(), 2); // 1.88
  maker.sources.clear();
  for (int s = 0; s < 16; ++s) maker.sources.push_back({{64. + 128 * (s % 4), 64. + 128 * (s / 4), 0}});
  EXPECT_GT(speedup(), 3.5); // 3.67; tiles are large in these small parts
}

/// Edges up to 4 are lost when added to 2^26: the wave crosses a plateau of several parts from one end, and
/// smaller ones from their sides.
TEST(RayPartsRuns, PlateausAreCrossedAsInTheWhole) {
  Options options = onHost(WeightRule::Accurate, StarKind::Coprime, {2, 2, 2});
  options.sourceIds = true;
  options.threads = 1;
  const auto speckled = [](auto i, auto j) { return 0.5 + noise(std::uint64_t(i + 100 * j)); };
  const std::vector<CaseMaker> makers{
      {"OnePlateau",
       {41, 13, 1},
       [=](auto i, auto j, auto) { return (i < 6 ? 10 : 1) * speckled(i, j); },
       {{{0, 0, 0}, 0x1p26}, {{2, 12, 0}, 0x1p26}},
       {}},
      {"Plateaus",
       {31, 23, 1},
       [=](auto i, auto j, auto) { return ((i / 9 + j / 8) % 2 == 1 ? 10 : 1) * speckled(i, j); },
       {{{3, 0, 0}, 0x1p26}, {{30, 22, 0}, 0x1p26}},
       {}}};
  for (const CaseMaker& maker : makers) {
    const Case c = makeCase(maker, options);
    const std::vector<Position> receivers = everyPoint(c.problem.grid, 3);
    for (const bool requested : {true, false}) { // the rays need the predecessors in any case
      options.predecessors = requested;
      const Result whole = solve(c.problem, options);
      ASSERT_TRUE(whole.roundingRisk);
      const std::vector<Ray> rays =
          traceRays(c.problem, options, whole.fields[0], std::vector<std::int32_t>{0, 1}, receivers);
      const RayMatrix matrix = rayMatrix(c.problem, options, rays);
      for (const Division& division : divisionsOf(c.problem.grid.sizes())) {
        SCOPED_TRACE(maker.name + ", " + division.name);
        PartedSolution parts = solveInParts(c.problem, options, division.boxes, receivers);
        EXPECT_TRUE(parts.result.roundingRisk);
        if (!requested) parts.result.fields[0].predecessor.clear();
        expectSame(c, division.name, parts.result, whole);
        expectSameRays(parts, rays, matrix);
      }
    }
  }
}

TEST(RayPartsRuns, APartWithoutOpenPointsIsNotAnError) {
  const Options options = onHost(WeightRule::Cells);
  const CaseMaker maker{
      "Wall", {60, 20, 1}, [](auto i, auto, auto) { return i > 25 ? blanked : 1.; }, {{{3, 4, 0}}}, {}};
  const Case c = makeCase(maker, options);
  expectSame(c, "wall", solveInParts(c.problem, options, grid::boxesOf({60, 20, 1}, {4, 1, 1})).result,
             solve(c.problem, options));
}

/// The counts of distributed.md, section 6: 0.5 to 0.7 MB, 30 to 47 exchanges for 64 parts.
TEST(RayPartsRuns, PartsTellLittle) {
  const Options options = onHost(WeightRule::Fast, StarKind::Coprime, {6, 6, 1});
  const CaseMaker maker{"Noise", {512, 512, 1}, rough, {{{256, 256, 0}}}, {}};
  const Case c = makeCase(maker, options);
  const PartedSolution parts =
      solveInParts(c.problem, options, grid::boxesOf(c.problem.grid.sizes(), {4, 4, 1}));
  EXPECT_LE(parts.result.exchanges, 12 * 4 + 30);
  EXPECT_LE(parts.bytesTold, 700'000);
}

std::string errorOf(const Case& c, const Options& options) {
  try {
    solveInParts(c.problem, options, grid::boxesOf(c.problem.grid.sizes(), {2, 2, 1}));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RayPartsRuns, ErrorsAreThoseOfTheWhole) {
  const Options options = onHost(WeightRule::Accurate);
  Case c = makeCase(makerOf("Noise"), options);
  c.problem.sources = {{{5, 5, 0}}, {{200, 0, 0}}};
  EXPECT_NE(errorOf(c, options).find("source 1 at (200, 0, 0) lies outside the image"), std::string::npos);
  c.problem.sources = {{{5, 5, 0}}, {{100, 60, 0}}};
  c.slowness[100 + 140 * 60] = std::numeric_limits<float>::infinity();
  EXPECT_NE(errorOf(c, options).find("source 1 at (100, 60, 0) lies in or beside a blanked point"),
            std::string::npos);
  c.slowness[100 + 140 * 60] = 1;
  c.slowness[7] = -1;
  EXPECT_NE(errorOf(c, options).find("got -1 at point (7, 0, 0)"), std::string::npos);
  c.slowness[7] = 1e-30f, c.slowness.back() = 1e30f; // in two parts
  EXPECT_NE(errorOf(c, options).find("edges take times from"), std::string::npos);
  std::ranges::fill(c.slowness, std::numeric_limits<float>::infinity());
  EXPECT_NE(errorOf(c, options).find("all points are blanked"), std::string::npos);
}

TEST(RayPartsRuns, WhatNeedsTheWholeImageIsRefused) {
  Options options = onHost(WeightRule::Accurate);
  const Case c = makeCase(makerOf("Noise"), options);
  options.method = Method::PlainRelaxation;
  EXPECT_NE(errorOf(c, options).find("plain relaxation cannot be solved in parts"), std::string::npos);
  options = onHost(WeightRule::Accurate);
  options.backend = Backend::Cuda;
  EXPECT_NE(errorOf(c, options).find("problems in parts are solved on the host"), std::string::npos);
}

TEST(RayPartsRuns, AMarginMustHoldTheForwardStar) {
  const Options options = onHost(WeightRule::Accurate);
  const Case c = makeCase(makerOf("Noise"), options);
  const GridIndex n = c.problem.grid.sizes();
  const Boxes boxes = grid::boxesOf(n, {2, 1, 1});
  grid::PartsInProcess parts(boxes, n, 2);
  EXPECT_THROW(parts.run([&](int p) {
    const ProblemPart local(c.problem, options, parts.part(p), grid::grown(boxes[std::size_t(p)], 2, n));
    solveRayTracing(local.problem, options, {});
  }),
               Error);
}

TEST(RayPartsRuns, AStopInOnePartEndsAll) {
  Options options = onHost(WeightRule::Accurate);
  const Case c = makeCase(makerOf("Noise"), options);
  const GridIndex n = c.problem.grid.sizes();
  const Boxes boxes = grid::boxesOf(n, {2, 2, 1});
  grid::PartsInProcess parts(boxes, n, 3);
  std::atomic<int> aborted = 0, others = 0;
  parts.run([&](int p) {
    const ProblemPart local(c.problem, options, parts.part(p), grid::grown(boxes[std::size_t(p)], 3, n));
    try {
      aborted += solveRayTracing(local.problem, options, {[p](double) { return p != 2; }}).aborted;
    } catch (const grid::OtherPartStopped&) {
      ++others;
    }
  });
  EXPECT_EQ(aborted, 1);
  EXPECT_EQ(others, 3);
}

} // namespace

} // namespace isochrone::rays
