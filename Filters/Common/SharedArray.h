// SharedArray.h - wraps a large result as a VTK array without a copy.
#pragma once

#include <vtkLongArray.h>
#include <vtkLongLongArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace isochrone::filters {

/// VTK's array of std::int64_t. vtkTypeInt64 may be a different type of the same size.
using Int64Array = std::conditional_t<std::is_same_v<std::int64_t, long>, vtkLongArray, vtkLongLongArray>;

/// Returns an array over memory that `owner` keeps alive. The memory lives as long as this array, or any
/// array that VTK lets share its memory, and must not change.
vtkSmartPointer<vtkDataArray> sharedArray(const char* name, std::span<const float> values,
                                          const std::shared_ptr<const void>& owner);
vtkSmartPointer<vtkDataArray> sharedArray(const char* name, std::span<const double> values,
                                          const std::shared_ptr<const void>& owner);
vtkSmartPointer<vtkDataArray> sharedArray(const char* name, std::span<const std::int64_t> values,
                                          const std::shared_ptr<const void>& owner);

} // namespace isochrone::filters
