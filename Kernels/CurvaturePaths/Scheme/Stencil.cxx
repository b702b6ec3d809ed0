#include "CurvaturePaths/Scheme/Stencil.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::curvature {

namespace {

/// Adds a term, or its weight to a term with the same offset. Symmetric terms of a scheme never repeat.
void add(std::vector<Term>& terms, const Term& term) {
  const auto same = std::find_if(terms.begin(), terms.end(), [&](const Term& t) {
    return t.offset == term.offset && !t.symmetric && !term.symmetric;
  });
  if (same == terms.end())
    terms.push_back(term);
  else
    same->weight += term.weight;
}

} // namespace

std::vector<Scheme> schemesOf(Model model) {
  switch (model) {
  case Model::ReedsShepp:
    return {{{{1, 0}}, true, true}};
  case Model::ReedsSheppForward:
    return {{{{1, 0}}, false, true}};
  case Model::Dubins:
    return {{{{1, 1}}, false, false}, {{{1, -1}}, false, false}};
  case Model::Elastica:
    break;
  }
  // F^2 = 3/4 int_0^pi max(0, a sin t + b cos t)^2 sin t dt by Fejer's first rule.
  Scheme scheme;
  for (int l = 1; l <= fejerNodes; ++l) {
    const double t = std::numbers::pi * (l - 0.5) / fejerNodes;
    double weight = 1;
    for (int k = 1; k <= fejerNodes / 2; ++k) weight -= 2 * std::cos(2 * k * t) / (4. * k * k - 1);
    weight *= 2. / fejerNodes;
    const bool middle = 2 * l == fejerNodes + 1;
    const double sine = std::sin(t), cotangent = middle ? 0 : std::cos(t) / sine;
    scheme.blocks.push_back({0.75 * weight * sine * sine, cotangent});
  }
  return {scheme};
}

double turnShare(double kappa, double balancedRadius) {
  return balancedRadius > 0 ? std::max(minTurnShare, std::abs(kappa) * balancedRadius) : 1;
}

grid::Symmetric3 relaxedSquare(const std::array<double, 3>& v, double eps2, double share) {
  const double norm2 = squaredNorm(v, share);
  const auto entry = [&](int i, int j) {
    return (1 - eps2) * v[i] * v[j] + (i == j ? eps2 * norm2 * (i == 2 ? share : 1) : 0);
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(0, 2)};
}

std::vector<Term> upwindTerms(const std::array<double, 3>& v, double relaxation, double share) {
  const double norm2 = squaredNorm(v, share);
  const grid::Symmetric3 d = relaxedSquare(v, relaxation * relaxation, share);
  grid::Superbase base = grid::canonicalSuperbase();
  grid::makeObtuse(base, d);

  std::vector<Term> terms;
  for (int pair = 0; pair < 6; ++pair) {
    const double weight = grid::sellingWeight(base, pair, d);
    Offset e = grid::sellingOffset(base, pair);
    const double along = v[0] * e[0] + v[1] * e[1] + v[2] * e[2] / share;
    const double length2 = double(e[0]) * e[0] + double(e[1]) * e[1] + double(e[2]) * e[2] / share;
    if (weight < minWeight * norm2 || along * along < minCosineSquared * norm2 * length2) continue;
    if (along > 0) e = {-e[0], -e[1], -e[2]};
    terms.push_back({e, weight, false});
  }
  return terms;
}

std::array<double, 3> velocity(const StateGrid& grid, int k, double kappa) {
  const Direction n = headingDirection(k, grid.headings);
  return {n.x / grid.hx, n.y / grid.hy, kappa / grid.headingStep()};
}

Stencil makeStencil(const Problem& problem, int k, double xi, double phi) {
  const double step = problem.grid.headingStep();
  Stencil stencil;
  for (const Scheme& scheme : schemesOf(problem.model)) {
    std::vector<Term> terms;
    for (const Block& block : scheme.blocks) {
      const double kappa = phi + block.factor / xi;
      const auto v = velocity(problem.grid, k, kappa);
      for (Term term :
           upwindTerms(v, problem.relaxation, turnShare(kappa, balancedRadiusOf(problem, block)))) {
        term.weight *= block.multiplier;
        term.symmetric = scheme.symmetric;
        add(terms, term);
      }
    }
    if (scheme.turnsOnTheSpot) add(terms, {turnOnTheSpot, 1 / (xi * xi * step * step), true});
    stencil.schemes.push_back(std::move(terms));
  }
  return stencil;
}

} // namespace isochrone::curvature
