// ImageParts.h - an image divided among the ranks for a joint solve.
#pragma once

#include "Common/Pieces.h"
#include "Grid/GridPart.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isochrone::filters {

class ImageFrame;
class Ranks;

/// What a filter needs to solve the parts of an image on the ranks.
struct PartNeeds {
  int margin = 0;       ///< points around the piece of a rank
  std::string whyWhole; ///< as in "tensors cannot be solved in parts"; empty: the ranks can solve parts
};

/// What a rank requests for a joint solve.
struct PartPlan {
  PiecePlan extents;
  Extent piece{}; ///< of this rank in VTK's division; may be empty
};

/// Plans the request of this rank for the image on port 0: its piece and a margin. Returns nothing if this
/// rank needs the whole image: if the filter does, if the image cannot be requested in pieces
/// (announcedInPieces), or if an output is requested beyond the piece and its margin.
std::optional<PartPlan> planPart(vtkAlgorithm* filter, vtkInformation* request, vtkInformationVector** inputs,
                                 vtkInformationVector* outputs, const PartNeeds& needs);

/// The part of an image on this rank.
struct ImagePart {
  vtkSmartPointer<vtkImageData> image; ///< own points and margin, or the whole image
  vtkSmartPointer<vtkImageData> whole; ///< geometry of the whole image
  /// Along the axes of ImageFrame, without an exchange; nothing: every rank has the whole image.
  std::optional<grid::GridPart> part;
  std::string whyWhole; ///< why each of several ranks has the whole image; empty if none has
};

/// Returns the part of this rank, or on every rank the whole image if one rank has no plan. Collective.
/// @param image  what the pipeline delivered
ImagePart partOfImage(const Ranks& ranks, vtkImageData* image, const std::optional<PartPlan>& plan,
                      const PartNeeds& needs);

/// Stands for the reason where a filter could solve in parts.
inline constexpr const char* notInPieces =
    "the image or the output cannot be divided into the pieces of the ranks";

/// Returns a warning that every rank works on the whole image; empty without a reason, and for images of up
/// to 2^20 points, which any rank can hold.
/// @param bytes     memory that a rank needs for it
/// @param whyWhole  as in PartNeeds
std::string solvedWhole(std::int64_t points, double bytes, const std::string& whyWhole);

/// Returns the points that each rank owns, along the axes of the frame; nothing if the pieces do not divide
/// the image as VTK does. Collective.
/// @param piece  of this rank; may be empty
/// @param frame  of the whole image
std::optional<std::vector<grid::Box>> ownPointsOfRanks(const Ranks& ranks, const Extent& piece,
                                                       const Extent& whole, const ImageFrame& frame);

/// Returns the extent of a box of points along the axes of the frame.
Extent extentOf(const grid::Box& box, const ImageFrame& frame);

} // namespace isochrone::filters
