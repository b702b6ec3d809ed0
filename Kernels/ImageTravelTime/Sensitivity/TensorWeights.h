// TensorWeights.h - the terms of the scheme at a tensor, and the derivatives of their weights, on host and
// device.
#pragma once

#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"

#include <limits>

namespace isochrone::image {

/// Where the weight of a term vanishes, the time has a kink: if the tensor moves against the term, another
/// superbase applies, often with another offset. Along the term, the derivative is then the mean of both
/// sides.
struct TensorWeights {
  /// Maximum number of terms, those of weight 0 of other superbases included.
  static constexpr int maximum = 4 * maxTerms;

  int count = maxTerms; ///< those of the superbase, then those of weight 0 of other superbases
  grid::Offset offset[maximum];
  grid::Symmetric3 perTensor[maximum]; ///< derivative of the weight with respect to the tensor
  double weight[maxTerms];             ///< 0 of pairs that are no terms of the stencil

  /// @param d  in grid steps, as gridTensorAt
  TEAM_FN TensorWeights(const grid::Symmetric3& d, bool plane) {
    grid::Superbase base = grid::canonicalSuperbase();
    grid::makeObtuse(base, d);
    double least = std::numeric_limits<double>::infinity();
    grid::Symmetric3 ofBase[maxTerms]; // on the side of the superbase
    for (int r = 0; r < maxTerms; ++r) {
      const grid::Offset e = offset[r] = grid::sellingOffset(base, r);
      perTensor[r] = ofBase[r] = grid::sellingDerivative(base, r);
      const double share = grid::sellingWeight(base, r, d), square = grid::dot(vectorOf(r), vectorOf(r));
      const bool counts = !(plane && e[2] != 0) && isTerm(share, e, square, d);
      weight[r] = counts ? share : 0;
      if (counts && share < least) least = share;
    }
    for (int r = 0; r < maxTerms; ++r) {
      if (weight[r] > 0 || (plane && offset[r][2] != 0)) continue;
      const grid::Symmetric3 along = grid::symmetricProduct(vectorOf(r), vectorOf(r));
      grid::Symmetric3 moved = d;
      grid::add(moved, -1e-3 * least, along);
      grid::Superbase other = base;
      grid::makeObtuse(other, moved);
      grid::add(perTensor[r], -0.5, ofBase[r]);
      for (int pair = 0; pair < maxTerms; ++pair) {
        const double change = grid::sellingWeight(other, pair, along);
        const int term = change == 0 ? maximum : addTerm(grid::sellingOffset(other, pair));
        if (term < maximum) grid::add(perTensor[term], 0.5 * change, ofBase[r]);
      }
    }
  }

  TEAM_FN bool hasWeight(int term) const { return term < maxTerms && weight[term] > 0; }
  TEAM_FN grid::Vector3 vectorOf(int term) const {
    const grid::Offset& e = offset[term];
    return {double(e[0]), double(e[1]), double(e[2])};
  }
  /// Returns the number of the term with an offset or its opposite; `count`: none.
  TEAM_FN int termOf(const grid::Offset& e) const {
    for (int r = 0; r < count; ++r) {
      const grid::Offset& o = offset[r];
      const bool same = o[0] == e[0] && o[1] == e[1] && o[2] == e[2],
                 opposite = o[0] == -e[0] && o[1] == -e[1] && o[2] == -e[2];
      if (same || opposite) return r;
    }
    return count;
  }

private:
  /// The same, which is added if there is room.
  TEAM_FN int addTerm(const grid::Offset& e) {
    const int r = termOf(e);
    if (r == count && r < maximum) offset[r] = e, perTensor[r] = {}, ++count;
    return r;
  }
};

/// Returns the derivative with respect to the metric in world units from that with respect to the tensor in
/// grid steps, without the elements that couple an axis with one point, along which paths do not run.
TEAM_FN grid::Symmetric3 perMetricOf(const grid::Symmetric3& gridTensor, grid::Symmetric3 perTensor,
                                     const GridIndex& sizes, const grid::Vector3& spacing) {
  grid::Symmetric3& d = perTensor;
  if (sizes[0] == 1) d[0] = d[3] = d[5] = 0;
  if (sizes[1] == 1) d[1] = d[3] = d[4] = 0;
  if (sizes[2] == 1) d[2] = d[4] = d[5] = 0;
  return grid::scaled(grid::perInverse(gridTensor, d), spacing);
}

} // namespace isochrone::image
