// SiteWarnings.h - what the user should know about the sites, from all ranks.
#pragma once

#include "DistanceTransform/Problem.h"

#include <array>
#include <string>
#include <vector>

namespace isochrone::filters {

class Ranks;

/// Least and greatest finite value on any rank; the first is the larger one if there is no value. Collective.
std::array<double, 2> valuesOf(const Ranks& ranks, vtkDataArray* array);

/// No site, nothing but sites, values that are NaN. Collective.
/// @param owned  samples that this rank keeps
std::vector<std::string> siteWarnings(const Ranks& ranks, const SiteArray& array,
                                      const DistanceProblem& problem, distance::Region region,
                                      const Extent& owned);

} // namespace isochrone::filters
