#include "CellsToPoints.h"

#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <utility>

namespace isochrone::filters {

namespace {

/// What `combine(below, above)` makes of the cells around each point, one axis after the other. A point at an
/// end of an axis has the same cell on both sides.
template <class T, class Combine>
std::vector<T> aroundPoints(vtkImageData* image, std::vector<T> values, Combine combine) {
  int n[3];
  image->GetDimensions(n);
  std::int64_t row = 1; // values from one layer of the axis to the next
  for (int axis = 0; axis < 3; row *= n[axis], ++axis) {
    if (n[axis] == 1) continue; // one layer of cells and one of points
    const std::int64_t layers = n[axis] - 1, blocks = std::int64_t(values.size()) / (layers * row);
    std::vector<T> out(blocks * n[axis] * row);
    for (std::int64_t block = 0; block < blocks; ++block)
      for (std::int64_t l = 0; l <= layers; ++l) {
        const T* below = &values[(block * layers + std::max<std::int64_t>(l - 1, 0)) * row];
        const T* above = &values[(block * layers + std::min(l, layers - 1)) * row];
        std::transform(below, below + row, above, &out[(block * n[axis] + l) * row], combine);
      }
    values = std::move(out);
  }
  return values;
}

} // namespace

std::vector<float> meanOfCells(vtkImageData* image, std::vector<float> cells) {
  return aroundPoints(image, std::move(cells), [](float a, float b) { return 0.5f * a + 0.5f * b; });
}

std::vector<std::uint8_t> touched(vtkImageData* image, std::vector<std::uint8_t> cells) {
  return aroundPoints(image, std::move(cells),
                      [](std::uint8_t a, std::uint8_t b) { return std::uint8_t(a | b); });
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
