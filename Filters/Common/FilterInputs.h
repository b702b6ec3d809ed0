// FilterInputs.h - checks of the input datasets of a filter.
#pragma once

#include <vtkType.h>

#include <string>

class vtkDataObject;
class vtkImageData;

namespace isochrone::filters {

/// Returns the data as an image.
/// @param needed  as in "one 2D image"
/// @throws Error, with the remedy, if the data is not an image or its ghost arrays have the wrong length
vtkImageData* requireImage(vtkDataObject* data, const std::string& role, const std::string& needed);

/// Returns the modification time of the newest point or cell array. ParaView recreates the dataset around the
/// arrays at every update.
vtkMTimeType timeOfArrays(vtkDataObject* data);

} // namespace isochrone::filters
