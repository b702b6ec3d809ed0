#include "Common/FilterInputs.h"

#include "Common/ArrayBridge.h"
#include "Error.h"

#include <vtkAbstractArray.h>
#include <vtkCellData.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkImageData.h>
#include <vtkPointData.h>

#include <algorithm>

namespace isochrone::filters {

vtkImageData* requireImage(vtkDataObject* data, const std::string& role, const std::string& needed) {
  if (auto* image = vtkImageData::SafeDownCast(data)) {
    requireGhosts(image, role);
    return image;
  }
  const std::string what = "the " + role + " is a " + (data ? data->GetClassName() : "missing dataset") +
                           ", but " + needed + " (vtkImageData) is needed: ";
  throw Error(what +
              (vtkCompositeDataSet::SafeDownCast(data)
                   ? "extract one block with Extract Block, or apply Merge Blocks and then Resample To Image"
                   : "apply Resample To Image first"));
}

vtkMTimeType timeOfArrays(vtkDataObject* data) {
  vtkMTimeType newest = 0;
  auto* set = vtkDataSet::SafeDownCast(data);
  if (!set) return newest;
  for (vtkDataSetAttributes* arrays :
       std::initializer_list<vtkDataSetAttributes*>{set->GetPointData(), set->GetCellData()})
    for (int a = 0; a < arrays->GetNumberOfArrays(); ++a)
      newest = std::max(newest, arrays->GetAbstractArray(a)->GetMTime());
  return newest;
}

} // namespace isochrone::filters
