// Claims about runs: reports, aborts, memory.
#include "RayTracingChecks.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::rays;

TEST(RayTracingRuns, ProgressNeverFallsAndEndsAtOne) {
  for (const char* name : {"Noise", "NoiseVolume", "Sources", "WallsAlongX"})
    for (const bool separate : {false, true})
      for (const int threads : {1, 2}) {
        Options options = onHost(WeightRule::Fast);
        options.separateSources = separate, options.threads = threads;
        const Case c = makeCase(makerOf(name), options);
        double last = 0;
        int calls = 0;
        const Result result = solveRayTracing(c.problem, options, {[&](double share) {
                                                EXPECT_GE(share, last) << name;
                                                EXPECT_LE(share, 1) << name;
                                                last = share, ++calls;
                                                return true;
                                              }});
        EXPECT_EQ(last, 1) << name;
        EXPECT_GE(calls, 2) << name;
        EXPECT_FALSE(result.aborted);
      }
}

TEST(RayTracingRuns, AnAbortAtAnyTimeLeavesNothing) {
  for (const char* name : {"Noise", "NoiseVolume", "Sources"})
    for (const WeightRule rule : {WeightRule::Fast, WeightRule::Accurate}) {
      Options options = onHost(rule);
      options.separateSources = true, options.predecessors = true, options.threads = 2;
      const Case c = makeCase(makerOf(name), options);
      int calls = 0;
      solveRayTracing(c.problem, options, {[&](double) { return ++calls > 0; }});
      for (int last = 0; last + 1 < calls; last += 1 + calls / 10) {
        int call = 0;
        const Result result = solveRayTracing(c.problem, options, {[&](double) { return call++ < last; }});
        // The number of reports may differ between runs: an abort at the last one has no effect.
        if (call > last + 1 || result.aborted) {
          EXPECT_TRUE(result.aborted) << name << ": stopped in call " << last << " of " << calls;
          EXPECT_TRUE(result.fields.empty()) << name << ": stopped in call " << last << " of " << calls;
        }
      }
    }
}

TEST(RayTracingRuns, SourcesOfOneFieldRunTogether) {
  for (const int threads : {1, 2}) {
    Options options = onHost(WeightRule::Fast), together = options;
    options.separateSources = options.predecessors = together.predecessors = true;
    options.threads = threads;
    const Case c = makeCase(makerOf("Sources"), options);
    const std::size_t count = c.problem.sources.size();
    ASSERT_GT(count, 2u);
    for (std::size_t s = 0; s < count; ++s) options.fieldOfSource.push_back(s == 1 ? 1 : 0);
    const Result result = solve(c.problem, options);
    ASSERT_EQ(result.fields.size(), 2u);
    for (const std::int32_t f : {0, 1}) {
      Problem one = c.problem;
      one.sources.clear();
      for (std::size_t s = 0; s < count; ++s)
        if (options.fieldOfSource[s] == f) one.sources.push_back(c.problem.sources[s]);
      const Field expected = solve(one, together).fields[0];
      EXPECT_EQ(result.fields[std::size_t(f)].travelTime, expected.travelTime);
      EXPECT_EQ(result.fields[std::size_t(f)].predecessor, expected.predecessor);
    }
  }
}

TEST(RayTracingRuns, AnAbortBetweenThePredecessorsOfTwoSourcesLeavesNothing) {
  Options options = onHost(WeightRule::Fast);
  options.separateSources = options.predecessors = true;
  const Case c = makeCase(makerOf("Sources"), options);
  ASSERT_GT(c.problem.sources.size(), 1u);
  const Result result = solveRayTracing(c.problem, options, {[](double share) { return share < 1; }});
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.fields.empty());
}

TEST(RayTracingRuns, AbortsBeforeItStarts) {
  const Options options = onHost(WeightRule::Fast);
  const Case c = makeCase(makerOf("Noise"), options);
  const Result result = solveRayTracing(c.problem, options, {[](double) { return false; }});
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.fields.empty());
}

TEST(RayTracingRuns, ReportsBackendAndWork) {
  const Options options = onHost(WeightRule::Fast);
  const Case c = makeCase(makerOf("Noise"), options);
  const Result result = solve(c.problem, options);
  EXPECT_EQ(result.ranOn.backend, Backend::Host);
  EXPECT_FALSE(result.ranOn.reason.empty());
}

TEST(RayTracingRuns, ReportsWhereTimesMayLoseTheirLastDigits) {
  const auto risk = [](double slowest, bool precise) {
    const CaseMaker maker{"contrast",
                          {60, 40, 1},
                          [=](auto i, auto, auto) { return i < 50 ? slowest : 1e-3; },
                          {{{0, 0, 0}}},
                          {}};
    const Options options = onHost(WeightRule::Fast, StarKind::Coprime, {3, 3, 3}, precise);
    const Case c = makeCase(maker, options);
    return solve(c.problem, options).roundingRisk;
  };
  EXPECT_FALSE(risk(1, false));   // 1e-3 after 50
  EXPECT_TRUE(risk(1000, false)); // 1e-3 after 50000
  EXPECT_FALSE(risk(1000, true));
}
