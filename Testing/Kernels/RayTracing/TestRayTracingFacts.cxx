// Claims about travel times with known properties: values by hand, symmetries, order, several sources.
#include "RayTracingChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

using I = std::int64_t;

Values<float> timesOfCase(const CaseMaker& maker, const Options& options) {
  const Case c = makeCase(maker, options);
  return solve(c.problem, options).fields[0].travelTime;
}
Values<double> preciseTimesOf(const CaseMaker& maker, Options options) {
  options.doublePrecision = true;
  const Case c = makeCase(maker, options);
  return solve(c.problem, options).fields[0].preciseTravelTime;
}

/// The same image with axes permuted and flipped.
struct Turned {
  std::array<int, 3> axis; ///< axis of the original for each axis of the new image
  std::array<bool, 3> back;

  /// Returns the place of (i, j, k) in the original, for n elements along each axis.
  GridIndex original(const GridIndex& n, const GridIndex& at) const {
    GridIndex was;
    for (int a = 0; a < 3; ++a) was[axis[a]] = back[a] ? n[axis[a]] - 1 - at[a] : at[a];
    return was;
  }
  CaseMaker make(const CaseMaker& maker, WeightRule rule) const {
    const GridIndex n = maker.grid.sizes();
    const auto h = maker.grid.spacing();
    CaseMaker turned;
    turned.name = maker.name + " turned";
    turned.grid = {n[axis[0]], n[axis[1]], n[axis[2]], h[axis[0]], h[axis[1]], h[axis[2]]};
    const GridIndex elements = elementsOf(maker.grid, rule).sizes();
    turned.model = [*this, elements, model = maker.model](I i, I j, I k) {
      const GridIndex was = original(elements, {i, j, k});
      return model(was[0], was[1], was[2]);
    };
    for (const Source& s : maker.sources) {
      Source t = s;
      for (int a = 0; a < 3; ++a) t.at[a] = back[a] ? double(n[axis[a]] - 1) - s.at[axis[a]] : s.at[axis[a]];
      turned.sources.push_back(t);
    }
    return turned;
  }
  std::array<int, 3> make(const std::array<int, 3>& radius) const {
    return {radius[axis[0]], radius[axis[1]], radius[axis[2]]};
  }
};

const Turned mirrors[] = {{{0, 1, 2}, {true, false, false}},
                          {{0, 1, 2}, {false, true, false}},
                          {{0, 1, 2}, {false, false, true}},
                          {{0, 1, 2}, {true, true, true}}};
const Turned turns[] = {{{1, 0, 2}, {false, false, false}},
                        {{2, 1, 0}, {false, true, false}},
                        {{0, 2, 1}, {false, false, false}},
                        {{1, 2, 0}, {true, false, true}},
                        {{2, 0, 1}, {false, false, false}}};

/// Returns the expected times of the turned image, from the times of the original.
template <class Times>
Times turnedTimes(const CaseMaker& maker, const Turned& turned, const Times& straight) {
  const GridIndex n = maker.grid.sizes();
  const Grid g = turned.make(maker, WeightRule::Fast).grid;
  Times times(g.points());
  for (I p = 0; p < g.points(); ++p) {
    const GridIndex was = turned.original(n, g.indices(p));
    times[p] = straight[maker.grid.index(was[0], was[1], was[2])];
  }
  return times;
}

} // namespace

/// Three points by two; a step is 3 by 4 world units.
TEST(RayTracingFacts, TimesOfSixPointsByHand) {
  Problem problem;
  problem.grid = {3, 2, 1, 3, 4, 1};
  const std::vector<float> slowness{1, 2, 4, 1, 2, 4};
  problem.slowness = slowness;
  problem.sources = {{{0, 0, 0}, 10}};
  const Options fast = onHost(WeightRule::Fast, StarKind::Coprime, {1, 1, 1});
  const auto times = solve(problem, fast).fields[0].travelTime;
  EXPECT_EQ(std::vector<float>(times.begin(), times.end()),
            (std::vector<float>{10, 14.5, 23.5, 14, 17.5, 26.5})); // 5 * 1.5 along the first diagonal
  const Options accurate = onHost(WeightRule::Accurate, StarKind::Coprime, {1, 1, 1});
  const auto same = solve(problem, accurate).fields[0].travelTime;
  for (int p = 0; p < 6; ++p) EXPECT_NEAR(same[p], times[p], 1e-5) << p; // linear along x: the same means
}

