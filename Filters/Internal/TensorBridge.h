// TensorBridge.h - from an array of tensors in the world to those along the axes of an image.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vector>

class vtkDataArray;

namespace isochrone::filters {

class ImageFrame;

/// Six numbers a point, of a plane three, as image::SpeedType says. Tensors of 6 (VTK order) or 9 components
/// are along the axes of the world; those of 3 (xx yy xy) or 4 along the axes of a plane image. In the plane
/// a tensor of the world gives the times of the ways in the plane.
/// @throws Error on a wrong number of components and on tensors that are not symmetric
std::vector<float> tensorsAlong(const ImageFrame& frame, vtkDataArray* array, image::SpeedType type);

} // namespace isochrone::filters
