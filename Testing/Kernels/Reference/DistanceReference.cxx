#include "Reference/DistanceReference.h"

#include <limits>

namespace isochrone::reference {

namespace {

using distance::Grid;
using distance::Region;

/// A point that others measure to.
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

/// wx dx^2 + wy dy^2 + wz dz^2, the least over all targets; of equal ones the first.
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
    if (toSites == isSite) // nothing is nearer to it than itself
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

long double squaredDistance(const Grid& g, std::int64_t p, std::int64_t q) {
  const long double x = g.hx * (long double)(p % g.nx - q % g.nx);
  const long double y = g.hy * (long double)(p / g.nx % g.ny - q / g.nx % g.ny);
  const long double z = g.hz * (long double)(p / (g.nx * g.ny) - q / (g.nx * g.ny));
  return x * x + y * y + z * z;
}

} // namespace isochrone::reference
