#include "Common/Sensitivities.h"

#include "Common/Fields.h"
#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"
#include "Error.h"

#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace isochrone::filters {

std::vector<double> weightsOf(const Places& tips) {
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

std::string lostWeight(double weight, const std::string& medium) {
  if (weight == 0) return {};
  std::ostringstream text;
  text << "of the weights of the tips " << weight
       << " do not reach a seed, so their part of the sensitivities is missing: single precision does not "
          "resolve the travel times along their paths; reduce the range of the "
       << medium;
  return text.str();
}

void attachObjective(double objective, const std::vector<double>& startValue, double lostWeight,
                     const TimeOrigin& origin, vtkDataObject* out) {
  auto sum = named<vtkDoubleArray>("Objective", 1),
       starts = named<vtkDoubleArray>("StartValueSensitivity", vtkIdType(startValue.size()));
  // The derivatives with respect to the start values add up to the weights of the reached tips.
  double weights = lostWeight;
  for (const double derivative : startValue) weights += derivative;
  sum->SetValue(0, objective + (origin.time() == 0 ? 0 : weights * origin.time()));
  std::copy(startValue.begin(), startValue.end(), starts->GetPointer(0));
  out->GetFieldData()->AddArray(sum);
  out->GetFieldData()->AddArray(starts);
}

} // namespace isochrone::filters
