#include "Reference/ImageTravelTimeReference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace isochrone::reference {

using image::Grid;
using image::Problem;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Point {
  std::int64_t i, j, k;
};

bool inside(const Grid& g, const Point& p) {
  return p.i >= 0 && p.j >= 0 && p.k >= 0 && p.i < g.nx && p.j < g.ny && p.k < g.nz;
}

/// Returns the time per length, infinite in barriers.
double slowness(const Problem& p, std::int64_t point) {
  if (!p.barriers.empty() && p.barriers[point]) return infinite;
  const double v = p.speed.empty() ? p.constantSpeed : double(p.speed[point]);
  if (std::isnan(v)) return infinite;
  if (p.speedType == image::SpeedType::Slowness) return v;
  return v > 0 ? 1 / v : infinite;
}

/// Returns the minimum u with sum of ((u - m) / h)^2 = s^2 over the axes with m < u. Axes are added in the
/// order of m while the solution without them exceeds the next m.
double upwind(std::vector<std::pair<double, double>> axes, double s) {
  std::sort(axes.begin(), axes.end());
  double solution = infinite;
  for (std::size_t count = 1; count <= axes.size(); ++count) {
    if (std::isinf(axes[count - 1].first) || solution <= axes[count - 1].first) break;
    const double base = axes[0].first;
    double a = 0, b = 0, c = -s * s;
    for (std::size_t n = 0; n < count; ++n) {
      const double w = 1 / (axes[n].second * axes[n].second), d = axes[n].first - base;
      a += w, b += w * d, c += w * d * d;
    }
    solution = base + (b + std::sqrt(std::max(b * b - a * c, 0.))) / a;
  }
  return solution;
}

template <class Value>
double updated(const Problem& p, const Point& at, Value&& value) {
  const Grid& g = p.grid;
  const double s = slowness(p, g.index(at.i, at.j, at.k));
  if (std::isinf(s)) return infinite;
  const auto minimum = [&](Point low, Point high) {
    return std::min(inside(g, low) ? value(g.index(low.i, low.j, low.k)) : infinite,
                    inside(g, high) ? value(g.index(high.i, high.j, high.k)) : infinite);
  };
  return upwind({{minimum({at.i - 1, at.j, at.k}, {at.i + 1, at.j, at.k}), g.hx},
                 {minimum({at.i, at.j - 1, at.k}, {at.i, at.j + 1, at.k}), g.hy},
                 {minimum({at.i, at.j, at.k - 1}, {at.i, at.j, at.k + 1}), g.hz}},
                s);
}

Point pointOf(const Grid& g, std::int64_t index) {
  return {index % g.nx, index / g.nx % g.ny, index / (g.nx * g.ny)};
}

/// Gives the corners of a seed's cell the time of the straight segment at the corner's speed. A seed within a
/// millionth of a step of a point is on it.
void setSeed(const Problem& p, const image::Seed& seed, std::vector<double>& u) {
  const Grid& g = p.grid;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const Point q = pointOf(g, n);
    const double x = q.i * g.hx - seed.at[0], y = q.j * g.hy - seed.at[1], z = q.k * g.hz - seed.at[2];
    constexpr double maximum = 1 - 1e-6;
    const bool corner =
        std::abs(x) < maximum * g.hx && std::abs(y) < maximum * g.hy && std::abs(z) < maximum * g.hz;
    const double s = slowness(p, n);
    if (!corner || std::isinf(s)) continue;
    u[n] = std::min(u[n], seed.startValue + std::sqrt(x * x + y * y + z * z) * s);
  }
}

std::vector<double> started(const Problem& p) {
  std::vector<double> u(p.grid.points(), infinite);
  for (const image::Seed& seed : p.seeds)
    if (!seed.isRegion) setSeed(p, seed, u);
  for (std::size_t n = 0; n < p.seedRegions.size(); ++n)
    if (p.seedRegions[n] >= 0 && std::isfinite(slowness(p, std::int64_t(n))))
      u[n] = std::min(u[n], p.seeds[p.seedRegions[n]].startValue);
  return u;
}

} // namespace

std::vector<double> march(const Problem& p) {
  const Grid& g = p.grid;
  std::vector<double> u = started(p);

  using Entry = std::pair<double, std::int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  for (std::int64_t n = 0; n < g.points(); ++n)
    if (std::isfinite(u[n])) front.push({u[n], n});
  std::vector<char> final(g.points(), 0);
  while (!front.empty()) {
    const auto [value, n] = front.top();
    front.pop();
    if (final[n] || value > u[n]) continue;
    final[n] = 1;
    const Point at = pointOf(g, n);
    for (const Point& next : {Point{at.i - 1, at.j, at.k},
                              {at.i + 1, at.j, at.k},
                              {at.i, at.j - 1, at.k},
                              {at.i, at.j + 1, at.k},
                              {at.i, at.j, at.k - 1},
                              {at.i, at.j, at.k + 1}}) {
      if (!inside(g, next)) continue;
      const std::int64_t m = g.index(next.i, next.j, next.k);
      if (final[m]) continue;
      const double candidate = updated(p, next, [&](std::int64_t q) { return final[q] ? u[q] : infinite; });
      if (candidate < u[m]) u[m] = candidate, front.push({candidate, m});
    }
  }
  return u;
}

double largestDecrease(const Problem& p, std::span<const float> travelTime) {
  double largest = 0;
  for (std::int64_t n = 0; n < p.grid.points(); ++n) {
    const double u = travelTime[n];
    const double next = updated(p, pointOf(p.grid, n), [&](std::int64_t q) { return double(travelTime[q]); });
    if (next < u) largest = std::max(largest, std::isinf(u) ? infinite : (u - next) / std::abs(u));
  }
  return largest;
}

double largestDeparture(const Problem& p, std::span<const float> travelTime) {
  const std::vector<double> start = started(p);
  double largest = 0;
  for (std::int64_t n = 0; n < p.grid.points(); ++n) {
    const double u = travelTime[n];
    if (std::isinf(u)) continue;
    const auto value = [&](std::int64_t q) { return double(travelTime[q]); };
    const double right = std::min(start[n], updated(p, pointOf(p.grid, n), value));
    if (u != right) largest = std::max(largest, std::abs(u - right) / std::max(u, right));
  }
  return largest;
}

} // namespace isochrone::reference
