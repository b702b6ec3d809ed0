// Claims about runs and refusals of image sensitivities: threads, order of tips, aborts, bad input.
#include "Error.h"
#include "ImageSensitivityCases.h"
#include "ImageTensorCases.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

template <class Call>
void expectError(Call&& call, std::initializer_list<const char*> words) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

} // namespace

TEST(ImageSensitivityRuns, DoesNotDependOnTheOrderOfTheTips) {
  const Case c = makeCase("OffGrid");
  const Result solved = solve(c.problem, SourceFactoring::Additive);
  std::vector<WeightedTip> tips = someTips(c.problem.grid, 40);
  tips.push_back(tips[3]), tips.back().weight = 0.1; // a point with two weights
  const Sensitivities one = derive(c.problem, solved.travelTime, tips, SourceFactoring::Additive);
  std::ranges::reverse(tips);
  const Sensitivities other = derive(c.problem, solved.travelTime, tips, SourceFactoring::Additive);
  EXPECT_EQ(one.objective, other.objective);
  EXPECT_EQ(one.speed, other.speed);
  EXPECT_EQ(one.startValue, other.startValue);
  EXPECT_EQ(one.tips.front().point, other.tips.back().point);
}

TEST(ImageSensitivityRuns, HasTheSameBitsForAnyThreadCount) {
  for (const char* name : {"OffGrid", "SeveralSeeds", "Constant", "MazeFromTheEnd"})
    for (const SourceFactoring factoring : factorings) {
      const Case c = makeCase(name);
      const Result solved = solve(c.problem, factoring);
      const std::vector<WeightedTip> tips = someTips(c.problem.grid, 500);
      const Sensitivities one = derive(c.problem, solved.travelTime, tips, factoring, 1);
      for (const int threads : {2, 3, 7}) {
        const Sensitivities more = derive(c.problem, solved.travelTime, tips, factoring, threads);
        EXPECT_EQ(one.objective, more.objective);
        EXPECT_EQ(one.speed, more.speed);
        EXPECT_EQ(one.startValue, more.startValue);
      }
    }
}

TEST(ImageSensitivityRuns, TipsThatAreNotReachedContributeNothing) {
  Case c = makeCase("Plane");
  c.barriers.assign(std::size_t(c.problem.grid.points()), 0);
  const Grid& g = c.problem.grid;
  for (std::int64_t j = 0; j < g.ny; ++j) c.barriers[std::size_t(g.index(70, j, 0))] = 1; // a wall
  c.problem.barriers = c.barriers;
  const Result solved = solve(c.problem, SourceFactoring::Off, 60);
  const auto late = std::ranges::find_if(solved.travelTime, [](float u) { return u == infinite; });
  const WeightedTip good = tipAt(g, g.index(50, 30, 0), 2);
  const WeightedTip tips[] = {{{-3, 0, 0}, 1},
                              tipAt(g, g.index(70, 5, 0)),
                              good,
                              tipAt(g, g.index(80, 5, 0)),
                              tipAt(g, late - solved.travelTime.begin()),
                              {{std::nan(""), 0, 0}, 1}};
  const Sensitivities s = derive(c.problem, solved.travelTime, tips, SourceFactoring::Off);
  using Status = Placement::Status;
  const Status expected[] = {Status::Outside, Status::InBarrier, Status::Inside,
                             Status::Inside,  Status::Inside,    Status::Outside};
  for (std::size_t t = 0; t < 6; ++t) {
    EXPECT_EQ(s.tips[t].status, expected[t]) << t;
    EXPECT_EQ(s.tips[t].point >= 0, t == 2) << t;
  }
  const WeightedTip only[] = {good};
  const Sensitivities alone = derive(c.problem, solved.travelTime, only, SourceFactoring::Off);
  EXPECT_EQ(s.speed, alone.speed);
  EXPECT_EQ(s.objective, alone.objective);
}

TEST(ImageSensitivityRuns, WithoutTipsIsZero) {
  const Case c = makeCase("Plane");
  const Sensitivities s = derive(c.problem, {}, SourceFactoring::Additive);
  EXPECT_EQ(s.objective, 0);
  EXPECT_EQ(s.speed.size(), std::size_t(c.problem.grid.points()));
  EXPECT_EQ(std::ranges::count(s.speed, 0.), c.problem.grid.points());
}

