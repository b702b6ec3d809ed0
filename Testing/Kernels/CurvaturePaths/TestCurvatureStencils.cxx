// Claims about the upwind finite differences of the four models, by identities and against the reference.
#include "CurvatureCases.h"
#include "CurvaturePaths/Scheme/BlockTable.h"
#include "CurvaturePaths/Scheme/Stencil.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double pi = std::numbers::pi;

double along(const std::array<double, 3>& v, const Offset& e) {
  return v[0] * e[0] + v[1] * e[1] + v[2] * e[2];
}

/// Weights by scheme, offset and symmetry. Symmetric offsets are represented by the side with a positive
/// leading entry.
using Weights = std::map<std::tuple<std::size_t, Offset, bool>, double>;

Offset canonical(Offset e, bool symmetric) {
  if (symmetric && e < Offset{0, 0, 0}) e = {-e[0], -e[1], -e[2]};
  return e;
}

Weights weightsOf(const Stencil& stencil) {
  Weights weights;
  for (std::size_t s = 0; s < stencil.schemes.size(); ++s)
    for (const Term& t : stencil.schemes[s])
      weights[{s, canonical(t.offset, t.symmetric), t.symmetric}] += t.weight;
  return weights;
}

Weights weightsOf(const std::vector<reference::Difference>& differences) {
  Weights weights;
  for (const auto& d : differences)
    weights[{std::size_t(d.scheme), canonical(d.offset, d.symmetric), d.symmetric}] += d.weight;
  return weights;
}

void expectSame(const Weights& a, const Weights& b, double tolerance) {
  double largest = 0;
  for (const auto& [key, weight] : b) largest = std::max(largest, weight);
  for (const auto& [key, weight] : b) EXPECT_TRUE(a.contains(key));
  for (const auto& [key, weight] : a) {
    const auto& e = std::get<1>(key);
    ASSERT_TRUE(b.contains(key)) << "offset " << e[0] << ' ' << e[1] << ' ' << e[2] << " weight " << weight;
    EXPECT_NEAR(weight, b.at(key), tolerance * largest) << "offset " << e[0] << ' ' << e[1] << ' ' << e[2];
  }
}

/// Returns a problem on the grid of the paper's figures: 0.0067 per pixel, 96 headings.
Problem paperProblem(Model model) {
  Problem p;
  p.model = model;
  p.grid = {300, 300, 96, 2. / 299, 2. / 299};
  return p;
}

/// Calls check(problem, k, xi, phi) for problems with random spacings, headings and relaxation.
template <class Check>
void forRandomStencils(int count, const Check& check) {
  Random random(21);
  for (int n = 0; n < count; ++n)
    for (const Model model : allModels) {
      Problem p;
      p.model = model;
      p.grid = {10, 10, 4 + int(90 * random()), 0.01 + 0.05 * random(), 0.01 + 0.05 * random()};
      p.relaxation = 0.02 + 0.4 * random();
      if (n % 5 == 0) p.balancedRadius = 0.02 + 0.5 * random();
      check(p, int(random() * p.grid.headings), 0.02 + 0.5 * random(), n % 3 ? 0 : 20 * random() - 10);
    }
}

} // namespace

TEST(CurvatureStencils, HaveTheNeighbourCountsOfThePaper) {
  // Figure 2: theta = pi/3, xi = 0.2, epsilon = 0.1; 8, 5, 30 and 12 neighbours, counted before merging. The
  // elastica has 30 slots, six per node; the middle node needs only three, since its velocity lies in the
  // plane. The figure does not give its grid spacing. Here the pruning angle removes no slot (at 96 headings
  // it removes two).
  const int expected[] = {8, 5, 30 - 3, 12};
  for (const Model model : allModels) {
    Problem p = paperProblem(model);
    p.grid.headings = 60;
    int neighbours = 0;
    for (const Scheme& scheme : schemesOf(model)) {
      for (const Block& block : scheme.blocks) {
        const auto terms = upwindTerms(velocity(p.grid, 10, block.factor / 0.2), 0.1);
        neighbours += int(terms.size()) * (scheme.symmetric ? 2 : 1);
      }
      neighbours += scheme.turnsOnTheSpot ? 2 : 0;
    }

    EXPECT_EQ(neighbours, expected[int(model)]) << nameOf(model);
  }
}

TEST(CurvatureStencils, EqualTheReference) {
  forRandomStencils(500, [](const Problem& p, int k, double xi, double phi) {
    expectSame(weightsOf(makeStencil(p, k, xi, phi)), weightsOf(reference::differences(p, k, xi, phi)),
               1e-11);
  });
}

TEST(CurvatureStencils, PruneOffsetsOnThePruningBound) {
  // At 45 degrees this radius puts (0, 0, 1) exactly at 35.26 degrees from v: rounding must not decide.
  for (const int headings : {8, 24, 96}) {
    Problem p = paperProblem(Model::Dubins);
    p.grid.headings = headings;
    const double xi = p.grid.hx / (std::sqrt(2.) * p.grid.headingStep());
    for (int k = headings / 8; k < headings; k += headings / 4) {
      const Weights weights = weightsOf(makeStencil(p, k, xi, 0));

      for (const auto& [key, weight] : weights)
        EXPECT_NE(std::abs(std::get<1>(key)[0]) + std::abs(std::get<1>(key)[1]), 0);
      expectSame(weights, weightsOf(reference::differences(p, k, xi, 0)), 1e-11);
    }
  }
}

