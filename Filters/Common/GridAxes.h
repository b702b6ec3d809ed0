// GridAxes.h - rectilinear grids, and grids in spherical coordinates, as images of their indices.
//
// A filter works on an image with the arrays of the grid, whose spacing is 1, and on the coordinates of its
// indices. ImageFrame converts positions. The output has the type and the coordinates of the input.
#pragma once

#include "Common/Extents.h"

#include <vtkSmartPointer.h>

#include <array>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSet;
class vtkImageData;
class vtkInformation;

namespace isochrone::filters {

class Ranks;

/// The coordinates of the indices of a grid, along the axes of the dataset.
struct GridAxes {
  std::array<std::vector<double>, 3> coordinates;
  bool spherical = false; ///< radius, colatitude and longitude in degrees
};

/// Returns the coordinates of the centres of the cells; those of the points along axes without cells.
GridAxes centresOf(const GridAxes& points);

/// A grid as an image of its indices.
struct IndexedGrid {
  vtkSmartPointer<vtkImageData> image; ///< spacing 1, origin 0, the extent and the arrays of the grid
  GridAxes axes;                       ///< of the extent
};

/// Returns the data as an image or a rectilinear grid.
/// @throws Error, with the remedy, if the data is neither or its ghost arrays have the wrong length
vtkDataSet* requireGrid(vtkDataObject* data, const std::string& role);

bool isRectilinear(vtkDataObject* data);

/// Returns whether `here` is true, on all ranks. Collective.
/// @throws Error if it differs between ranks, whose next collective calls would not fit together
bool isGridOnAll(const Ranks& ranks, bool here);

/// @throws Error if coordinates are missing, or if the grid is an image with oblique axes
IndexedGrid indexed(vtkDataSet* grid, bool spherical);

/// Joins the pieces of a grid from all ranks. Collective.
IndexedGrid gathered(const Ranks& ranks, const IndexedGrid& piece);

/// Makes the output from an image of indices: with the arrays and the extent of the image, and the
/// coordinates of the grid.
/// @param axes   of the extent `whole`
/// @param input  the grid; an output that is an image has its geometry
void showOnGrid(vtkImageData* image, const GridAxes& axes, const Extent& whole, vtkDataSet* input,
                vtkDataObject* output);

/// Announces the whole extent of a rectilinear grid as that of an output. Returns false if the input is none.
bool announceRectilinear(vtkInformation* input, vtkInformation* output);

} // namespace isochrone::filters
