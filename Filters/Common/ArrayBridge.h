// ArrayBridge.h - from arrays chosen by the user to the plain vectors that the solvers take.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataSet;
class vtkImageData;
class vtkInformation;

namespace isochrone::filters {

/// An array picked in the panel. The names "" and "None" stand for no array.
struct ArrayChoice {
  std::string name;
  bool onCells = false;
  bool needed = false; ///< None is no choice

  bool chosen() const { return !name.empty() && name != "None"; }
};

/// What SetInputArrayToProcess stored.
ArrayChoice choiceOf(vtkInformation* info);

/// The chosen point array: one number per point.
/// @param role        what the array is for, as in "cost"
/// @param cellRemedy  what to do where it is a cell array
/// @throws Error if it is missing, on cells, of strings, of several components or of another length than the
/// data, with the remedy
vtkDataArray* pointArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                         const std::string& cellRemedy = "apply Cell Data To Point Data first");

/// The same, of any number of components.
vtkDataArray* pointTuples(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                          const std::string& cellRemedy = "apply Cell Data To Point Data first");

/// The chosen cell array: one number per cell. Throws as `pointArray`.
/// @param pointRemedy  what to do where it is a point array
vtkDataArray* cellArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                        const std::string& pointRemedy = "apply Point Data To Cell Data first");
/// The same, of any number of components.
vtkDataArray* cellTuples(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                         const std::string& pointRemedy = "apply Point Data To Cell Data first");

/// @param role  what the data is for, as in "input"
/// @throws Error if the marks of hidden points or cells are more or fewer than these
void requireGhosts(vtkDataSet* data, const std::string& role);
/// The same for every array, where all of them are copied from point to point or from cell to cell.
void requireLengths(vtkDataSet* data, const std::string& role);

std::vector<float> toFloats(vtkDataArray* array);
std::vector<double> toDoubles(vtkDataArray* array);

/// Which points are walls: nonzero (NaN included), or within [lower, upper].
std::vector<std::uint8_t> nonzero(vtkDataArray* array);
std::vector<std::uint8_t> within(vtkDataArray* array, double lower, double upper);

/// Marks the blanked (ghost-hidden) points as walls; leaves `walls` empty if there are neither.
void addBlankedPoints(vtkImageData* image, std::vector<std::uint8_t>& walls);

/// Whether the bytes are equal: NaN equals itself.
template <class T>
bool sameBytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

} // namespace isochrone::filters
