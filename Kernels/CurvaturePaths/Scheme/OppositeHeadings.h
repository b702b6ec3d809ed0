// OppositeHeadings.h - whether a problem is the same at opposite headings.
#pragma once

#include "CurvaturePaths/Scheme/Starts.h"

namespace isochrone::curvature {

/// Returns whether the values of a field at opposite headings differ by `tolerance` of the larger one at
/// most, outside walls. The number of headings must be even.
bool isEven(const Problem& problem, const Field& field, double tolerance);

/// Returns whether a field is zero outside walls.
bool isZero(const Problem& problem, const Field& field);

/// Returns whether travel times at opposite headings are equal: the model is reversible, and neither the
/// fields nor the starts tell them apart.
/// @param starts  ascending
bool oppositeHeadingsAgree(const Problem& problem, const std::vector<StartState>& starts);

} // namespace isochrone::curvature
