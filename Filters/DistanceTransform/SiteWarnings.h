// SiteWarnings.h - warnings about the sites, combined over all ranks.
#pragma once

#include "DistanceTransform/Problem.h"

#include <array>
#include <string>
#include <vector>

namespace isochrone::filters {

class Ranks;

/// Returns the minimum and maximum finite value on any rank; the minimum is larger if there is none.
/// Collective.
std::array<double, 2> valuesOf(const Ranks& ranks, vtkDataArray* array);

/// Returns warnings if no sample or every sample is a site, or if values are NaN. Collective.
/// @param owned  samples of this rank
std::vector<std::string> siteWarnings(const Ranks& ranks, const SiteArray& array,
                                      const DistanceProblem& problem, distance::Region region,
                                      const Extent& owned);

} // namespace isochrone::filters
