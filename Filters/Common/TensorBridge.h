// TensorBridge.h - tensors of arrays as matrices, and from those in the world to those along the axes of an
// image.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <vector>

class vtkDataArray;

namespace isochrone::filters {

class ImageFrame;

using Matrix3 = std::array<std::array<double, 3>, 3>;

/// From 6 (VTK order) or 9 components; 3 and 4 fill its upper left block.
Matrix3 matrixOf(const std::array<double, 9>& tuple, int components);

/// But for rounding. NaN is: it marks a barrier.
bool isSymmetric(const Matrix3& m);

/// Six numbers a point, of a plane three, as image::SpeedType says. Tensors of 6 (VTK order) or 9 components
/// are along the axes of the world; those of 3 (xx yy xy) or 4 along the axes of a plane image. In the plane
/// a tensor of the world gives the times of the ways in the plane.
/// @throws Error on a wrong number of components and on tensors that are not symmetric
std::vector<float> tensorsAlong(const ImageFrame& frame, vtkDataArray* array, image::SpeedType type);

} // namespace isochrone::filters
