// BlockTable.h - the block of one heading as a function of its turning rate.
//
// Where xi or phi vary from point to point, building a stencil per point would be the whole cost of an
// update. For one heading, however, the velocity is v = (n / h, kappa / h_theta) with the single parameter
// kappa, and D(v) is quadratic in kappa (with a balance, on each side of its bounds). So the offsets stay the
// same on intervals of kappa, and the weights are quadratics on each interval. The ends of the intervals are
// roots of quadratics too, so the table is exact. Building it takes microseconds.
#pragma once

#include "CurvaturePaths/Scheme/Stencil.h"

#include <vector>

namespace isochrone::curvature {

inline constexpr int maxBlocks = 5; ///< per heading, all schemes together

/// Returns the pieces of heading k that cover [lo, hi] without gaps, in ascending order. At an end shared by
/// two pieces both hold, except that one may have pruned an offset that lies on the pruning bound.
std::vector<Piece> blockPieces(const StateGrid& grid, int k, double relaxation, double lo, double hi,
                               double balancedRadius = 0);

} // namespace isochrone::curvature
