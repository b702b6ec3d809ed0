#include "DistanceTransform/Pieces.h"

#include "Common/GridParts.h"
#include "Common/ImageFrame.h"
#include "Common/Ranks.h"

#include <vtkImageData.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace isochrone::filters {

std::optional<DistancePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                      vtkInformationVector* outputs, double maximumDistance, bool canShare) {
  vtkNew<vtkImageData> image;
  const int ranks = Ranks().count();
  if (!announcedInPieces(filter, input, image)) return {};
  const bool shared = !(maximumDistance > 0);
  const Piece piece = requestedPiece(request, outputs);
  if (shared && (!canShare || piece.count != ranks)) return {};
  Extent whole;
  image->GetExtent(whole.data());
  // One layer more than the distance requires: a tip may lie between two pieces, and no piece may be a single
  // layer.
  std::array<double, 3> layers{};
  for (int a = 0; a < 3 && !shared; ++a) layers[a] = maximumDistance / std::abs(image->GetSpacing()[a]) + 2;
  const auto extents = planPiece(whole, requestedExtent(request, outputs, 0, whole), layers);
  if (!extents) return {};
  return DistancePlan{*extents, shared, pieceExtent(piece, 0, whole)};
}

std::optional<SharedPieces> gatherPlans(const Ranks& ranks, const DistancePlan& plan) {
  SharedPieces all;
  for (const std::vector<DistancePlan>& of : ranks.gather<DistancePlan>({&plan, 1})) {
    const DistancePlan& other = of[0];
    if (other.whole != plan.whole || !other.shared || !contains(other.needed, other.piece)) return {};
    all.points.owned.push_back(other.piece);
    all.points.needed.push_back(other.needed);
    all.cells.owned.push_back(cellExtent(other.piece));
    all.cells.needed.push_back(cellExtent(other.needed));
  }
  const auto points = ownBoxes(all.points.owned, plan.whole);
  const auto cells = ownBoxes(all.cells.owned, cellExtent(plan.whole));
  if (!points || !cells) return {};
  all.points.owned = *points;
  all.cells.owned = *cells;
  return all;
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
