// SecondOrderReference.h - travel times of second order in double, also with source factoring.
// Shares no code with the solver.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <span>
#include <vector>

namespace isochrone::reference {

/// Refines first order times in double.
/// @param slowness  per point, +infinity in barriers; in place of the speed of the problem
/// @param first     first order times with this slowness
/// @param sides     those of the problem, which determine the sides of the differences and the order
/// @param kept      per point, whether it keeps its first order time
/// @param radius    per seed, that of its factoring ball; empty: no factoring
/// @param isMultiplicative  whether factoring is, from all seeds; else it is additive
std::vector<double> refine(const image::Problem& problem, std::span<const double> slowness,
                           std::span<const double> first, std::span<const float> sides,
                           std::span<const std::uint8_t> kept, std::span<const double> radius,
                           bool isMultiplicative = false);

} // namespace isochrone::reference
