// Outputs.h - results of the distance solver as arrays of the output image.
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

/// Null where the solver was not asked.
struct DistanceArrays {
  vtkSmartPointer<vtkDataArray> distance, squaredDistance, nearestSite, reached;
};

/// Distance and SquaredDistance are NaN where no site is reached, Reached 0 and NearestSite -1. NearestSite
/// counts the samples of the whole image.
DistanceArrays arraysOf(const std::shared_ptr<const distance::Result>& result, const Part& part, int threads);

/// The values of `array` at the nearest sites, 0 where there is none. Sites keep their own, also where their
/// distance is measured to the points of the other kind.
vtkSmartPointer<vtkDataArray> nearestLabels(vtkDataArray* array, std::span<const std::uint8_t> isSite,
                                            const distance::Result& result, int threads);

/// Hides the samples that are not reached, in addition to those hidden already.
void blankUnreachedSamples(vtkDataArray* reached, bool onCells, vtkImageData* out);

} // namespace isochrone::filters
