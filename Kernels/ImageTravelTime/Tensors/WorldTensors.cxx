// Tensors along world axes, converted to the axes and the plane of a grid.
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

bool isPositiveDefinite(std::span<const float> tensor) {
  return grid::isPositiveDefinite(tensorOf(tensor.data(), int(tensor.size())));
}

bool isSymmetric(const Matrix3& m) {
  constexpr double asymmetry = 1e-5; // maximum difference, relative to the largest component
  double largest = 0, difference = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      largest = std::max(largest, std::abs(m[r][c]));
      difference = std::max(difference, std::abs(m[r][c] - m[c][r]));
    }
  return !(difference > asymmetry * largest); // accepts NaN
}

Matrix3 alongAxes(const Matrix3& world, const Matrix3& axes) {
  Matrix3 m{};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) m[a][b] += axes[a][r] * world[r][c] * axes[b][c];
  return m;
}

Matrix3 inPlane(const Matrix3& squaredVelocity) {
  Matrix3 m = squaredVelocity;
  const double across = m[2][2];
  if (std::isnan(across)) m[0][0] = across; // a barrier, even if all other components are numbers
  if (std::isnan(across) || m == Matrix3{}) return m;
  if (across <= 0) {
    m[0][0] = -1;
    return m;
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) m[r][c] -= m[r][2] * m[2][c] / across;
  return m;
}

} // namespace isochrone::image
