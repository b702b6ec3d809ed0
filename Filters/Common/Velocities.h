// Velocities.h - converts arrays of velocities to the axes of an image.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

class vtkDataArray;

namespace isochrone::filters {

class ImageFrame;

struct Velocities {
  std::vector<float> values; ///< per tuple along the axes of the image: 2 numbers in a plane, else 3
  double largest = 0;        ///< maximum speed, in a plane along it
  double across = 0;         ///< maximum speed out of the plane
  std::int64_t largestAt = 0, acrossAt = 0; ///< their tuples
};

/// Returns the velocities of an array with 3 components along the axes of the world, or 2 along the world
/// axes that a plane image spans.
/// @param isIgnored  isIgnored(n): whether tuple n does not count for the maxima, as in a wall
/// @throws Error on other numbers of components
Velocities velocitiesAlong(const ImageFrame& frame, vtkDataArray* array,
                           const std::function<bool(std::int64_t)>& isIgnored);

/// Returns a warning about a drift out of the plane of an image, which is ignored; empty if there is none but
/// for rounding.
/// @param speed  speeds far below it are rounding
std::string driftOutOfPlane(const Velocities& drift, double speed, const ImageFrame& frame);

} // namespace isochrone::filters
