#include "Reference/DistanceReference.h"

#include <limits>

namespace isochrone::reference {

namespace {

using distance::Grid;
using distance::Region;

/// A target of the distances.
template <class T>
struct Target {
  T x, y, z;
  std::int64_t index;
};

template <class T>
struct Best {
  T square;
  std::int64_t index = -1;
};

/// Returns the minimum of wx dx^2 + wy dy^2 + wz dz^2 over all targets, and the first one that attains it.
template <class T>
Best<T> nearest(const std::vector<Target<T>>& targets, T x, T y, T z, const T (&w)[3]) {
  Best<T> best{std::numeric_limits<T>::max()};
  for (const Target<T>& t : targets) {
    const T square =
        w[0] * (t.x - x) * (t.x - x) + w[1] * (t.y - y) * (t.y - y) + w[2] * (t.z - z) * (t.z - z);
    if (square < best.square) best = {square, t.index};
  }
  return best;
}

template <class T, class Store>
void compare(const distance::Problem& problem, Region region, const T (&w)[3], const Store& store) {
  const Grid& g = problem.grid;
  std::vector<Target<T>> sites, others;
  for (std::int64_t p = 0; p < g.points(); ++p)
    (problem.sites[p] ? sites : others).push_back({T(p % g.nx), T(p / g.nx % g.ny), T(p / (g.nx * g.ny)), p});
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const bool isSite = problem.sites[p];
    const bool toSites = region == Region::Outside || (region != Region::Inside && !isSite);
    if (toSites == isSite) // nothing is nearer than the point itself
      store(Best<T>{0, p});
    else
      store(nearest<T>(toSites ? sites : others, T(p % g.nx), T(p / g.nx % g.ny), T(p / (g.nx * g.ny)), w));
  }
}

} // namespace

Nearest compareAllPairs(const distance::Problem& problem, Region region) {
  const Grid& g = problem.grid;
  Nearest result;
  long double unit = 0;
  for (const auto& [n, h] : {std::pair{g.nx, g.hx}, {g.ny, g.hy}, {g.nz, g.hz}}) {
    if (n == 1) continue;
    if (unit == 0) unit = h;
    if (unit != (long double)h) result.equalSpacing = false;
  }
  const auto store = [&](std::int64_t index, long double squared) {
    result.squared.push_back(index < 0 ? std::numeric_limits<long double>::infinity() : squared);
    result.site.push_back(index);
  };
  if (result.equalSpacing)
    compare<std::int64_t>(problem, region, {1, 1, 1}, [&](const Best<std::int64_t>& best) {
      result.steps.push_back(best.index < 0 ? -1 : best.square);
      store(best.index, unit * unit * (long double)best.square);
    });
  else
    compare<long double>(problem, region,
                         {(long double)g.hx * g.hx, (long double)g.hy * g.hy, (long double)g.hz * g.hz},
                         [&](const Best<long double>& best) { store(best.index, best.square); });
  return result;
}

Nearest compareAlongLines(const distance::Problem& problem, Region region) {
  const Grid& g = problem.grid;
  const std::int64_t n[3] = {g.nx, g.ny, g.nz}, stride[3] = {1, g.nx, g.nx * g.ny};
  const long double unit = g.nx > 1 ? g.hx : g.ny > 1 ? g.hy : g.hz;
  constexpr std::int32_t none = 1 << 30; // larger than the squares in the images of the tests
  Nearest result;
  result.steps.assign(g.points(), -1), result.site.assign(g.points(), -1);
  for (const bool toSites : {true, false}) {
    if (region == Region::Outside && !toSites) continue;
    if (region == Region::Inside && toSites) continue;
    std::vector<std::int32_t> square(g.points(), none), site(g.points(), -1);
    for (std::int64_t p = 0; p < g.points(); ++p)
      if ((problem.sites[p] != 0) == toSites) square[p] = 0, site[p] = std::int32_t(p);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<std::int32_t> best(n[axis]), of(n[axis]);
      for (std::int64_t first = 0; first < g.points(); ++first) {
        if (first / stride[axis] % n[axis] != 0) continue;
        best.assign(n[axis], none), of.assign(n[axis], -1);
        for (std::int64_t i = 0; i < n[axis]; ++i) {
          const std::int32_t square0 = square[first + i * stride[axis]],
                             site0 = site[first + i * stride[axis]];
          if (site0 < 0) continue;
          for (std::int64_t x = 0; x < n[axis]; ++x) {
            const auto step = std::int32_t(x - i), candidate = square0 + step * step;
            const bool nearer = candidate < best[x];
            best[x] = nearer ? candidate : best[x], of[x] = nearer ? site0 : of[x];
          }
        }
        for (std::int64_t x = 0; x < n[axis]; ++x)
          square[first + x * stride[axis]] = best[x], site[first + x * stride[axis]] = of[x];
      }
    }
    for (std::int64_t p = 0; p < g.points(); ++p) {
      const bool other =
          region == Region::Outside || region == Region::Inside || (problem.sites[p] != 0) != toSites;
      if (other && site[p] >= 0) result.steps[p] = square[p], result.site[p] = site[p];
    }
  }
  for (const std::int64_t steps : result.steps)
    result.squared.push_back(steps < 0 ? std::numeric_limits<long double>::infinity()
                                       : unit * unit * (long double)steps);
  return result;
}

long double squaredDistance(const Grid& g, std::int64_t p, std::int64_t q) {
  const long double x = g.hx * (long double)(p % g.nx - q % g.nx);
  const long double y = g.hy * (long double)(p / g.nx % g.ny - q / g.nx % g.ny);
  const long double z = g.hz * (long double)(p / (g.nx * g.ny) - q / (g.nx * g.ny));
  return x * x + y * y + z * z;
}

} // namespace isochrone::reference
