#include "RayTracing/Probabilities.h"

#include "Common/Fields.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace isochrone::filters {

namespace {

bool reachesAny(const rays::PathProbability& paths) {
  return std::ranges::any_of(paths.expectedTime, [](double time) { return std::isfinite(time); });
}

/// Adds the mean of the probabilities of some fields.
void attachMean(const std::string& name, std::span<const rays::PathProbability* const> fields,
                vtkImageData* image) {
  const auto points = std::size_t(image->GetNumberOfPoints());
  auto array = named<vtkDoubleArray>(name.c_str(), vtkIdType(points));
  for (std::size_t p = 0; p < points; ++p) {
    double sum = 0;
    for (const rays::PathProbability* field : fields) sum += field->probability[p];
    array->SetValue(vtkIdType(p), fields.empty() ? 0 : sum / double(fields.size()));
  }
  image->GetPointData()->AddArray(array);
}

} // namespace

bool RayProbabilities::update(const RayRun& run, const std::vector<rays::Position>& receivers,
                              double temperature, const Monitor& monitor) {
  if (!all.empty() && knownReceivers == receivers && knownTemperature == temperature) return true;
  all.clear();
  const std::vector<std::size_t> fields = fieldsOf(run);
  const double share = 1 / double(fields.size());
  for (const std::size_t f : fields) {
    all.push_back(rays::pathProbability(run.input.problem, run.options, run.result.fields[f],
                                        sourcesOf(run, f), receivers, temperature,
                                        monitor.part(double(f) * share, share)));
    if (!all.back().probability.empty()) continue;
    all.clear();
    return false;
  }
  knownReceivers = receivers, knownTemperature = temperature;
  return true;
}

void RayProbabilities::attach(std::span<const std::size_t> fields, bool each, vtkImageData* image) const {
  std::vector<const rays::PathProbability*> reaching;
  for (const std::size_t f : fields)
    if (reachesAny(all[f])) reaching.push_back(&all[f]);
  attachMean("PathProbability", reaching, image);
  for (std::size_t f = 0; each && f < fields.size(); ++f) {
    const rays::PathProbability* const one = &all[fields[f]];
    attachMean("PathProbability" + std::to_string(f), {&one, 1}, image);
  }
}

void RayProbabilities::attachExpectedTimes(std::span<const std::size_t> fields,
                                           const std::vector<Path>& paths, const TimeOrigin& origin,
                                           vtkPolyData* lines) const {
  auto times = named<vtkDoubleArray>("ExpectedTravelTime");
  for (std::size_t p = 0; p < paths.size(); ++p)
    if (const std::size_t receivers = knownReceivers.size(); paths[p].size() > 0)
      times->InsertNextValue(origin.absolute(all[fields[p / receivers]].expectedTime[p % receivers]));
  lines->GetCellData()->AddArray(times);
}

} // namespace isochrone::filters
