// Claims about reversible problems that are the same at opposite headings: half of the headings is solved,
// and gives the travel times of all.
#include "CurvatureCases.h"
#include "CurvaturePaths/Scheme/OppositeHeadings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

/// Copies the cost of each heading to the opposite one.
void makeCostEven(Case& c) {
  std::copy_n(c.cost.begin(), c.cost.size() / 2, c.cost.begin() + std::ptrdiff_t(c.cost.size() / 2));
}

const std::vector<std::string> evenCases{"Constant",     "RoughCost",    "EvenCost",   "WallsAndRoughCost",
                                         "RadiusVaries", "SeveralSeeds", "TinyRadius", "UnequalSteps",
                                         "FewHeadings",  "SixHeadings",  "NotSquare",  "OneRow"};

/// Returns a problem for the Reeds-Shepp model in which every seed has any heading.
Case evenCase(const std::string& name) {
  Case c = makeCase(Model::ReedsShepp, name == "EvenCost" ? "OrientedCost" : name);
  if (name == "SixHeadings") c.problem.grid.headings = 6;
  if (name == "EvenCost") makeCostEven(c);
  c.problem.cost.values = c.cost;
  for (Seed& seed : c.problem.seeds) seed.state.anyHeading = true;
  return c;
}

Result solve(const Problem& problem, int threads = 1) {
  Options options;
  options.backend = Backend::Host;
  options.threads = threads;
  return solveCurvaturePaths(problem, options, {});
}

/// Returns the problem with one more seed, with a heading and later than any path: the same travel times, but
/// headings are told apart. It lies on the first free point, and no other seed does.
Problem withLateSeed(const Problem& problem) {
  Problem p = problem;
  State at{0, p.seeds[0].state.y, 0, false};
  while (place(p, at).status != Placement::Status::Inside) at.x += p.grid.hx;
  p.seeds.push_back({at, p.seeds[0].startValue + 1e4});
  return p;
}

class CurvatureOppositeHeadingsCases : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(CurvatureOppositeHeadingsCases, HaveTheTravelTimesOfAllHeadings) {
  Case c = evenCase(GetParam());
  const StateGrid& g = c.problem.grid;
  for (const Accuracy accuracy : {Accuracy::FirstOrder, Accuracy::SeedBall, Accuracy::SecondOrder}) {
    SCOPED_TRACE("accuracy " + std::to_string(int(accuracy)));
    c.problem.accuracy = accuracy;
    const Result half = solve(c.problem), all = solve(withLateSeed(c.problem));
    // Corrections depend on the last digits of the solution before.
    const double bound = accuracy == Accuracy::FirstOrder ? 2e-6 : 2e-5;
    float earliest = std::numeric_limits<float>::infinity();
    for (const float u : half.travelTime) earliest = std::min(earliest, u);
    for (std::int64_t p = 0; p < g.points(); ++p) {
      ASSERT_EQ(half.travelTime[p], half.travelTime[(p + g.points() / 2) % g.points()]) << "state " << p;
      ASSERT_EQ(std::isinf(half.travelTime[p]), std::isinf(all.travelTime[p])) << "state " << p;
      if (std::isinf(half.travelTime[p])) continue;
      const double since = std::max(g.hx, double(all.travelTime[p]) - earliest);
      ASSERT_NEAR(half.travelTime[p], all.travelTime[p], bound * since) << "state " << p;
    }
    EXPECT_LT(half.updatesPerPoint, 0.75 * all.updatesPerPoint);
    EXPECT_LT(half.workBytes, all.workBytes);
  }
}

TEST_P(CurvatureOppositeHeadingsCases, GiveTheSameBitsForAnyThreadCount) {
  const Case c = evenCase(GetParam());
  const Values<float> one = solve(c.problem).travelTime;
  for (const int threads : {2, 3, 7}) EXPECT_EQ(solve(c.problem, threads).travelTime, one) << threads;
}

INSTANTIATE_TEST_SUITE_P(All, CurvatureOppositeHeadingsCases, testing::ValuesIn(evenCases),
                         [](const auto& info) { return info.param; });

TEST(CurvatureOppositeHeadings, StopAtTipsOfEitherHeading) {
  const Case c = evenCase("WallsAndRoughCost");
  const StateGrid& g = c.problem.grid;
  const Values<float> whole = solve(c.problem).travelTime;
  for (const int k : {3, 3 + g.headings / 2}) {
    Options options;
    options.backend = Backend::Host, options.threads = 1;
    options.stopAt = {{0.9, 0.9, k * g.headingStep(), false}};
    const Placement tip = place(c.problem, options.stopAt[0]);
    const Result stopped = solveCurvaturePaths(c.problem, options, {});
    EXPECT_EQ(stopped.travelTime[g.index(tip.i, tip.j, k)], whole[g.index(tip.i, tip.j, k)]);
  }
}

TEST(CurvatureOppositeHeadings, AgreeOnlyInSymmetricProblems) {
  Case c = evenCase("EvenCost");
  const std::int64_t half = c.problem.grid.points() / 2;
  const std::vector<StartState> starts{{5, 0, 1.5}, {5 + half, 0, 1.5}};
  const auto agree = [&](const std::vector<StartState>& from) {
    return oppositeHeadingsAgree(c.problem, from);
  };
  EXPECT_TRUE(agree(starts));
  EXPECT_FALSE(agree({{5, 0, 1.5}}));                      // a seed with a heading
  EXPECT_FALSE(agree({{5, 0, 1.5}, {5 + half, 0, 1.25}})); // another start value
  EXPECT_FALSE(agree({{5, 0, 1.5}, {6 + half, 0, 1.5}}));  // another place

  for (const Model model : {Model::ReedsSheppForward, Model::Elastica, Model::Dubins}) {
    c.problem.model = model;
    EXPECT_FALSE(agree(starts)) << nameOf(model);
  }
  c.problem.model = Model::ReedsShepp;
  c.problem.curvatureShift.constant = 0.1;
  EXPECT_FALSE(agree(starts));
  c.problem.curvatureShift.constant = 0;
  c.problem.grid.headings = 23; // the fields have room for more
  EXPECT_FALSE(agree(starts));
  c.problem.grid.headings = 24;

  c.cost[7] = std::nextafter(c.cost[7], 100.f);
  EXPECT_FALSE(agree(starts));
  c.walls.assign(std::size_t(c.problem.grid.planePoints()), 0);
  c.problem.walls = c.walls;
  EXPECT_FALSE(agree(starts));
  c.walls[7] = 1; // values in walls may be anything
  EXPECT_TRUE(agree(starts));
  c.cost[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(agree(starts));
}
