// Quantities.h - titles, units and colour maps of the arrays that the filters compute.
#pragma once

#include <string>

class vtkPVDataInformation;

namespace isochrone::display {

/// Returns the title of the legend of an array, with the unit that the field data give, as in
/// "Travel time (ms)". Empty if no filter computes an array of that name.
std::string legendTitle(const std::string& array, vtkPVDataInformation* data);

/// Returns the colour maps of the arrays in the format of ParaView's settings (vtkSMSettings).
/// @param preset  name of the map among ParaView's presets
std::string colourMapSettings(const std::string& preset);

} // namespace isochrone::display