TEST(ImageSensitivityRuns, StopsWhenTheMonitorDoes) {
  const Case c = makeCase("Noise");
  const Result solved = solve(c.problem, SourceFactoring::Off);
  const WeightedTip tips[] = {tipAt(c.problem.grid, 0)};
  const Sensitivities s =
      differentiate(c.problem, solved.travelTime, tips, {}, Monitor{[](double) { return false; }});
  EXPECT_TRUE(s.aborted);
  EXPECT_TRUE(s.speed.empty());
  double last = 0;
  EXPECT_FALSE(differentiate(c.problem, solved.travelTime, tips, {}, Monitor{[&](double share) {
                               EXPECT_GE(share, last);
                               last = share;
                               return true;
                             }})
                   .aborted);
  EXPECT_EQ(last, 1);
}

/// The times of a region with a speed of 10^10 cannot be told apart.
TEST(ImageSensitivityRuns, ReportsWeightsThatReachNoSeed) {
  Case line = makeLine(30);
  for (std::size_t n = 10; n < 20; ++n) line.speed[n] = 1e10f;
  line.problem.speed = line.speed;
  const WeightedTip tips[] = {tipAt(line.problem.grid, 29, 2)};
  const Sensitivities s = derive(line.problem, tips, SourceFactoring::Off);
  EXPECT_EQ(s.lostWeight, 2);
  EXPECT_EQ(s.startValue[0], 0);
}

TEST(ImageSensitivityRuns, OfMultiplicativeFactoringRunsOnTheHost) {
  const Case c = makeCase("Plane");
  const Result solved = solve(c.problem, SourceFactoring::Multiplicative);
  const std::vector<WeightedTip> tips = someTips(c.problem.grid, 3);
  const BackendChoice ranOn =
      derive(c.problem, solved.travelTime, tips, SourceFactoring::Multiplicative, 0, 1, Backend::Automatic)
          .ranOn;
  EXPECT_EQ(ranOn.backend, Backend::Host);
  EXPECT_NE(ranOn.reason.find("multiplicative"), std::string::npos);
}

/// Times of another problem may be later than any that the solver computes.
TEST(ImageSensitivityRuns, OfAbsurdTimesStaysInTheImage) {
  Problem p;
  p.grid = {3, 3, 1, 1, 1, 1};
  p.seeds = {{{1, 1, 0}, 0}};
  const std::vector<float> times(9, 1e35f);
  const std::vector<WeightedTip> tips = someTips(p.grid, 9);
  for (const SourceFactoring factoring : factorings) {
    const Sensitivities s = derive(p, times, tips, factoring);
    EXPECT_EQ(s.speed.size(), 9U);
  }
}

TEST(ImageSensitivityRuns, RefusesBadInput) {
  const Case c = makeCase("Plane");
  const Result solved = solve(c.problem, SourceFactoring::Off);
  const std::span<const float> times = solved.travelTime;
  const WeightedTip tips[] = {{{1, 1, 0}, 1}};
  const auto call = [&](const Problem& p, std::span<const float> u, SensitivityOptions options = {}) {
    return [=, &tips, &p] { differentiate(p, u, tips, options); };
  };
  expectError(call(c.problem, times.first(7)), {"travel time", "got 7"});
  expectError(
      [&] {
        const WeightedTip bad[] = {{{1, 1, 0}, 1}, {{2, 1, 0}, infinite}};
        differentiate(c.problem, times, bad, {});
      },
      {"weight", "inf", "tip 1"});
  SensitivityOptions options;
  options.order = 3;
  expectError(call(c.problem, times, options), {"order", "1 or 2", "got 3"});
  Problem p = c.problem;
  p.periodic[0] = true;
  expectError(call(p, times), {"periodic"});
  p = c.problem;
  const std::vector<float> drift(2 * times.size(), 0.01f);
  p.drift = drift;
  expectError(call(p, times), {"drift"});
  p = c.problem;
  const std::vector<float> tensors(3 * times.size(), 1.f);
  p.speed = tensors, p.speedType = SpeedType::MetricTensor;
  expectError(call(p, times), {"tensors"});
  p = c.problem;
  std::vector<float> negative = c.speed;
  negative[3] = -1;
  p.speed = negative;
  expectError(call(p, times), {"speed", "-1"});
  p = c.problem;
  p.seeds.clear();
  expectError(call(p, times), {"seeds"});
}

