// MeshReference.h - travel times on tetrahedral meshes in double, from points and tensors by the definition:
// slow, plain, and without a line of the solver's.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::reference {

using Matrix3 = std::array<std::array<double, 3>, 3>;

/// The squared speed of a cell; nothing where nothing passes.
std::optional<Matrix3> squaredSpeed(const mesh::Problem& problem, std::int64_t cell);

/// Its inverse: <e, G e> is the squared time along e.
std::optional<Matrix3> metricOf(const mesh::Problem& problem, std::int64_t cell);

/// The time along e.
double timeAlong(const Matrix3& metric, const std::array<double, 3>& e);

/// The least of (time interpolated at y) + (time from y to the vertex), y on the point, edge or triangle
/// with these corners.
/// @param edges  from the vertex to the corners, one to three
double leastFrom(const Matrix3& metric, std::span<const std::array<double, 3>> edges,
                 std::span<const double> times);

/// The fixed point of that over all cells around each vertex; +infinity where nothing arrives. Any vertex
/// that fell wakes all its neighbours.
std::vector<double> meshTravelTimes(const mesh::Problem& problem);

} // namespace isochrone::reference
