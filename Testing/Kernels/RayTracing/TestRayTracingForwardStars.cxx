// Claims about the neighbours of a point: their number and order, the deviation of paths along them from
// straight lines, and the travel time along an edge.
#include "RayTracingChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

const Grid plane{40, 30, 1, 1, 1, 1}, space{20, 20, 20, 1, 1, 1};

double percent(const ForwardStar& t) { return 100 * t.worstAngularError; }

/// Returns the maximum relative excess of times over those along straight lines at slowness 1.
double worstExcess(const Grid& g, const Options& options) {
  const Case c = makeCase({"unit", g, [](auto...) { return 1.; }, {{{0, 0, 0}}}, {}}, options);
  const Result result = solve(c.problem, options);
  double worst = 0;
  for (std::int64_t p = 1; p < g.points(); ++p) {
    const GridIndex i = g.indices(p);
    const double straight = std::hypot(double(i[0]) * g.hx, double(i[1]) * g.hy, double(i[2]) * g.hz);
    worst = std::max(worst, result.fields[0].preciseTravelTime[p] / straight - 1);
  }
  return worst;
}

} // namespace

TEST(RayTracingForwardStars, HaveTheOffsetCountsAndMaximumErrorsOfTheTable) {
  struct Row {
    int radius;
    std::size_t full, coprime;
    double error; ///< per cent
    double tolerance;
  };
  for (const Row& row : {Row{1, 8, 8, 8.24, 0.005},
                         {2, 24, 16, 2.75, 0.005},
                         {3, 48, 32, 1.31, 0.005},
                         {4, 80, 48, 0.755, 0.0005},
                         {5, 120, 80, 0.489, 0.0005},
                         {6, 168, 96, 0.342, 0.0005},
                         {7, 224, 144, 0.252, 0.0005},
                         {8, 288, 176, 0.194, 0.0005}}) {
    const std::array<int, 3> radius{row.radius, row.radius, row.radius};
    const ForwardStar full = makeForwardStar(plane, StarKind::Full, radius),
                      coprime = makeForwardStar(plane, StarKind::Coprime, radius);
    EXPECT_EQ(full.offsets.size(), row.full) << row.radius;
    EXPECT_EQ(coprime.offsets.size(), row.coprime) << row.radius;
    EXPECT_NEAR(percent(full), row.error, row.tolerance) << row.radius;
    EXPECT_DOUBLE_EQ(coprime.worstAngularError, full.worstAngularError) << row.radius;
    EXPECT_NEAR(full.worstAngularError, 1 / std::cos(0.5 * std::atan(1. / row.radius)) - 1, 1e-12)
        << row.radius;
  }
  for (const Row& row : {Row{1, 26, 26, 12.81, 0.005},
                         {2, 124, 98, 4.94, 0.005},
                         {3, 342, 290, 2.48, 0.005},
                         {4, 728, 578, 1.46, 0.005}}) {
    const std::array<int, 3> radius{row.radius, row.radius, row.radius};
    const ForwardStar full = makeForwardStar(space, StarKind::Full, radius),
                      coprime = makeForwardStar(space, StarKind::Coprime, radius);
    EXPECT_EQ(full.offsets.size(), row.full) << row.radius;
    EXPECT_EQ(coprime.offsets.size(), row.coprime) << row.radius;
    EXPECT_NEAR(percent(full), row.error, row.tolerance) << row.radius;
    EXPECT_DOUBLE_EQ(coprime.worstAngularError, full.worstAngularError) << row.radius;
  }
}

TEST(RayTracingForwardStars, OfBalancedOffsetsHaveTheAnglesOfTheTable) {
  const ForwardStar few = makeForwardStar(plane, StarKind::Balanced24, {3, 3, 3}),
                    many = makeForwardStar(plane, StarKind::Balanced48, {3, 3, 3});
  EXPECT_EQ(few.offsets.size(), 24u);
  EXPECT_EQ(many.offsets.size(), 48u);
  EXPECT_NEAR(percent(few), 0.947, 0.0005);
  EXPECT_NEAR(percent(many), 0.252, 0.0005);
}

TEST(RayTracingForwardStars, UnequalSpacingsNeedRadiiPerAxis) {
  EXPECT_NEAR(percent(makeForwardStar({40, 30, 1, 2, 1, 1}, StarKind::Coprime, {6, 6, 6})), 1.31, 0.005);
  EXPECT_NEAR(percent(makeForwardStar({40, 30, 1, 4, 1, 1}, StarKind::Coprime, {6, 6, 6})), 4.48, 0.005);
  EXPECT_LT(percent(makeForwardStar({40, 30, 1, 2, 1, 1}, StarKind::Coprime, {3, 6, 6})), 1.32);
  EXPECT_LT(percent(makeForwardStar({40, 30, 1, 2, 1, 1}, StarKind::Coprime, {4, 8, 1})), 0.76);
}

