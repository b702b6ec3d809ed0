// TensorUpdate.h - the update of a point with a tensor: plain data, so that it crosses the border between
// sources compiled for different instruction sets.
//
// The six pairs of neighbours of a point lie in the lanes of one vector.
#pragma once

#include <cstdint>

namespace isochrone::image {

/// Stands for +infinity: its square, times the least weight, is a number and large.
inline constexpr float never = 1e18f;

/// The scheme at a point.
struct alignas(32) TensorPoint {
  float weight[6];      ///< of each pair, 1 / time^2; 0 where there are fewer
  std::int32_t stencil; ///< which offsets; -1: a barrier
  std::uint32_t clear;  ///< bit r: p + offset r is a point that p sees; bit 6 + r: p - offset r; above: its
                        ///< number among those of its row that do not see all
};
inline constexpr std::uint32_t allClear = 0xfff;

/// The offsets of a stencil, (0, 0, 0) where there are fewer than six.
struct alignas(32) TensorOffsets {
  std::int32_t step[8];  ///< in the array of the points
  float component[3][8]; ///< in grid steps
};

struct TensorView {
  const float* value; ///< travel times, x fastest, `never` where there is none yet
  const TensorPoint* point;
  const TensorOffsets* offsets; ///< of each stencil
};

/// A point seed as another point sees it, whose kink is taken out of the differences (additive factoring).
struct TensorSeed {
  float away[3];   ///< point - seed, in grid steps
  float metric[6]; ///< at the seed, time^2 per product of steps: xx yy zz xy yz xz
  float length[3]; ///< of a grid step
  float radius;    ///< of the ball around the seed in which the tensors vary little
};

/// The value of point `p` after one update: not above the value now.
using UpdateTensorPoint = float (*)(const TensorView& view, std::int64_t p);
using UpdateTensorPointNearSeed = float (*)(const TensorView& view, std::int64_t p, const TensorSeed& seed);

/// The functions for the best instruction set of this processor.
struct TensorKernels {
  UpdateTensorPoint plain;
  UpdateTensorPointNearSeed nearSeed;
};
TensorKernels chooseTensorKernels();

} // namespace isochrone::image
