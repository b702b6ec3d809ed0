// FieldSample.h - the fields and walls of a problem between grid states.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <span>

namespace isochrone::curvature {

/// A field at a point (in grid steps, inside the grid) and heading (in heading steps, any): linear between
/// states, those in walls left out. 1 where all around are in walls.
double sampleField(const Problem& problem, const Walls& walls, const Field& field, double x, double y,
                   double k);

/// The transpose of sampleField for a field with a value per state: adds `amount` to the derivatives with
/// respect to the values that a sample is made from, in the shares that they have in it.
void spreadSample(const Problem& problem, const Walls& walls, double x, double y, double k, double amount,
                  std::span<double> perState);

/// Whether a point (in grid steps) lies outside the grid or touches a wall pixel, its border included.
bool isBlocked(const Problem& problem, const Walls& walls, double x, double y);

} // namespace isochrone::curvature
