// Claims about planes whose states are divided among processes: every division gives the travel times of the
// whole plane.
#include "CurvatureParts.h"
#include "CurvaturePathChecks.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Options oneThread() {
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  return options;
}

/// Maximum relative difference from the undivided times. A state is lowered only beyond two roundings, so its
/// last digits depend on the order of updates, which depends on the parts. Seen: 1.4e-6, and 6.2e-6 on a
/// plane 2500 points wide, along which roundings accumulate.
constexpr double tolerance = 2e-5;

/// How far two solutions are apart.
struct Difference {
  std::string unreached; ///< the first state that only one of them reaches
  double largest = 0;    ///< relative to the time since the earliest start, at least that of a grid step
};

Difference differenceOf(const Problem& problem, std::span<const float> a, std::span<const float> b) {
  Difference difference;
  float earliest = std::numeric_limits<float>::infinity();
  for (const float u : a) earliest = std::min(earliest, u);
  for (std::size_t p = 0; p < a.size(); ++p) {
    if (std::isinf(a[p]) != std::isinf(b[p])) {
      difference.unreached =
          "state " + std::to_string(p) + ": " + std::to_string(a[p]) + " and " + std::to_string(b[p]);
      return difference;
    }
    if (std::isinf(a[p])) continue;
    const double step = 0.5 * std::min(problem.grid.hx, problem.grid.hy); // costs are 0.5 and more
    difference.largest =
        std::max(difference.largest, std::abs(double(a[p]) - b[p]) / std::max(step, double(a[p]) - earliest));
  }
  return difference;
}

/// Returns a solution with other states.
Result withStates(const Result& result, const PartedSolution& parts) {
  Result joined = result;
  std::ranges::copy(parts.travelTime, joined.travelTime.begin());
  std::ranges::copy(parts.uncorrected, joined.uncorrected.begin());
  return joined;
}

void expectSamePath(const Path& got, const Path& expected) {
  EXPECT_EQ(got.seed, expected.seed);
  EXPECT_EQ(got.x, expected.x);
  EXPECT_EQ(got.y, expected.y);
  EXPECT_EQ(got.heading, expected.heading);
  EXPECT_EQ(got.travelTime, expected.travelTime);
  EXPECT_EQ(got.gear, expected.gear);
  EXPECT_EQ(got.energy, expected.energy);
  EXPECT_EQ(got.length, expected.length);
}

/// Expects each path in one part, and its status in all of them.
void expectSamePaths(const std::vector<std::vector<Path>>& parts, const std::vector<Path>& whole) {
  for (std::size_t t = 0; t < whole.size(); ++t) {
    SCOPED_TRACE("tip " + std::to_string(t));
    int owners = 0;
    for (const std::vector<Path>& paths : parts) {
      EXPECT_EQ(paths[t].status, whole[t].status);
      if (paths[t].size() == 0) continue;
      ++owners;
      expectSamePath(paths[t], whole[t]);
    }
    EXPECT_EQ(owners, whole[t].size() > 0 ? 1 : 0);
  }
}

/// Expects the states of the whole up to rounding, and exactly the results that follow from these states.
void expectResultsOfTheWhole(const Problem& problem, const Options& options, const Boxes& boxes,
                             const std::vector<State>& tips) {
  const Result whole = solveCurvaturePaths(problem, options, {});
  const PartedSolution parts = solveInParts(problem, options, boxes, tips);
  const Difference states = differenceOf(problem, whole.travelTime, parts.travelTime);
  EXPECT_EQ(states.unreached, "");
  EXPECT_LE(states.largest, boxes.size() == 1 ? 0 : tolerance);

  const Result joined = withStates(whole, parts);
  const PlanarResult plane = reduceToPlane(problem, joined, 1);
  EXPECT_EQ(parts.plane.travelTime, plane.travelTime);
  EXPECT_EQ(parts.plane.heading, plane.heading);
  EXPECT_EQ(parts.plane.seed, plane.seed);
  expectSamePaths(parts.paths, extractPaths(problem, joined, tips, 1));
  EXPECT_EQ(parts.residuals, std::vector<double>(boxes.size(), residual(problem, joined, 1)));
}

