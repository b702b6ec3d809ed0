#include "DistanceTransform/Pieces.h"

#include "Common/ImageFrame.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"

#include <vtkAlgorithm.h>
#include <vtkImageData.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace isochrone::filters {

namespace {

/// Returns whether a class of algorithms is upstream of a filter's first port.
bool comesThrough(const char* algorithms, vtkAlgorithm* filter) {
  for (int c = 0; filter->GetNumberOfInputPorts() > 0 && c < filter->GetNumberOfInputConnections(0); ++c) {
    vtkAlgorithm* before = filter->GetInputAlgorithm(0, c);
    if (before && (before->IsA(algorithms) || comesThrough(algorithms, before))) return true;
  }
  return false;
}

} // namespace

std::optional<PiecePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                   vtkInformationVector* outputs, double maximumDistance) {
  vtkNew<vtkImageData> image;
  if (Ranks().count() == 1 || !(maximumDistance > 0) || !announced(input, image)) return {};
  if (comesThrough("vtkResampleToImage", filter)) return {};
  PiecePlan plan;
  image->GetExtent(plan.whole.data());
  plan.owned = requestedExtent(request, outputs, 0, plan.whole);
  if (empty(plan.owned) || !contains(plan.whole, plan.owned)) return {};
  plan.needed = plan.owned;
  for (int a = 0; a < 3; ++a) {
    const int size = plan.whole[2 * a + 1] - plan.whole[2 * a] + 1;
    // One layer more than the distance requires: a tip may lie between two pieces, and no piece may be a
    // single layer.
    const double layers = maximumDistance / std::abs(image->GetSpacing()[a]) + 2;
    const int more = layers < size ? int(layers) : size;
    plan.needed[2 * a] = std::max(plan.needed[2 * a] - more, plan.whole[2 * a]);
    plan.needed[2 * a + 1] = std::min(plan.needed[2 * a + 1] + more, plan.whole[2 * a + 1]);
  }
  return plan;
}

bool ownsTip(const std::array<double, 3>& tip, const ImageFrame& frame, const Extent& whole,
             const Extent& owned) {
  std::int64_t sample = 0, row = 1;
  for (int a = 0; a < 3; ++a) {
    const double index = std::round(tip[a] / frame.spacing(a));
    if (!std::isfinite(index)) return false;
    sample += row * std::int64_t(std::clamp(index, 0.0, double(frame.size(a) - 1)));
    row *= frame.size(a);
  }
  const auto [i, j, k] = indexOf(sample, whole);
  return contains(owned, {i, i, j, j, k, k});
}

} // namespace isochrone::filters
