// Noise.h - random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace isochrone {

/// Returns a number from 0 to 1: a 64-bit mix of the index (Steele, Lea, Flood 2014).
inline double noise(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

} // namespace isochrone
