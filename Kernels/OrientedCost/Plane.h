// Plane.h - an image with a margin around it, and sums over neighbours along its rows and columns.
#pragma once

#include "OrientedCost/Filters.h"
#include "OrientedCost/Work.h"
#include "Values.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace isochrone::oriented {

/// Rows start at x = -marginX; whole pieces of a row may be read wherever the row is.
class Plane {
public:
  Plane() = default;
  Plane(std::int64_t columns, std::int64_t rows, int marginX, int marginY);

  /// Point (0, j); j from -marginY to ny + marginY - 1.
  float* row(std::int64_t j) { return values.data() + (j + marginY) * stride + marginX; }
  const float* row(std::int64_t j) const { return values.data() + (j + marginY) * stride + marginX; }

  std::int64_t nx = 0, ny = 0;
  int marginX = 0, marginY = 0;
  std::int64_t stride = 0;

private:
  Values<float> values;
};

/// Bytes of such a plane.
double planeBytes(double columns, double rows, double marginX, double marginY);

/// Fills a plane by mirrors at its borders: value(i, j) for points of the image.
void reflect(Plane& plane, const std::function<float(std::int64_t, std::int64_t)>& value, Work& work,
             double share);

/// Sums over the neighbours -reach, ..., reach along x, then along y.
struct Weights {
  const std::vector<float>&x, &y;
};
/// With smaller margins: those of the image are larger by the reach of the weights at least.
Plane sums(const Plane& image, const Weights& weights, int marginX, int marginY, const RowKernels& host,
           Work& work, double share);

} // namespace isochrone::oriented