TEST(RayTracingFacts, ASourceWithinACellReachesItsCornersDirectly) {
  const CaseMaker maker{
      "off grid", {5, 5, 5, 1, 2, 3}, [](I, I, I) { return 0.5; }, {{{1.25, 2.5, 3.75}, 7}}, {}};
  for (const WeightRule rule : allRules) {
    const auto times = preciseTimesOf(maker, onHost(rule));
    for (int corner = 0; corner < 8; ++corner) {
      const I i = 1 + (corner & 1), j = 2 + (corner >> 1 & 1), k = 3 + (corner >> 2);
      const double d = std::hypot(double(i) - 1.25, 2 * (double(j) - 2.5), 3 * (double(k) - 3.75));
      EXPECT_NEAR(times[maker.grid.index(i, j, k)], 7 + 0.5 * d, 1e-14) << nameOf(rule) << corner;
    }
  }
}

TEST(RayTracingFacts, UnreachablePointsStayInfinite) {
  for (const WeightRule rule : {WeightRule::Accurate, WeightRule::Fast}) {
    const auto times = timesOfCase(makerOf("BlankedRow"), onHost(rule));
    const Grid& g = makerOf("BlankedRow").grid;
    for (I p = 0; p < g.points(); ++p) ASSERT_EQ(std::isinf(times[p]), p / g.nx >= 20) << p;
  }
}

TEST(RayTracingFacts, MirroredImagesHaveMirroredTimes) {
  for (const char* name : {"Everything", "Noise", "FlatY", "Volume63"})
    for (const WeightRule rule : allRules)
      for (const Turned& mirror : mirrors) {
        CaseMaker maker = makerOf(name);
        maker.startTimes = {};
        const Options options = onHost(rule);
        const CaseMaker mirrored = mirror.make(maker, rule);
        const Case c = makeCase(mirrored, options);
        if (rule == WeightRule::Fast && maker.sources.size() == 1) // every weight has the same bits
          expectEach(c, nameOf(rule), timesOfCase(mirrored, options),
                     turnedTimes(maker, mirror, timesOfCase(maker, options)), equal);
        expectEach(c, nameOf(rule), preciseTimesOf(mirrored, options),
                   turnedTimes(maker, mirror, preciseTimesOf(maker, options)), within(1e-12, 5));
      }
}

TEST(RayTracingFacts, RotatedImagesHaveRotatedTimes) {
  for (const char* name : {"Everything", "EverythingVolume", "FlatX"})
    for (const WeightRule rule : allRules)
      for (const Turned& turn : turns) {
        CaseMaker maker = makerOf(name);
        maker.startTimes = {};
        Options options = onHost(rule, StarKind::Coprime, {1, 3, 2}), turned = options;
        turned.radius = turn.make(options.radius);
        expectEach(makeCase(turn.make(maker, rule), turned), nameOf(turned),
                   preciseTimesOf(turn.make(maker, rule), turned),
                   turnedTimes(maker, turn, preciseTimesOf(maker, options)), within(1e-12, 5));
      }
}

TEST(RayTracingFacts, ReversedPathsTakeTheSameTime) {
  for (const char* name : {"Noise", "Dome", "NoiseVolume", "Holes"})
    for (const WeightRule rule : allRules) {
      CaseMaker there = makerOf(name), back = there;
      const Grid& g = there.grid;
      there.model = back.model = withHoles(0.05, there.model);
      there.sources = {{{0, 0, 0}},
                       {{double(g.nx - 1), double(g.ny - 1), double(g.nz - 1)}, 1e6}}; // both open
      back.sources = {{{0, 0, 0}, 1e6}, {{double(g.nx - 1), double(g.ny - 1), double(g.nz - 1)}}};
      const double forth = preciseTimesOf(there, onHost(rule)).back();
      EXPECT_NEAR(forth, preciseTimesOf(back, onHost(rule)).front(), 1e-12 * forth) << name << nameOf(rule);
      EXPECT_LT(forth, 1e5) << name;
    }
}

