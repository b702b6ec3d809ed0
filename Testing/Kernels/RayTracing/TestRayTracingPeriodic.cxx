// Claims about images with periodic axes: the bits of the middle of a tiling, rays that go on in the image,
// their matrix, bad input.
#include "Error.h"
#include "RayTracingChecks.h"
#include "RayTracingTori.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace isochrone::rays {

namespace {

/// The image repeated three times along its periodic axes, with all copies of the sources.
struct Tiling {
  Case tiles;
  GridIndex period, before{};
  Grid image;
  std::size_t distinct;

  Tiling(const Case& c, const Options& options)
      : period(periodOf(c.problem, options.rule)), image(c.problem.grid), distinct(c.problem.sources.size()) {
    GridIndex size = image.sizes(), copies{1, 1, 1};
    for (int a = 0; a < 3; ++a)
      if (c.problem.periodic[a] && size[a] > 1)
        before[a] = period[a], size[a] += 2 * period[a], copies[a] = 3;
    Problem& p = tiles.problem;
    p.grid = {size[0], size[1], size[2], image.hx, image.hy, image.hz};
    repeat(c.slowness, elementsOf(image, options.rule), elementsOf(p.grid, options.rule), tiles.slowness);
    repeat(c.preciseSlowness, elementsOf(image, options.rule), elementsOf(p.grid, options.rule),
           tiles.preciseSlowness);
    repeat(c.startTimes, image, p.grid, tiles.startTimes);
    repeat(c.preciseStartTimes, image, p.grid, tiles.preciseStartTimes);
    if (options.doublePrecision)
      p.preciseSlowness = tiles.preciseSlowness, p.preciseStartTimes = tiles.preciseStartTimes;
    else
      p.slowness = tiles.slowness, p.startTimes = tiles.startTimes;
    for (std::int64_t copy = 0; copy < copies[0] * copies[1] * copies[2]; ++copy)
      for (Source s : c.problem.sources) {
        const GridIndex at{copy % copies[0], copy / copies[0] % copies[1], copy / copies[0] / copies[1]};
        for (int a = 0; a < 3; ++a) s.at[a] += double(at[a] * period[a]) * image.spacing()[a];
        p.sources.push_back(s);
      }
  }
  GridIndex wrapped(GridIndex at) const {
    for (int a = 0; a < 3; ++a)
      if (before[a] > 0) at[a] %= period[a];
    return at;
  }
  template <class T>
  void repeat(const std::vector<T>& values, const Grid& from, const Grid& to, std::vector<T>& all) const {
    for (std::int64_t e = 0; e < to.points() && !values.empty(); ++e)
      all.push_back(values[std::size_t(from.index(wrapped(to.indices(e))))]);
  }
  std::size_t middle(std::int64_t point) const {
    GridIndex at = image.indices(point);
    for (int a = 0; a < 3; ++a) at[a] += before[a];
    return std::size_t(tiles.problem.grid.index(at));
  }
};

std::vector<std::int32_t> all(const Problem& p) {
  std::vector<std::int32_t> sources(p.sources.size());
  std::iota(sources.begin(), sources.end(), 0);
  return sources;
}

const std::vector<Named>& tori() {
  using enum WeightRule;
  static const std::vector<Named> all{
      {"PlaneX", {40, 31, 1, 0.5, 0.25, 1}, {true, false, false}, onHost(Accurate)},
      {"PlaneXY", {33, 47, 1}, {true, true, true}, onHost(Accurate, StarKind::Balanced48)},
      {"PlaneFast", {33, 20, 1}, {true, true, false}, onHost(Fast, StarKind::Full, {4, 4, 1})},
      {"PlaneCells",
       {34, 21, 1, 1, 0.5, 1},
       {true, true, false},
       onHost(Cells, StarKind::Coprime, {4, 3, 1}, true)},
      {"PlaneCellsY", {34, 21, 1}, {false, true, false}, onHost(Cells)},
      {"Small", {6, 5, 1}, {true, true, false}, onHost(Accurate, StarKind::Coprime, {8, 8, 1})},
      {"SmallCells", {6, 4, 1}, {true, true, false}, onHost(Cells, StarKind::Coprime, {8, 8, 1})},
      {"SpaceXYZ", {17, 12, 14}, {true, true, true}, onHost(Accurate, StarKind::Coprime, {2, 2, 2})},
      {"SpaceZ",
       {12, 14, 17, 1, 1, 2},
       {false, false, true},
       onHost(Fast, StarKind::Coprime, {2, 2, 2}, true)},
      {"SpaceCells", {12, 14, 9}, {true, false, true}, onHost(Cells, StarKind::Full, {2, 2, 2})}};
  return all;
}

class RaysPeriodic : public testing::TestWithParam<Named> {};

/// Returns receivers at eighths of steps, which are exact, all over the image.
std::vector<Position> receiversIn(const Grid& g) {
  std::vector<Position> places;
  for (std::uint64_t n = 0; n < 60; ++n) {
    Position at{};
    for (int a = 0; a < 3; ++a)
      if (const auto size = double(g.sizes()[a]); size > 1)
        at[a] = std::floor(8 * noise(3 * n + std::uint64_t(a)) * (size - 1)) / 8 * g.spacing()[a];
    if (n % 3 == 0)
      for (int a = 0; a < 3; ++a) at[a] = std::floor(at[a] / g.spacing()[a]) * g.spacing()[a]; // a point
    places.push_back(at);
  }
  return places;
}

} // namespace

