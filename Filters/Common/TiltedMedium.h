// TiltedMedium.h - the parameters of a tilted transversely isotropic medium, from arrays and settings.
#pragma once

#include "Common/ArrayBridge.h"
#include "Grid/ThomsenArrays.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

class vtkDataArray;
class vtkImageData;

namespace isochrone::filters {

class ImageFrame;

/// A parameter of a tilted medium: an array, or one value for all points.
struct TiltedParameter {
  ArrayChoice array;
  double constant = 0;
};

/// The parameters of a tilted medium beside the speed; angles in degrees.
struct TiltedSettings {
  TiltedParameter epsilon, delta, tilt, azimuth, shear;
};

/// The memory of a Thomsen.
struct TiltedMedium {
  std::vector<float> epsilon, delta, shear, axis;

  Thomsen arrays() const { return {epsilon, delta, axis, shear}; }
};

/// @param chosen  returns the array of a choice, with its role for messages
/// @param nameOf  returns the name of a point or cell
/// @throws Error on unsuitable arrays and infinite angles; the solver checks the other values
TiltedMedium tiltedMediumOf(const ImageFrame& frame, const TiltedSettings& settings,
                            const std::function<vtkDataArray*(const ArrayChoice&, const char*)>& chosen,
                            const std::function<std::string(std::int64_t)>& nameOf);

bool sameTilt(const Thomsen& a, const Thomsen& b);

} // namespace isochrone::filters
