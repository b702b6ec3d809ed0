#include "Common/Fields.h"

#include "Common/CellsAndPoints.h"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationDoubleVectorKey.h>
#include <vtkInformationInformationVectorKey.h>
#include <vtkInformationVector.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

namespace isochrone::filters {

namespace {

template <class Array>
void rememberRange(Array& array) {
  using Value = typename Array::ValueType;
  Value minimum = std::numeric_limits<Value>::max(), maximum = std::numeric_limits<Value>::lowest();
  for (const Value v : std::span(array.GetPointer(0), std::size_t(array.GetNumberOfValues()))) {
    minimum = v < minimum ? v : minimum; // skips NaN
    maximum = v > maximum ? v : maximum;
  }
  filters::rememberRange(&array, double(minimum), double(maximum));
}

template <class Array, class Real>
vtkSmartPointer<vtkDataArray> times(const char* name, std::span<const Real> time,
                                    typename Array::ValueType origin = 0) {
  constexpr auto notReached = std::numeric_limits<typename Array::ValueType>::quiet_NaN();
  auto array = named<Array>(name, vtkIdType(time.size()));
  std::transform(time.begin(), time.end(), array->GetPointer(0),
                 [=](Real t) { return std::isfinite(t) ? origin + t : notReached; });
  rememberRange(*array);
  return array;
}

template <class Real>
vtkSmartPointer<vtkDataArray> reached(std::span<const Real> time) {
  auto array = named<vtkUnsignedCharArray>("Reached", vtkIdType(time.size()));
  std::transform(time.begin(), time.end(), array->GetPointer(0),
                 [](Real t) { return static_cast<unsigned char>(std::isfinite(t)); });
  rememberRange(*array);
  return array;
}

template <class Real>
std::vector<std::uint8_t> notFinite(std::span<const Real> time) {
  std::vector<std::uint8_t> points(time.size());
  std::transform(time.begin(), time.end(), points.begin(),
                 [](Real t) { return std::uint8_t(!std::isfinite(t)); });
  return points;
}

} // namespace

bool hasValuesInMemory(vtkAbstractArray* array) {
  return vtkDataArray::SafeDownCast(array) && !vtkBitArray::SafeDownCast(array) &&
         array->HasStandardMemoryLayout();
}

void allocate(vtkAbstractArray* array, long long tuples) {
  if (tuples == 0 || !hasValuesInMemory(array)) {
    array->SetNumberOfTuples(tuples);
    return;
  }
  const auto values = std::size_t(tuples) * std::size_t(array->GetNumberOfComponents());
  void* memory = std::malloc(values * std::size_t(array->GetDataTypeSize()));
  if (!memory) throw std::bad_alloc();
  array->SetVoidArray(memory, vtkIdType(values), 0, vtkAbstractArray::VTK_DATA_ARRAY_FREE);
}

vtkSmartPointer<vtkDataArray> timeArray(const char* name, std::span<const float> time, float origin) {
  return times<vtkFloatArray>(name, time, origin);
}
vtkSmartPointer<vtkDataArray> preciseTimeArray(const char* name, std::span<const float> time, double origin) {
  return times<vtkDoubleArray>(name, time, origin);
}
vtkSmartPointer<vtkDataArray> timeArray(const char* name, std::span<const double> time) {
  return times<vtkDoubleArray>(name, time);
}

vtkSmartPointer<vtkDataArray> seedIdArray(std::span<const float> travelTime,
                                          std::span<const std::int32_t> seed,
                                          const std::vector<std::int32_t>& labels) {
  auto array = named<vtkIntArray>("SeedId", vtkIdType(travelTime.size()));
  int* out = array->GetPointer(0);
  for (std::size_t p = 0; p < travelTime.size(); ++p) {
    const std::int32_t number = !std::isfinite(travelTime[p]) ? -1 : seed.empty() ? 0 : seed[p];
    out[p] = number < 0 ? -1 : labels[number];
  }
  rememberRange(*array);
  return array;
}

vtkSmartPointer<vtkDataArray> reachedArray(std::span<const float> travelTime) { return reached(travelTime); }
vtkSmartPointer<vtkDataArray> reachedArray(std::span<const double> travelTime) { return reached(travelTime); }

void blankUnreached(std::span<const float> travelTime, vtkImageData* out) {
  blankPoints(notFinite(travelTime), out);
}
void blankUnreached(std::span<const double> travelTime, vtkImageData* out) {
  blankPoints(notFinite(travelTime), out);
}

void hide(const std::vector<std::uint8_t>& marks, unsigned char bit, vtkDataSetAttributes* data) {
  const char* name = vtkDataSetAttributes::GhostArrayName();
  auto ghosts = named<vtkUnsignedCharArray>(name, vtkIdType(marks.size()));
  if (auto* before = vtkUnsignedCharArray::SafeDownCast(data->GetAbstractArray(name))) {
    ghosts->DeepCopy(before); // leaves the input's array unchanged
    ghosts->SetName(name);
  } else {
    ghosts->FillValue(0);
  }
  for (std::size_t n = 0; n < marks.size(); ++n)
    if (marks[n]) ghosts->SetValue(vtkIdType(n), ghosts->GetValue(vtkIdType(n)) | bit);
  data->AddArray(ghosts);
}

void blankPoints(std::vector<std::uint8_t> points, vtkImageData* out) {
  hide(points, vtkDataSetAttributes::HIDDENPOINT, out->GetPointData());
  // A cell with a hidden point is hidden; surface filters read only the cell marks.
  blankCells(cellsOf(out, std::move(points)), out);
}

void blankCells(const std::vector<std::uint8_t>& cells, vtkImageData* out) {
  hide(cells, vtkDataSetAttributes::HIDDENCELL, out->GetCellData());
}

void rememberRange(vtkDataArray* array, double minimum, double maximum) {
  if (minimum > maximum) return;
  const double range[2] = {minimum, maximum};
  for (auto* key : {vtkAbstractArray::PER_COMPONENT(), vtkAbstractArray::PER_FINITE_COMPONENT()}) {
    vtkNew<vtkInformation> component;
    component->Set(vtkDataArray::COMPONENT_RANGE(), range, 2);
    vtkNew<vtkInformationVector> components;
    components->Append(component);
    array->GetInformation()->Set(key, components);
  }
}

void addStatus(const char* name, const std::vector<std::string>& words, vtkDataObject* out) {
  auto status = named<vtkStringArray>(name, vtkIdType(words.size()));
  for (std::size_t s = 0; s < words.size(); ++s) status->SetValue(vtkIdType(s), words[s]);
  out->GetFieldData()->AddArray(status);
}

} // namespace isochrone::filters