/// Balanced stars only approach it with the distance: not every point is a sum of few of their offsets.
TEST(RayTracingForwardStars, TheMaximumErrorIsAttainedInAConstantMediumAndNeverExceeded) {
  using enum StarKind;
  const auto precise = [](StarKind kind, const std::array<int, 3>& radius) {
    return onHost(WeightRule::Fast, kind, radius, true);
  };
  for (const auto& [g, options] : {std::pair{Grid{160, 160, 1}, precise(Coprime, {1, 1, 1})},
                                   {Grid{160, 160, 1}, precise(Full, {2, 2, 2})},
                                   {Grid{160, 160, 1}, precise(Coprime, {4, 4, 4})},
                                   {Grid{100, 160, 1, 2, 1, 1}, precise(Coprime, {3, 3, 3})},
                                   {Grid{100, 160, 1, 1.7, 0.3, 1}, precise(Coprime, {2, 5, 1})},
                                   {Grid{30, 30, 30}, precise(Coprime, {1, 1, 1})},
                                   {Grid{30, 30, 30}, precise(Coprime, {2, 2, 2})},
                                   {Grid{30, 30, 30, 1, 2, 0.7}, precise(Full, {2, 1, 2})}}) {
    const double bound = makeForwardStar(g, options.neighbours, options.radius).worstAngularError;
    const double worst = worstExcess(g, options);
    EXPECT_LE(worst, bound * (1 + 1e-9)) << g.hx << " " << nameOf(options);
    EXPECT_GE(worst, bound * 0.98) << g.hx << " " << nameOf(options);
  }
}

TEST(RayTracingForwardStars, HaveOffsetsInCanonicalOrderEachWithItsOpposite) {
  for (const auto& [grid, options] :
       {std::pair{plane, onHost(WeightRule::Fast, StarKind::Full, {5, 3, 1})},
        {Grid{9, 9, 1, 2, 1, 1}, onHost(WeightRule::Fast, StarKind::Coprime, {6, 6, 6})},
        {Grid{9, 1, 9, 1, 7, 0.5}, onHost(WeightRule::Fast, StarKind::Balanced48)},
        {space, onHost(WeightRule::Fast, StarKind::Coprime, {4, 2, 3})}}) {
    const auto& offsets = makeForwardStar(grid, options.neighbours, options.radius).offsets;
    const auto key = [&g = grid](const Offset& o) { // exact with these spacings
      const double x = o[0] * g.hx, y = o[1] * g.hy, z = o[2] * g.hz;
      return std::tuple(x * x + y * y + z * z, o[2], o[1], o[0]);
    };
    for (std::size_t i = 1; i < offsets.size(); ++i) EXPECT_LT(key(offsets[i - 1]), key(offsets[i])) << i;
    const std::set<Offset> all(offsets.begin(), offsets.end());
    for (const Offset& o : offsets) EXPECT_TRUE(all.contains({-o[0], -o[1], -o[2]}));
    const auto defined = reference::offsetsOf(grid, options.neighbours, options.radius);
    EXPECT_EQ(all, std::set<Offset>(defined.begin(), defined.end()));
  }
}

/// From both ends of every edge, in the same order.
TEST(RayTracingForwardStars, WeightsAreTheIntegralsOfTheInterpolatedSlowness) {
  for (const Grid& g : {Grid{30, 30, 1}, Grid{30, 30, 1, 0.3, 1.7, 9}, Grid{30, 1, 30, 2, 9, 0.1},
                        Grid{10, 10, 10}, Grid{10, 10, 10, 0.3, 1, 2.7}})
    for (Options options : starsFor(g))
      for (const WeightRule rule : allRules) {
        options.rule = rule;
        const std::string what = nameOf(options) + ", spacing " + std::to_string(g.hx);
        for (const EdgeTerms& edge :
             edgeTerms(g, rule, makeForwardStar(g, options.neighbours, options.radius))) {
          const Offset& o = edge.offset;
          const bool up = std::tuple(o[2], o[1], o[0]) > std::tuple(0, 0, 0);
          const Offset forward = up ? o : Offset{-o[0], -o[1], -o[2]};
          const auto shares = reference::sharesOf(g, rule, forward);
          ASSERT_EQ(edge.terms.size(), shares.size()) << what << " " << testing::PrintToString(o);
          double sum = 0;
          for (std::size_t i = 0; i < shares.size(); ++i) {
            const Term& term = edge.terms[i];
            ASSERT_NEAR(term.length, double(shares[i].length), 1e-14 * edge.length)
                << what << " " << testing::PrintToString(o);
            std::set<Offset> samples;
            for (int s = 0; s < term.count; ++s) {
              Offset sample = term.samples[s];
              for (int a = 0; a < 3 && !up; ++a) sample[a] -= o[a];
              samples.insert(sample);
            }
            ASSERT_EQ(samples, std::set<Offset>(shares[i].samples.begin(), shares[i].samples.end()))
                << what << " " << testing::PrintToString(o);
            sum += term.length;
          }
          ASSERT_NEAR(sum, edge.length, 1e-14 * edge.length) << what << " " << testing::PrintToString(o);
        }
      }
}
