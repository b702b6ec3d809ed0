// ArrayBridge.h - from arrays chosen by the user to the plain vectors that the solvers take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataSet;
class vtkImageData;

namespace isochrone::filters {

/// An array picked in the panel. The names "" and "None" stand for no array.
struct ArrayChoice {
  std::string name;
  bool onCells = false;

  bool chosen() const { return !name.empty() && name != "None"; }
};

/// The chosen point array: one number per point.
/// @param role  what the array is for, as in "cost"
/// @throws Error if it is missing, on cells, of strings or of several components, with the remedy
vtkDataArray* pointArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role);

std::vector<float> toFloats(vtkDataArray* array);

/// Which points are walls: nonzero (NaN included), or within [lower, upper].
std::vector<std::uint8_t> nonzero(vtkDataArray* array);
std::vector<std::uint8_t> within(vtkDataArray* array, double lower, double upper);

/// Marks the blanked (ghost-hidden) points as walls; leaves `walls` empty if there are neither.
void addBlankedPoints(vtkImageData* image, std::vector<std::uint8_t>& walls);

} // namespace isochrone::filters
