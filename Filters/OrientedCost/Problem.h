// Problem.h - builds the problem of a cost from an image and settings.
#pragma once

#include "Common/ArrayBridge.h"
#include "OrientedCost/OrientedCost.h"

#include <vector>

class vtkImageData;

namespace isochrone::filters {

class ImagePlane;

/// User settings, in the units of the panel.
struct OrientedCostSettings {
  ArrayChoice intensityArray, maskArray;
  int component = -1; ///< of the intensity array; -1: the mean of all
  oriented::Polarity polarity = oriented::Polarity::Bright;
  std::vector<double> widths; ///< world units; empty: 1.5, 2.5 and 4 times the spacing
  double length = 0;          ///< world units; NaN: 6 times the spacing
  int headings = 60;
  double halfStrength = 0, exponent = 0, floor = 0, ceiling = 0;
};

/// Returns the default length of the filters.
double defaultLength(const ImagePlane& plane);

/// A problem and the arrays that it points to. Moving keeps the spans of `problem` valid.
struct OrientedCostProblem {
  OrientedCostProblem() = default;
  OrientedCostProblem(OrientedCostProblem&&) = default;
  OrientedCostProblem& operator=(OrientedCostProblem&&) = default;

  oriented::Problem problem;
  std::vector<float> intensity;
  std::vector<std::uint8_t> outside;
};

oriented::Problem problemWithoutArrays(const ImagePlane& plane, const OrientedCostSettings& settings);

/// @param image  the part of the plane that `part` gives
/// @throws Error on unsuitable arrays; the solver checks their values
OrientedCostProblem makeProblem(vtkImageData* image, const ImagePlane& plane, const oriented::Part& part,
                                const OrientedCostSettings& settings);

/// Returns whether both have the same solution. Compares contents.
bool same(const oriented::Problem& a, const oriented::Problem& b);

} // namespace isochrone::filters
