#include "ImageTravelTime/Scheme/TensorStencil.h"

#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>

namespace isochrone::image {

/// Terms with a smaller share of D, measured by D itself, are rounding noise of tensors in float.
static constexpr double minShare = 1e-7;

grid::Symmetric3 gridTensorAt(const Problem& p, std::int64_t point) {
  const Grid& g = p.grid;
  grid::Symmetric3 metric = grid::scaled(metricAt(p, point), {g.hx, g.hy, g.hz});
  const GridIndex sizes = g.sizes();
  double slowest = 0; // an axis with one point has no steps: it takes the slowness of the slowest other axis
  for (int a = 0; a < 3; ++a) slowest = std::max(slowest, sizes[a] > 1 ? metric[a] : 0);
  for (int a = 0; a < 3; ++a)
    if (sizes[a] == 1) metric[a] = slowest > 0 ? slowest : 1;
  return grid::inverse(metric);
}

Decomposition::Decomposition(bool isPlane, const grid::Superbase& start) : plane(isPlane), base(start) {
  findOffsets();
}

void Decomposition::findOffsets() {
  for (int n = 0; n < 4; ++n)
    for (int a = 0; a < 3; ++a) vector[n][a] = base[n][a];
  for (int pair = 0; pair < maxTerms; ++pair) {
    grid::Offset e = grid::sellingOffset(base, pair);
    if (e < grid::Offset{0, 0, 0})
      for (int& c : e) c = -c;
    offset[pair] = e;
    sorted[pair] = pair;
  }
  // Sorted terms do not depend on the order of the superbase.
  std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return offset[a] < offset[b]; });
}

/// Sets `weight`. Returns whether the superbase is obtuse, up to rounding as in grid::makeObtuse.
bool Decomposition::findWeights(const grid::Symmetric3& d) {
  std::array<grid::Vector3, 4> image;
  for (int n = 1; n < 4; ++n) image[n] = grid::times(d, vector[n]);
  double lowest = 0;
  for (int pair = 0; pair < maxTerms; ++pair) {
    const auto [i, j, k, l] = grid::superbasePairs[pair];
    weight[pair] = -grid::dot(vector[i], image[j]);
    lowest = std::min(lowest, weight[pair]);
  }
  return -lowest <= grid::obtuseTolerance(d);
}

/// Returns whether a term is more than rounding noise. Mostly the upper bound of D's eigenvalues decides.
bool Decomposition::counts(int pair, const grid::Symmetric3& d) const {
  const grid::Offset& e = offset[pair];
  if (plane && e[2] != 0) return false;
  const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  return weight[pair] * square > 2 * minShare * grid::trace(d) ||
         !(weight[pair] * grid::product(e, grid::inverse(d), e) < minShare);
}

TensorStencil Decomposition::of(const grid::Symmetric3& d) {
  if (!findWeights(d)) {
    grid::makeObtuse(base, d);
    findOffsets();
    findWeights(d);
  }
  TensorStencil stencil;
  for (const int pair : sorted)
    if (counts(pair, d)) stencil.term[stencil.count++] = {offset[pair], weight[pair]};
  return stencil;
}

TensorStencil stencilAt(const Problem& p, std::int64_t point) {
  return Decomposition(p.grid.nz == 1).of(gridTensorAt(p, point));
}

} // namespace isochrone::image
