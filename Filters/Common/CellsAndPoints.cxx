#include "Common/CellsAndPoints.h"

#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <utility>

namespace isochrone::filters {

namespace {

std::uint8_t either(std::uint8_t a, std::uint8_t b) { return std::uint8_t(a | b); }

/// Converts layers of cells to layers of points (`step` 1) or back (`step` -1), axis by axis. Each output
/// layer is `combine(below, above)` of its two neighbours. At the ends of an axis both neighbours of a layer
/// of points are the same layer of cells.
/// @param row  values per cell or point
template <class T, class Combine>
std::vector<T> between(vtkImageData* image, std::vector<T> values, int step, std::int64_t row,
                       Combine combine) {
  int n[3];
  image->GetDimensions(n);
  for (int axis = 0; axis < 3; ++axis) {
    if (n[axis] == 1) continue; // one layer of cells and one layer of points
    const std::int64_t before = step > 0 ? n[axis] - 1 : n[axis], after = before + step;
    const std::int64_t blocks = std::int64_t(values.size()) / (before * row), first = step > 0 ? 1 : 0;
    std::vector<T> out(blocks * after * row);
    for (std::int64_t block = 0; block < blocks; ++block)
      for (std::int64_t l = 0; l < after; ++l) {
        const T* below = &values[(block * before + std::max<std::int64_t>(l - first, 0)) * row];
        const T* above = &values[(block * before + std::min(l - first + 1, before - 1)) * row];
        std::transform(below, below + row, above, &out[(block * after + l) * row], combine);
      }
    values = std::move(out);
    row *= after; // now the values per layer of the next axis
  }
  return values;
}

} // namespace

std::vector<float> meanOfCells(vtkImageData* image, std::vector<float> cells, int components) {
  return between(image, std::move(cells), 1, components,
                 [](float a, float b) { return 0.5f * a + 0.5f * b; });
}

std::vector<std::uint8_t> touched(vtkImageData* image, std::vector<std::uint8_t> cells) {
  return between(image, std::move(cells), 1, 1, either);
}

std::vector<std::uint8_t> cellsOf(vtkImageData* image, std::vector<std::uint8_t> points) {
  return between(image, std::move(points), -1, 1, either);
}

std::vector<std::uint8_t> hiddenCells(vtkImageData* image) {
  vtkUnsignedCharArray* ghosts = image->GetCellGhostArray();
  if (!ghosts) return {};
  std::vector<std::uint8_t> hidden(ghosts->GetNumberOfTuples());
  for (std::size_t c = 0; c < hidden.size(); ++c)
    hidden[c] = (ghosts->GetValue(vtkIdType(c)) & vtkDataSetAttributes::HIDDENCELL) != 0;
  return hidden;
}

} // namespace isochrone::filters
