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

TensorStencil decompose(const grid::Symmetric3& d, bool plane, grid::Superbase& base) {
  grid::makeObtuse(base, d);
  const grid::Symmetric3 metric = grid::inverse(d);
  TensorStencil stencil;
  for (int pair = 0; pair < maxTerms; ++pair) {
    grid::Offset e = grid::sellingOffset(base, pair);
    const double weight = grid::sellingWeight(base, pair, d);
    if (weight * grid::product(e, metric, e) < minShare || (plane && e[2] != 0)) continue;
    if (e < grid::Offset{0, 0, 0})
      for (int& c : e) c = -c;
    // Sorts the terms, so that their order does not depend on the initial superbase.
    int at = stencil.count++;
    for (; at > 0 && e < stencil.term[at - 1].offset; --at) stencil.term[at] = stencil.term[at - 1];
    stencil.term[at] = {e, weight};
  }
  return stencil;
}

TensorStencil stencilAt(const Problem& p, std::int64_t point) {
  grid::Superbase base = grid::canonicalSuperbase;
  return decompose(gridTensorAt(p, point), p.grid.nz == 1, base);
}

} // namespace isochrone::image