TEST_P(RaysPeriodic, HaveTheBitsOfTheMiddleOfATiling) {
  Options options = GetParam().options;
  options.sourceIds = options.predecessors = true;
  for (const bool withInterface : {false, true}) {
    const Case c = torus(GetParam().grid, GetParam().periodic, options, withInterface);
    const Tiling tiling(c, options);
    const Field field = solve(c.problem, options).fields.at(0),
                expected = solve(tiling.tiles.problem, options).fields.at(0);
    const std::int64_t points = c.problem.grid.points();
    ASSERT_EQ(std::int64_t(field.predecessor.size()), points);
    for (std::int64_t p = 0; p < points; ++p) {
      const std::size_t middle = tiling.middle(p), at = std::size_t(p);
      if (options.doublePrecision)
        ASSERT_EQ(field.preciseTravelTime[at], expected.preciseTravelTime[middle]) << p;
      else
        ASSERT_EQ(field.travelTime[at], expected.travelTime[middle]) << p;
      ASSERT_EQ(field.predecessor[at], expected.predecessor[middle]) << p;
      const std::int32_t source = expected.source[middle];
      ASSERT_EQ(field.source[at], source < 0 ? source : source % std::int32_t(tiling.distinct)) << p;
    }
  }
}

TEST_P(RaysPeriodic, AreThoseOfTheTiling) {
  const Options& options = GetParam().options;
  const Case c = torus(GetParam().grid, GetParam().periodic, options);
  const Problem& problem = c.problem;
  const Tiling tiling(c, options);
  const std::vector<Position> receivers = receiversIn(problem.grid);
  std::vector<Position> moved = receivers, beyond = receivers;
  for (std::size_t r = 0; r < receivers.size(); ++r)
    for (int a = 0; a < 3; ++a) {
      moved[r][a] += double(tiling.before[a]) * problem.grid.spacing()[a];
      beyond[r][a] += double((a - 3) * tiling.before[a]) * problem.grid.spacing()[a];
    }
  const Field field = solve(problem, options).fields.at(0),
              tiled = solve(tiling.tiles.problem, options).fields.at(0);
  const std::vector<Ray> rays = traceRays(problem, options, field, all(problem), receivers),
                         expected = traceRays(tiling.tiles.problem, options, tiled, all(tiling.tiles.problem),
                                              moved),
                         again = traceRays(problem, options, field, all(problem), beyond);
  const RayMatrix matrix = rayMatrix(problem, options, rays),
                  tiledMatrix = rayMatrix(tiling.tiles.problem, options, expected);
  const Grid elements = elementsOf(problem.grid, options.rule),
             tiledElements = elementsOf(tiling.tiles.problem.grid, options.rule);
  int complete = 0, crossing = 0;
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    SCOPED_TRACE(r);
    const Ray &ray = rays[r], &other = expected[r];
    ASSERT_EQ(ray.status, other.status);
    if (ray.status != PathStatus::Complete) continue;
    ++complete;
    ASSERT_NEAR(ray.travelTime, other.travelTime, 1e-13 * ray.travelTime); // positions differ by rounding
    ASSERT_EQ(ray.source, other.source % std::int32_t(tiling.distinct));
    ASSERT_EQ(ray.times, other.times);
    ASSERT_EQ(ray.points.size(), other.points.size());
    ASSERT_EQ(ray.shift.size(), ray.points.size() + 1);
    bool outside = false;
    for (std::size_t p = 0; p < ray.points.size(); ++p)
      for (int a = 0; a < 3; ++a) {
        const std::int64_t at = problem.grid.indices(ray.points[p])[a] + ray.shift[p][a];
        ASSERT_EQ(at + tiling.before[a], tiling.tiles.problem.grid.indices(other.points[p])[a]);
        outside |= at < 0 || at >= problem.grid.sizes()[a];
      }
    // The polylines, also of a receiver beyond the image.
    const Path path = pathOf(problem, ray, true), tiledPath = pathOf(tiling.tiles.problem, other, true),
               beyondPath = pathOf(problem, again[r], true);
    ASSERT_EQ(path.size(), tiledPath.size());
    ASSERT_EQ(path.size(), beyondPath.size());
    EXPECT_NEAR(path.length, tiledPath.length, 1e-12 * (1 + path.length));
    const double before = double(tiling.before[0]) * problem.grid.hx;
    for (std::size_t n = 0; n < path.size(); ++n) {
      outside |= path.x[n] < -0.5 * problem.grid.hx;
      ASSERT_NEAR(path.x[n] + before, tiledPath.x[n], 1e-9);
      ASSERT_NEAR(path.x[n] - 3 * before, beyondPath.x[n], 1e-9);
    }
    crossing += outside;
    // The matrix, whose elements are those of the image.
    std::map<std::int64_t, double> row, folded;
    for (std::int64_t n = matrix.row[r]; n < matrix.row[r + 1]; ++n)
      ASSERT_TRUE(row.emplace(matrix.element[n], matrix.weight[n]).second);
    for (std::int64_t n = tiledMatrix.row[r]; n < tiledMatrix.row[r + 1]; ++n)
      folded[elements.index(tiling.wrapped(tiledElements.indices(tiledMatrix.element[n])))] +=
          tiledMatrix.weight[n];
    ASSERT_EQ(row.size(), folded.size());
    for (const auto& [element, weight] : folded)
      ASSERT_NEAR(row.at(element), weight, 1e-12 * (1 + path.length));
    double time = 0;
    for (const auto& [element, weight] : row) time += weight * c.preciseSlowness[std::size_t(element)];
    EXPECT_NEAR(time, ray.travelTime - ray.startTime, 1e-5 * time);
  }
  EXPECT_GE(complete, 40);
  EXPECT_GE(crossing, GetParam().grid.points() < 100 ? 1 : 3);
}

