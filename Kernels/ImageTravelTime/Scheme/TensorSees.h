// TensorSees.h - which neighbours of its stencil a point sees. Plain data, shared by sources compiled for
// different instruction sets.
#pragma once

#include <cstdint>

namespace isochrone::image {

/// Bit r: sees the point + offset r; bit 6 + r: the point - offset r; of a point that does not see all of
/// them also bits 12 to 17: the lower and the upper neighbour on each axis exists and is no barrier.
using TensorSees = std::uint32_t;
inline constexpr TensorSees seesAll = 0xfff;
inline constexpr int faceBits = 12;

} // namespace isochrone::image
