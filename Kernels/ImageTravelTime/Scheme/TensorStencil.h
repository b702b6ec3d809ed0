// TensorStencil.h - the scheme's stencil at a point with a tensor.
//
// In grid steps the tensor is D = diag(1 / h) M diag(1 / h). Selling's decomposition
// D = sum of w e e^T over up to six integer offsets e, w > 0, turns <grad u, M grad u> into
// sum of w max(0, u(p) - min(u(p + e), u(p - e)))^2, which is monotone and causal whatever the anisotropy.
#pragma once

#include "Grid/Selling.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>

namespace isochrone::image {

inline constexpr int maxTerms = 6;

/// A term of the scheme: weight * max(0, u(p) - min(u(p + offset), u(p - offset)))^2
struct TensorTerm {
  grid::Offset offset{};
  double weight = 0; ///< 1 / time^2
};

struct TensorStencil {
  int count = 0;
  std::array<TensorTerm, maxTerms> term{};

  const TensorTerm* begin() const { return term.data(); }
  const TensorTerm* end() const { return term.data() + count; }
};

/// Returns D, in 1 / time^2, from the metric in world units.
TEAM_FN grid::Symmetric3 gridTensorOf(const grid::Symmetric3& inWorld, const GridIndex& sizes,
                                      const grid::Vector3& spacing) {
  grid::Symmetric3 metric = grid::scaled(inWorld, spacing);
  double slowest = 0; // an axis with one point has no steps: it takes the slowness of the slowest other axis
  for (int a = 0; a < 3; ++a) slowest = std::max(slowest, sizes[a] > 1 ? metric[a] : 0);
  for (int a = 0; a < 3; ++a)
    if (sizes[a] == 1) metric[a] = slowest > 0 ? slowest : 1;
  return grid::inverse(metric);
}
inline grid::Symmetric3 gridTensorAt(const Problem& p, std::int64_t point) {
  return gridTensorOf(metricAt(p, point), p.grid.sizes(), p.grid.spacing());
}

/// Terms with a smaller share of D, measured by D itself, are rounding noise of tensors in float.
inline constexpr double minTermShare = 1e-7;

/// @param inverse  of D
TEAM_FN bool isTerm(double weight, const grid::Symmetric3& inverse, const grid::Offset& offset) {
  return !(weight * grid::product(offset, inverse, offset) < minTermShare);
}
/// The same for D itself. Mostly the upper bound of its eigenvalues decides.
/// @param square  of the length of the offset
TEAM_FN bool isTerm(double weight, const grid::Offset& offset, double square, const grid::Symmetric3& d) {
  return weight * square > 2 * minTermShare * grid::trace(d) || isTerm(weight, grid::inverse(d), offset);
}

/// Decomposes tensors in grid steps into the terms of the scheme, one after the other. Selling's algorithm
/// starts with the obtuse superbase of the tensor before, which mostly still is obtuse.
class Decomposition {
public:
  explicit Decomposition(bool plane, const grid::Superbase& start = grid::canonicalSuperbase());

  /// Continues with a tensor. Returns whether the offsets differ from those of the tensor before.
  bool advance(const grid::Symmetric3& gridTensor);
  const TensorStencil& stencil() const { return terms; }

private:
  bool plane;
  TensorStencil terms;
  grid::Superbase base;
  std::array<grid::Vector3, 4> vector{};       ///< those of the superbase, as real numbers
  std::array<grid::Offset, maxTerms> offset{}; ///< per pair
  std::array<int, maxTerms> sorted{};          ///< the pairs by their offsets
  std::array<double, maxTerms> square{};       ///< per pair, of the length of the offset
  std::array<double, maxTerms> weight{};       ///< per pair
  std::array<bool, maxTerms> counted{};        ///< per pair, whether it is a term

  void findOffsets();
  bool findWeights(const grid::Symmetric3& d);
  bool counts(int pair, const grid::Symmetric3& d) const;
};

TensorStencil stencilAt(const Problem& problem, std::int64_t point);

} // namespace isochrone::image
