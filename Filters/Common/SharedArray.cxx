#include "Common/SharedArray.h"

#include "Common/Fields.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>

#include <map>
#include <mutex>
#include <type_traits>

namespace isochrone::filters {

namespace {

/// Owners of the memory that VTK arrays use. VTK's free function receives only a pointer.
class Keepers {
public:
  void add(const void* memory, const std::shared_ptr<const void>& keeper) {
    const std::lock_guard lock(mutex);
    keepers.emplace(memory, keeper);
  }
  void remove(const void* memory) {
    std::shared_ptr<const void> last; // destroyed after the lock is released
    const std::lock_guard lock(mutex);
    const auto found = keepers.find(memory);
    if (found == keepers.end()) return;
    last = std::move(found->second);
    keepers.erase(found);
  }

private:
  std::mutex mutex;
  std::multimap<const void*, std::shared_ptr<const void>> keepers; // several arrays may use the same memory
};

/// Never destroyed, so that it outlives every array.
Keepers& keepers() {
  static auto* all = new Keepers;
  return *all;
}

void giveBack(void* memory) { keepers().remove(memory); }

template <class Array, class T>
vtkSmartPointer<vtkDataArray> share(const char* name, std::span<const T> values,
                                    const std::shared_ptr<const void>& owner) {
  static_assert(std::is_same_v<typename Array::ValueType, T>);
  auto array = named<Array>(name);
  if (values.empty()) return array;
  constexpr int free = 0;
  keepers().add(values.data(), owner);
  array->SetArray(const_cast<T*>(values.data()), vtkIdType(values.size()), free,
                  vtkAbstractArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(giveBack);
  return array;
}

} // namespace

vtkSmartPointer<vtkDataArray> sharedArray(const char* name, std::span<const float> values,
                                          const std::shared_ptr<const void>& owner) {
  return share<vtkFloatArray>(name, values, owner);
}

vtkSmartPointer<vtkDataArray> sharedArray(const char* name, std::span<const double> values,
                                          const std::shared_ptr<const void>& owner) {
  return share<vtkDoubleArray>(name, values, owner);
}

vtkSmartPointer<vtkDataArray> sharedArray(const char* name, std::span<const std::int64_t> values,
                                          const std::shared_ptr<const void>& owner) {
  return share<Int64Array>(name, values, owner);
}

} // namespace isochrone::filters
