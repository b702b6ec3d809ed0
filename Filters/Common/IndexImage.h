// IndexImage.h - a rectilinear grid as an image of its indices, for the filters that take images: the image
// has the extent and the arrays of the grid, the origin 0 and spacings of 1.
#pragma once

#include "Grid/OrthogonalGrid.h"

#include <vtkSmartPointer.h>

#include <memory>
#include <string>

class vtkImageData;
class vtkRectilinearGrid;

namespace isochrone::filters {

class Ranks;

struct IndexImage {
  vtkSmartPointer<vtkImageData> image;                ///< the whole grid
  std::shared_ptr<const grid::OrthogonalGrid> points; ///< along x, y and z

  /// Returns the grid of the centres of the cells.
  std::shared_ptr<const grid::OrthogonalGrid> cells() const;
};

/// Returns the whole grid on every rank. Collective.
/// @param role  purpose of the grid in messages, as in "input"
/// @throws Error, with the remedy, on an empty grid, coordinates that do not increase, or ghost arrays of the
/// wrong length
IndexImage indexImage(const Ranks& ranks, vtkRectilinearGrid* piece, const std::string& role);

/// Fills a grid with an extent of points and the arrays of an image of the indices of `points`.
void copyToGrid(vtkImageData* image, const IndexImage& whole, vtkRectilinearGrid* out);

} // namespace isochrone::filters
