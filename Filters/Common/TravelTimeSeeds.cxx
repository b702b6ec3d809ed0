#include "Common/TravelTimeSeeds.h"

#include "Common/Fields.h"
#include "Error.h"

#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>

#include <cmath>
#include <limits>

namespace isochrone::filters {

namespace {

constexpr std::array components{"X", "Y", "Z", "StartValue", "Slowness", "BallRadius", "Label"};

/// Returns the reason why a seed is none; empty if it is one.
std::string faultOf(const std::array<double, components.size()>& seed) {
  using Limits = std::numeric_limits<std::int32_t>;
  for (std::size_t c = 0; c < 4; ++c)
    if (!std::isfinite(seed[c])) return std::string(components[c]) + " is " + text(seed[c]);
  if (!std::isnan(seed[4]) && !(seed[4] > 0 && std::isfinite(seed[4]))) return "Slowness is " + text(seed[4]);
  if (!(seed[5] >= 0 && std::isfinite(seed[5]))) return "BallRadius is " + text(seed[5]);
  if (!(seed[6] >= Limits::min() && seed[6] <= Limits::max() && seed[6] == std::floor(seed[6])))
    return "Label is " + text(seed[6]);
  return {};
}

std::string seedsName(const std::string& travelTime) { return travelTime + "Seeds"; }

} // namespace

void attachSeedsOf(const std::string& travelTime, std::span<const TravelTimeSeed> seeds, vtkDataObject* out) {
  const auto array = named<vtkDoubleArray>(seedsName(travelTime).c_str(), 0, int(components.size()));
  for (std::size_t c = 0; c < components.size(); ++c) array->SetComponentName(vtkIdType(c), components[c]);
  for (const TravelTimeSeed& seed : seeds) {
    const double tuple[] = {seed.at[0],    seed.at[1],  seed.at[2],        seed.startValue,
                            seed.slowness, seed.radius, double(seed.label)};
    array->InsertNextTuple(tuple);
  }
  out->GetFieldData()->AddArray(array);
}

void removeSeedsOf(const std::string& travelTime, vtkDataObject* out) {
  out->GetFieldData()->RemoveArray(seedsName(travelTime).c_str());
}

bool hasSeedsOf(const std::string& travelTime, vtkDataObject* data) {
  return data->GetFieldData()->GetAbstractArray(seedsName(travelTime).c_str()) != nullptr;
}

std::vector<TravelTimeSeed> seedsOf(const std::string& travelTime, vtkDataObject* data) {
  const std::string name = seedsName(travelTime);
  vtkAbstractArray* const found = data->GetFieldData()->GetAbstractArray(name.c_str());
  if (!found)
    fail("the input has no field data array '", name, "' with the seeds of '", travelTime,
         "': take both from the output of Isochrone Image Travel Time; after a filter that drops field data, "
         "pass it on with Append Attributes or a Programmable Filter");
  auto* const array = vtkDataArray::SafeDownCast(found);
  if (!array || array->GetNumberOfComponents() != int(components.size()) || array->GetNumberOfTuples() == 0)
    fail("the field data array '", name, "' has ", found->GetNumberOfTuples(), " tuples of ",
         found->GetNumberOfComponents(), array ? " numbers" : " words",
         ", but one tuple of 7 numbers per seed is needed: X, Y, Z, StartValue, Slowness, BallRadius, Label");
  std::vector<TravelTimeSeed> seeds;
  for (vtkIdType s = 0; s < array->GetNumberOfTuples(); ++s) {
    std::array<double, components.size()> t;
    array->GetTuple(s, t.data());
    if (const std::string fault = faultOf(t); !fault.empty())
      fail("the field data array '", name, "' is no list of seeds, ", fault, " in tuple ", s,
           ": take it from the output of Isochrone Image Travel Time");
    seeds.push_back({{t[0], t[1], t[2]}, t[3], t[4], t[5], std::int32_t(t[6])});
  }
  return seeds;
}

} // namespace isochrone::filters
