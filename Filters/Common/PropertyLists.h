// PropertyLists.h - setters of lists that ParaView sets element by element.
#pragma once

#include <vtkObject.h>

#include <algorithm>
#include <vector>

namespace isochrone::filters {

template <class T>
void resize(vtkObject* filter, std::vector<T>& list, int number, const T& value) {
  if (int(list.size()) == number) return;
  list.resize(std::max(number, 0), value);
  filter->Modified();
}

template <class T>
void assign(vtkObject* filter, std::vector<T>& list, int index, const T& value) {
  if (index < 0 || (index < int(list.size()) && list[index] == value)) return;
  if (index >= int(list.size())) list.resize(index + 1, value);
  list[index] = value;
  filter->Modified();
}

} // namespace isochrone::filters
