// GridParts.h - the division of an image among ranks: one owner for each sample.
#pragma once

#include "Common/Extents.h"

#include <optional>
#include <vector>

namespace isochrone::filters {

/// Returns the box of samples that each rank owns; each sample of the image has exactly one owner. Boxes may
/// be empty, and need not be the product of divisions of the axes: VTK's pieces for 3 or 7 ranks are not.
/// @param extents  of each rank: of points or of cells. Extents of points may share planes, as VTK's pieces
///                 do; a shared plane belongs to the rank above it
/// @return nothing if the extents overlap in any other way, leave gaps, or exceed the image
std::optional<std::vector<Extent>> ownBoxes(const std::vector<Extent>& extents, const Extent& whole);

/// The part of a box that one rank owns.
struct OwnedPart {
  int rank = 0;
  Extent box{};

  bool operator==(const OwnedPart&) const = default;
};

/// Returns the parts of a box by their owners, without empty ones, in rank order.
/// @param own  result of ownBoxes
std::vector<OwnedPart> ownedParts(const Extent& box, const std::vector<Extent>& own);

} // namespace isochrone::filters