class CurvatureParts : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  const std::string name = std::get<1>(GetParam());
  Case c = makeCase(std::get<0>(GetParam()), name);
  const StateGrid& grid = c.problem.grid;
  Options options = oneThread();
  std::vector<State> tips;

  CurvatureParts() {
    if (name == "Wide") { // as wide as several blocks of lanes
      c.problem.grid.nx = 600;
      c.problem.seeds = {{{3, 0.1, 0, true}, 0}, {{15, 0.1, 0, true}, 1}, {{28, 0.1, 2, true}, 3}};
    }
    options.startCache = makeStartCache(); // each part solves around each seed
    tips = randomTips(grid, 8);
    for (const std::int64_t i : {grid.nx / 3 - 1, grid.nx / 3, grid.nx / 2}) // on both sides of borders
      for (const std::int64_t j : {grid.ny / 2 - 1, grid.ny / 2})
        tips.push_back({double(i) * grid.hx, double(j) * grid.hy, 0, true});
    tips.push_back({-3 * grid.hx, 0, 0, true});
  }

  /// Returns the divisions to try. A part of a small plane costs nearly a solve of the whole, since its
  /// margin is wide. Second Order has the start values of Seed Ball, too.
  std::vector<grid::Division> divisions() const {
    const bool isLarge = name == "Wide" || name == "Everything";
    const bool isFirst = c.problem.accuracy == Accuracy::FirstOrder;
    const bool isDubins = c.problem.model == Model::Dubins;
    const char* tried = "Junctions";
    if (isFirst && isDubins && !isLarge) tried = "Columns";
    if (c.problem.accuracy == Accuracy::SeedBall) tried = isDubins && !isLarge ? "Quarters" : "";
    if (c.problem.accuracy == Accuracy::SecondOrder && isLarge) tried = "Halves";
    std::vector<grid::Division> all = grid::divisionsOf({grid.nx, grid.ny, 1});
    std::erase_if(all, [&](const grid::Division& division) {
      return division.name != tried && !(isFirst && division.name == "Alone");
    });
    return all;
  }
};

} // namespace