INSTANTIATE_TEST_SUITE_P(Images, RaysPeriodic, testing::ValuesIn(tori()),
                         [](const auto& info) { return info.param.name; });

TEST(RaysPeriodicRuns, SeparateSourcesHaveTheirOwnFieldsForAnyNumberOfThreads) {
  Options options = onHost(WeightRule::Accurate);
  options.separateSources = true;
  options.threads = 3;
  const Case c = torus({40, 31, 1}, {true, true, false}, options);
  const Result together = solve(c.problem, options);
  ASSERT_EQ(together.fields.size(), 2u);
  options.separateSources = false, options.threads = 1;
  for (std::size_t s = 0; s < 2; ++s) {
    Problem one = c.problem;
    one.sources = {c.problem.sources[s]};
    EXPECT_EQ(together.fields[s].travelTime, solve(one, options).fields[0].travelTime);
    const std::vector<Position> receivers = receiversIn(c.problem.grid);
    for (const Ray& ray :
         traceRays(c.problem, options, together.fields[s], std::vector{std::int32_t(s)}, receivers))
      if (ray.status == PathStatus::Complete) EXPECT_EQ(ray.source, std::int32_t(s));
  }
  const Result one = solve(c.problem, options);
  options.separateSources = true, options.fieldOfSource = {0, 0};
  EXPECT_EQ(solve(c.problem, options).fields[0].travelTime, one.fields[0].travelTime);
}

TEST(RaysPeriodicRuns, TiltedMediaHaveTheBitsOfTheMiddleOfATiling) {
  for (const WeightRule rule : {WeightRule::Accurate, WeightRule::Cells}) {
    const Options options = onHost(rule);
    Case c = torus({30, 25, 1}, {true, true, false}, options);
    Tiling tiling(c, options);
    const Grid elements = elementsOf(c.problem.grid, rule), all = elementsOf(tiling.tiles.problem.grid, rule);
    std::vector<float> epsilon, delta, axis, manyEpsilon, manyDelta, manyAxis;
    for (std::int64_t e = 0; e < elements.points(); ++e) {
      epsilon.push_back(float(0.3 * noise(std::uint64_t(e)))),
          delta.push_back(float(0.1 * noise(std::uint64_t(e + 9000))));
      axis.push_back(float(noise(std::uint64_t(e + 20000)) - 0.5)), axis.push_back(1);
    }
    tiling.repeat(epsilon, elements, all, manyEpsilon);
    tiling.repeat(delta, elements, all, manyDelta);
    for (std::int64_t e = 0; e < all.points(); ++e) {
      const auto at = 2 * std::size_t(elements.index(tiling.wrapped(all.indices(e))));
      manyAxis.push_back(axis[at]), manyAxis.push_back(axis[at + 1]);
    }
    c.problem.tilted = tiling.tiles.problem.tilted = true;
    c.problem.thomsen.epsilon = epsilon, tiling.tiles.problem.thomsen.epsilon = manyEpsilon;
    c.problem.thomsen.delta = delta, tiling.tiles.problem.thomsen.delta = manyDelta;
    c.problem.thomsen.axis = axis, tiling.tiles.problem.thomsen.axis = manyAxis;
    const Field field = solve(c.problem, options).fields[0],
                expected = solve(tiling.tiles.problem, options).fields[0];
    for (std::int64_t p = 0; p < c.problem.grid.points(); ++p)
      ASSERT_EQ(field.travelTime[std::size_t(p)], expected.travelTime[tiling.middle(p)])
          << nameOf(rule) << ' ' << p;
  }
}

