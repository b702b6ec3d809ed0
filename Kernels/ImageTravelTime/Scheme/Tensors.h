// Tensors.h - what the tensors of a problem say at a point: times along vectors, and the scheme's stencil.
//
// In grid steps the tensor is D = diag(1 / h) M diag(1 / h). Selling's decomposition
// D = sum of w e e^T over up to six whole-number offsets e, w > 0, turns <grad u, M grad u> into
// sum of w max(0, u(p) - min(u(p + e), u(p - e)))^2, which is monotone and causal whatever the anisotropy.
#pragma once

#include "Grid/Selling.h"
#include "ImageTravelTime/ImageTravelTime.h"

namespace isochrone::image {

inline constexpr int mostTerms = 6;

/// A term of the scheme: weight * max(0, u(p) - min(u(p + offset), u(p - offset)))^2
struct TensorTerm {
  grid::Offset offset{};
  double weight = 0; ///< 1 / time^2
};

struct TensorStencil {
  int count = 0;
  std::array<TensorTerm, mostTerms> term{};

  const TensorTerm* begin() const { return term.data(); }
  const TensorTerm* end() const { return term.data() + count; }
};

inline bool hasTensors(const Problem& p) {
  return p.speedType == SpeedType::MetricTensor || p.speedType == SpeedType::SquaredVelocityTensor;
}

/// Values per point in `Problem::speed`.
inline int componentsOf(const Problem& p) { return !hasTensors(p) ? 1 : p.grid.nz == 1 ? 3 : 6; }

/// Whether a problem with tensors has none at a point: a NaN, or zeros only.
bool isTensorBarrier(const Problem& problem, std::int64_t point);

/// The tensor as given.
grid::Symmetric3 tensorAt(const Problem& problem, std::int64_t point);

/// The metric in world units. An axis with one point is not coupled to the others: no way leads along it.
grid::Symmetric3 metricAt(const Problem& problem, std::int64_t point);

/// D, in 1 / time^2.
grid::Symmetric3 gridTensorAt(const Problem& problem, std::int64_t point);

/// @param base  where Selling's algorithm starts; becomes the obtuse superbase, a good start for a similar
///              tensor
TensorStencil decompose(const grid::Symmetric3& gridTensor, bool plane, grid::Superbase& base);

TensorStencil stencilAt(const Problem& problem, std::int64_t point);

/// Extremes of the speed in grid steps per time, to within a factor of two.
struct TensorSpeeds {
  double least, largest;
};

/// @throws Error unless all tensors are positive definite, not too anisotropic and not too different
TensorSpeeds checkTensors(const Problem& problem, int threads);

} // namespace isochrone::image
