// TensorUpdate.h - the update of a point with a tensor. Plain data, shared by sources compiled for different
// instruction sets.
//
// The six pairs of neighbours of a point lie in the lanes of one vector.
#pragma once

#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"

#include <cstdint>

namespace isochrone::image {

/// The terms of the scheme at a point.
struct alignas(32) TensorPoint {
  float weight[6];      ///< per pair, 1 / time^2; 0 for missing pairs
  std::int32_t stencil; ///< number of its stencil; -1: a barrier
  std::uint32_t clear; ///< bit r: p sees the point p + offset r; bit 6 + r: p - offset r; higher bits: number
                       ///< among the points of its row that do not see all
};
inline constexpr std::uint32_t allClear = 0xfff;

/// The offsets of a stencil; (0, 0, 0) for missing ones of the six.
struct alignas(32) TensorOffsets {
  std::int32_t step[8];  ///< difference of the indices of the points
  float component[3][8]; ///< in grid steps
};

struct TensorView {
  const float* value; ///< travel times, x fastest, `never` where not yet known
  const TensorPoint* point;
  const TensorOffsets* offsets; ///< per stencil
};

/// Returns the value of point `p` after one update, never above its present value.
using UpdateTensorPoint = float (*)(const TensorView& view, std::int64_t p);
using UpdateTensorPointNearSeed = float (*)(const TensorView& view, std::int64_t p, const TensorSeed& seed);

/// The functions for the best instruction set of this processor.
struct TensorKernels {
  UpdateTensorPoint plain;
  UpdateTensorPointNearSeed nearSeed;
};
TensorKernels chooseTensorKernels();

} // namespace isochrone::image
