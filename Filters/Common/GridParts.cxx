#include "Common/GridParts.h"

namespace isochrone::filters {

namespace {

bool isDivision(const std::vector<Extent>& boxes, const Extent& whole) {
  vtkIdType samples = 0;
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    if (empty(boxes[r])) continue;
    if (!contains(whole, boxes[r])) return false;
    samples += sizeOf(boxes[r]);
    for (std::size_t other = 0; other < r; ++other)
      if (!empty(intersection(boxes[r], boxes[other]))) return false;
  }
  return samples == sizeOf(whole); // disjoint, so each sample was counted once
}

} // namespace

std::optional<std::vector<Extent>> ownBoxes(const std::vector<Extent>& extents, const Extent& whole) {
  if (isDivision(extents, whole)) return extents;
  std::vector<Extent> own = extents;
  for (Extent& box : own)
    for (int a = 0; a < 3; ++a)
      if (box[2 * a + 1] < whole[2 * a + 1]) --box[2 * a + 1];
  if (!isDivision(own, whole)) return {};
  return own;
}

std::vector<OwnedPart> ownedParts(const Extent& box, const std::vector<Extent>& own) {
  std::vector<OwnedPart> parts;
  for (std::size_t r = 0; r < own.size(); ++r)
    if (const Extent part = intersection(box, own[r]); !empty(part)) parts.push_back({int(r), part});
  return parts;
}

} // namespace isochrone::filters