/// Also with given first order times, which a solve keeps.
TEST(ImageTensorSensitivityRuns, OfRefinedTimesRunsOnTheHost) {
  const Case c = makeTensorCase("Plane");
  const std::vector<WeightedTip> tips = someTips(c.problem.grid, 9);
  for (const auto& [factoring, order] : schemes) {
    if (order == 1 && factoring != SourceFactoring::Multiplicative) continue;
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    Options options;
    options.backend = Backend::Host;
    options.factoring = factoring;
    options.order = order;
    options.keepFirstOrder = true;
    const Result solved = solveImageTravelTime(c.problem, options, {});
    ASSERT_EQ(solved.firstOrder.size(), solved.travelTime.size());
    SensitivityOptions same;
    same.factoring = factoring;
    same.order = order;
    const Sensitivities again = differentiate(c.problem, solved.travelTime, tips, same);
    same.firstOrder = solved.firstOrder;
    const Sensitivities given = differentiate(c.problem, solved.travelTime, tips, same);
    EXPECT_EQ(again.speed, given.speed);
    EXPECT_EQ(again.objective, given.objective);
    EXPECT_EQ(given.ranOn.backend, Backend::Host);
    EXPECT_NE(given.ranOn.reason.find("order 2 or multiplicative"), std::string::npos);
    same.firstOrder = std::span(solved.firstOrder).subspan(1);
    EXPECT_THROW(differentiate(c.problem, solved.travelTime, tips, same), Error);
  }
}

/// Times that are not numbers, or infinite, at single points have no derivatives, and cause none elsewhere.
TEST(ImageTensorSensitivityRuns, OfTimesThatAreNotFiniteIsFinite) {
  const Case c = makeTensorCase("Plane");
  const std::vector<WeightedTip> tips = someTips(c.problem.grid, 9);
  for (const auto& [factoring, order] : schemes)
    for (const float value : {NAN, INFINITY, -INFINITY}) {
      SCOPED_TRACE(testing::Message()
                   << "factoring " << int(factoring) << ", order " << order << ", " << value);
      Values<float> times = solve(c.problem, factoring, 0, order).travelTime;
      for (std::size_t n = 7; n < times.size(); n += 50) times[n] = value;
      const Sensitivities s = derive(c.problem, times, tips, factoring, 1, order);
      EXPECT_TRUE(std::isfinite(s.objective));
      EXPECT_TRUE(std::ranges::all_of(s.speed, [](double d) { return std::isfinite(d); }));
    }
}

/// At any question. The progress never falls, and ends at 1.
TEST(ImageTensorSensitivityRuns, StopsWhenTheMonitorDoes) {
  const Case c = makeTensorCase("Space");
  const std::vector<WeightedTip> tips = someTips(c.problem.grid, 5);
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    const Result solved = solve(c.problem, factoring, 0, order);
    SensitivityOptions options;
    options.factoring = factoring;
    options.order = order;
    int questions = 0;
    double last = 0;
    const Monitor all{[&](double share) {
      EXPECT_GE(share, last);
      last = share;
      return ++questions > 0;
    }};
    EXPECT_FALSE(differentiate(c.problem, solved.travelTime, tips, options, all).aborted);
    EXPECT_EQ(last, 1);
    for (int stopAt = 1; stopAt <= questions; ++stopAt) {
      int asked = 0;
      const Monitor stop{[&](double) { return ++asked < stopAt; }};
      const Sensitivities s = differentiate(c.problem, solved.travelTime, tips, options, stop);
      if (asked < stopAt) continue; // questions depend on the time, too
      EXPECT_TRUE(s.aborted) << stopAt;
      EXPECT_TRUE(s.speed.empty()) << stopAt;
    }
  }
}
