// TensorRows.h - the rows of the Jacobian for tensors.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Sensitivity/JacobianRows.h"

namespace isochrone::image {

/// Returns the derivatives of the times of points with respect to a factor on the slowness of each point in
/// all directions. Returns nothing if the monitor requested a stop.
/// @param points      each once
/// @param lostWeight  of all points, each with weight 1
std::vector<JacobianRow> tensorRows(SolverInput& input, std::span<const float> travelTime,
                                    std::span<const std::int64_t> points, const SensitivityOptions& options,
                                    const Monitor& monitor, double& lostWeight);

} // namespace isochrone::image
