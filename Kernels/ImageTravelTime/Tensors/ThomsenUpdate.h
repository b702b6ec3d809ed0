// ThomsenUpdate.h - the update of points of a tilted transversely isotropic medium. Plain data, shared by
// sources compiled for different instruction sets. See Scheme/ThomsenStencil.h.
#pragma once

#include "ImageTravelTime/Scheme/TensorSees.h"
#include "ImageTravelTime/Scheme/ThomsenArrival.h"
#include "ImageTravelTime/Scheme/ThomsenCurve.h"

#include <cstdint>

namespace isochrone::image {

struct TensorOffsets;

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
  std::uint32_t first, count; ///< its pieces
};

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
