// MediumDerivatives.h - from derivatives with respect to the metric of each cell to those with respect to the
// arrays that define it.
#pragma once

#include "Execution/RoundPool.h"
#include "MeshTravelTime/MeshTravelTime.h"

namespace isochrone::mesh {

/// The numbers that define the speed, as in Sensitivities.
struct MediumShape {
  int components;
  bool ofVertices; ///< per vertex, else per cell
};
MediumShape mediumShapeOf(const Problem& problem);

/// Fills Sensitivities::medium, components and ofVertices from Sensitivities::metric. Returns false if the
/// monitor requested a stop.
bool setMedium(const Problem& problem, execution::RoundPool& pool, const Monitor& monitor,
               Sensitivities& result);

} // namespace isochrone::mesh
