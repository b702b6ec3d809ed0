// VertexDependence.h - the vertices that give a vertex its time.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"

#include <array>
#include <cstdint>
#include <span>

namespace isochrone::mesh {

struct VertexDependence {
  std::array<std::int32_t, 3> vertex{}; ///< by index in the stars
  std::array<double, 3> weight{};       ///< positive, sum 1: the minimum point of the update
  std::uint32_t tetrahedron = 0;
  std::uint8_t count = 0;   ///< number of vertices; 0: there is no update
  double value = unreached; ///< the update in double, in solver units
};

/// Returns the update that gives a vertex its time: the minimum in single precision. Of equal ones it is that
/// with the earliest corners, then the first.
/// @param times  by index in the stars, in solver units; `unreached` where no wave arrives
/// @param bound  updates above it are left out
VertexDependence dependenceOf(const VertexStars& stars, std::int32_t vertex, std::span<const double> times,
                              double bound);

} // namespace isochrone::mesh
