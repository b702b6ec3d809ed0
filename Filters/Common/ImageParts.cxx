#include "Common/ImageParts.h"

#include "Common/GridParts.h"
#include "Common/ImageFrame.h"
#include "Common/Ranks.h"

#include <vtkImageData.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>

#include <array>
#include <sstream>
#include <vector>

namespace isochrone::filters {

std::optional<std::vector<grid::Box>> ownPointsOfRanks(const Ranks& ranks, const Extent& piece,
                                                       const Extent& whole, const ImageFrame& frame) {
  std::vector<Extent> pieces;
  for (const auto& of : ranks.gather<Extent>({&piece, 1})) pieces.push_back(of[0]);
  const auto own = ownBoxes(pieces, whole);
  if (!own) return {};
  std::vector<grid::Box> boxes;
  for (const Extent& extent : *own) {
    grid::Box& box = boxes.emplace_back();
    if (empty(extent)) continue;
    for (int a = 0; a < 3; ++a) {
      const int axis = frame.imageAxis(a);
      box.low[a] = extent[2 * axis] - frame.start(a);
      box.high[a] = extent[2 * axis + 1] + 1 - frame.start(a);
    }
  }
  return boxes;
}

Extent extentOf(const grid::Box& box, const ImageFrame& frame) {
  Extent extent;
  for (int a = 0; a < 3; ++a) {
    const int axis = frame.imageAxis(a);
    extent[2 * axis] = int(box.low[a]) + frame.start(a);
    extent[2 * axis + 1] = int(box.high[a]) - 1 + frame.start(a);
  }
  return extent;
}

std::optional<PartPlan> planPart(vtkAlgorithm* filter, vtkInformation* request, vtkInformationVector** inputs,
                                 vtkInformationVector* outputs, const PartNeeds& needs) {
  vtkNew<vtkImageData> frame;
  if (!needs.whyWhole.empty() || !announcedInPieces(filter, inputs[0]->GetInformationObject(0), frame))
    return {};
  const Piece piece = requestedPiece(request, outputs);
  if (piece.count != Ranks().count()) return {};
  const Extent whole = extentOf(frame);
  PartPlan plan{{}, pieceExtent(piece, 0, whole)};
  Extent own = plan.piece;
  for (int a = 0; a < 3; ++a) // a plane of points in two pieces belongs to the upper one
    if (own[2 * a + 1] < whole[2 * a + 1]) --own[2 * a + 1];
  if (empty(own))
    own = {whole[0], whole[0], whole[2], whole[2], whole[4], whole[4]}; // takes part all the same
  const auto withLayers = [&](double n) { return planPiece(whole, own, {n, n, n}); };
  const auto extents = withLayers(needs.margin);
  const Extent output = requestedExtent(request, outputs, 0, whole);
  // The gradient of an output point depends on its neighbours.
  if (!extents || (!empty(output) && !contains(withLayers(needs.margin - 1)->needed, output))) return {};
  plan.extents = *extents;
  plan.extents.owned = output;
  return plan;
}

namespace {

/// Returns the part of this rank without whyWhole.
ImagePart deliveredPart(const Ranks& ranks, vtkImageData* image, const std::optional<PartPlan>& plan,
                        int margin) {
  ImagePart made;
  std::optional<PiecePlan> extents;
  if (plan) extents = plan->extents;
  made.image = neededImage(ranks, image, extents);
  made.whole = wholeOf(made.image, extents);
  if (!extents) return made;
  const ImageFrame frame(made.whole);
  const auto boxes = ownPointsOfRanks(ranks, plan->piece, extents->whole, frame);
  if (!boxes) { // not with VTK's division
    made.image = made.whole = ranks.gatherImage(made.image);
    return made;
  }
  const GridIndex size{frame.size(0), frame.size(1), frame.size(2)};
  made.part = grid::partOf(ranks.index(), *boxes, size, margin);
  const Extent needed = extentOf(grid::grown((*boxes)[std::size_t(ranks.index())], margin, size), frame);
  const auto cropped = vtkSmartPointer<vtkImageData>::New();
  cropped->ShallowCopy(made.image);
  ranks.rethrowOnAll([&] { crop(cropped, needed); });
  made.image = cropped;
  return made;
}

} // namespace

ImagePart partOfImage(const Ranks& ranks, vtkImageData* image, const std::optional<PartPlan>& plan,
                      const PartNeeds& needs) {
  ImagePart made = deliveredPart(ranks, image, plan, needs.margin);
  if (made.part)
    ranks.shareNode(double(made.image->GetNumberOfPoints()));
  else if (ranks.count() > 1)
    made.whyWhole = needs.whyWhole.empty() ? notInPieces : needs.whyWhole;
  return made;
}

std::string solvedWhole(std::int64_t points, double bytes, const std::string& whyWhole) {
  constexpr std::int64_t small = 1 << 20;
  if (points <= small || whyWhole.empty()) return {};
  std::ostringstream text;
  text.precision(2);
  text << "every rank solves the whole image and needs " << bytes / 1e9 << " GB of memory for it, since "
       << whyWhole;
  return text.str();
}

} // namespace isochrone::filters
