// Claims about the reference solver, shown without the solver that it checks.
#include "CurvatureCases.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

std::vector<float> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }

class CurvatureReferenceCases : public testing::TestWithParam<std::tuple<Model, std::string>> {};

} // namespace

TEST_P(CurvatureReferenceCases, SolvesTheScheme) {
  const auto [model, name] = GetParam();
  const Case c = makeCase(model, name);

  const std::vector<double> u = reference::march(c.problem);

  // costRatio uses the forward differences, march the reversed ones: they agree only if both are right.
  const std::vector<double> ratio = reference::costRatio(c.problem, rounded(u));
  const StateGrid& g = c.problem.grid;
  const double step = std::max(g.hx, g.hy);
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const double scale = 500 * step * reference::valueAt(c.problem, c.problem.cost, p);
    const double bound = std::isinf(u[p]) ? 0 : 1e-4 * std::max(1., u[p] / scale);
    ASSERT_NEAR(ratio[p], 1, bound) << "state " << p << " with travel time " << u[p];
  }
}

INSTANTIATE_TEST_SUITE_P(All, CurvatureReferenceCases,
                         testing::Combine(testing::ValuesIn(allModels), testing::ValuesIn(caseNames())),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

TEST(CurvatureReference, IsExactStraightAheadAndOnTheSpot) {
  for (const Model model : {Model::ReedsShepp, Model::ReedsSheppForward}) {
    const Case c = square(model, 21, 16);
    const StateGrid& g = c.problem.grid;

    const std::vector<double> u = reference::march(c.problem);

    for (int i = 0; i <= 10; ++i) EXPECT_NEAR(u[g.index(10 + i, 10, 0)], i * g.hx, 1e-12);
    for (int k = 0; k <= 8; ++k) EXPECT_NEAR(u[g.index(10, 10, k)], 0.2 * k * std::numbers::pi / 8, 1e-12);
  }
}
