// Pieces.h - pipeline requests of a filter that needs whole images, or a part of one on each rank, and can
// produce any piece.
#pragma once

#include "Common/Extents.h"

#include <vtkSmartPointer.h>

#include <array>
#include <optional>

class vtkAlgorithm;
class vtkImageData;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

class Ranks;

Extent extentOf(vtkImageData* image);

/// Requests all data of every connected input on this rank.
void requestWhole(vtkInformationVector** inputs, int ports);

/// Announces an image output with the geometry of `frame`; null: an empty image.
void announce(vtkInformation* output, vtkImageData* frame);

/// Copies the announced geometry of an image input, without arrays, for RequestInformation. Returns false if
/// nothing is announced.
bool announced(vtkInformation* input, vtkImageData* frame);

/// Piece requested by the running request: number and count.
struct Piece {
  int number = 0, count = 1;
};
Piece requestedPiece(vtkInformation* request, vtkInformationVector* outputs);

/// Returns the extent of a piece of an image in VTK's division; may be empty.
Extent pieceExtent(const Piece& piece, int ghostLevels, const Extent& whole);

/// Returns the part of an image output that the running request asks for; the whole extent if there is one
/// piece. May be empty.
Extent requestedExtent(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole);

/// Crops an image, one array after the other. VTK's own function ends the process where memory is short.
/// @param inPlace  whether the arrays are numbers in memory of their own that no other data set has, so that
/// no copy is needed
/// @throws std::bad_alloc
void crop(vtkImageData* image, const Extent& kept, bool inPlace = false);

/// Crops a whole image output to the requested piece, so that ranks do not duplicate points.
void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port);
/// The same for an output that contains the requested piece of an image with the extent `whole`.
void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole);
/// The same for an image of the extent of the output.
void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole,
               vtkImageData* image);

/// The part of an image that a rank requires.
struct PiecePlan {
  Extent whole{}, owned{}, needed{}; ///< extents of points; `owned` is output
};

/// Copies the announced geometry of the image on port 0 into `frame`. Returns false if this rank needs the
/// whole image in any case: on a single rank, without an image, or downstream of Resample To Image, which in
/// ParaView 5.11 crashes when another part than its own is requested.
bool announcedInPieces(vtkAlgorithm* filter, vtkInformation* input, vtkImageData* frame);

/// Plans the extents of a rank that outputs `owned` and depends on the given number of layers around it.
/// Returns nothing if `owned` is empty or not a part of the image.
std::optional<PiecePlan> planPiece(const Extent& whole, const Extent& owned,
                                   const std::array<double, 3>& layers);

/// Requests what the plan needs in place of the whole image.
void requestPart(const PiecePlan& plan, vtkInformation* input);

/// Returns the part of the image that the plan of this rank needs. Some sources deliver less than requested.
/// Then, or if a rank has no plan, resets the plan and returns the whole image on every rank. Collective.
vtkSmartPointer<vtkImageData> neededImage(const Ranks& ranks, vtkImageData* image,
                                          std::optional<PiecePlan>& plan);

/// Returns the geometry of the whole image that `image`, the result of neededImage, is a part of.
vtkSmartPointer<vtkImageData> wholeOf(vtkImageData* image, const std::optional<PiecePlan>& plan);

} // namespace isochrone::filters
