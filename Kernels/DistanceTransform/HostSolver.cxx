// The plain version: one line after another, a stack of parabolas per line.
#include "DistanceTransform/HostSolver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace isochrone::distance {

namespace {

template <class T>
constexpr T none = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                        : std::numeric_limits<T>::max() / 4;

/// The squared distance so far, and the site that has it.
template <class T>
struct Field {
  std::vector<T> square;
  std::vector<std::int64_t> site;
};

/// out(x) = min over i of g(i) + weight (x - i)^2 on one line; ties go to the lower i.
template <class T>
void solveLine(T* square, std::int64_t* site, std::int64_t n, std::int64_t stride, T weight) {
  std::vector<std::int64_t> at, owns;
  std::vector<T> g(n);
  std::vector<std::int64_t> from(n);
  for (std::int64_t i = 0; i < n; ++i) g[i] = square[i * stride], from[i] = site[i * stride];
  // the last x at which a is no worse than b
  const auto lastOf = [&](std::int64_t a, std::int64_t b) {
    const long double F = (long double)(g[b]) - (long double)(g[a]) +
                          (long double)(weight) * ((long double)(b)*b - (long double)(a)*a);
    return F / (2 * (long double)(weight) * (b - a));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    if (g[i] >= none<T>) continue;
    while (!at.empty()) {
      const long double end = std::floor(lastOf(at.back(), i));
      const std::int64_t begin = owns.back();
      if (end >= (long double)begin) {
        if (end < (long double)(n)) at.push_back(i), owns.push_back(std::int64_t(end) + 1);
        goto next;
      }
      at.pop_back(), owns.pop_back();
    }
    at.push_back(i), owns.push_back(0);
  next:;
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::int64_t end = k + 1 < at.size() ? owns[k + 1] : n;
    for (std::int64_t x = std::max<std::int64_t>(owns[k], 0); x < end; ++x) {
      const T d = T(x - at[k]);
      square[x * stride] = g[at[k]] + weight * (d * d);
      site[x * stride] = from[at[k]];
    }
  }
}

template <class T>
Field<T> transform(const Problem& p, bool toSites, const double (&weight)[3]) {
  const Grid& n = p.grid;
  Field<T> f{std::vector<T>(n.points(), none<T>), std::vector<std::int64_t>(n.points(), -1)};
  for (std::int64_t i = 0; i < n.points(); ++i)
    if ((p.sites[i] != 0) == toSites) f.square[i] = 0, f.site[i] = i;
  const std::int64_t size[3] = {n.nx, n.ny, n.nz}, stride[3] = {1, n.nx, n.nx * n.ny};
  for (int a = 0; a < 3; ++a) {
    if (size[a] == 1) continue;
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    for (std::int64_t j = 0; j < size[b]; ++j)
      for (std::int64_t k = 0; k < size[c]; ++k) {
        const std::int64_t first = j * stride[b] + k * stride[c];
        solveLine(f.square.data() + first, f.site.data() + first, size[a], stride[a], T(weight[a]));
      }
  }
  return f;
}

template <class T>
void solve(const Problem& p, const Options& options, const double (&weight)[3], double unit, Result& result) {
  const std::int64_t points = p.grid.points();
  const bool outside = options.region != Region::Inside, inside = options.region != Region::Outside;
  Field<T> toSites, toOthers;
  if (outside) toSites = transform<T>(p, true, weight);
  if (inside) toOthers = transform<T>(p, false, weight);
  if (options.distance) {
    if (options.doublePrecision)
      result.preciseDistance.resize(points);
    else
      result.distance.resize(points);
  }
  if (options.squaredDistance) result.squaredDistance.resize(points);
  if (options.nearestSite) result.nearestSite.resize(points);
  for (std::int64_t i = 0; i < points; ++i) {
    const bool site = p.sites[i];
    const Field<T>& f = options.region == Region::Outside  ? toSites
                        : options.region == Region::Inside ? toOthers
                        : site                             ? toOthers
                                                           : toSites;
    const bool found = f.square[i] < none<T>;
    double distance = found ? std::sqrt(double(f.square[i])) * unit : std::numeric_limits<double>::infinity();
    const bool reached = found && (options.maximumDistance == 0 || distance <= options.maximumDistance);
    if (!reached) distance = std::numeric_limits<double>::infinity();
    if (options.region == Region::Signed && site) distance = -distance;
    if (!result.distance.empty()) result.distance[i] = float(distance);
    if (!result.preciseDistance.empty()) result.preciseDistance[i] = distance;
    if (!result.squaredDistance.empty())
      result.squaredDistance[i] =
          reached ? double(f.square[i]) * (unit * unit) : std::numeric_limits<double>::infinity();
    if (!result.nearestSite.empty()) result.nearestSite[i] = reached ? f.site[i] : -1;
  }
}

} // namespace

void solveOnHost(const Problem& problem, const Options& options, int, const Monitor&, Result& result) {
  const Grid& g = problem.grid;
  const double h[3] = {g.nx > 1 ? g.hx : 0, g.ny > 1 ? g.hy : 0, g.nz > 1 ? g.hz : 0};
  double unit = std::max({h[0], h[1], h[2]});
  bool isotropic = true;
  for (double a : h) isotropic = isotropic && (a == 0 || a == unit);
  if (unit == 0) unit = 1;
  if (isotropic)
    solve<std::int64_t>(problem, options, {1, 1, 1}, unit, result);
  else
    solve<double>(problem, options, {h[0] * h[0], h[1] * h[1], h[2] * h[2]}, 1, result);
}

} // namespace isochrone::distance
