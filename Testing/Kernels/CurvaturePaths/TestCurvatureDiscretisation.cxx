// The walls, stencils and seed placements that a solve shares with everything derived from its result.
#include "CurvatureCases.h"
#include "CurvaturePaths/Scheme/Discretisation.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Case walledCase() {
  Case c = makeCase(Model::Dubins, "Walls");
  c.problem.grid.headings = 12;
  return c;
}

} // namespace

TEST(CurvatureDiscretisation, IsReusedForTheProblemThatWasSolved) {
  const Case c = walledCase();
  const Result result = solveWith(c.problem, Accuracy::FirstOrder);
  ASSERT_NE(result.discretisation, nullptr);

  EXPECT_EQ(discretisationOf(c.problem, result), result.discretisation);
  EXPECT_NE(discretisationOf(c.problem, result.travelTime), result.discretisation);
}

TEST(CurvatureDiscretisation, IsMadeAnewForAnyOtherProblem) {
  const Case c = walledCase();
  const Result result = solveWith(c.problem, Accuracy::FirstOrder);
  const std::vector<float> field(c.problem.grid.planePoints(), 0.5f);
  const auto changed = [&](auto&& change) {
    Problem other = c.problem;
    change(other);
    return discretisationOf(other, result);
  };

  EXPECT_FALSE(changed([](Problem& p) { p.walls = {}; })->walls.any());
  EXPECT_EQ(changed([&](Problem& p) { p.cost.values = field; })->cost.hi, 0.5);
  EXPECT_EQ(changed([&](Problem& p) { p.turningRadius.values = field; })->turningRadius.hi, 0.5);
  EXPECT_EQ(changed([&](Problem& p) { p.curvatureShift.values = field; })->curvatureShift.hi, 0.5);
  EXPECT_EQ(changed([](Problem& p) { p.turningRadius.constant = 3; })->turningRadius.hi, 3);
  EXPECT_EQ(changed([](Problem& p) { p.grid.headings = 8; })->stencils().offsets.size(), 8u);
  EXPECT_EQ(changed([](Problem& p) { p.model = Model::Elastica; })->stencils().uniform[0].schemes.size(), 1u);
  EXPECT_EQ(changed([](Problem& p) { p.seeds[0].state.x = -9; })->seeds[0].status,
            Placement::Status::Outside);
  for (double Problem::*parameter : {&Problem::relaxation, &Problem::balancedRadius})
    EXPECT_NE(changed([&](Problem& p) { p.*parameter += 0.1; }), result.discretisation);
}
