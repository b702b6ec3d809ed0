#include "Common/MatrixTable.h"

#include "Common/Fields.h"

#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkTable.h>

namespace isochrone::filters {

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
