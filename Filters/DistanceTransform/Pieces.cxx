#include "DistanceTransform/Pieces.h"

#include "Common/ImageFrame.h"

#include <vtkImageData.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace isochrone::filters {

std::optional<PiecePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                   vtkInformationVector* outputs, double maximumDistance) {
  vtkNew<vtkImageData> image;
  if (!(maximumDistance > 0) || !announcedInPieces(filter, input, image)) return {};
  Extent whole;
  image->GetExtent(whole.data());
  // One layer more than the distance requires: a tip may lie between two pieces, and no piece may be a single
  // layer.
  std::array<double, 3> layers;
  for (int a = 0; a < 3; ++a) layers[a] = maximumDistance / std::abs(image->GetSpacing()[a]) + 2;
  return planPiece(whole, requestedExtent(request, outputs, 0, whole), layers);
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
