// ThomsenStencil.h - the scheme at a point with a tilted transversely isotropic medium.
//
// For each tangent (a, b) of the slowness curve (ThomsenCurve.h), a A + b B is a tensor in grid steps, with A
// = diag(1 / h) Vp^2 (I - n n^T) diag(1 / h) and B = diag(1 / h) Vp^2 n n^T diag(1 / h). The ratio b / a is
// monotone along the curve, and a superbase is obtuse on an interval of ratios. So the curve has a few
// pieces, each with fixed offsets e and weights a w_A + b w_B, where A = sum of w_A e e^T and likewise B.
#pragma once

#include "ImageTravelTime/Scheme/TensorStencil.h"

#include <span>
#include <vector>

namespace isochrone::image {

/// The tangents of the slowness curve with directions first to last, with their stencil.
struct ThomsenPiece {
  double first = 0, last = 1;
  int count = 0;                                  ///< of terms
  std::array<grid::Offset, maxTerms> offset{};    ///< (0, 0, 0) for missing ones
  std::array<double, maxTerms> across{}, along{}; ///< w_A and w_B, 1 / time^2; may be negative

  /// Returns the stencil of a tangent.
  TensorStencil stencil(const ThomsenTangent<double>& tangent) const;
};

/// Splits the slowness curve of a point. The curve of `medium` may differ from the argument's: use this one.
struct ThomsenScheme {
  ThomsenMedium medium;
  std::vector<ThomsenPiece> pieces; ///< in the order of their directions
};

ThomsenScheme thomsenScheme(const Problem& problem, std::int64_t point);

/// An earlier neighbour's value and its weights.
struct ThomsenTerm {
  double value, across, along;
};

/// The tangent that attains the extremum in a piece, and the update with it.
struct ThomsenSolution {
  double value;     ///< +infinity without terms
  double direction; ///< of the tangent, within the piece
};

/// Returns the update of the plain scheme from one piece, in double precision.
/// @param terms  with finite values
ThomsenSolution solvePiece(const ThomsenCurve<double>& curve, const ThomsenPiece& piece,
                           std::span<const ThomsenTerm> terms);

} // namespace isochrone::image
