// MatrixTable.h - a matrix of travel times as a table.
#pragma once

#include "Paths/TimeMatrix.h"

#include <vtkSmartPointer.h>
#include <vtkType.h>

class vtkDoubleArray;
class vtkIdTypeArray;
class vtkIntArray;
class vtkTable;

namespace isochrone::filters {

/// Checks the memory of the table of a matrix.
/// @throws Error if it is insufficient
void requireTableMemory(const TimeMatrix& matrix);

/// The columns of a table, one table row per entry of the matrix: RowId, an id of what the time belongs to,
/// an id of where the wave starts, ElementId and Weight, then Leg where waves are reflected.
class MatrixTable {
public:
  /// @param end, start  names of the ids, as in "ReceiverId" and "SourceId"
  MatrixTable(const char* end, const char* start);
  ~MatrixTable();

  /// Appends the entries of a row of the matrix.
  void append(const TimeMatrix& matrix, std::size_t row, vtkIdType rowId, int startLabel, int legNumber = 0);

  /// @param legs  whether to add the column Leg
  vtkSmartPointer<vtkTable> table(bool legs = false) const;

private:
  vtkSmartPointer<vtkIdTypeArray> rows, ends, elements;
  vtkSmartPointer<vtkIntArray> starts, legNumbers;
  vtkSmartPointer<vtkDoubleArray> weights; ///< world units
};

} // namespace isochrone::filters
