// Outputs.h - converts results of the distance solver to arrays of the output image.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <span>

#include <cstdint>
#include <memory>
#include <vector>

class vtkDataArray;
class vtkDataSetAttributes;
class vtkImageData;

namespace isochrone::filters {

struct Part;

/// Null if not requested from the solver.
struct DistanceArrays {
  vtkSmartPointer<vtkDataArray> distance, squaredDistance, nearestSite, reached;
};

/// Makes the arrays. Where no site is reached, Distance and SquaredDistance are NaN, Reached is 0 and
/// NearestSite is -1. NearestSite is the sample index in the whole image.
DistanceArrays arraysOf(const std::shared_ptr<const distance::Result>& result, const Part& part, int threads);

/// Returns the values of `array` at the nearest sites, 0 if there is none. Sites keep their own value, even
/// if their distance is measured to points that are not sites.
vtkSmartPointer<vtkDataArray> nearestLabels(vtkDataArray* array, std::span<const std::uint8_t> isSite,
                                            const distance::Result& result, int threads);

/// Hides the unreached samples, in addition to those already hidden.
void blankUnreachedSamples(vtkDataArray* reached, bool onCells, vtkImageData* out);

} // namespace isochrone::filters
