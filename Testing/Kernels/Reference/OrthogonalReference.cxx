#include "Reference/OrthogonalReference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::reference {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), degree = std::numbers::pi / 180;

/// A neighbour: its value and the length of the step.
struct Side {
  double value = infinity, step = 1;
};
using Sides = std::array<std::array<Side, 2>, 3>;

double sumAt(const Sides& sides, double u) {
  double sum = 0;
  for (const auto& axis : sides) {
    double slope = 0;
    for (const Side& side : axis)
      if (side.value < u) slope = std::max(slope, (u - side.value) / side.step);
    sum += slope * slope;
  }
  return sum;
}

/// Returns the minimum u at which the sum over the axes reaches the squared slowness.
double solve(const Sides& sides, double slowness) {
  double low = infinity, high = infinity;
  for (const auto& axis : sides)
    for (const Side& side : axis)
      low = std::min(low, side.value), high = std::min(high, side.value + side.step * slowness);
  if (!(high < infinity)) return infinity;
  for (int n = 0; n < 200; ++n) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (sumAt(sides, middle) < slowness * slowness ? low : high) = middle;
  }
  return high;
}

class Solver {
public:
  explicit Solver(const OrthogonalModel& of) : m(of) {
    for (int a = 0; a < 3; ++a) n[a] = std::int64_t(m.coordinates[std::size_t(a)].size());
    u.assign(std::size_t(n[0] * n[1] * n[2]), infinity);
    for (const auto& [point, value] : m.starts) {
      const std::int64_t i = point % n[0], j = point / n[0] % n[1], k = point / (n[0] * n[1]);
      lower(i, j, k, value);
    }
  }

  std::vector<double> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t k = 0; k < n[2]; ++k)
        for (std::int64_t j = 0; j < n[1]; ++j)
          for (std::int64_t i = 0; i < n[0]; ++i) changed |= visit(i, j, k);
      for (std::int64_t k = n[2]; k-- > 0;)
        for (std::int64_t j = n[1]; j-- > 0;)
          for (std::int64_t i = n[0]; i-- > 0;) changed |= visit(i, j, k);
    }
    return u;
  }

private:
  const OrthogonalModel& m;
  std::int64_t n[3];
  std::vector<double> u;

  std::size_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return std::size_t(i + n[0] * (j + n[1] * k));
  }
  double at(int a, std::int64_t index) const { return m.coordinates[std::size_t(a)][std::size_t(index)]; }
  bool isCentre(std::int64_t i) const { return m.spherical && at(0, i) == 0; }
  bool isPole(std::int64_t j) const { return m.spherical && (at(1, j) == 0 || at(1, j) == 180); }

  /// Lowers all points that are the same place.
  bool lower(std::int64_t i, std::int64_t j, std::int64_t k, double value) {
    if (!(value < u[index(i, j, k)])) return false;
    if (isCentre(i)) {
      for (std::int64_t q = 0; q < n[1]; ++q)
        for (std::int64_t p = 0; p < n[2]; ++p) u[index(i, q, p)] = value;
    } else if (isPole(j)) {
      for (std::int64_t p = 0; p < n[2]; ++p) u[index(i, j, p)] = value;
    }
    u[index(i, j, k)] = value;
    return true;
  }

  bool visit(std::int64_t i, std::int64_t j, std::int64_t k) {
    const double slowness = m.slowness[index(i, j, k)];
    if (!std::isfinite(slowness)) return false;
    Sides sides;
    const std::array<std::int64_t, 3> p{i, j, k};
    for (int a = 0; a < 3; ++a) {
      double factor = 1;
      if (m.spherical && a > 0) factor = at(0, i) * degree * (a == 2 ? std::sin(at(1, j) * degree) : 1);
      if (m.spherical && a > 0 && (isCentre(i) || (a == 2 && isPole(j)))) continue;
      for (int up = 0; up < 2; ++up) {
        auto q = p;
        q[std::size_t(a)] += up ? 1 : -1;
        double turn = 0;
        if (m.goesAround && a == 2 && n[2] > 1) {
          if (q[2] < 0) q[2] += n[2], turn = 360;
          if (q[2] >= n[2]) q[2] -= n[2], turn = 360;
        }
        if (q[std::size_t(a)] < 0 || q[std::size_t(a)] >= n[a]) continue;
        const double difference = std::abs(at(a, q[std::size_t(a)]) - at(a, p[std::size_t(a)]));
        sides[std::size_t(a)][std::size_t(up)] = {u[index(q[0], q[1], q[2])],
                                                  factor * (turn > 0 ? turn - difference : difference)};
      }
    }
    return lower(i, j, k, solve(sides, slowness));
  }
};

} // namespace

std::vector<double> travelTimes(const OrthogonalModel& model) { return Solver(model).run(); }

} // namespace isochrone::reference
