// FieldSample.h - fields and walls of a problem, sampled between grid states.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <span>

namespace isochrone::curvature {

/// Samples a field at a point (in grid steps, inside the grid) and heading (in heading steps, any): linear
/// between states, leaving out states in walls. Returns 1 if all surrounding states are in walls.
double sampleField(const Problem& problem, const Walls& walls, const Field& field, double x, double y,
                   double k);

/// Applies the transpose of sampleField for a field per state: distributes `amount` over the derivatives with
/// respect to the sampled values, in proportion to their interpolation weights.
void spreadSample(const Problem& problem, const Walls& walls, double x, double y, double k, double amount,
                  std::span<double> perState);

/// Returns whether a point (in grid steps) lies outside the grid or touches a wall pixel, its border
/// included.
bool isBlocked(const Problem& problem, const Walls& walls, double x, double y);

} // namespace isochrone::curvature
