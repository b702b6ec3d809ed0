// RoundedShape.h - squared edge lengths in single precision that still belong to a cell.
#pragma once

#include <array>
#include <cstdint>

namespace isochrone::mesh {

struct RoundedShape {
  std::array<float, 6> square;                    ///< squared lengths, by edgeBetween
  std::array<std::uint8_t, 4> vertex{0, 1, 2, 3}; ///< the caller's vertex that is vertex k here
};

/// Squared ratios to the longest edge of a cell: below `shortEdge` the edges to both ends of an edge are made
/// equally long, below `noLength` its ends coincide.
inline constexpr double shortEdge = 1e-5, noLength = 1e-13;

/// Rounds the squared edge lengths of a cell.
///
/// For a flat cell the nearest numbers belong to no cell in space: its volume is wrong by a multiple, or
/// imaginary, and its update depends on the corner. The neighbours of the nearest numbers that best keep the
/// volume are taken instead. For an edge shorter than 0.003 of the longest one, the edges from another vertex
/// to both of its ends become equally long. In both cases the order of the vertices follows from the lengths;
/// where these differ, the result does not depend on the caller's order. All other cells keep the nearest
/// numbers and their order.
/// @param corners  4, or 3 for a triangle: its edges are the first three squares; the others are kept
RoundedShape roundShape(const std::array<double, 6>& square, int corners);

/// Returns whether rounding changed an edge by more than digits: its square by 1e-4 of the longest square.
bool isStraightened(const RoundedShape& shape, const std::array<double, 6>& square, int corners);

} // namespace isochrone::mesh
