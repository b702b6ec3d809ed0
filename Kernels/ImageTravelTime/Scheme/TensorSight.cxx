#include "ImageTravelTime/Scheme/TensorSight.h"

#include "Grid/Supercover.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace isochrone::image {

TensorSight::TensorSight(const Grid& image, std::span<const std::uint8_t> barrier,
                         std::span<const StencilOffsets> all)
    : grid(image), barriers(barrier), stencils(all),
      distance(grid::distancesToBarriers(grid.sizes(), barrier)) {
  for (const StencilOffsets& stencil : stencils) {
    auto& cells = touched.emplace_back();
    for (int r = 0; r < maxTerms; ++r) {
      if (!distance.empty()) cells[r] = grid::supercover(stencil[r]);
      for (int a = 0; a < 3; ++a) reach[a] = std::max(reach[a], std::abs(stencil[r][a]));
    }
  }
}

TensorSees TensorSight::of(const GridIndex& at, std::size_t stencil) const {
  const GridIndex sizes = grid.sizes(), stride = grid.strides();
  const std::int64_t point = grid.index(at);
  bool inside = true;
  for (int a = 0; a < 3; ++a) inside &= at[a] >= reach[a] && at[a] + reach[a] < sizes[a];
  TensorSees sees = seesAll;
  if (inside && (distance.empty() || distance[point] > reach[0] + reach[1] + reach[2])) return sees;
  const auto isClear = [&](int sign, int r) {
    const grid::Offset& e = stencils[stencil][r];
    for (int a = 0; a < 3; ++a)
      if (const std::int64_t to = at[a] + sign * e[a]; to < 0 || to >= sizes[a]) return false;
    return distance.empty() || std::ranges::none_of(touched[stencil][r], [&](const grid::Offset& c) {
             return barriers[grid.index(at[0] + sign * c[0], at[1] + sign * c[1], at[2] + sign * c[2])] != 0;
           });
  };
  for (int r = 0; r < maxTerms; ++r) {
    if (!isClear(1, r)) sees &= ~(1u << r);
    if (!isClear(-1, r)) sees &= ~(1u << (maxTerms + r));
  }
  if (sees == seesAll) return sees;
  for (int a = 0; a < 3; ++a) {
    if (at[a] > 0 && !barriers[point - stride[a]]) sees |= 1u << (faceBits + 2 * a);
    if (at[a] + 1 < sizes[a] && !barriers[point + stride[a]]) sees |= 1u << (faceBits + 2 * a + 1);
  }
  return sees;
}

std::array<float, 3> timesAlongAxes(const Problem& problem, std::int64_t point, double unit) {
  const Position step = problem.grid.spacing();
  const grid::Symmetric3 metric = metricAt(problem, point);
  std::array<float, 3> times;
  for (int a = 0; a < 3; ++a) {
    Position along{};
    along[a] = step[a];
    const double time = isTilted(problem) ? timeAlong(problem, point, along) : std::sqrt(metric[a]) * step[a];
    times[a] = float(time / unit);
  }
  return times;
}

} // namespace isochrone::image
