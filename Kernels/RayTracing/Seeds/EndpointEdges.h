// EndpointEdges.h - the straight ways between a place in the image and the points around it.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeTerms.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace isochrone::rays {

/// A straight way within one cell. Its time is the sum of weight * slowness, computed in double.
struct Approach {
  std::int64_t point = -1; ///< where it leads to
  double time = 0;
  std::vector<std::pair<std::int64_t, double>> weights; ///< (element of slowness, world length)
};

/// A place in steps of the grid. Coordinates within a millionth of a step of a point's are taken for it, and
/// places up to half a step outside the image lie on its border. Empty: outside.
std::optional<Position> stepsTo(const Grid& grid, const Position& place);

/// Are these the steps to a point of the grid?
bool isPoint(const Position& steps);

/// Can a wave be at the point: is it open itself or, with WeightRule::Cells, a cell beside it?
bool isOpen(const Problem& problem, WeightRule rule, std::int64_t point);

/// To the corners of all cells that hold the place; only to itself if it is a point of the grid. Ways that
/// are closed are left out, and so are points that no wave can be at.
std::vector<Approach> approaches(const Problem& problem, WeightRule rule, const Position& steps);

/// From one place to another, if one cell holds both and the way is open.
std::optional<Approach> straight(const Problem& problem, WeightRule rule, const Position& fromSteps,
                                 const Position& toSteps);

} // namespace isochrone::rays
