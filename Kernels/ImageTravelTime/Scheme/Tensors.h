// Tensors.h - the tensors of a problem at a point: times along vectors, and the scheme's stencil.
//
// In grid steps the tensor is D = diag(1 / h) M diag(1 / h). Selling's decomposition
// D = sum of w e e^T over up to six integer offsets e, w > 0, turns <grad u, M grad u> into
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

/// Returns the number of values per point in `Problem::speed`.
inline int componentsOf(const Problem& p) { return !hasTensors(p) ? 1 : p.grid.nz == 1 ? 3 : 6; }

/// Returns whether the tensor at a point is a barrier: it contains a NaN, or zeros only.
bool isTensorBarrier(const Problem& problem, std::int64_t point);

/// Returns the tensor as given, in the plane extended to 3x3.
grid::Symmetric3 tensorAt(const Problem& problem, std::int64_t point);

/// Returns the metric in world units. An axis with one point is not coupled to the others, since paths do not
/// run along it.
grid::Symmetric3 metricAt(const Problem& problem, std::int64_t point);

/// Returns D, in 1 / time^2.
grid::Symmetric3 gridTensorAt(const Problem& problem, std::int64_t point);

/// Decomposes a tensor in grid steps into the terms of the scheme.
/// @param base  superbase with which Selling's algorithm starts; on return the obtuse superbase, a good start
///              for a similar tensor
TensorStencil decompose(const grid::Symmetric3& gridTensor, bool plane, grid::Superbase& base);

TensorStencil stencilAt(const Problem& problem, std::int64_t point);

/// Extremes of the speed in grid steps per time, up to a factor of two.
struct TensorSpeeds {
  double least, largest;
};

/// Returns the extremes of the speed.
/// @throws Error unless all tensors are positive definite, not too anisotropic and not too different
TensorSpeeds checkTensors(const Problem& problem, int threads);

} // namespace isochrone::image
