// Claims about bad input: it is refused with the value, the place and the remedy, before the solve.
#include "CurvatureCases.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

/// Expects the problem to throw an Error with all of `words` in its message.
void expectRefused(const Problem& problem, const std::vector<std::string>& words,
                   const Options& options = {}) {
  try {
    solveCurvaturePaths(problem, options, {});
    ADD_FAILURE() << "was solved; expected an error about " << words.at(0);
  } catch (const Error& error) {
    for (const std::string& word : words)
      EXPECT_NE(lower(error.what()).find(lower(word)), std::string::npos)
          << "no \"" << word << "\" in: " << error.what();
  }
}

Case good() { return square(Model::Dubins, 21, 16); }

} // namespace

TEST(CurvatureBadInput, RefusesNoSeeds) {
  Case c = good();
  c.problem.seeds.clear();
  expectRefused(c.problem, {"seed"});
}

TEST(CurvatureBadInput, RefusesSeedsThatAreAllOutside) {
  Case c = good();
  c.problem.seeds = {{{-3, 1, 0, true}, 0}, {{1, 40, 0, true}, 0}};
  expectRefused(c.problem, {"seed", "outside"});
}

TEST(CurvatureBadInput, RefusesSeedsThatAreAllInWalls) {
  Case c = good();
  c.walls.assign(21 * 21, 1);
  c.problem.walls = c.walls;
  expectRefused(c.problem, {"seed", "wall"});
  c.shift.assign(21 * 21, 0.5f); // a field without a value outside walls
  c.problem.curvatureShift.values = c.shift;
  expectRefused(c.problem, {"seed", "wall"});
}

TEST(CurvatureBadInput, RefusesSeedsThatAreNotFinite) {
  Case c = good();
  c.problem.seeds[0].startValue = notANumber;
  expectRefused(c.problem, {"start value", "nan"});
  c.problem.seeds[0].startValue = infinity;
  expectRefused(c.problem, {"start value", "inf"});
}

TEST(CurvatureBadInput, RefusesSeedsWithoutAHeading) {
  Case c = good();
  c.problem.seeds[0].state.heading = notANumber;
  expectRefused(c.problem, {"seed"});
}

TEST(CurvatureBadInput, RefusesCostsThatAreNotPositiveAndNamesThePoint) {
  for (const auto& [value, text] :
       {std::pair{0.f, "0"}, {-1.f, "-1"}, {notANumber, "nan"}, {infinity, "inf"}}) {
    Case c = good();
    c.cost.assign(21 * 21, 1);
    c.cost[3 + 21 * 4] = value;
    c.problem.cost.values = c.cost;

    expectRefused(c.problem, {"cost", std::string("got ") + text, "(3, 4)", "wall"});
  }
}

TEST(CurvatureBadInput, RefusesOrientedCostsThatAreNotPositiveAndNamesThePoint) {
  Case c = good();
  c.cost.assign(21 * 21 * 16, 1);
  c.cost[3 + 21 * (4 + 21 * 5)] = -2;
  c.problem.cost.values = c.cost;

  expectRefused(c.problem, {"cost", "got -2", "(3, 4"});
}

TEST(CurvatureBadInput, NamesPointsByTheCallersTerm) {
  Case c = good();
  c.cost.assign(21 * 21, 1);
  c.cost[3 + 21 * 4] = -2;
  c.problem.cost.values = c.cost;
  c.problem.pointName = [](std::int64_t i, std::int64_t j) { return "pixel " + std::to_string(100 * i + j); };

  expectRefused(c.problem, {"got -2 at pixel 304"});
  c.problem.cost.values = {};
  c.problem.seeds = {{{-3, 1, 0, true}, 0}};
  expectRefused(c.problem, {"outside the image (pixel 0 to pixel 2020)"});
}

TEST(CurvatureBadInput, AcceptsAnyCostInsideWalls) {
  Case c = good();
  c.cost.assign(21 * 21, 1);
  c.walls.assign(21 * 21, 0);
  for (const float value : {0.f, -1.f, notANumber, infinity}) {
    c.cost[3 + 21 * 4] = value;
    c.walls[3 + 21 * 4] = 1;
    c.problem.cost.values = c.cost;
    c.problem.walls = c.walls;

    EXPECT_NO_THROW(solveCurvaturePaths(c.problem, {}, {})) << value;
  }
}

TEST(CurvatureBadInput, RefusesConstantCostsThatAreNotPositive) {
  for (const double value : {0., -1., double(notANumber), double(infinity)}) {
    Case c = good();
    c.problem.cost.constant = value;
    expectRefused(c.problem, {"cost"});
  }
}

TEST(CurvatureBadInput, RefusesTurningRadiiThatAreNotPositive) {
  for (const double value : {0., -0.5, double(notANumber), double(infinity)}) {
    Case c = good();
    c.problem.turningRadius.constant = value;
    expectRefused(c.problem, {"turning radius"});
  }
  Case c = good();
  c.radius.assign(21 * 21, 0.2f);
  c.radius[7 + 21 * 8] = -0.5f;
  c.problem.turningRadius.values = c.radius;
  expectRefused(c.problem, {"turning radius", "-0.5", "(7, 8)"});
}

