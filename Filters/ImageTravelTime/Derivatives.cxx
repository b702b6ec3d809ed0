#include "ImageTravelTime/Derivatives.h"

#include "Common/Fields.h"
#include "Common/MatrixTable.h"
#include "Common/SeedsAndTips.h"
#include "Common/Sensitivities.h"
#include "Common/TensorBridge.h"

#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkTable.h>

#include <algorithm>
#include <span>

namespace isochrone::filters {

namespace {

image::SensitivityOptions optionsOf(const image::Options& options, std::span<const float> firstOrder = {}) {
  image::SensitivityOptions o;
  o.backend = options.backend;
  o.factoring = options.factoring;
  o.order = options.order;
  o.threads = options.threads;
  o.firstOrder = firstOrder;
  return o;
}

image::SensitivityOptions optionsOf(const ImageTravelTimeRun& field) {
  return optionsOf(field.options, field.result.firstOrder);
}

} // namespace

void requireDifferentiable(const image::Problem& problem, const image::Options& options) {
  image::requireDifferentiable(problem, optionsOf(options));
}

bool ImageDerivatives::differentiate(const ImageTravelTimeRun& field, const Places& tips,
                                     const Monitor& monitor, std::string& warning) {
  const std::vector<double> weights = weightsOf(tips);
  if (sum && sameBytes<image::Position>(sum->tips, tips.positions) &&
      sameBytes<double>(sum->weights, weights))
    return true;
  sum.reset(); // frees their memory
  std::vector<image::WeightedTip> weighted;
  for (std::size_t t = 0; t < tips.size(); ++t) weighted.push_back({tips.positions[t], weights[t]});
  image::Sensitivities found =
      image::differentiate(field.input.problem, field.result.travelTime, weighted, optionsOf(field), monitor);
  if (found.aborted) return false;
  warning = lostWeight(found.lostWeight, "speed");
  sum = {tips.positions, weights, std::move(found)};
  return true;
}

bool ImageDerivatives::differentiateEach(const ImageTravelTimeRun& field, const Places& tips,
                                         const Monitor& monitor, std::string& warning) {
  if (each && sameBytes<image::Position>(each->tips, tips.positions)) return true;
  each.reset();
  image::Jacobian found = image::differentiateEach(field.input.problem, field.result.travelTime,
                                                   tips.positions, optionsOf(field), monitor);
  if (found.aborted) return false;
  warning = lostWeight(found.lostWeight, "speed");
  each = {tips.positions, {}, std::move(found)};
  return true;
}

void ImageDerivatives::attachSensitivity(const ImageTravelTimeRun& field, const ImageFrame& frame,
                                         vtkDataArray* tensors, vtkImageData* out) const {
  const Values<double>& values = sum->result.speed;
  const image::Problem& problem = field.input.problem;
  if (tensors) {
    const bool isOfPoints = tensors->GetNumberOfTuples() == problem.grid.points();
    out->GetPointData()->AddArray(tensorDerivatives(frame, tensors, isOfPoints, problem.speedType, values));
    return;
  }
  const bool slowness = problem.speedType == image::SpeedType::Slowness;
  auto array =
      named<vtkDoubleArray>(slowness ? "SlownessSensitivity" : "SpeedSensitivity", vtkIdType(values.size()));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  out->GetPointData()->AddArray(array);
}

void ImageDerivatives::attachObjective(const ImageTravelTimeRun& field, vtkDataObject* out) const {
  const image::Sensitivities& s = sum->result;
  filters::attachObjective(s.objective, s.startValue, s.lostWeight, field.input.origin, out);
}

vtkSmartPointer<vtkTable> ImageDerivatives::table(const ImageTravelTimeRun& field,
                                                  const Places& seeds) const {
  requireTableMemory(each->result.matrix);
  MatrixTable table("TipId", "SeedId");
  vtkIdType row = 0;
  for (std::size_t t = 0; t < each->tips.size(); ++t) {
    const std::int64_t point = each->result.tips[t].point;
    if (point < 0) continue;
    const auto& ids = field.result.seed; // empty if there is only one seed
    const auto seed = std::size_t(ids.empty() ? 0 : ids[std::size_t(point)]);
    table.append(each->result.matrix, t, row++, seeds.labels[seed]);
  }
  return table.table();
}

} // namespace isochrone::filters
