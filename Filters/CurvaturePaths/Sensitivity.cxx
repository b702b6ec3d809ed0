#include "CurvaturePaths/Sensitivity.h"

#include "Common/Fields.h"
#include "Common/Sensitivities.h"

#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>

#include <algorithm>

namespace isochrone::filters {

namespace {

vtkSmartPointer<vtkDoubleArray> summedOverHeadings(const char* name, const Values<double>& perState,
                                                   vtkIdType points) {
  auto array = named<vtkDoubleArray>(name, points);
  double* sum = array->GetPointer(0);
  std::fill_n(sum, points, 0.0);
  for (std::size_t n = 0; n < perState.size(); ++n) sum[n % std::size_t(points)] += perState[n];
  return array;
}

} // namespace

void attachSensitivities(const curvature::Sensitivities& s, const TimeOrigin& origin, vtkImageData* plane,
                         vtkImageData* stateSpace) {
  const auto attach = [&](const char* name, const Values<double>& perState) {
    if (perState.empty()) return;
    plane->GetPointData()->AddArray(summedOverHeadings(name, perState, plane->GetNumberOfPoints()));
    if (stateSpace->GetNumberOfPoints() == 0) return;
    auto array = named<vtkDoubleArray>(name, vtkIdType(perState.size()));
    std::copy(perState.begin(), perState.end(), array->GetPointer(0));
    stateSpace->GetPointData()->AddArray(array);
  };
  attach("CostSensitivity", s.cost);
  attach("TurningRadiusSensitivity", s.turningRadius);
  attach("RightTurningRadiusSensitivity", s.rightTurningRadius);
  attach("CurvatureShiftSensitivity", s.curvatureShift);
  attachObjective(s.objective, s.startValue, s.lostWeight, origin, plane);
}

} // namespace isochrone::filters
