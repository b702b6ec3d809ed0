// FilterInputs.h - the datasets that arrive at a filter.
#pragma once

#include <vtkType.h>

#include <string>

class vtkDataObject;
class vtkImageData;

namespace isochrone::filters {

/// @param needed  as in "one 2D image"
/// @throws Error, with the remedy, if the data is no image, or its marks of hidden points or cells do not fit
vtkImageData* requireImage(vtkDataObject* data, const std::string& role, const std::string& needed);

/// When the newest point or cell array was made; ParaView renews the dataset around the arrays at every
/// update.
vtkMTimeType timeOfArrays(vtkDataObject* data);

} // namespace isochrone::filters
