// ArrayBridge.h - converts arrays chosen by the user to the plain vectors that the solvers take.
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

/// Array chosen in the panel. The names "" and "None" mean no array.
struct ArrayChoice {
  std::string name;
  bool onCells = false;
  bool needed = false; ///< None is not offered

  bool chosen() const { return !name.empty() && name != "None"; }
};

/// Returns the choice that SetInputArrayToProcess stored.
ArrayChoice choiceOf(vtkInformation* info);

/// Returns the chosen point array, one number per point.
/// @param role        purpose of the array in messages, as in "cost"
/// @param cellRemedy  remedy in the message if it is a cell array
/// @throws Error, with the remedy, if the array is missing, is a cell array, holds strings, has several
/// components, or differs in length from the data
vtkDataArray* pointArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                         const std::string& cellRemedy = "apply Cell Data To Point Data first");

/// Returns the chosen point array, with any number of components.
vtkDataArray* pointTuples(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                          const std::string& cellRemedy = "apply Cell Data To Point Data first");

/// Returns the chosen cell array, one number per cell. Throws like `pointArray`.
/// @param pointRemedy  remedy in the message if it is a point array
vtkDataArray* cellArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                        const std::string& pointRemedy = "apply Point Data To Cell Data first");
/// Returns the chosen cell array, with any number of components.
vtkDataArray* cellTuples(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                         const std::string& pointRemedy = "apply Point Data To Cell Data first");

/// Checks the lengths of the ghost arrays.
/// @param role  purpose of the data in messages, as in "input"
/// @throws Error if the number of ghost marks differs from the number of points or cells
void requireGhosts(vtkDataSet* data, const std::string& role);
/// Checks the lengths of all arrays, for data whose arrays are all copied tuple by tuple.
void requireLengths(vtkDataSet* data, const std::string& role);

std::vector<float> toFloats(vtkDataArray* array);
std::vector<double> toDoubles(vtkDataArray* array);

/// Marks the values that are nonzero (NaN included), or within [lower, upper].
std::vector<std::uint8_t> nonzero(vtkDataArray* array);
std::vector<std::uint8_t> within(vtkDataArray* array, double lower, double upper);

/// Marks the blanked (ghost-hidden) points as walls. Leaves an empty `walls` empty if there are none.
void addBlankedPoints(vtkImageData* image, std::vector<std::uint8_t>& walls);

/// Returns whether the bytes are equal; NaN equals itself.
template <class T>
bool sameBytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

} // namespace isochrone::filters
