// EndpointEdges.h - straight connections between a position in the image and the grid points around it.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeTerms.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace isochrone::rays {

/// A straight segment within one cell. Its time is the sum of weight * slowness, computed in double.
struct EndpointEdge {
  std::int64_t point = -1; ///< point of the problem's grid at its other end
  double time = 0;
  /// (element of the problem, world length; in a tilted medium times its slownessRatio)
  std::vector<std::pair<std::int64_t, double>> weights;
};

/// Converts a position to grid steps in the whole image. Coordinates within a millionth of a step of a grid
/// point are snapped to it, and positions up to half a step outside the image are moved to its border.
/// Returns nothing outside. Along periodic axes a position may be anywhere.
std::optional<Position> stepsTo(const Problem& problem, const Position& place);

/// Returns whether this process computes the point nearest to a position. It has all cells that contain the
/// position.
bool ownsNearest(const Problem& problem, const Position& steps);

/// Returns whether the position, in grid steps, is a grid point.
bool isPoint(const Position& steps);

/// Returns whether a wave can reach a point of the problem's grid: the point itself is open or, with
/// WeightRule::Cells, one of its cells is.
bool isOpen(const Problem& problem, WeightRule rule, std::int64_t point);

/// Returns the connections to the corners of all cells that contain the position; for a grid point only the
/// connection to itself. Closed connections are omitted, as are points that no wave can reach, and points of
/// other parts.
std::vector<EndpointEdge> endpointEdges(const Problem& problem, WeightRule rule, const Position& steps);

/// Returns the straight connection between two positions, if one cell contains both and the connection is
/// open.
std::optional<EndpointEdge> straightEdge(const Problem& problem, WeightRule rule, const Position& fromSteps,
                                         const Position& toSteps);

} // namespace isochrone::rays
