// AxesValidation.h - requirements on the steps of a grid. Those on periodic axes and orthogonal grids are
// declared in Validation.h.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <limits>

namespace isochrone::image {

/// The extremes of the grid steps.
struct StepRange {
  double minimum = std::numeric_limits<double>::infinity(), largest = 0;
};

/// Returns the range of the steps of an image.
/// @throws Error if the spacings are out of the range of the solvers, or too unequal
StepRange requireSpacing(const Grid& grid);

/// Returns the range of the steps of an orthogonal grid.
/// @throws Error if the options or the steps do not suit it
StepRange requireOrthogonalSteps(const Problem& problem, const Options& options);

} // namespace isochrone::image
