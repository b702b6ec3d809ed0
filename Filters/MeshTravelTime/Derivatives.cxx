#include "MeshTravelTime/Derivatives.h"

#include "Common/ArrayBridge.h"
#include "Common/Fields.h"
#include "Common/SeedsAndTips.h"
#include "Common/Sensitivities.h"
#include "Error.h"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkPointData.h>

#include <algorithm>
#include <limits>

namespace isochrone::filters {

namespace {

/// mesh::differentiate, with the remedy of this filter, which always unfolds.
mesh::Sensitivities sensitivities(const mesh::Problem& problem, std::span<const float> travelTime,
                                  std::span<const mesh::WeightedTip> tips, int threads,
                                  const Monitor& monitor) {
  try {
    return mesh::differentiate(problem, travelTime, tips, threads, monitor);
  } catch (const Error&) {
    if (!problem.unfolds) throw;
    mesh::Problem plain = problem;
    plain.unfolds = false;
    mesh::differentiate(plain, travelTime, {}, threads, monitor); // throws if there is another reason
    throw Error("sensitivities are not available on surfaces where obtuse angles of triangles are unfolded: "
                "remesh the surface without obtuse angles, or disable Compute Sensitivity");
  }
}

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

bool requireDifferentiable(const mesh::Problem& problem, int threads, const Monitor& monitor) {
  const std::vector<float> none(std::size_t(problem.vertexCount()), std::numeric_limits<float>::quiet_NaN());
  return !sensitivities(problem, none, {}, threads, monitor).aborted;
}

bool MeshDerivatives::differentiate(const mesh::Problem& problem, std::span<const float> travelTime,
                                    const Places& tips, const std::vector<MeshPlace>& places, int threads,
                                    const Monitor& monitor, std::string& warning) {
  const std::vector<double> weights = weightsOf(tips);
  if (known && sameBytes<Position>(known->tips, tips.positions) && sameBytes<double>(known->weights, weights))
    return true;
  known.reset(); // frees its memory
  const std::vector<mesh::Tip> located = tipsOf(problem, tips, places, travelTime);
  std::vector<mesh::WeightedTip> weighted;
  for (std::size_t t = 0; t < located.size(); ++t) weighted.push_back({located[t], weights[t]});
  mesh::Sensitivities found = sensitivities(problem, travelTime, weighted, threads, monitor);
  if (found.aborted) return false;
  warning = lostWeight(found.lostWeight, "speed");
  known = {tips.positions, weights, std::move(found)};
  return true;
}

void MeshDerivatives::attach(const mesh::Problem& problem, const MeshSeeds& seeds, std::size_t seedPoints,
                             vtkDataSet* out) const {
  const mesh::Sensitivities& s = known->result;
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

} // namespace isochrone::filters
