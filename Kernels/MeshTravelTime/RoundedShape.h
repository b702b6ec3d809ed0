// RoundedShape.h - the edges of a tetrahedron in single precision, so that they still are those of one.
#pragma once

#include <array>
#include <cstdint>

namespace isochrone::mesh {

struct RoundedShape {
  std::array<float, 6> square;                    ///< lengths squared, by edgeBetween
  std::array<std::uint8_t, 4> vertex{0, 1, 2, 3}; ///< which of the caller's vertices is vertex k of these
};

/// Squared ratio to the longest edge of a tetrahedron below which the ends of an edge are one point.
inline constexpr double noLength = 1e-13;

/// Rounds the squared lengths of the edges of a tetrahedron.
///
/// The nearest numbers of a flat one belong to no tetrahedron in space: its volume comes out wrong by a
/// multiple, or imaginary, and its update depends on which corner asks. There, among the neighbours of the
/// nearest numbers those are taken that keep the volume best. Edges shorter than 1e-4 of the longest one lean
/// against no other, and the ends of those shorter than 3e-7 of the longest one become one point. The order
/// of the vertices then follows from the lengths, and the result does not depend on the caller's. Other
/// tetrahedra keep the nearest numbers, and their order.
RoundedShape roundShape(const std::array<double, 6>& square);

} // namespace isochrone::mesh
