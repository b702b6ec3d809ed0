#include "Common/MatrixTable.h"

#include "Backend.h"
#include "Common/Fields.h"

#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkTable.h>

namespace isochrone::filters {

void requireTableMemory(const TimeMatrix& matrix) {
  constexpr std::size_t bytesPerEntry = 2 * (4 * sizeof(vtkIdType) + 2 * sizeof(int)); // while columns grow
  requireHostMemory(matrix.element.size() * bytesPerEntry, "the table of the Jacobian");
}

MatrixTable::MatrixTable(const char* end, const char* start)
    : rows(named<vtkIdTypeArray>("RowId")), ends(named<vtkIdTypeArray>(end)),
      elements(named<vtkIdTypeArray>("ElementId")), starts(named<vtkIntArray>(start)),
      legNumbers(named<vtkIntArray>("Leg")), weights(named<vtkDoubleArray>("Weight")) {}

MatrixTable::~MatrixTable() = default;

void MatrixTable::append(const TimeMatrix& matrix, std::size_t row, vtkIdType rowId, int startLabel,
                         int legNumber) {
  for (std::int64_t n = matrix.row[row]; n < matrix.row[row + 1]; ++n) {
    rows->InsertNextValue(rowId);
    ends->InsertNextValue(vtkIdType(row));
    starts->InsertNextValue(startLabel);
    elements->InsertNextValue(vtkIdType(matrix.element[n]));
    weights->InsertNextValue(matrix.weight[n]);
    legNumbers->InsertNextValue(legNumber);
  }
}

vtkSmartPointer<vtkTable> MatrixTable::table(bool legs) const {
  auto made = vtkSmartPointer<vtkTable>::New();
  for (vtkDataArray* column : std::initializer_list<vtkDataArray*>{rows, ends, starts, elements, weights})
    made->AddColumn(column);
  if (legs) made->AddColumn(legNumbers);
  return made;
}

} // namespace isochrone::filters
