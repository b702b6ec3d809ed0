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

/// Values of the site array at sites that this rank does not have.
struct ForeignValues {
  std::vector<std::int64_t> sites; ///< ascending, in the whole image
  vtkSmartPointer<vtkDataArray> values;
};

/// Makes the arrays. Where no site is reached, Distance and SquaredDistance are NaN, Reached is 0 and
/// NearestSite is -1. NearestSite is the sample index in the whole image.
/// @param part  numbering of the sites in the result
DistanceArrays arraysOf(const std::shared_ptr<const distance::Result>& result, const Part& part, int threads);

/// Returns the values of `array` at the nearest sites, 0 if there is none. Sites keep their own value, even
/// if their distance is measured to points that are not sites.
/// @param foreign  null: the sites in the result are numbers of samples of this rank; else they are numbers
/// in
///                 the whole image
vtkSmartPointer<vtkDataArray> nearestLabels(vtkDataArray* array, std::span<const std::uint8_t> isSite,
                                            const distance::Result& result, const Part& part,
                                            const ForeignValues* foreign, int threads);

/// Hides the unreached samples, in addition to those already hidden.
void blankUnreachedSamples(vtkDataArray* reached, bool onCells, vtkImageData* out);

} // namespace isochrone::filters
