// FactoredReference.h - first-order travel times in double, also with source factoring: simple sweeps over
// all points until nothing changes. Shares no code with the solver.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <span>
#include <vector>

namespace isochrone::reference {

/// Returns travel times, +infinity if unreached. No barrier may lie beside a seed between points.
/// @param slowness  per point, +infinity in barriers; in place of the speed of the problem
/// @param radius    per point seed, that of its factoring ball; empty: no factoring
/// @param isMultiplicative  whether factoring is; else it is additive
std::vector<double> sweepFactored(const image::Problem& problem, std::span<const double> slowness,
                                  std::span<const double> radius, bool isMultiplicative = false);

} // namespace isochrone::reference
