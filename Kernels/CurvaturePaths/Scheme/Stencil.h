// Stencil.h - the upwind finite differences of the four models (paper 000, section 2 and appendix A).
//
// Every model is a maximum over schemes, every scheme a sum of blocks, and every block approximates
// max(0, <grad u, v>)^2 for one state-space velocity v = (n(theta), kappa): a unit step along the heading
// with the turning rate kappa = phi + factor / xi. So one building block, as a function of kappa, serves all
// models.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "Grid/Heading.h"
#include "Grid/Selling.h"

#include <cmath>
#include <vector>

namespace isochrone::curvature {

using grid::Direction;
using grid::headingDirection;
using grid::Offset; ///< (x, y, heading), in grid steps

/// A finite difference: weight * max(0, u(p) - u(p + offset))^2; a symmetric one takes the lesser of
/// u(p + offset) and u(p - offset). Weights are in 1 / world length squared.
struct Term {
  Offset offset{};
  double weight = 0;
  bool symmetric = false;
};

/// The scheme at one state: f(u) = sum over terms - cost^2, u(p) its root; Dubins takes the larger of two.
struct Stencil {
  std::vector<std::vector<Term>> schemes;
};

/// multiplier * A_v with turning rate kappa = phi + factor / xi.
struct Block {
  double multiplier = 1, factor = 0;
};

/// The blocks of a scheme, all symmetric or all forward, and whether it holds the term (u_theta / xi)^2.
struct Scheme {
  std::vector<Block> blocks;
  bool symmetric = false, turnsOnTheSpot = false;
};

/// The offset of (u_theta / xi)^2.
inline constexpr Offset turnOnTheSpot{0, 0, 1};

/// Schemes of a model; those of the elastica by Fejer's rule with `fejerNodes` nodes.
std::vector<Scheme> schemesOf(Model model);

inline constexpr int fejerNodes = 5;

/// Cosine of the pruning angle, squared: atan(1/sqrt 2) = 35.26 degrees. The margin drops offsets that lie on
/// the bound: keeping one and losing its mirror image to rounding would break the symmetry of the scheme.
inline constexpr double leastCosineSquared = 2. / 3 + 1e-6;

/// Weights below this share of |v|^2 are rounding.
inline constexpr double leastWeight = 1e-12;

/// The radius at which the turns of a block are relaxed like its steps; 0: at any.
inline double balancedRadiusOf(const Problem& problem, const Block& block) {
  return block.factor != 0 ? problem.balancedRadius / std::abs(block.factor) : 0;
}

/// How much more turns are relaxed than steps: |kappa| * balancedRadius, at least this; 1 without a balance.
inline constexpr double leastTurnShare = 1. / 8;
double turnShare(double kappa, double balancedRadius);

/// Forward differences along v (index coordinates: velocity / grid step per axis): Selling decomposition of
/// (1 - eps^2) v v^T + eps^2 |v|^2 diag(1, 1, share), offsets farther than 35.26 degrees from v pruned, all
/// pointing upstream. Length and angle are those of coordinates (x, y, heading / sqrt(share)).
std::vector<Term> upwindTerms(const std::array<double, 3>& v, double relaxation, double share = 1);

/// The velocity of heading k with turning rate kappa (1 / world length), in index coordinates.
std::array<double, 3> velocity(const StateGrid& grid, int k, double kappa);

/// Stencil of heading k where the turning radius is xi and the curvature shift phi. Equal offsets are merged.
Stencil makeStencil(const Problem& problem, int k, double xi, double phi);

} // namespace isochrone::curvature
