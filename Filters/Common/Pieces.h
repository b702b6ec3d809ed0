// Pieces.h - pipeline requests of a filter that needs whole images and can produce any piece.
#pragma once

#include "Common/Extents.h"

class vtkImageData;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

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

/// Returns the part of an image output that the running request asks for; the whole extent if there is one
/// piece. May be empty.
Extent requestedExtent(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole);

/// Crops a whole image output to the requested piece, so that ranks do not duplicate points.
void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port);

} // namespace isochrone::filters
