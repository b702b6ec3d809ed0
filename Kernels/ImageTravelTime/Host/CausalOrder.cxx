#include "ImageTravelTime/Host/CausalOrder.h"

#include "ImageTravelTime/Scheme/Limits.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace isochrone::image {

CausalOrder::CausalOrder(const Grid& g, std::span<const float> t)
    : upstream(g, t.data()), grid(g), times(t), size(g.sizes()), stride(g.strides()) {}

/// Finds the number of dependencies of a point. It depends on its nearer points. The farther point is done
/// before the nearer one if that one depends on it, which it does not where both have the same time up to
/// rounding.
void CausalOrder::countDependencies(std::int64_t point, std::vector<std::int64_t>& ready) {
  if (times[point] == infinite) return;
  const GridIndex at = grid.indices(point);
  for (int axis = 0; axis < 3; ++axis) {
    const UpstreamNeighbour up = upstream(point, axis, at[axis]);
    open[point] +=
        (up.near >= 0) + (up.far >= 0 && upstream(up.near, axis, at[axis] - up.sign).near != up.far);
  }
  if (open[point] == 0) ready.push_back(point);
}

void CausalOrder::releaseOne(std::int64_t point, std::vector<std::int64_t>& ready) {
  if (std::atomic_ref(open[point]).fetch_sub(1, std::memory_order_acq_rel) == 1) ready.push_back(point);
}

void CausalOrder::release(std::int64_t done, std::vector<std::int64_t>& ready) {
  const GridIndex index = grid.indices(done);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t at = index[axis];
    for (const int sign : {1, -1}) { // the points with this one on their lower side, then on their upper side
      const std::int64_t one = at + sign, two = at + 2 * sign;
      if (one < 0 || one >= size[axis]) continue;
      const std::int64_t next = done + sign * stride[axis], second = next + sign * stride[axis];
      const bool isNear = upstream(next, axis, one).near == done;
      if (isNear && std::isfinite(times[next])) releaseOne(next, ready);
      const bool hasSecond = !isNear && two >= 0 && two < size[axis];
      if (hasSecond && std::isfinite(times[second]) && upstream(second, axis, two).far == done)
        releaseOne(second, ready);
    }
  }
}

bool CausalOrder::run(execution::RoundPool& pool, const Monitor& monitor,
                      const std::function<void(std::int64_t)>& visit) {
  std::vector<std::vector<std::int64_t>> ready(pool.size());
  open.assign(times.size(), 0);
  pool.forRanges(std::int64_t(times.size()), [&](std::int64_t begin, std::int64_t end, int thread) {
    for (std::int64_t p = begin; p < end; ++p) countDependencies(p, ready[thread]);
  });
  std::vector<std::int64_t> front;
  for (;;) {
    front.clear();
    for (auto& list : ready) {
      front.insert(front.end(), list.begin(), list.end());
      list.clear();
    }
    if (front.empty()) return true;
    if (!monitor.report(0.95)) return false;
    constexpr std::int64_t batch = 512;
    pool.forRanges(std::int64_t(front.size()), batch, [&](std::int64_t begin, std::int64_t end, int thread) {
      for (std::int64_t n = begin; n < end; ++n) {
        if (std::isfinite(times[front[n]])) visit(front[n]);
        release(front[n], ready[thread]);
      }
    });
  }
}

} // namespace isochrone::image
