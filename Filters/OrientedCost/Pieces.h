// Pieces.h - the part of an image that a rank requires for its pieces of both outputs.
#pragma once

#include "Common/Pieces.h"
#include "OrientedCost/OrientedCost.h"

#include <optional>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

class ImagePlane;
class Ranks;
struct OrientedCostSettings;

/// Plans the extents for the image on port 0, whose whole the plane describes. The pieces of the outputs may
/// differ, since the cost has more axes: `owned` contains both. Returns nothing if this rank needs the whole
/// image.
/// @param costPort, imagePort  outputs on position and heading, and on position
std::optional<PiecePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                   vtkInformationVector* outputs, int costPort, int imagePort,
                                   const OrientedCostSettings& settings);

/// Returns the part of a problem whose arrays cover the extent `given`, and whose result covers `owned`.
oriented::Part partOf(const ImagePlane& whole, const Extent& owned, const Extent& given);

/// Computes the cost of this rank's part, with the numbers of all parts. Returns an aborted result on all
/// ranks if a rank was stopped. Collective.
oriented::Result solveInParts(const Ranks& ranks, const oriented::Problem& problem, int threads,
                              const Monitor& monitor);

} // namespace isochrone::filters
