// Pieces.h - the part of an image that a rank requires: its piece, with a maximum distance also a margin.
#pragma once

#include "Common/Pieces.h"

#include <array>
#include <optional>
#include <vector>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

class ImageFrame;
class Ranks;

struct DistancePlan : PiecePlan {
  bool shared = false; ///< whether the ranks solve one problem together, each its piece
  Extent piece{};      ///< shared: `owned` without ghost levels
};

/// Plans the extents for the image on port 0. Returns nothing if this rank needs the whole image: on a single
/// rank, without a piece, if the whole is requested, or if it cannot be requested in pieces
/// (announcedInPieces).
/// @param canShare  whether the ranks can solve together; otherwise, without a maximum distance, this rank
///                  needs the whole image
std::optional<DistancePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                      vtkInformationVector* outputs, double maximumDistance, bool canShare);

/// The extents of all ranks that solve one problem together.
struct SharedExtents {
  std::vector<Extent> owned;  ///< of samples; each sample has one owner
  std::vector<Extent> needed; ///< of samples; at least the own ones
};

/// The same of points and of cells.
struct SharedPieces {
  SharedExtents points, cells;
};

/// Gathers the plans of all ranks. Returns nothing if they do not divide the image. Collective.
std::optional<SharedPieces> gatherPlans(const Ranks& ranks, const DistancePlan& plan);

/// Returns whether the sample nearest to a tip belongs to this rank; several ranks may own it.
/// @param tip    in grid coordinates of `frame`, the frame of all samples
/// @param owned  samples of this rank
bool ownsTip(const std::array<double, 3>& tip, const ImageFrame& frame, const Extent& whole,
             const Extent& owned);

} // namespace isochrone::filters
