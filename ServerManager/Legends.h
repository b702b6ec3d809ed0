// Legends.h - titles of ParaView's colour legends.
#pragma once

class vtkSMProxy;

namespace isochrone::display {

/// Sets the title of a legend to the quantity and unit of the array that it shows, if a filter computes that
/// array. A title that the user wrote is kept.
/// @param legend  proxy of a scalar bar, with its lookup table
void setLegendTitle(vtkSMProxy* legend);

} // namespace isochrone::display
