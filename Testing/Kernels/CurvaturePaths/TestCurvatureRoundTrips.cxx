// Claims about round trips: totals against return solves from the point itself, and closed paths.
#include "CurvatureDriftCases.h"
#include "CurvaturePathChecks.h"
#include "Error.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double pi = std::numbers::pi;

RoundTrip solveTrip(const Problem& problem, const Monitor& monitor = {}, std::vector<State> stopAt = {}) {
  Options options;
  options.backend = Backend::Host;
  options.stopAt = std::move(stopAt);
  return solveRoundTrip(problem, options, monitor);
}

Case plainTrip(Model model, std::int64_t n, int headings) {
  Case c = square(model, n, headings);
  c.problem.seeds = {{{1, 1, 0, true}, 0}};
  return c;
}

/// Adds a cost per state; even headings cost more towards one side of the image if `onesided`.
void addOrientedCost(Case& c, bool onesided) {
  const StateGrid& g = c.problem.grid;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t p = 0; p < g.planePoints(); ++p) {
      const double x = double(p % g.nx) * g.hx, angle = k * g.headingStep();
      c.cost.push_back(float(1.5 + std::sin(3 * x) * (onesided ? std::cos(angle) : std::cos(2 * angle))));
    }
  c.problem.cost.values = c.cost;
}

/// Returns the total at a point by one solve from the seed and one from the point, without a reversed
/// problem: the minimum over headings k of the time to heading k plus the time from it to the seed.
double totalByTwoSolves(const Problem& problem, const Placement& via) {
  const StateGrid& g = problem.grid;
  const Placement home = place(problem, problem.seeds[0].state);
  const Values<float> out = solve(problem);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < g.headings; ++k) {
    if (via.heading >= 0 && k != via.heading) continue;
    Problem back = problem;
    back.seeds = {{{double(via.i) * g.hx, double(via.j) * g.hy, k * g.headingStep(), false}, 0}};
    best = std::min(best, double(out[g.index(via.i, via.j, k)]) + valueOf(problem, solve(back), home));
  }
  return best;
}

void expectTotals(const Problem& problem, const std::vector<State>& vias) {
  constexpr double tolerance = 0.12; // first-order errors on a coarse grid
  const RoundTrip trip = solveTrip(problem);
  const StateGrid& g = problem.grid;
  ASSERT_FALSE(trip.back.travelTime.empty());
  for (const State& via : vias) {
    const Placement at = place(problem, via);
    const std::vector<Path> paths = extractPaths(problem, trip, std::array{via}, 1);
    ASSERT_GT(paths[0].size(), 0u);
    expectLeadsToTheTip(paths[0], problem);
    EXPECT_NEAR(paths[0].travelTime.back() / totalByTwoSolves(problem, at), 1, tolerance);
    const int opposite = (at.heading + g.headings / 2) % g.headings;
    EXPECT_FLOAT_EQ(float(paths[0].travelTime.back() - problem.seeds[0].startValue),
                    float(trip.out.travelTime[g.index(at.i, at.j, at.heading)] - problem.seeds[0].startValue +
                          trip.back.travelTime[g.index(at.i, at.j, opposite)]));
  }
}

} // namespace

TEST(CurvatureRoundTrips, OneSolveSufficesWhereReversedPathsCostTheSame) {
  for (const Model model : allModels) {
    Case even = plainTrip(model, 31, 16), nearly = plainTrip(model, 31, 16), twice = plainTrip(model, 31, 16);
    addOrientedCost(even, false), addOrientedCost(nearly, false), addOrientedCost(twice, false);
    nearly.cost[100] *= 1 + 1e-7f; // equal up to rounding
    twice.cost[100] *= 1.001f;

    const RoundTrip once = solveTrip(even.problem), both = solveTrip(twice.problem);

    EXPECT_TRUE(once.back.travelTime.empty());
    EXPECT_TRUE(solveTrip(nearly.problem).back.travelTime.empty());
    ASSERT_FALSE(both.back.travelTime.empty());
    const PlanarResult a = reduceToPlane(even.problem, once, 2), b = reduceToPlane(twice.problem, both, 1);
    for (std::size_t p = 0; p < a.travelTime.size(); ++p)
      ASSERT_NEAR(a.travelTime[p], b.travelTime[p], 2e-3 * a.travelTime[p]) << nameOf(model) << ' ' << p;
  }
}

