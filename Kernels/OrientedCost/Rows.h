// Rows.h - the inner loops, along rows of floats. Plain data, shared by sources compiled for different
// instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isochrone::oriented {

/// Number of floats per piece, the width of the widest vector. Rows are processed in whole pieces.
inline constexpr std::int64_t rowPiece = 16;

/// The sum of weight * in[i + offset] over `count` taps.
struct Taps {
  const std::ptrdiff_t* offset;
  const float* weight;
  int count;
};

/// Loops over n floats, a multiple of `rowPiece`.
struct RowKernels {
  /// Sets out[i] to the sum at i.
  void (*weigh)(const float* in, const Taps& taps, float* out, std::int64_t n);
  /// Raises out[i] to the sum at i where the sum is greater.
  void (*raise)(const float* in, const Taps& taps, float* out, std::int64_t n);
  /// Sets out[i] to the sum of weight[a] * in[a][i].
  void (*steer)(const float* const in[3], const float weight[3], float* out, std::int64_t n);
  const char* isa;
};

/// Returns the loops for the instruction set that execution::chooseHostIsa returns.
RowKernels chooseRowKernels();

} // namespace isochrone::oriented
