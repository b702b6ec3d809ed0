// CostOfStrength.h - from how much a point looks like a tube to what it costs.
#pragma once

#include "OrientedCost/OrientedCost.h"
#include "OrientedCost/Work.h"

namespace isochrone::oriented {

/// Fills all but `aborted` of the result.
/// @param halfRange  of the intensities, which the strengths are in units of
/// @param result     its cost holds the strengths of the first `responses(problem)` headings
void costOfStrength(const Problem& problem, double halfRange, Result& result, Work& work, double share);

} // namespace isochrone::oriented