TEST(CurvatureStencils, RepeatNoForwardOffsetWithinAScheme) {
  forRandomStencils(100, [](const Problem& p, int k, double xi, double phi) {
    for (const auto& scheme : makeStencil(p, k, xi, phi).schemes)
      for (std::size_t a = 0; a < scheme.size(); ++a)
        for (std::size_t b = a + 1; b < scheme.size(); ++b)
          EXPECT_FALSE(scheme[a].offset == scheme[b].offset && !scheme[a].symmetric && !scheme[b].symmetric);
  });
}

TEST(CurvatureStencils, PointUpstreamWithinThePruningAngle) {
  forRandomStencils(300, [](const Problem& p, int k, double xi, double phi) {
    for (const Scheme& scheme : schemesOf(p.model))
      for (const Block& block : scheme.blocks) {
        const auto v = velocity(p.grid, k, phi + block.factor / xi);
        for (const Term& t : upwindTerms(v, p.relaxation)) {
          const double lengths = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) *
                                 std::sqrt(double(t.offset[0] * t.offset[0] + t.offset[1] * t.offset[1] +
                                                  t.offset[2] * t.offset[2]));
          EXPECT_LT(along(v, t.offset), -std::sqrt(2. / 3) * lengths);
          EXPECT_GT(t.weight, 0);
        }
      }
  });
}

TEST(CurvatureStencils, ApproximateTheSquareOfTheDerivative) {
  // The sum of weight e e^T tends to v v^T as epsilon tends to zero. The error is of order epsilon^2 |v|^2;
  // pruning may multiply it by a few.
  for (const double relaxation : {0.2, 0.1, 0.05, 0.025})
    for (int k = 0; k < 60; ++k)
      for (const double kappa : {0., 1., -5., 20.}) {
        const auto v = velocity({10, 10, 60, 0.02, 0.02}, k, kappa);
        double norm2 = 0, error2 = 0;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            double sum = 0;
            for (const Term& t : upwindTerms(v, relaxation)) sum += t.weight * t.offset[a] * t.offset[b];
            error2 += std::pow(sum - v[a] * v[b], 2);
            norm2 += a == b ? v[a] * v[a] : 0;
          }
        EXPECT_LT(std::sqrt(error2), 3 * relaxation * relaxation * norm2)
            << relaxation << ' ' << k << ' ' << kappa;
      }
}

TEST(CurvatureStencils, RotateByRightAnglesAndMirrorInTheDiagonal) {
  for (const Model model : allModels)
    for (const int headings : {4, 8, 24, 60, 96}) {
      Problem p = paperProblem(model);
      p.grid.headings = headings;
      // At 45 degrees the second radius puts (0, 0, 1) on the pruning bound: it must be pruned everywhere or
      // nowhere.
      const double tie = p.grid.hx / (std::sqrt(2.) * p.grid.headingStep());
      for (const auto& [xi, phi] : {std::pair{0.2, 0.7}, {tie, 0.}})
        for (int k = 0; k < headings; ++k) {
          Stencil turned = makeStencil(p, k, xi, phi), mirrored = turned;
          for (auto& scheme : turned.schemes)
            for (Term& t : scheme) t.offset = {-t.offset[1], t.offset[0], t.offset[2]};
          for (auto& scheme : mirrored.schemes)
            for (Term& t : scheme) t.offset = {t.offset[1], t.offset[0], -t.offset[2]};
          if (model == Model::Dubins)
            std::swap(mirrored.schemes[0], mirrored.schemes[1]); // left and right turns

          expectSame(weightsOf(turned), weightsOf(makeStencil(p, (k + headings / 4) % headings, xi, phi)),
                     1e-14);
          expectSame(weightsOf(mirrored),
                     weightsOf(makeStencil(p, (headings * 5 / 4 - k) % headings, xi, -phi)), 1e-14);
        }
    }
}

TEST(CurvatureStencils, MirrorWithThePlane) {
  for (const Model model : allModels)
    for (const int headings : {8, 25, 60, 96}) {
      Problem p = paperProblem(model);
      p.grid.headings = headings;
      p.grid.hy *= 0.7;
      for (int k = 0; k < headings; ++k) {
        Stencil mirrored = makeStencil(p, k, 0.2, 0.7);
        for (auto& scheme : mirrored.schemes)
          for (Term& t : scheme) t.offset = {t.offset[0], -t.offset[1], -t.offset[2]};
        if (model == Model::Dubins)
          std::swap(mirrored.schemes[0], mirrored.schemes[1]); // left and right turns

        expectSame(weightsOf(mirrored), weightsOf(makeStencil(p, (headings - k) % headings, 0.2, -0.7)),
                   1e-14);
      }
    }
}

