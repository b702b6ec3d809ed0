// States.h - seeds and tips with their headings, as states of the curvature solver.
#pragma once

#include "Common/SeedsAndTips.h"
#include "CurvaturePaths/CurvaturePaths.h"

#include <vector>

namespace isochrone::filters {

/// One state per place, in plane coordinates.
struct States : Places {
  std::vector<curvature::State> states;
};
States statesOf(vtkPolyData* points, const ImageFrame& frame);

} // namespace isochrone::filters
