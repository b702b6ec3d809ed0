// ThomsenTerms.h - the scheme of a tilted transversely isotropic medium at a point, as the solvers read it.
// Plain data, shared by sources compiled for different instruction sets and by tile kernels. See
// ThomsenStencil.h.
#pragma once

#include "Grid/ThomsenCurve.h"
#include "ImageTravelTime/Scheme/TensorSees.h"

#include <cstdint>

namespace isochrone::image {

/// A piece of the slowness curve of a point.
struct alignas(32) ThomsenTerms {
  float across[6], along[6]; ///< weights of the terms, 1 / time^2; 0 for missing ones
  float first, last;         ///< directions of its tangents
  std::uint32_t stencil;     ///< number
  TensorSees sees;           ///< of its stencil
};

struct ThomsenPoint {
  ThomsenCurve<float> curve;
  bool isMaximum;
  std::uint32_t first, count; ///< its pieces; none in barriers
};

} // namespace isochrone::image
