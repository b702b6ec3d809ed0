// Rows.h - the loops that take the time, along rows of floats: plain data, so that it crosses the border
// between sources compiled for different instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isochrone::oriented {

/// Rows are worked on in whole pieces of so many floats, the widest vector.
inline constexpr std::int64_t rowPiece = 16;

/// A sum of weight * in[i + offset].
struct Taps {
  const std::ptrdiff_t* offset;
  const float* weight;
  int count;
};

/// Loops over n floats, a multiple of `rowPiece`.
struct RowKernels {
  /// out[i] = the sum at i.
  void (*weigh)(const float* in, const Taps& taps, float* out, std::int64_t n);
  /// out[i] becomes the sum at i where that is greater.
  void (*raise)(const float* in, const Taps& taps, float* out, std::int64_t n);
  /// out[i] = the sum of weight[a] * in[a][i].
  void (*steer)(const float* const in[3], const float weight[3], float* out, std::int64_t n);
  const char* isa;
};

/// For the best instruction set of this processor; ISOCHRONE_HOST_ISA (sse2, avx2, avx512) in the environment
/// asks for a lesser one.
RowKernels chooseRowKernels();

} // namespace isochrone::oriented
