#include "MeshTravelTime/Derivatives.h"

#include "Common/ArrayBridge.h"
#include "Common/Fields.h"
#include "Common/MatrixTable.h"
#include "Common/SeedsAndTips.h"
#include "Common/Sensitivities.h"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkPointData.h>
#include <vtkTable.h>

#include <algorithm>

namespace isochrone::filters {

namespace {

const char* nameOf(const mesh::Problem& problem, int components) {
  switch (problem.speedType) {
  case mesh::SpeedType::Constant:
  case mesh::SpeedType::Scalar:
    break;
  case mesh::SpeedType::Fibres:
    if (components > 1) return "ConductionVelocitySensitivity";
    break;
  case mesh::SpeedType::Conductivities:
    if (components > 1) return "ConductivitySensitivity";
    break;
  case mesh::SpeedType::Tensor:
    return "TensorSensitivity";
  }
  return "SpeedSensitivity";
}

} // namespace

bool MeshDerivatives::differentiate(const mesh::Problem& problem, std::span<const float> travelTime,
                                    const Places& tips, const std::vector<MeshPlace>& places,
                                    const mesh::SensitivityOptions& options, const Monitor& monitor,
                                    std::string& warning) {
  const std::vector<double> weights = weightsOf(tips);
  if (sum && sameBytes<Position>(sum->tips, tips.positions) && sameBytes<double>(sum->weights, weights))
    return true;
  sum.reset(); // frees its memory
  const std::vector<mesh::Tip> located = tipsOf(problem, tips, places, travelTime);
  std::vector<mesh::WeightedTip> weighted;
  for (std::size_t t = 0; t < located.size(); ++t) weighted.push_back({located[t], weights[t]});
  mesh::Sensitivities found = mesh::differentiate(problem, travelTime, weighted, options, monitor);
  if (found.aborted) return false;
  warning = lostWeight(found.lostWeight, "speed");
  sum = {tips.positions, weights, std::move(found)};
  return true;
}

bool MeshDerivatives::differentiateEach(const mesh::Problem& problem, std::span<const float> travelTime,
                                        const Places& tips, const std::vector<MeshPlace>& places,
                                        const mesh::SensitivityOptions& options, const Monitor& monitor,
                                        std::string& warning) {
  if (each && sameBytes<Position>(each->tips, tips.positions)) return true;
  each.reset();
  mesh::Jacobian found = mesh::differentiateEach(problem, travelTime,
                                                 tipsOf(problem, tips, places, travelTime), options, monitor);
  if (found.aborted) return false;
  warning = lostWeight(found.lostWeight, "speed");
  each = {tips.positions, {}, std::move(found)};
  return true;
}

void MeshDerivatives::attach(const mesh::Problem& problem, const MeshSeeds& seeds, std::size_t seedPoints,
                             vtkDataSet* out) const {
  const mesh::Sensitivities& s = sum->result;
  auto array = named<vtkDoubleArray>(nameOf(problem, s.components), vtkIdType(s.medium.size()) / s.components,
                                     s.components);
  std::copy(s.medium.begin(), s.medium.end(), array->GetPointer(0));
  if (s.ofVertices)
    out->GetPointData()->AddArray(array);
  else
    out->GetCellData()->AddArray(array);
  std::vector<double> starts(seedPoints);
  for (std::size_t n = 0; n < s.startTime.size(); ++n) {
    starts.resize(std::max(starts.size(), seeds.points[n] + 1));
    starts[seeds.points[n]] += s.startTime[n];
  }
  attachObjective(s.objective, starts, s.lostWeight, seeds.origin, out);
}

vtkSmartPointer<vtkTable> MeshDerivatives::table(const MeshSeeds& seeds) const {
  const mesh::Jacobian& jacobian = each->result;
  requireTableMemory(jacobian.matrix);
  MatrixTable table("TipId", "SeedId");
  vtkIdType row = 0;
  for (std::size_t t = 0; t < jacobian.seed.size(); ++t)
    if (const std::int32_t seed = jacobian.seed[t];
        seed >= 0 ||
        jacobian.matrix.row[t] < jacobian.matrix.row[t + 1]) // also a lost weight has passed cells
      table.append(jacobian.matrix, t, row++, seed >= 0 ? seeds.labels[std::size_t(seed)] : -1);
  return table.table();
}

} // namespace isochrone::filters
