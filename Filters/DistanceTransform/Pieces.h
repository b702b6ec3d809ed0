// Pieces.h - the part of an image that a rank requires with a maximum distance: its piece and a margin.
#pragma once

#include "Common/Pieces.h"

#include <array>
#include <optional>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

class ImageFrame;

/// Plans the extents for the image on port 0. Returns nothing if this rank needs the whole image, as it does
/// without a maximum distance.
std::optional<PiecePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                   vtkInformationVector* outputs, double maximumDistance);

/// Returns whether the sample nearest to a tip belongs to this rank; several ranks may own it.
/// @param tip    in grid coordinates of `frame`, the frame of all samples
/// @param owned  samples of this rank
bool ownsTip(const std::array<double, 3>& tip, const ImageFrame& frame, const Extent& whole,
             const Extent& owned);

} // namespace isochrone::filters