TEST(CurvatureRoundTrips, ValuesInWallsRequireNoSecondSolve) {
  Case c = plainTrip(Model::Dubins, 31, 16);
  addWalls(c);
  const std::size_t wall = std::find(c.walls.begin(), c.walls.end(), 1) - c.walls.begin();
  c.shift.assign(c.walls.size(), 0), c.shift[wall] = 3;
  c.problem.curvatureShift.values = c.shift;
  EXPECT_TRUE(solveTrip(c.problem).back.travelTime.empty());
  c.problem.walls = {};
  EXPECT_FALSE(solveTrip(c.problem).back.travelTime.empty());
}

TEST(CurvatureRoundTrips, SeedsWithAHeadingOrAStartValueRequireASecondSolve) {
  Case heading = plainTrip(Model::Elastica, 21, 16), late = plainTrip(Model::Elastica, 21, 16),
       plain = plainTrip(Model::Elastica, 21, 16);
  heading.problem.seeds[0].state.anyHeading = false;
  late.problem.seeds[0].startValue = 0.5;

  const RoundTrip trip = solveTrip(late.problem), once = solveTrip(plain.problem);

  EXPECT_FALSE(solveTrip(heading.problem).back.travelTime.empty());
  ASSERT_FALSE(trip.back.travelTime.empty());
  const PlanarResult a = reduceToPlane(late.problem, trip, 1), b = reduceToPlane(plain.problem, once, 1);
  for (std::size_t p = 0; p < a.travelTime.size(); ++p) // the start value is included once
    ASSERT_NEAR(a.travelTime[p], b.travelTime[p] + 0.5, 1e-4);
}

TEST(CurvatureRoundTrips, TotalsAreTheSumsOfOutwardAndReturnTimes) {
  Case c = plainTrip(Model::Dubins, 41, 32);
  addOrientedCost(c, true);
  c.problem.curvatureShift.constant = 2; // 3 to the right, 7 to the left
  const std::vector<State> vias{{1.6, 1.2, 1, false}, {0.5, 0.7, 4, false}, {1.3, 0.4, 2.5, false}};
  expectTotals(c.problem, vias);
  c.problem.seeds[0] = {{1, 1, 0.4, false}, 0};
  expectTotals(c.problem, vias);
}

TEST(CurvatureRoundTrips, TotalsInADriftAreTheSumsOfOutwardAndReturnTimes) {
  DriftingCase d(plainTrip(Model::Dubins, 41, 32), constantDrift(0.4, 0.1), 1, 0.2, 0.3);
  d.c.problem.seeds[0].state.x = 0.3;
  expectTotals(d.ground(), {{1.7, 1.2, 0.4, false}, {1.5, 0.8, 5.5, false}, {1.6, 0.9, 4, false}});
}

TEST(CurvatureRoundTrips, TheReversedPathsOfASymmetricProblemCostTheSame) {
  // Shift, cost and radius at heading k of one problem equal those at the opposite heading of the other, with
  // the opposite sign of the shift. Each is the reverse of the other, so outward and return parts exchange
  // roles.
  Case a = plainTrip(Model::Elastica, 31, 16), b = plainTrip(Model::Elastica, 31, 16);
  addOrientedCost(a, true);
  addVaryingShift(a);
  const std::size_t n = a.cost.size();
  b.cost.resize(n), b.shift.resize(n);
  for (std::size_t p = 0; p < n; ++p)
    b.cost[(p + n / 2) % n] = a.cost[p], b.shift[(p + n / 2) % n] = -a.shift[p];
  b.problem.cost.values = b.cost, b.problem.curvatureShift.values = b.shift;

  const RoundTrip there = solveTrip(a.problem), reversed = solveTrip(b.problem);

  EXPECT_EQ(there.out.travelTime, reversed.back.travelTime);
  EXPECT_EQ(there.back.travelTime, reversed.out.travelTime);
  EXPECT_NE(there.back.travelTime, there.out.travelTime);
}

