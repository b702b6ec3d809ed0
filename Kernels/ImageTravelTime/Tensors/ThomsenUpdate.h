// ThomsenUpdate.h - the update of points of a tilted transversely isotropic medium. Plain data, shared by
// sources compiled for different instruction sets. See Scheme/ThomsenStencil.h.
#pragma once

#include "ImageTravelTime/Scheme/ThomsenArrival.h"
#include "ImageTravelTime/Scheme/ThomsenTerms.h"

#include <cstdint>

namespace isochrone::image {

struct TensorOffsets;

struct ThomsenView {
  const float* value; ///< as in TensorView
  const ThomsenPoint* point;
  const ThomsenTerms* piece;
  const TensorOffsets* offsets; ///< per stencil
};

/// Writes the values of points after one update, never above their present values.
using UpdateThomsenPoints = void (*)(const ThomsenView& view, const std::uint32_t* points, std::int64_t count,
                                     float* updated);
/// Returns the same for one point, with source factoring.
using UpdateThomsenPointNearSeed = float (*)(const ThomsenView& view, std::int64_t p,
                                             const ThomsenSeed& seed);

} // namespace isochrone::image
