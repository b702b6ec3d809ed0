// Sensitivities.h - what the derivatives of the travel times of tips have in common.
#pragma once

#include <string>
#include <vector>

class vtkDataObject;

namespace isochrone::filters {

struct Places;
class TimeOrigin;

/// Returns the weights of the tips, their point array Weight; the default is 1.
/// @throws Error if a weight is not finite
std::vector<double> weightsOf(const Places& tips);

/// Returns a warning about the sum of the weights that reach no seed; empty if it is 0.
/// @param medium  whose range should be smaller, as in "cost"
std::string lostWeight(double weight, const std::string& medium);

/// Adds Objective and StartValueSensitivity (per seed) to the field data.
/// @param objective  relative to the origin of the travel times
void attachObjective(double objective, const std::vector<double>& startValue, double lostWeight,
                     const TimeOrigin& origin, vtkDataObject* out);

} // namespace isochrone::filters
