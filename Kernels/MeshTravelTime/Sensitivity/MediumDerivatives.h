// MediumDerivatives.h - from derivatives with respect to the metric of each cell to those with respect to the
// arrays that define it.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

namespace isochrone::mesh {

/// Fills Sensitivities::medium, components and ofVertices from Sensitivities::metric.
void setMedium(const Problem& problem, Sensitivities& result);

} // namespace isochrone::mesh