TEST(RayTracingFacts, TwiceTheSlownessTakesTwiceTheTime) {
  for (const char* name : {"Noise", "NoiseVolume", "Lanes"})
    for (const WeightRule rule : allRules) {
      const CaseMaker once = makerOf(name);
      CaseMaker twice = once;
      twice.model = [&](I i, I j, I k) { return 2 * once.model(i, j, k); };
      auto times = timesOfCase(once, onHost(rule));
      for (float& t : times) t *= 2;
      expectEach(makeCase(twice, onHost(rule)), nameOf(rule), timesOfCase(twice, onHost(rule)), times, equal);
    }
}

TEST(RayTracingFacts, TimesNeverDecreaseWithSlowness) {
  for (const char* name : {"Noise", "Islands", "BlocksVolume"})
    for (const WeightRule rule : allRules) {
      const CaseMaker fast = makerOf(name);
      CaseMaker slow = fast;
      slow.model = [&](I i, I j, I k) {
        return fast.model(i, j, k) * (noise(5 + numberOf(i, j, k)) < 0.2 ? 1.5 : 1);
      };
      expectEach(makeCase(slow, onHost(rule)), nameOf(rule), timesOfCase(slow, onHost(rule)),
                 timesOfCase(fast, onHost(rule)), [](float a, float b) { return a >= b; });
    }
}

TEST(RayTracingFacts, SeveralSourcesGiveTheFirstArrival) {
  for (const char* name : {"Sources", "SameSourceTwice"})
    for (const WeightRule rule : allRules) {
      Options options = onHost(rule);
      const Case c = makeCase(makerOf(name), options);
      const auto together = solve(c.problem, options).fields[0].travelTime;
      for (const int threads : {1, 2, 7}) {
        options.separateSources = true, options.threads = threads;
        const Result separate = solve(c.problem, options);
        ASSERT_EQ(separate.fields.size(), c.problem.sources.size());
        Values<float> first = separate.fields[0].travelTime;
        for (const Field& field : separate.fields)
          for (std::size_t p = 0; p < first.size(); ++p) first[p] = std::min(first[p], field.travelTime[p]);
        expectEach(c, nameOf(rule), first, together, equal);
      }
      // Each field equals that of a single source.
      options.separateSources = true, options.threads = 2;
      const Result separate = solve(c.problem, options);
      options.separateSources = false;
      Case alone = makeCase(makerOf(name), options);
      for (std::size_t s = 0; s < c.problem.sources.size(); ++s) {
        alone.problem.sources = {c.problem.sources[s]};
        expectEach(c, nameOf(rule) + ", source " + std::to_string(s), separate.fields[s].travelTime,
                   solve(alone.problem, options).fields[0].travelTime, equal);
      }
    }
}

TEST(RayTracingFacts, MoreSourcesThanThreadsHaveOneFieldEach) {
  CaseMaker maker = makerOf("Noise");
  maker.sources.clear();
  for (int s = 0; s < 23; ++s) maker.sources.push_back({{double(6 * s), double(3 * s), 0}, double(s)});
  Options options = onHost(WeightRule::Fast);
  options.separateSources = true, options.threads = 3;
  const Case c = makeCase(maker, options);
  const Result result = solve(c.problem, options);
  ASSERT_EQ(result.fields.size(), 23u);
  for (int s = 0; s < 23; ++s) {
    Problem one = c.problem;
    one.sources = {c.problem.sources[s]};
    expectEach(c, "source " + std::to_string(s), result.fields[s].travelTime,
               reference::dijkstra<float>(one, options), equal);
  }
}

TEST(RayTracingFacts, AStartTimeAtAPointIsASourceThere) {
  const Options options = onHost(WeightRule::Accurate);
  CaseMaker source = makerOf("Noise"), start = source;
  source.sources = {{{17, 60, 0}, 2.5}, {{100, 3, 0}, 1}};
  start.sources = {{{100, 3, 0}, 1}};
  start.startTimes = [](I i, I j, I) { return i == 17 && j == 60 ? 2.5 : blanked; };
  expectEach(makeCase(source, options), "start", timesOfCase(start, options), timesOfCase(source, options),
             equal);
}

TEST(RayTracingFacts, StartTimesLaterThanTheWaveHaveNoEffect) {
  const Options options = onHost(WeightRule::Accurate);
  CaseMaker late = makerOf("Blocks");
  const auto before = timesOfCase(late, options);
  const Grid g = late.grid;
  late.startTimes = [&](I i, I j, I) { return double(before[g.index(i, j, 0)]) + (i % 3 ? 0 : 1e-3); };
  expectEach(makeCase(late, options), "late", timesOfCase(late, options), before, equal);
}
