#include "CurvaturePaths/Sensitivity.h"

#include "Common/Fields.h"
#include "Common/States.h"
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

double at(const curvature::Field& field, std::size_t n) {
  return field.values.empty() ? field.constant : field.values[n % field.values.size()];
}

/// Over ground the cost is that per time, as often as the time that a unit of length takes.
void toCostPerTime(Values<double>& cost, const CurvatureProblem& asked, const curvature::Problem& solved) {
  for (std::size_t n = 0; n < cost.size(); ++n)
    if (cost[n] != 0) cost[n] *= at(solved.cost, n) / at(asked.problem.cost, n);
}

/// A state turns at rates that are an affine function of those of the vehicle, gain * kappa + the turning of
/// the drift, with gain 1 where there is none. Their range is 2 / radius wide and has its middle at the
/// shift; that of the vehicle reaches from -1 / right to 1 / left, both plus the shift that the user set.
void toRadiiOfVehicle(CurvatureSensitivities& s, const CurvatureProblem& asked,
                      const curvature::Problem& solved) {
  const bool sided = asked.rightRadius > 0;
  if (sided) s.rightTurningRadius.resize(s.turningRadius.size());
  for (std::size_t n = 0; n < s.turningRadius.size(); ++n) {
    const double radius = at(solved.turningRadius, n);
    const double left = asked.vehicle ? asked.vehicle->leftRadius
                        : sided       ? 1 / (2 / radius - 1 / asked.rightRadius)
                                      : radius;
    const double right = sided ? asked.rightRadius : left;
    const double width = 1 / left + 1 / right, gain = 2 / (width * radius);
    double wider = -s.turningRadius[n] * radius / width; // dJ for 1 / left and 1 / right alike
    if (asked.vehicle) wider -= s.balancedRadius[n] * 2 / (width * width); // balancedRadius = 2 / width
    const double later = s.curvatureShift[n] * gain / 2;                   // and of opposite sign
    s.curvatureShift[n] *= gain;
    s.turningRadius[n] = -(sided ? wider + later : 2 * wider) / (left * left);
    if (sided) s.rightTurningRadius[n] = -(wider - later) / (right * right);
  }
}

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

CurvatureSensitivities asAsked(curvature::Sensitivities&& ofSolved, const CurvatureProblem& asked,
                               const curvature::Problem& solved) {
  CurvatureSensitivities out{std::move(ofSolved), {}};
  if (asked.vehicle) toCostPerTime(out.cost, asked, solved);
  if (asked.vehicle || asked.rightRadius > 0) toRadiiOfVehicle(out, asked, solved);
  return out;
}

std::string lostWeight(const CurvatureSensitivities& s) {
  if (s.lostWeight == 0) return {};
  std::ostringstream text;
  text << "of the weights of the tips " << s.lostWeight
       << " reach no seed, and the sensitivities lack what they would bring: single precision does not tell "
          "travel times on the way apart; make the cost less different from place to place";
  return text.str();
}

void attachSensitivities(const CurvatureSensitivities& s, const TimeOrigin& origin, vtkImageData* plane,
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
  // The derivatives of all start values together are the weights of the tips that are reached.
  double weights = 0;
  for (const double derivative : s.startValue) weights += derivative;
  objective->SetValue(0, s.objective + (origin.time() == 0 ? 0 : weights * origin.time()));
  std::copy(s.startValue.begin(), s.startValue.end(), startValue->GetPointer(0));
  plane->GetFieldData()->AddArray(objective);
  plane->GetFieldData()->AddArray(startValue);
}

} // namespace isochrone::filters
