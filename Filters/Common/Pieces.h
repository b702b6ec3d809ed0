// Pieces.h - what a filter that works on whole images tells the pipeline: it needs everything and can give
// any piece.
#pragma once

#include "Common/Extents.h"

class vtkImageData;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

/// Asks every connected input for all of its data on this rank.
void requestWhole(vtkInformationVector** inputs, int ports);

/// Announces an image output with the geometry of `frame`; null: an empty image.
void announce(vtkInformation* output, vtkImageData* frame);

/// The announced geometry of an image input, without arrays, as RequestInformation needs it. False if there
/// is none.
bool announced(vtkInformation* input, vtkImageData* frame);

/// The piece asked for by the request that runs: number and count.
struct Piece {
  int number = 0, count = 1;
};
Piece requestedPiece(vtkInformation* request, vtkInformationVector* outputs);

/// The part of an image output that the request that runs asks for, all of it if one piece is asked for; may
/// be empty.
Extent requestedExtent(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole);

/// Cuts a whole image output down to the piece asked for, so that ranks do not count points twice.
void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port);

} // namespace isochrone::filters