TEST_P(CurvatureParts, GiveTheResultsOfTheWhole) {
  for (const Accuracy accuracy : {Accuracy::FirstOrder, Accuracy::SeedBall, Accuracy::SecondOrder}) {
    SCOPED_TRACE("accuracy " + std::to_string(int(accuracy)));
    c.problem.accuracy = accuracy;
    for (const grid::Division& division : divisions()) {
      SCOPED_TRACE(division.name);
      expectResultsOfTheWhole(c.problem, options, division.boxes, tips);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CurvatureParts,
    testing::Combine(testing::ValuesIn(allModels),
                     testing::Values("Constant", "AnyHeading", "WallsAndRoughCost", "SeveralSeeds",
                                     "TinyRadius", "OddHeadings", "NotSquare", "Wide", "OneRow", "OnePoint",
                                     "Everything")),
    [](const auto& info) { return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param); });

TEST(CurvaturePartsRuns, AMarginHoldsTheTimesOfTheOtherParts) {
  for (const Model model : allModels) {
    const Case c = makeCase(model, "WallsAndRoughCost");
    const StateGrid& g = c.problem.grid;
    const Boxes boxes = grid::boxesOf({g.nx, g.ny, 1}, {2, 2, 1});
    const PartedSolution solved = solveInParts(c.problem, oneThread(), boxes);
    inParts(c.problem, boxes, marginOf(c.problem), [&](int p, const Problem& problem) {
      std::size_t next = 0;
      std::int64_t differing = 0;
      for (int k = 0; k < g.headings; ++k)
        grid::forEachPoint(windowOf(problem), [&](const GridIndex& at) {
          differing += solved.parts[std::size_t(p)].travelTime[next++] !=
                       solved.travelTime[std::size_t(g.index(at[0], at[1], k))];
        });
      EXPECT_EQ(differing, 0) << nameOf(model) << ", part " << p;
    });
  }
}

/// Margins that cover only a small share of the parts.
TEST(CurvaturePartsRuns, LargePartsGiveTheTimesOfTheWhole) {
  for (const Model model : allModels) {
    Case c = square(model, 161, 16);
    c.problem.seeds = {{{0.3, 0.2, 0.4, false}, 0}, {{1.7, 1.6, 0, true}, 0.5}};
    addWalls(c), addRoughCost(c, c.problem.grid.planePoints());
    ASSERT_LT(2 * marginOf(c.problem), 80);
    const Result whole = solveCurvaturePaths(c.problem, oneThread(), {});

    const PartedSolution parts =
        solveInParts(c.problem, oneThread(), grid::boxesOf({161, 161, 1}, {2, 2, 1}));

    const Difference d = differenceOf(c.problem, whole.travelTime, parts.travelTime);
    EXPECT_EQ(d.unreached, "") << nameOf(model);
    EXPECT_LE(d.largest, tolerance) << nameOf(model);
    EXPECT_LE(parts.updatesPerPoint, 3 * whole.updatesPerPoint) << nameOf(model);
    for (const Result& part : parts.parts) {
      EXPECT_LT(part.travelTime.size(), whole.travelTime.size() / 2);
      EXPECT_LT(part.workBytes, whole.workBytes / 2);
    }
  }
}

/// No other part changes while the front waits in a part of one column, whose states nothing reads there.
TEST(CurvaturePartsRuns, AFrontCrossesPartsOfOneColumn) {
  Case c = makeCase(Model::Dubins, "OneRow");
  c.problem.grid.nx = 12;
  c.problem.turningRadius.constant = 100; // straight ahead
  c.problem.seeds = {{{0, 0, 0, false}, 0}};
  const Result whole = solveCurvaturePaths(c.problem, oneThread(), {});
  const PartedSolution parts = solveInParts(c.problem, oneThread(), grid::boxesOf({12, 1, 1}, {12, 1, 1}));
  const Difference d = differenceOf(c.problem, whole.travelTime, parts.travelTime);
  EXPECT_EQ(d.unreached, "");
  EXPECT_LE(d.largest, tolerance);
}

/// Corrections read twice as far as the stencils.
TEST(CurvaturePartsRuns, AMarginHoldsLongStencils) {
  Case c = square(Model::Elastica, 61, 24);
  c.problem.accuracy = Accuracy::SecondOrder;
  c.problem.turningRadius.constant = 1;
  c.problem.relaxation = 0.02;
  constexpr std::int64_t shared = 8, ofStartValues = 12;
  ASSERT_GT(marginOf(c.problem), shared + ofStartValues);
  expectResultsOfTheWhole(c.problem, oneThread(), grid::junctions({61, 61, 1}),
                          randomTips(c.problem.grid, 4));
}

/// Two seeds side by side, the second one just beyond the flow that the part of the tips knows.
TEST(CurvaturePartsRuns, MassThatHasArrivedKeepsItsSeed) {
  Case c = square(Model::ReedsSheppForward, 41, 24);
  const double h = c.problem.grid.hx;
  c.problem.seeds = {{{2, 2, 0, true}, 9}, {{27 * h, 20 * h, 0, true}, 0}, {{28 * h, 21 * h, 0, true}, 0}};
  std::vector<State> tips;
  for (int j = 10; j < 32; ++j) tips.push_back({12 * h, j * h, 0, true});
  expectResultsOfTheWhole(c.problem, oneThread(), grid::boxesOf({41, 41, 1}, {2, 1, 1}), tips);
}

TEST(CurvaturePartsRuns, TipsInSeveralPartsAreFinal) {
  for (const Model model : allModels) {
    const Case c = makeCase(model, "RoughCost");
    const StateGrid& g = c.problem.grid;
    const Boxes boxes = grid::boxesOf({g.nx, g.ny, 1}, {2, 2, 1});
    Options options = oneThread();
    const Result all = solveCurvaturePaths(c.problem, options, {});
    const PartedSolution full = solveInParts(c.problem, options, boxes);
    options.stopAt = {{1.05, 1.1, 0.4, false}, {0.9, 1.1, 3, true}, {-5, 0, 0, true}};

    const PartedSolution stopped = solveInParts(c.problem, options, boxes);

    for (std::size_t t = 0; t < 2; ++t) {
      const Placement at = place(c.problem, options.stopAt[t]);
      EXPECT_NEAR(valueOf(c.problem, stopped.travelTime, at), valueOf(c.problem, all.travelTime, at), 1e-5);
    }
    EXPECT_LT(stopped.updatesPerPoint, full.updatesPerPoint) << nameOf(model);
  }
}

TEST(CurvaturePartsRuns, PlacesAreThoseOfTheWhole) {
  Case c = makeCase(Model::ReedsShepp, "Walls");
  c.problem.seeds = {{{-1, 0, 0, true}, 0}, {{1, 1, 0, false}, 0.5}, {{0.025, 0.425, 0, true}, 0}};
  const Boxes boxes = grid::boxesOf({41, 41, 1}, {2, 2, 1});
  const Result whole = solveCurvaturePaths(c.problem, oneThread(), {});
  const PartedSolution parts = solveInParts(c.problem, oneThread(), boxes);
  for (const Result& part : parts.parts)
    for (std::size_t s = 0; s < whole.seeds.size(); ++s) {
      EXPECT_EQ(part.seeds[s].status, whole.seeds[s].status);
      EXPECT_EQ(part.seeds[s].i, whole.seeds[s].i);
    }
}

TEST(CurvaturePartsRuns, AStopInOnePartEndsAll) {
  Case c = square(Model::Elastica, 241, 48);
  c.problem.turningRadius.constant = 2 * c.problem.grid.hx;
  addRoughCost(c, c.problem.grid.planePoints());
  for (const int lastCall : {0, 1}) { // stops at the first report, or during the sweeps
    std::atomic<int> aborted = 0, others = 0;
    inParts(c.problem, grid::boxesOf({241, 241, 1}, {2, 2, 1}), marginOf(c.problem),
            [&](int p, const Problem& problem) {
              int calls = 0;
              const Monitor monitor{[&](double) { return p != 2 || calls++ < lastCall; }};
              try {
                aborted += solveCurvaturePaths(problem, oneThread(), monitor).aborted;
              } catch (const grid::OtherPartStopped&) {
                ++others;
              }
            });
    EXPECT_EQ(aborted, 1) << lastCall;
    EXPECT_EQ(others, 3) << lastCall;
  }
}

TEST(CurvaturePartsRuns, AnErrorInOnePartEndsAll) {
  const Case c = makeCase(Model::Dubins, "RoughCost");
  const auto run = [&] {
    inParts(c.problem, grid::boxesOf({41, 41, 1}, {2, 2, 1}), marginOf(c.problem),
            [&](int p, const Problem& problem) {
              const Monitor monitor{[&](double share) {
                if (p == 1 && share > 0) throw Error("the disk is full");
                return true;
              }};
              const Result result = solveCurvaturePaths(problem, oneThread(), monitor);
              reduceToPlane(problem, result, 1);
            });
  };
  EXPECT_THROW(run(), Error);
}

TEST(CurvaturePartsRuns, WhatNeedsAllStatesIsRefused) {
  const Case c = makeCase(Model::Dubins, "Constant");
  const auto errorOf = [&](std::int64_t margin, auto&& work) -> std::string {
    try {
      inParts(c.problem, grid::boxesOf({41, 41, 1}, {2, 1, 1}), margin,
              [&](int, const Problem& problem) { work(problem); });
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::int64_t margin = marginOf(c.problem);
  EXPECT_NE(errorOf(margin, [](const Problem& p) { solveRoundTrip(p, oneThread(), {}); })
                .find("round trips cannot be computed in parts"),
            std::string::npos);
  EXPECT_NE(errorOf(margin,
                    [](const Problem& p) {
                      Options options;
                      options.backend = Backend::Cuda;
                      solveCurvaturePaths(p, options, {});
                    })
                .find("cannot run on CUDA: problems in parts"),
            std::string::npos);
  EXPECT_NE(errorOf(margin - 1, [](const Problem& p) { solveCurvaturePaths(p, oneThread(), {}); })
                .find("must have at least " + std::to_string(margin) + " points"),
            std::string::npos);
}