TEST(CurvatureRoundTrips, ThePlaneHoldsTheMinimumTotalItsHeadingAndTheSeed) {
  Case c = plainTrip(Model::Dubins, 31, 16);
  c.problem.curvatureShift.constant = 1;
  c.problem.seeds = {{{0.4, 1, 0, true}, 0}, {{1.6, 1, 0, true}, 0}};
  const StateGrid& g = c.problem.grid;

  const RoundTrip trip = solveTrip(c.problem);
  const PlanarResult plane = reduceToPlane(c.problem, trip, 2);

  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i) {
      float minimum = std::numeric_limits<float>::infinity();
      for (int k = 0; k < 16; ++k)
        minimum = std::min(minimum, trip.out.travelTime[g.index(i, j, k)] +
                                        trip.back.travelTime[g.index(i, j, (k + 8) % 16)]);
      const std::size_t p = std::size_t(i + g.nx * j);
      ASSERT_EQ(plane.travelTime[p], minimum);
      const int k = int(std::lround(plane.heading[p] / g.headingStep()));
      ASSERT_EQ(trip.out.travelTime[g.index(i, j, k)] + trip.back.travelTime[g.index(i, j, (k + 8) % 16)],
                minimum);
      if (i < 5) ASSERT_EQ(plane.seed[p], 0);
      if (i > 25) ASSERT_EQ(plane.seed[p], 1);
    }
}

TEST(CurvatureRoundTrips, PathsPassThePointAndCloseAtTheSeed) {
  for (const Model model : allModels) {
    Case c = plainTrip(model, 61, 32);
    if (model != Model::Elastica) c.problem.curvatureShift.constant = 1;
    const RoundTrip trip = solveTrip(c.problem);
    const PlanarResult plane = reduceToPlane(c.problem, trip, 1);
    const StateGrid& g = c.problem.grid;
    std::vector<State> vias{{1.7, 1.5, 2, false}, {0.3, 0.8, 0, true}, {1.5, 0.3, 0, true}};

    const std::vector<Path> paths = extractPaths(c.problem, trip, vias, 2);

    for (std::size_t t = 0; t < vias.size(); ++t) {
      const Path& path = paths[t];
      ASSERT_GT(path.size(), 0u);
      expectLeadsToTheTip(path, c.problem);
      expectSound(path, c.problem);
      EXPECT_NEAR(path.x.front(), 1, 1e-12);
      EXPECT_NEAR(path.y.front(), 1, 1e-12);
      EXPECT_NEAR(path.x.back(), 1, 1e-12);
      EXPECT_NEAR(path.y.back(), 1, 1e-12);
      std::size_t passes = path.size();
      for (std::size_t n = 0; n < path.size(); ++n)
        if (std::hypot(path.x[n] - vias[t].x, path.y[n] - vias[t].y) < 1e-12) passes = n;
      ASSERT_LT(passes, path.size());
      const Placement at = place(c.problem, vias[t]);
      const std::size_t p = std::size_t(at.i + g.nx * at.j);
      const double heading = vias[t].anyHeading ? plane.heading[p] : vias[t].heading;
      EXPECT_NEAR(std::remainder(path.heading[passes] - heading, 2 * pi), 0, 1e-6);
      if (vias[t].anyHeading) EXPECT_NEAR(path.travelTime.back(), plane.travelTime[p], 1e-5);
      EXPECT_NEAR(path.energy / path.travelTime.back(), 0.9, 0.2) << nameOf(model);
    }
  }
}

TEST(CurvatureRoundTrips, APathAcrossReturnsOnItsMirrorImage) {
  Case c = plainTrip(Model::Dubins, 61, 32);
  c.problem.seeds[0].state.x = 0.4;
  const State via{1.6, 1, pi / 2, false}; // opposite the seed; the line to it is the mirror axis

  const Path path = extractPaths(c.problem, solveTrip(c.problem), std::array{via}, 1)[0];

  ASSERT_EQ(path.status, PathStatus::Complete);
  const std::size_t last = path.size() - 1;
  for (std::size_t n = 0; n <= last; ++n) {
    EXPECT_NEAR(path.x[n], path.x[last - n], 0.02);
    EXPECT_NEAR(path.y[n] - 1, 1 - path.y[last - n], 0.02);
    if (n > 4 && n + 4 < last) EXPECT_NEAR(path.curvature[n], path.curvature[last - n], 1.5);
    EXPECT_NEAR(path.travelTime[n], path.travelTime[last] - path.travelTime[last - n], 0.04);
  }
}

