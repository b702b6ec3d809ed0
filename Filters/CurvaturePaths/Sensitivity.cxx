#include "CurvaturePaths/Sensitivity.h"

#include "Common/Fields.h"
#include "CurvaturePaths/States.h"
#include "Error.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <sstream>

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

std::vector<double> weightsOf(const States& tips) {
  const std::vector<double> weights = valuesOr(tips.points, "Weight", [](std::int64_t) { return 1.0; });
  const Faults faults = faultsOf(tips, "tip", [&](std::size_t tip) -> std::string {
    if (std::isfinite(weights[tip])) return {};
    std::ostringstream text;
    text << "has the weight " << weights[tip];
    return text.str();
  });
  if (faults.count > 0)
    throw Error("the weights of tips must be finite: " + faults.list + ": correct their point array Weight");
  return weights;
}

std::string lostWeight(const curvature::Sensitivities& s) {
  if (s.lostWeight == 0) return {};
  std::ostringstream text;
  text << "of the weights of the tips " << s.lostWeight
       << " do not reach a seed, so their part of the sensitivities is missing: single precision does not "
          "resolve the travel times along their paths; reduce the range of the cost";
  return text.str();
}

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
  auto objective = named<vtkDoubleArray>("Objective", 1),
       startValue = named<vtkDoubleArray>("StartValueSensitivity", vtkIdType(s.startValue.size()));
  // The derivatives with respect to the start values add up to the weights of the reached tips.
  double weights = 0;
  for (const double derivative : s.startValue) weights += derivative;
  objective->SetValue(0, s.objective + (origin.time() == 0 ? 0 : weights * origin.time()));
  std::copy(s.startValue.begin(), s.startValue.end(), startValue->GetPointer(0));
  plane->GetFieldData()->AddArray(objective);
  plane->GetFieldData()->AddArray(startValue);
}

} // namespace isochrone::filters
