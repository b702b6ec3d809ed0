// TensorUpdate.h - the update of points with tensors. Plain data, shared by sources compiled for different
// instruction sets.
#pragma once

#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"
#include "ImageTravelTime/Scheme/TensorSees.h"
#include "ImageTravelTime/Tensors/ThomsenUpdate.h"

#include <cstdint>

namespace isochrone::image {

/// The terms of the scheme at a point.
struct alignas(32) TensorPoint {
  float weight[6];       ///< per pair, 1 / time^2; 0 for missing pairs
  std::uint32_t stencil; ///< number of its stencil, and flags
  std::uint32_t link;    ///< its list of users; of an edge its index among them

  static constexpr std::uint32_t barrier = 0x80000000, edge = 0x40000000, pending = 0x20000000,
                                 number = 0x1fffffff;
};

/// A point that does not see all points of its stencil. It takes the straight path from its neighbours on the
/// axes, too: otherwise the front would not reach corners and narrow passages.
struct TensorEdge {
  TensorSees sees;
  std::uint32_t users; ///< its list
  float time[3];       ///< along each axis
};

/// The offsets of a stencil; (0, 0, 0) for missing ones of the six.
struct alignas(32) TensorOffsets {
  std::int32_t step[8];  ///< difference of the indices of the points
  float component[3][8]; ///< in grid steps
};

/// The one-form w of a drift at a point. The equation has the differences of u - <w, x> instead of u: a step
/// e leads to the value u(x + e) - <w, e>.
struct alignas(16) TensorDrift {
  float oneForm[4]; ///< time per grid step along each axis; [3]: 0
};

struct TensorView {
  const float* value; ///< travel times, x fastest, `never` where not yet known; the sign is only a mark
  const TensorPoint* point;
  const TensorEdge* edge;
  const TensorOffsets* offsets; ///< per stencil
  const TensorDrift* drift;     ///< per point; null: no drift
};

/// Number of points that are updated together, at least the width of a vector.
inline constexpr int tensorBatch = 16;

/// Writes the values of points after one update from their stencils, never above their present values, and
/// in a drift never below the earliest of the values that they see: see DESIGN.md.
using UpdateTensorPoints = void (*)(const TensorView& view, const std::uint32_t* points, std::int64_t count,
                                    float* updated);
/// Returns the same for one point, with source factoring.
using UpdateTensorPointNearSeed = float (*)(const TensorView& view, std::int64_t p, const TensorSeed& seed);

/// The functions for the best instruction set of this processor.
struct TensorKernels {
  UpdateTensorPoints inPlane, inSpace, inPlaneDrift, inSpaceDrift;
  UpdateTensorPointNearSeed nearSeed;
  UpdateThomsenPoints tilted;
  UpdateThomsenPointNearSeed tiltedNearSeed;
};
TensorKernels chooseTensorKernels();

} // namespace isochrone::image
