// ImageParts.h - an image divided among the ranks for a joint solve.
#pragma once

#include "Common/Pieces.h"
#include "Grid/GridPart.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <optional>
#include <string>

namespace isochrone::filters {

class Ranks;

/// What a rank requests for a joint solve.
struct PartPlan {
  PiecePlan extents;
  Extent piece{}; ///< of this rank in VTK's division; may be empty
};

/// Plans the request of this rank for the image on port 0: its piece and a margin. Returns nothing if this
/// rank needs the whole image: if it cannot be requested in pieces (announcedInPieces), or an output is
/// requested beyond the piece and its margin.
/// @param margin  points
std::optional<PartPlan> planPart(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                 vtkInformationVector* outputs, int margin);

/// The part of an image on this rank.
struct ImagePart {
  vtkSmartPointer<vtkImageData> image; ///< own points and margin, or the whole image
  vtkSmartPointer<vtkImageData> whole; ///< geometry of the whole image
  /// Along the axes of ImageFrame, without an exchange; nothing: every rank has the whole image.
  std::optional<grid::GridPart> part;
};

/// Returns a warning that every rank works on the whole image; empty for images of up to 2^20 points, which
/// any rank can hold.
/// @param bytes  memory that a rank needs for it
/// @param since  as in "tensors cannot be solved in parts"
std::string solvedWhole(std::int64_t points, double bytes, const std::string& since);

/// Returns the part of this rank, or on every rank the whole image if one rank has no plan. Collective.
/// @param image  what the pipeline delivered
ImagePart partOfImage(const Ranks& ranks, vtkImageData* image, const std::optional<PartPlan>& plan,
                      int margin);

} // namespace isochrone::filters