TEST(RaysPeriodicRuns, ALineByHand) {
  Case c = makeCase({"line", {6, 1, 1}, even, {{{0.5, 0, 0}}}, {}}, onHost(WeightRule::Accurate));
  c.problem.periodic = {true, true, true};
  const Field field = solve(c.problem, onHost(WeightRule::Accurate)).fields[0];
  const double steps[] = {0.5, 0.5, 1.5, 2.5, 2.5, 1.5};
  for (std::size_t p = 0; p < 6; ++p) EXPECT_FLOAT_EQ(field.travelTime[p], float(0.7 * steps[p]));
}

TEST(RaysPeriodicRuns, TimesOnPlateausAreThoseOfTheTilingToo) {
  // A start time so large that most edges do not change it.
  const Options options = onHost(WeightRule::Fast);
  Case c = torus({30, 25, 1}, {true, true, false}, options);
  for (Source& source : c.problem.sources) source.startTime = 3e7;
  const Tiling tiling(c, options);
  const Result result = solve(c.problem, options), expected = solve(tiling.tiles.problem, options);
  EXPECT_TRUE(result.roundingRisk);
  ASSERT_FALSE(result.fields[0].predecessor.empty());
  for (std::int64_t p = 0; p < c.problem.grid.points(); ++p)
    ASSERT_EQ(result.fields[0].travelTime[std::size_t(p)], expected.fields[0].travelTime[tiling.middle(p)]);
  const std::vector<Position> receivers = receiversIn(c.problem.grid);
  for (const Ray& ray : traceRays(c.problem, options, result.fields[0], all(c.problem), receivers))
    if (ray.status == PathStatus::Complete) EXPECT_GE(ray.source, 0);
}

TEST(RaysPeriodicRuns, BadInputIsRefusedWithTheRemedy) {
  const auto messageOf = [](const Problem& problem, const Options& options) -> std::string {
    try {
      solveRayTracing(problem, options, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto expectMessage = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  const Options options = onHost(WeightRule::Accurate), cells = onHost(WeightRule::Cells);
  Case c = torus({12, 9, 1}, {true, false, false}, options);
  Options plain = options;
  plain.method = Method::PlainRelaxation;
  expectMessage(messageOf(c.problem, plain), "plain relaxation is not possible with periodic axes");
  Problem outside = c.problem;
  outside.sources[1].at = {400, 40, 0}; // beyond x is allowed
  expectMessage(messageOf(outside, options), "source 1 at (400, 40, 0) lies outside the image");
  outside.sources[1].at = {std::numeric_limits<double>::quiet_NaN(), 4, 0};
  expectMessage(messageOf(outside, options), "source 1 at (nan, 4, 0) lies outside the image");
  Case closed = torus({12, 9, 1}, {true, false, false}, options);
  closed.problem.sources[1].at = {14, 4, 0};
  closed.slowness[4 * 12 + 2] = std::numeric_limits<float>::infinity();
  expectMessage(messageOf(closed.problem, options),
                "source 1 at (2, 4, 0) lies in or beside a blanked point");
  c.slowness[17] = -1;
  expectMessage(messageOf(c.problem, options), "got -1 at point (5, 1, 0)");
  c.problem.slowness = std::span(c.slowness).first(11);
  expectMessage(messageOf(c.problem, options), "a value for each of 108 points, got 11");
  Case thin = makeCase({"thin", {2, 9, 1}, even, {{{0, 3, 0}}}, {}}, cells);
  thin.problem.periodic = {true, false, false};
  expectMessage(messageOf(thin.problem, cells), "a periodic axis needs at least 2 cells, got 1 along x");
}

} // namespace isochrone::rays