TEST(CurvatureBadInput, RefusesCurvatureShiftsThatAreNotFinite) {
  Case c = good();
  c.problem.curvatureShift.constant = infinity;
  expectRefused(c.problem, {"curvature shift"});
  c.problem.curvatureShift.constant = 0;
  c.shift.assign(21 * 21, 0);
  c.shift[2] = notANumber;
  c.problem.curvatureShift.values = c.shift;
  expectRefused(c.problem, {"curvature shift", "nan", "(2, 0)"});
}

TEST(CurvatureBadInput, RefusesFieldsOfAnotherSize) {
  const std::vector<float> values(21 * 20, 1);
  const std::vector<std::uint8_t> walls(21 * 20, 0);
  Case c = good();
  c.problem.cost.values = values;
  expectRefused(c.problem, {"cost", "420"});
  Case d = good();
  d.problem.turningRadius.values = values;
  expectRefused(d.problem, {"turning radius", "420"});
  Case e = good();
  e.problem.curvatureShift.values = values;
  expectRefused(e.problem, {"curvature shift", "420"});
  Case f = good();
  f.problem.walls = walls;
  expectRefused(f.problem, {"wall", "420"});
}

TEST(CurvatureBadInput, RefusesTooFewHeadings) {
  for (const int headings : {3, 1, 0, -8}) {
    Case c = good();
    c.problem.grid.headings = headings;
    expectRefused(c.problem, {"heading", std::to_string(headings)});
  }
}

TEST(CurvatureBadInput, RefusesSpacingsThatNoStencilCanHold) {
  for (const double h : {1e-200, 1e-46, 1e46, 1e160}) {
    Case c = good();
    c.problem.grid.hx = c.problem.grid.hy = h;
    expectRefused(c.problem, {"spacing", "unit of length"});
  }
  Case c = good();
  c.problem.grid.hx = 1e-10, c.problem.grid.hy = 1e10;
  expectRefused(c.problem, {"spacings", "factor"});
}

TEST(CurvatureBadInput, RefusesTurnsThatNoStencilCanHold) {
  for (const double radius : {1e-300, 1e-20, 1e20, 1e38}) {
    Case c = good();
    c.problem.turningRadius = {radius, {}};
    expectRefused(c.problem, {"turning radius", "on this grid"});
  }
  for (const double shift : {1e300, -1e20}) {
    Case c = good();
    c.problem.curvatureShift = {shift, {}};
    expectRefused(c.problem, {"curvature shift", "on this grid"});
  }
}

TEST(CurvatureBadInput, RefusesTravelTimesBeyondSinglePrecision) {
  for (const double cost : {1e-300, 1e-35, 1e35}) {
    Case c = good();
    c.problem.cost = {cost, {}};
    expectRefused(c.problem, {"cost", "unit"});
  }
  for (const double start : {-1.1e39, 1e39}) {
    Case c = good();
    c.problem.seeds[0].startValue = start;
    expectRefused(c.problem, {"start value of seed 0", "unit of time"});
  }
}

TEST(CurvatureBadInput, RefusesCostsTooFarApartForSinglePrecision) {
  Case c = good();
  c.cost.assign(c.problem.grid.planePoints(), 1.f);
  c.cost[3] = 1e29f;
  c.problem.cost.values = c.cost;

  expectRefused(c.problem, {"cost", "e+29", "walls"});
}

TEST(CurvatureBadInput, RefusesRelaxationsOutOfRange) {
  for (const double value : {0., -0.1, 0.6, double(notANumber)}) {
    Case c = good();
    c.problem.relaxation = value;
    expectRefused(c.problem, {"relaxation"});
  }
  for (const double value : {-1., double(notANumber)}) {
    Case c = good();
    c.problem.balancedRadius = value;
    expectRefused(c.problem, {"balanced radius"});
  }
}

TEST(CurvatureBadInput, RefusesGridsWithoutPointsOrSteps) {
  Case c = good();
  c.problem.grid.nx = 0;
  expectRefused(c.problem, {"0"});
  Case d = good();
  d.problem.grid.hy = 0;
  expectRefused(d.problem, {"0"});
  Case e = good();
  e.problem.grid.hx = -0.1;
  expectRefused(e.problem, {"-0.1"});
}

TEST(CurvatureBadInput, RefusesGridsLargerThanMemoryWithNumbers) {
  // Seeds and constants only: no array of this size exists unless the solver allocates it.
  Case c = good();
  c.problem.grid = {1'000'000, 1'000'000, 60, 1, 1};
  c.problem.seeds[0].state = {1, 1, 0, false};
  expectRefused(c.problem, {"1000000", "60", "GB"});
}

TEST(CurvatureBadInput, RefusesGridsWhoseSizeOverflows) {
  Case c = good();
  c.problem.grid = {std::int64_t(1) << 40, std::int64_t(1) << 40, 60, 1, 1};
  c.problem.seeds[0].state = {1, 1, 0, false};
  EXPECT_THROW(solveCurvaturePaths(c.problem, {}, {}), Error);
}

TEST(CurvatureBadInput, DoesNotModifyTheProblem) {
  Case c = makeCase(Model::Elastica, "Everything");
  const auto cost = c.cost, radius = c.radius, shift = c.shift;
  const auto walls = c.walls;

  solveCurvaturePaths(c.problem, {}, {});

  EXPECT_EQ(c.cost, cost);
  EXPECT_EQ(c.radius, radius);
  EXPECT_EQ(c.shift, shift);
  EXPECT_EQ(c.walls, walls);
}
