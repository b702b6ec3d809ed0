// SensitivityReference.h - a second discrete adjoint, simple and slow: states sorted by travel time, masses
// in double, one scheme per state.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <span>
#include <utility>
#include <vector>

namespace isochrone::reference {

/// Derivatives of the sum of mass * travelTime(state).
struct Adjoint {
  std::vector<double> cost;
  std::vector<double> arrived; ///< per state: the mass that ends there; nonzero at seeds
};

/// @param travelTime  result of march()
Adjoint adjoint(const curvature::Problem& problem, std::span<const double> travelTime,
                std::span<const std::pair<std::int64_t, double>> masses);

} // namespace isochrone::reference