TEST(CurvatureRoundTrips, AReversibleVehicleBacksOutOfADeadEnd) {
  Case c = plainTrip(Model::ReedsShepp, 41, 16);
  c.problem.curvatureShift.constant = 0.01; // two solves
  const State via{1.7, 1, 0, false};

  const Path path = extractPaths(c.problem, solveTrip(c.problem), std::array{via}, 1)[0];

  ASSERT_EQ(path.status, PathStatus::Complete);
  EXPECT_NEAR(path.travelTime.back(), 1.4, 0.02);
  EXPECT_GT(std::count(path.gear.begin(), path.gear.end(), 1), 20);
  EXPECT_GT(std::count(path.gear.begin(), path.gear.end(), -1), 20);
  for (std::size_t n = 1; n < path.size(); ++n) {
    const double along = (path.x[n] - path.x[n - 1]) * std::cos(path.heading[n]);
    if (path.gear[n] != 0 && path.gear[n] == path.gear[n - 1] && std::abs(along) > 1e-3)
      ASSERT_EQ(along > 0, path.gear[n] > 0) << n;
  }
}

TEST(CurvatureRoundTrips, UnreachableViasHaveAStatus) {
  Case c = plainTrip(Model::Dubins, 41, 16);
  addWalls(c);
  const std::vector<State> vias{{9, 9, 0, true}, {1.5, 1, 0, true}, {1.5, 1.2, 0, true}, {0.9, 1.1, 0, true}};
  ASSERT_TRUE(c.walls[30 + 41 * 20]);

  const std::vector<Path> paths = extractPaths(c.problem, solveTrip(c.problem), vias, 1);

  EXPECT_EQ(paths[0].status, PathStatus::TipOutside);
  EXPECT_EQ(paths[1].status, PathStatus::TipInWall);
  EXPECT_EQ(paths[2].status, PathStatus::Unreachable); // in the closed box
  EXPECT_GT(paths[3].size(), 0u);
  expectLeadsToTheTip(paths[3], c.problem);
}

TEST(CurvatureRoundTrips, StopAtViasGivesTheirFinalTotals) {
  for (const double shift : {0., 1.}) {
    Case c = plainTrip(Model::Dubins, 61, 24);
    c.problem.curvatureShift.constant = shift;
    const std::vector<State> vias{{1.3, 1.2, 0.8, false}, {0.8, 1.1, 0, true}};

    const auto full = extractPaths(c.problem, solveTrip(c.problem), vias, 1);
    const auto stopped = extractPaths(c.problem, solveTrip(c.problem, {}, vias), vias, 1);

    for (std::size_t t = 0; t < vias.size(); ++t)
      EXPECT_NEAR(stopped[t].travelTime.back(), full[t].travelTime.back(), 1e-5);
  }
}

TEST(CurvatureRoundTrips, ProgressRisesOverBothSolvesAndAbortEndsThem) {
  Case c = plainTrip(Model::Elastica, 61, 24);
  c.problem.curvatureShift.constant = 1;
  for (const double lastShare : {2., 0., 0.5}) { // to the end; not at all; up to the second solve
    std::vector<double> shares;
    const RoundTrip trip = solveTrip(c.problem, {[&](double share) {
                                       shares.push_back(share);
                                       return share < lastShare;
                                     }});
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), lastShare > 1 ? 1 : lastShare);
    EXPECT_EQ(trip.aborted, lastShare < 1);
    EXPECT_EQ(trip.out.travelTime.empty(), lastShare == 0);
    EXPECT_EQ(trip.back.travelTime.empty(), lastShare < 1);
  }
}

TEST(CurvatureRoundTrips, RefusesAnOddNumberOfHeadings) {
  Case c = plainTrip(Model::Dubins, 11, 15);
  try {
    solveTrip(c.problem);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("even number of headings, got 15: use 16"), std::string::npos)
        << error.what();
  }
}

TEST(CurvatureRoundTrips, RefusesARoundTripOfAnotherGrid) {
  const Case c = plainTrip(Model::Dubins, 11, 16), other = plainTrip(Model::Dubins, 13, 16);
  const RoundTrip trip = solveTrip(c.problem);
  EXPECT_THROW(reduceToPlane(other.problem, trip, 1), Error);
  EXPECT_THROW(extractPaths(other.problem, trip, std::array{State{}}, 1), Error);
}
