// Quantities.h - titles, units and colour maps of the arrays that the filters compute.
#pragma once

#include <string>

class vtkPVDataInformation;

namespace isochrone::filters {

/// Field data arrays of one string with the units of times and lengths. Filters set them in their outputs,
/// and pass them on from their inputs.
inline constexpr const char *timeUnitArray = "TimeUnit", *lengthUnitArray = "LengthUnit";

/// Returns the title of the legend of an array, with the unit that the field data give, as in
/// "Travel time (ms)". Empty if no filter computes an array of that name.
std::string legendTitle(const std::string& array, vtkPVDataInformation* data);

/// Returns the colour maps of the arrays in the format of ParaView's settings (vtkSMSettings).
std::string colourMapSettings();

} // namespace isochrone::filters
