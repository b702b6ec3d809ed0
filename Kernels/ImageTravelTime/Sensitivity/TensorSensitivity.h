// TensorSensitivity.h - differentiate() for tensors.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"

namespace isochrone::image {

/// Sets the derivatives of a result whose tips are placed and whose backend is chosen, and its objective.
/// @param masses  by point
void differentiateTensors(SolverInput& input, std::span<const float> travelTime,
                          std::vector<PointMass> masses, const SensitivityOptions& options,
                          const Monitor& monitor, Sensitivities& result);

/// Returns the device memory that this takes, or tooManyForDevice.
std::size_t tensorAdjointBytes(const SolverInput& input);

} // namespace isochrone::image