TEST(CurvatureStencils, IntegrateTheElasticaByFejersRule) {
  // Blocks are 3/4 w_l sin^2 t_l with factor cot t_l. Five nodes integrate sin (2) and sin^3 (4/3) exactly;
  // the weights are those of Fejer's first rule.
  const double table[] = {0.16778123, 0.52555210, 0.61333333, 0.52555210, 0.16778123};
  const auto blocks = schemesOf(Model::Elastica).at(0).blocks;
  ASSERT_EQ(blocks.size(), 5u);
  double sumOfWeights = 0, sumOfMultipliers = 0;
  for (int l = 0; l < 5; ++l) {
    const double t = pi * (l + 0.5) / 5, weight = blocks[l].multiplier / (0.75 * std::sin(t) * std::sin(t));

    EXPECT_NEAR(weight, table[l], 1e-8);
    EXPECT_NEAR(blocks[l].factor, 1 / std::tan(t), 1e-14);
    sumOfWeights += weight;
    sumOfMultipliers += blocks[l].multiplier;
  }
  EXPECT_NEAR(sumOfWeights, 2, 1e-14);
  EXPECT_NEAR(sumOfMultipliers, 0.75 * 4 / 3, 1e-14);
}

TEST(CurvatureStencils, DirectionsAreExactlySymmetric) {
  for (const int n : {4, 8, 12, 25, 60, 96, 100})
    for (int k = 0; k < n; ++k) {
      const Direction d = headingDirection(k, n), mirror = headingDirection((n - k) % n, n);
      EXPECT_NEAR(d.x, std::cos(2 * pi * k / n), 1e-15);
      EXPECT_NEAR(d.y, std::sin(2 * pi * k / n), 1e-15);
      EXPECT_EQ(d.x, mirror.x);
      EXPECT_EQ(d.y, -mirror.y);
      if (n % 4 == 0) {
        const Direction quarter = headingDirection((k + n / 4) % n, n);
        EXPECT_EQ(quarter.x, -d.y);
        EXPECT_EQ(quarter.y, d.x);
      }
    }
}

TEST(CurvatureStencils, BlockTablesHoldTheUpwindTermsOfEveryTurningRate) {
  Random random(22);
  for (int n = 0; n < 40; ++n) {
    const StateGrid grid{10, 10, 8 + int(80 * random()), 0.01 + 0.05 * random(), 0.01 + 0.05 * random()};
    const int k = int(random() * grid.headings);
    const double maximum = n % 4 < 2 ? 60 : 6000; // as in a drift of 0.95 of the vehicle's speed
    const double hi = 1 + maximum * random(), lo = -hi * random(),
                 balanced = n % 2 ? 0 : 0.01 + 0.3 * random();

    const std::vector<Piece> pieces = blockPieces(grid, k, 0.1, lo, hi, balanced);

    ASSERT_FALSE(pieces.empty());
    EXPECT_LE(pieces.front().lo, lo);
    EXPECT_GE(pieces.back().hi, hi);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(pieces[i].lo, i ? pieces[i - 1].hi : pieces[i].lo);
      for (int sample = 0; sample < 20; ++sample) {
        const double kappa = pieces[i].lo + (pieces[i].hi - pieces[i].lo) * (0.01 + 0.98 * random());
        const auto v = velocity(grid, k, kappa);
        std::map<Offset, double> weights, expected;
        for (const QuadraticTerm& t : pieces[i].terms) weights[t.offset] += t.weight(kappa);
        for (const Term& t : upwindTerms(v, 0.1, turnShare(kappa, balanced))) expected[t.offset] += t.weight;
        const double norm2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        for (const auto& [e, weight] : expected) weights.try_emplace(e, 0);
        for (const auto& [e, weight] : weights)
          EXPECT_NEAR(weight, expected.contains(e) ? expected.at(e) : 0, 1e-10 * norm2)
              << "kappa " << kappa << " offset " << e[0] << ' ' << e[1] << ' ' << e[2];
      }
    }
  }
}

/// With a weight of -0, or one within rounding, the bound is minus infinity or NaN.
TEST(CurvatureStencils, BlockTablesOfOneTurningRateHaveOnlyPositiveWeights) {
  for (const int headings : {8, 12, 40, 60})
    for (int k = 0; k < headings; ++k)
      for (const double kappa : {0., -0.17, 0.17, 1., 1000.})
        for (const double balanced : {0., 0.3}) {
          const StateGrid grid{10, 10, headings, 1, 1};

          const std::vector<Piece> pieces = blockPieces(grid, k, 0.2, kappa, kappa, balanced);

          const auto expected = upwindTerms(velocity(grid, k, kappa), 0.2, turnShare(kappa, balanced));
          ASSERT_EQ(pieces.size(), 1u);
          EXPECT_EQ(pieces[0].terms.size(), expected.size()) << "heading " << k << " rate " << kappa;
          for (const QuadraticTerm& term : pieces[0].terms)
            EXPECT_GT(term.weight(kappa), 0) << "heading " << k << " rate " << kappa;
        }
}
