#include "Common/ArrayBridge.h"

#include "Error.h"

#include <vtkArrayDispatch.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace isochrone::filters {

namespace {

std::string namesIn(vtkDataSetAttributes* attributes) {
  std::string names;
  for (int a = 0; a < attributes->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* array = attributes->GetAbstractArray(a);
    if (array && array->GetName()) names += (names.empty() ? "" : ", ") + std::string(array->GetName());
  }
  return names.empty() ? "none" : names;
}

std::string nameOf(const ArrayChoice& choice, const std::string& role) {
  return "the " + role + " array '" + choice.name + "'";
}

vtkDataArray* single(vtkDataArray* numbers, const std::string& what, const std::string& place) {
  if (numbers->GetNumberOfComponents() == 1) return numbers;
  throw Error(what + " has " + std::to_string(numbers->GetNumberOfComponents()) +
              " components, but one number per " + place + " is needed: compute one with Calculator first");
}

/// Checks the length of an array. VTK does not check it against the dataset, and a short array would be read
/// past its end.
/// @param place  "point" or "cell"
void requireLength(vtkAbstractArray* array, vtkIdType tuples, const std::string& what,
                   const std::string& place) {
  if (array->GetNumberOfTuples() == tuples) return;
  throw Error(what + " has " + std::to_string(array->GetNumberOfTuples()) + " values, but there are " +
              std::to_string(tuples) + ' ' + place +
              "s: correct it in the reader, source or filter that produces it");
}

void requireLengthOfGhosts(vtkDataSetAttributes* attributes, vtkIdType tuples, const std::string& role,
                           const std::string& place) {
  const char* name = vtkDataSetAttributes::GhostArrayName();
  auto* ghosts = vtkUnsignedCharArray::SafeDownCast(attributes->GetAbstractArray(name));
  if (!ghosts) return;
  const std::string what = "the " + place + " array '" + name + "' of the " + role;
  requireLength(ghosts, tuples, what, place);
  single(ghosts, what, place);
}

void requireLengthsOfAll(vtkDataSetAttributes* attributes, vtkIdType tuples, const std::string& role,
                         const std::string& place) {
  for (int a = 0; a < attributes->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* array = attributes->GetAbstractArray(a);
    if (!array) continue;
    const std::string name = array->GetName() ? array->GetName() : "";
    requireLength(array, tuples, "the " + place + " array '" + name + "' of the " + role, place);
  }
}

/// Returns the array as numbers, one tuple per point or cell.
/// @param array  found in `attributes`, or null
/// @param place  "point" or "cell"
/// @param tuples  number of points or cells
vtkDataArray* numbersOf(vtkAbstractArray* array, const ArrayChoice& choice, const std::string& what,
                        vtkDataSetAttributes* attributes, const std::string& place, vtkIdType tuples) {
  if (!array) {
    throw Error(what + " is not on the input: choose one of its " + place + " arrays (" +
                namesIn(attributes) + ")" + (choice.needed ? "" : " or None"));
  }
  auto* numbers = vtkDataArray::SafeDownCast(array);
  if (!numbers) throw Error(what + " is not numeric: choose a numeric array");
  requireLength(numbers, tuples, what, place);
  return numbers;
}

/// Applies `convert` to each value. Dispatches on the array type for speed.
template <class Out, class Convert>
std::vector<Out> converted(vtkDataArray* array, Convert convert) {
  std::vector<Out> out(array->GetNumberOfValues());
  const auto copy = [&](auto* typed) {
    const auto values = vtk::DataArrayValueRange<1>(typed);
    std::transform(values.begin(), values.end(), out.begin(), convert);
  };
  if (!vtkArrayDispatch::Dispatch::Execute(array, copy)) copy(array);
  return out;
}

} // namespace

ArrayChoice choiceOf(vtkInformation* info) {
  ArrayChoice choice;
  if (info->Has(vtkDataObject::FIELD_NAME())) choice.name = info->Get(vtkDataObject::FIELD_NAME());
  choice.onCells = info->Get(vtkDataObject::FIELD_ASSOCIATION()) == vtkDataObject::FIELD_ASSOCIATION_CELLS;
  return choice;
}

vtkDataArray* pointArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                         const std::string& cellRemedy) {
  return single(pointTuples(data, choice, role, cellRemedy), nameOf(choice, role), "point");
}

vtkDataArray* pointTuples(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                          const std::string& cellRemedy) {
  const std::string what = nameOf(choice, role);
  vtkAbstractArray* array =
      choice.onCells ? nullptr : data->GetPointData()->GetAbstractArray(choice.name.c_str());
  if (!array && data->GetCellData()->GetAbstractArray(choice.name.c_str()))
    throw Error(what + " is a cell array, but values are needed at points: " + cellRemedy);
  return numbersOf(array, choice, what, data->GetPointData(), "point", data->GetNumberOfPoints());
}

vtkDataArray* cellArray(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                        const std::string& pointRemedy) {
  return single(cellTuples(data, choice, role, pointRemedy), nameOf(choice, role), "cell");
}

vtkDataArray* cellTuples(vtkDataSet* data, const ArrayChoice& choice, const std::string& role,
                         const std::string& pointRemedy) {
  vtkCellData* cells = data->GetCellData();
  const std::string what = nameOf(choice, role);
  vtkAbstractArray* array = choice.onCells ? cells->GetAbstractArray(choice.name.c_str()) : nullptr;
  if (!array && data->GetPointData()->GetAbstractArray(choice.name.c_str()))
    throw Error(what + " is a point array, but values are needed in cells: " + pointRemedy);
  return numbersOf(array, choice, what, cells, "cell", data->GetNumberOfCells());
}

void requireGhosts(vtkDataSet* data, const std::string& role) {
  requireLengthOfGhosts(data->GetPointData(), data->GetNumberOfPoints(), role, "point");
  requireLengthOfGhosts(data->GetCellData(), data->GetNumberOfCells(), role, "cell");
}

void requireLengths(vtkDataSet* data, const std::string& role) {
  requireLengthsOfAll(data->GetPointData(), data->GetNumberOfPoints(), role, "point");
  requireLengthsOfAll(data->GetCellData(), data->GetNumberOfCells(), role, "cell");
  requireGhosts(data, role);
}

std::vector<float> toFloats(vtkDataArray* array) {
  return converted<float>(array, [](auto value) { return static_cast<float>(value); });
}

std::vector<double> toDoubles(vtkDataArray* array) {
  return converted<double>(array, [](auto value) { return static_cast<double>(value); });
}

std::vector<std::uint8_t> nonzero(vtkDataArray* array) {
  return converted<std::uint8_t>(array, [](auto value) { return std::uint8_t(value != 0); });
}

std::vector<std::uint8_t> within(vtkDataArray* array, double lower, double upper) {
  return converted<std::uint8_t>(
      array, [=](auto value) { return std::uint8_t(double(value) >= lower && double(value) <= upper); });
}

void addBlankedPoints(vtkImageData* image, std::vector<std::uint8_t>& walls) {
  vtkUnsignedCharArray* ghosts = image->GetPointGhostArray();
  if (!ghosts) return;
  for (vtkIdType point = 0; point < ghosts->GetNumberOfTuples(); ++point) {
    if (!(ghosts->GetValue(point) & vtkDataSetAttributes::HIDDENPOINT)) continue;
    if (walls.empty()) walls.resize(image->GetNumberOfPoints());
    walls[point] = 1;
  }
}

} // namespace isochrone::filters
