// MeshReference.h - travel times on tetrahedral meshes in double, from points and tensors by the definition:
// simple, slow, and without code of the solver.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::reference {

using Matrix3 = std::array<std::array<double, 3>, 3>;

/// Returns the squared speed of a cell; nothing for a barrier.
std::optional<Matrix3> squaredSpeed(const mesh::Problem& problem, std::int64_t cell);

/// Returns its inverse: <e, G e> is the squared time along e.
std::optional<Matrix3> metricOf(const mesh::Problem& problem, std::int64_t cell);

/// Returns the time along e.
double timeAlong(const Matrix3& metric, const std::array<double, 3>& e);

/// Returns the minimum of (time interpolated at y) + (time from y to the vertex) over the points y of the
/// point, edge or triangle with these corners.
/// @param edges  from the vertex to the corners, one to three
double minFrom(const Matrix3& metric, std::span<const std::array<double, 3>> edges,
               std::span<const double> times);

/// Returns the fixed point of this update over all cells around each vertex, and over the triangles that
/// replace obtuse angles (Problem::unfolds), +infinity if unreached. Each vertex that decreases puts all its
/// neighbours into the queue.
std::vector<double> meshTravelTimes(const mesh::Problem& problem);

} // namespace isochrone::reference
