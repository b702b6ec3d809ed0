// TensorBridge.h - converts tensor arrays to matrices along the axes of an image.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDoubleArray;

namespace isochrone::filters {

class ImageFrame;

/// Returns the matrix of 6 (VTK order) or 9 components; 3 and 4 components fill its upper left block.
image::Matrix3 matrixOf(const std::array<double, 9>& tuple, int components);

/// Returns six numbers per tuple, or three in a plane, in the order of image::SpeedType. Input tensors with 6
/// (VTK order) or 9 components are along the world axes; those with 3 (xx yy xy) or 4 components are along
/// the axes of a planar image. In a plane a world tensor gives the times of paths within the plane.
/// @param nameOf  name of the point or cell with a number, for messages
/// @throws Error on a wrong number of components and on tensors that are not symmetric
std::vector<float> tensorsAlong(const ImageFrame& frame, vtkDataArray* array, image::SpeedType type,
                                const std::function<std::string(std::int64_t)>& nameOf);

/// Makes an array of derivatives with respect to tensors at points, with components like those of the input
/// array, along the same axes. Of 9 or 4 components each stands for itself; of 6 or 3 those off the diagonal
/// stand for two equal elements.
/// @param input        the tuples at the points, or another array with tuples whose mean they are
/// @param derivatives  with respect to the numbers of tensorsAlong
vtkSmartPointer<vtkDoubleArray> tensorDerivatives(const ImageFrame& frame, vtkDataArray* input,
                                                  bool isOfPoints, image::SpeedType type,
                                                  std::span<const double> derivatives);

} // namespace isochrone::filters
