// Plane.h - an image with a margin, and sums over neighbours along its rows and columns.
#pragma once

#include "OrientedCost/Filters.h"
#include "OrientedCost/OrientedCost.h"
#include "OrientedCost/Work.h"
#include "Values.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace isochrone::oriented {

/// A box of an image with a margin. Rows start at x = -marginX and may be read in whole pieces of `rowPiece`
/// floats, past their end.
class Plane {
public:
  Plane() = default;
  Plane(std::int64_t columns, std::int64_t rows, int marginX, int marginY);

  /// Returns point (0, j), for j from -marginY to ny + marginY - 1.
  float* row(std::int64_t j) { return values.data() + (j + marginY) * stride + marginX; }
  const float* row(std::int64_t j) const { return values.data() + (j + marginY) * stride + marginX; }

  std::int64_t nx = 0, ny = 0;
  int marginX = 0, marginY = 0;
  std::int64_t stride = 0;

private:
  Values<float> values;
};

/// Returns the memory of such a plane, bytes.
double planeBytes(double columns, double rows, double marginX, double marginY);

/// Fills a plane over `box` and its margin with value(i, j), where (i, j) is a point of the image of nx * ny
/// points. Mirrors at its borders show points beyond it.
void fill(Plane& plane, const Box& box, std::int64_t nx, std::int64_t ny,
          const std::function<float(std::int64_t, std::int64_t)>& value, Work& work, double share);

/// Returns the weighted sums along x, then along y. The margins of the image exceed the margins of the result
/// by at least the reach of the weights.
/// @param weightsX, weightsY  of the neighbours -reach, ..., reach
Plane sums(const Plane& image, const std::vector<float>& weightsX, const std::vector<float>& weightsY,
           int marginX, int marginY, const RowKernels& host, Work& work, double share);

} // namespace isochrone::oriented
