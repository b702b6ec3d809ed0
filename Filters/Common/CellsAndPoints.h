// CellsAndPoints.h - what the cells of an image say about the points around them, and the reverse.
//
// vtkCellDataToPointData means the same, but takes 5.7 s for 256^3 points, more than the solver, and this 0.2
// s: the values are needed at each move of a tip.
#pragma once

#include <cstdint>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

/// The mean of the cells around each point; NaN and infinity stay what they are.
/// @param cells  a value per cell of the image
std::vector<float> meanOfCells(vtkImageData* image, std::vector<float> cells);

/// Which points touch a marked cell.
/// @param cells  a mark per cell of the image, nonzero or 0
std::vector<std::uint8_t> touched(vtkImageData* image, std::vector<std::uint8_t> cells);

/// Which cells have a marked point.
/// @param points  a mark per point of the image, nonzero or 0
std::vector<std::uint8_t> cellsOf(vtkImageData* image, std::vector<std::uint8_t> points);

/// A mark per cell that is blanked (ghost-hidden); empty if there are none.
std::vector<std::uint8_t> hiddenCells(vtkImageData* image);

} // namespace isochrone::filters
