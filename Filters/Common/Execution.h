// Execution.h - arguments and helpers of one call of a filter's Execute().
#pragma once

#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "vtkIsochroneFilter.h"

#include <vtkDataObject.h>
#include <vtkInformationVector.h>

struct vtkIsochroneFilter::Execution {
  vtkInformation* request;
  vtkInformationVector** inputs;
  vtkInformationVector* outputs;
  const isochrone::filters::Ranks& ranks;
  int threads; ///< as the user requested; 0: the cores for this rank

  /// Returns null if the port is not connected.
  vtkDataObject* input(int port) const { return vtkDataObject::GetData(inputs[port]); }

  template <class DataObject>
  DataObject* output(int port) const {
    return DataObject::GetData(outputs, port);
  }

  /// Crops an image output, complete on every rank, to the piece of this rank. Collective.
  void keepPiece(int port) const {
    ranks.rethrowOnAll([&] { isochrone::filters::keepPiece(request, outputs, port); });
  }

  /// Crops an image output that contains this rank's piece of an image with the extent `whole`. Collective.
  void keepPiece(int port, const isochrone::filters::Extent& whole) const {
    ranks.rethrowOnAll([&] { isochrone::filters::keepPiece(request, outputs, port, whole); });
  }

  /// Outputs lines or a table, complete on every rank, in the first piece only.
  void showOnce(vtkDataObject* data, int port) const {
    if (isochrone::filters::requestedPiece(request, outputs).number == 0)
      vtkDataObject::GetData(outputs, port)->ShallowCopy(data);
  }
};
