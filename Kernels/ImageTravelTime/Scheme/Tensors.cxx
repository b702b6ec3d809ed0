#include "ImageTravelTime/Scheme/Tensors.h"

#include "Error.h"
#include "ImageTravelTime/Scheme/Barriers.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

/// Maximum ratio of the largest to the smallest speed at a point, in grid steps. The reach of a stencil, in
/// points, is up to about this ratio.
constexpr double mostAnisotropy = 200;

/// Terms with a smaller share of D, measured by D itself, are rounding noise of tensors in float.
constexpr double leastShare = 1e-7;

} // namespace

bool isTensorBarrier(const Problem& p, std::int64_t point) {
  const int components = componentsOf(p);
  bool zero = true, number = true;
  for (int c = 0; c < components; ++c) {
    const float v = p.speed[point * components + c];
    zero &= v == 0;
    number &= !std::isnan(v);
  }
  return zero || !number;
}

grid::Symmetric3 tensorAt(const Problem& p, std::int64_t point) {
  const float* t = p.speed.data() + point * componentsOf(p);
  if (p.grid.nz > 1) return {t[0], t[1], t[2], t[3], t[4], t[5]};
  return {t[0], t[1], std::max(t[0], t[1]), t[2], 0, 0}; // paths stay in the plane
}

grid::Symmetric3 metricAt(const Problem& p, std::int64_t point) {
  grid::Symmetric3 metric = tensorAt(p, point);
  if (p.speedType == SpeedType::SquaredVelocityTensor) metric = grid::inverse(metric);
  if (p.grid.nx == 1) metric[3] = metric[5] = 0;
  if (p.grid.ny == 1) metric[3] = metric[4] = 0;
  return metric;
}

grid::Symmetric3 gridTensorAt(const Problem& p, std::int64_t point) {
  const Grid& g = p.grid;
  grid::Symmetric3 metric = grid::scaled(metricAt(p, point), {g.hx, g.hy, g.hz});
  const std::int64_t sizes[3] = {g.nx, g.ny, g.nz};
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
  for (int pair = 0; pair < mostTerms; ++pair) {
    grid::Offset e = grid::sellingOffset(base, pair);
    const double weight = grid::sellingWeight(base, pair, d);
    if (weight * grid::product(e, metric, e) < leastShare || (plane && e[2] != 0)) continue;
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

TensorSpeeds checkTensors(const Problem& p, int threads) {
  const std::int64_t points = p.grid.points();
  std::int64_t bad = 0, firstBad = points, flat = points;
  double largest = 0, slowest = 0; // squares of speed and slowness
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : bad)                            \
    reduction(min : firstBad, flat) reduction(max : largest, slowest)
  for (std::int64_t n = 0; n < points; ++n) {
    if (isBarrier(p, n)) continue;
    if (!grid::isPositiveDefinite(tensorAt(p, n))) {
      ++bad, firstBad = std::min(firstBad, n);
      continue;
    }
    const grid::Symmetric3 d = gridTensorAt(p, n);
    // Each trace lies between the largest eigenvalue and three times this eigenvalue.
    const double fast = grid::trace(d) / 2, slow = grid::trace(grid::inverse(d)) / 2;
    if (!(fast * slow < mostAnisotropy * mostAnisotropy)) flat = std::min(flat, n);
    largest = std::max(largest, fast), slowest = std::max(slowest, slow);
  }
  if (bad > 0)
    throw Error(std::to_string(bad) + (bad == 1 ? " tensor is" : " tensors are") +
                " not positive definite, the first at " + nameOf(p, firstBad) +
                ": correct them, or make such points barriers (zeros or NaN)");
  if (flat < points)
    throw Error(
        "the tensor at " + nameOf(p, flat) +
        " is too anisotropic: in grid steps one direction is more than about " +
        std::to_string(int(mostAnisotropy)) +
        " times faster than another; reduce that, or resample the image with a finer spacing along the "
        "slow direction");
  if (largest == 0) return {1, 1}; // only barriers
  const TensorSpeeds speeds{1 / std::sqrt(slowest), std::sqrt(largest)};
  requireRange(p, speeds.least, speeds.largest);
  return speeds;
}

} // namespace isochrone::image
