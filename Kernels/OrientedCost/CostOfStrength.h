// CostOfStrength.h - the conversion of tube strength to cost.
#pragma once

#include "OrientedCost/OrientedCost.h"
#include "OrientedCost/Work.h"

namespace isochrone::oriented {

/// Fills all members of the result except `aborted`.
/// @param halfRange  half range of the intensities, the unit of the strengths
/// @param result     on entry its cost holds the strengths of the first `responses(problem)` headings
void costOfStrength(const Problem& problem, double halfRange, Result& result, Work& work, double share);

} // namespace isochrone::oriented
