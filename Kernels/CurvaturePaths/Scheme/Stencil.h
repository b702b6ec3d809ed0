// Stencil.h - the upwind finite differences of the four models (paper, section 2 and appendix A).
//
// Every model is a maximum over schemes, every scheme is a sum of blocks, and every block approximates max(0,
// <grad u, v>)^2 for one state-space velocity v = (n(theta), kappa), a unit step along the heading with the
// turning rate kappa = phi + factor / xi. So one building block, as a function of kappa, serves all models.
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

/// A finite difference weight * max(0, u(p) - u(p + offset))^2. A symmetric difference takes the smaller of
/// u(p + offset) and u(p - offset). Weights are in 1 / world length squared.
struct Term {
  Offset offset{};
  double weight = 0;
  bool symmetric = false;
};

/// The scheme at one state. u(p) is the root of f(u) = sum over terms - cost^2, and for Dubins the larger of
/// two roots.
struct Stencil {
  std::vector<std::vector<Term>> schemes;
};

/// weight(kappa) = a[0] + a[1] kappa + a[2] kappa^2, >= 0 on its interval up to rounding.
struct QuadraticTerm {
  Offset offset{};
  std::array<double, 3> a{};
  double balance = 0; ///< d weight / d log(balancedRadius) = balance * kappa

  double weight(double kappa) const { return a[0] + kappa * (a[1] + kappa * a[2]); }
  double slope(double kappa) const { return a[1] + 2 * kappa * a[2]; } ///< d weight / d kappa
};

/// The terms upwindTerms(velocity(grid, k, kappa), ...) for all kappa in [lo, hi].
struct Piece {
  double lo = 0, hi = 0;
  std::vector<QuadraticTerm> terms; ///< at most 6
};

/// multiplier * max(0, <grad u, v>)^2 with turning rate kappa = phi + factor / xi.
struct Block {
  double multiplier = 1, factor = 0;
  /// The terms as functions of kappa, in the table of a heading (HeadingStencils.h).
  std::vector<Piece> pieces = {};
};

/// The blocks of a scheme, all symmetric or all forward. `turnsOnTheSpot` adds the term (u_theta / xi)^2.
struct Scheme {
  std::vector<Block> blocks;
  bool symmetric = false, turnsOnTheSpot = false;
};

/// Offset of the term (u_theta / xi)^2.
inline constexpr Offset turnOnTheSpot{0, 0, 1};

/// Returns the schemes of a model. The elastica uses Fejer's rule with `fejerNodes` nodes.
std::vector<Scheme> schemesOf(Model model);

inline constexpr int fejerNodes = 5;

/// Squared cosine of the pruning angle, atan(1/sqrt 2) = 35.26 degrees. The margin drops offsets that lie on
/// the bound: keeping one and losing its mirror image to rounding would break the symmetry of the scheme.
inline constexpr double minCosineSquared = 2. / 3 + 1e-6;

/// Weights below this share of |v|^2 are rounding.
inline constexpr double minWeight = 1e-12;

/// Returns the radius at which the turns of a block are relaxed like its steps; 0: at every radius.
inline double balancedRadiusOf(const Problem& problem, const Block& block) {
  return block.factor != 0 ? problem.balancedRadius / std::abs(block.factor) : 0;
}

/// Relaxation of turns relative to steps: |kappa| * balancedRadius, at least minTurnShare; 1 without a
/// balance.
inline constexpr double minTurnShare = 1. / 8;
double turnShare(double kappa, double balancedRadius);

/// Returns |v|^2 in coordinates (x, y, heading / sqrt(share)).
inline double squaredNorm(const std::array<double, 3>& v, double share) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / share;
}

/// Returns (1 - eps^2) v v^T + eps^2 |v|^2 diag(1, 1, share), with the norm of squaredNorm.
grid::Symmetric3 relaxedSquare(const std::array<double, 3>& v, double eps2, double share);

/// Returns the forward differences along v (index coordinates: velocity / grid step per axis), all pointing
/// upstream. Uses Selling's decomposition of relaxedSquare and prunes offsets farther than 35.26 degrees from
/// v, an angle in the coordinates of squaredNorm.
std::vector<Term> upwindTerms(const std::array<double, 3>& v, double relaxation, double share = 1);

/// Returns the velocity of heading k with turning rate kappa (1 / world length), in index coordinates.
std::array<double, 3> velocity(const StateGrid& grid, int k, double kappa);

/// Returns the stencil of heading k for turning radius xi and curvature shift phi, with equal offsets merged.
Stencil makeStencil(const Problem& problem, int k, double xi, double phi);

} // namespace isochrone::curvature
