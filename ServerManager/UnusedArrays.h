// UnusedArrays.h - a warning about a filter that runs without an array although its input has some.
#pragma once

class vtkSMProxy;

namespace isochrone::display {

/// Warns, the first time that a filter has run, if it does not use the arrays of its input because a new
/// filter chose none. A choice of the user, of an array or of none, gives no warning.
/// @param name  property of the speed, velocity or cost
void warnOfUnusedArrays(vtkSMProxy* filter, const char* name);

} // namespace isochrone::display
