// Pieces.h - what a rank needs of an image where distances have a maximum: its piece, and as many
// layers around it as a site can act through.
#pragma once

#include "Common/Extents.h"

#include <array>
#include <optional>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

class ImageFrame;

struct PiecePlan {
  Extent whole{}, owned{}, needed{}; ///< of points; the output keeps `owned`
};

/// For the image on port 0. Nothing where this rank must see the whole image: without a maximum distance,
/// alone, without a piece, or behind Resample To Image, which in ParaView 5.11 crashes where it is asked for
/// another part than its own.
std::optional<PiecePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                   vtkInformationVector* outputs, double maximumDistance);

/// Whether the sample that is nearest to a tip belongs to this rank; ranks may share one.
/// @param tip    grid coordinates of `frame`, the frame of all samples
/// @param owned  samples of this rank
bool ownsTip(const std::array<double, 3>& tip, const ImageFrame& frame, const Extent& whole,
             const Extent& owned);

} // namespace isochrone::filters
