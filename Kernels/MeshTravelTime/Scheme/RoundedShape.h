// RoundedShape.h - the edges of a cell in single precision, so that they still are those of one.
#pragma once

#include <array>
#include <cstdint>

namespace isochrone::mesh {

struct RoundedShape {
  std::array<float, 6> square;                    ///< lengths squared, by edgeBetween
  std::array<std::uint8_t, 4> vertex{0, 1, 2, 3}; ///< which of the caller's vertices is vertex k of these
};

/// Squared ratios to the longest edge of a cell: below `shortEdge` an edge loses its lean, below `noLength`
/// its ends are one point.
inline constexpr double shortEdge = 1e-5, noLength = 1e-13;

/// Rounds the squared lengths of the edges of a cell.
///
/// The nearest numbers of a flat one belong to no cell in space: its volume comes out wrong by a multiple, or
/// imaginary, and its update depends on which corner asks. There, among the neighbours of the nearest numbers
/// those are taken that keep the volume best. Edges shorter than 0.003 of the longest one lean against no
/// other: edges from another vertex to both ends become equally long. The order of the vertices then follows
/// from the lengths, and where these differ the result does not depend on the caller's order. Other cells
/// keep the nearest numbers, and their order.
/// @param corners  4, or 3 of a triangle: then the first three squares are its edges, and others are kept
RoundedShape roundShape(const std::array<double, 6>& square, int corners);

/// Whether rounding changed an edge by more than digits: its square by 1e-4 of the longest one's.
bool isStraightened(const RoundedShape& shape, const std::array<double, 6>& square, int corners);

} // namespace isochrone::mesh
