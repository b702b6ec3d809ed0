#include "DistanceTransform/Scheme/Units.h"

#include "DistanceTransform/Scheme/Tiling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace isochrone::distance {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns the largest squared distance whose root, in world units, is at most `distance`.
double largestSquare(double distance, double unit, bool integers) {
  const double ratio = distance / unit;
  double square = integers ? std::floor(ratio * ratio) : ratio * ratio;
  const auto next = [&](double s, double towards) {
    return integers ? s + (towards > s ? 1 : -1) : std::nextafter(s, towards);
  };
  if (!std::isfinite(square) || square > 0x1p53) return square;
  while (std::sqrt(next(square, infinite)) * unit <= distance) square = next(square, infinite);
  while (square > 0 && std::sqrt(square) * unit > distance) square = next(square, 0);
  return square;
}

/// Returns a number of steps such that more of them exceed the maximum distance.
/// @param limit  squared distances above it exceed the maximum distance
int reachOf(const MeasuredAxis& axis, double limit) {
  const std::vector<double>& at = axis.coordinates;
  if (at.empty()) {
    const double steps = std::sqrt(limit / axis.weight) + 1; // one more, for rounding
    return int(std::min(steps, double(1 << 30)));
  }
  std::size_t most = 0, first = 0;
  for (std::size_t last = 1; last < at.size(); ++last) {
    while ((at[last] - at[first]) * (at[last] - at[first]) > limit) ++first;
    most = std::max(most, last - first);
  }
  return int(most);
}

} // namespace

Measure measure(const Problem& problem, double maximumDistance) {
  const Grid& grid = problem.grid;
  Measure m;
  std::vector<double> spacing;
  for (int a = 0; a < 3; ++a)
    if (const std::int64_t n = grid.sizes()[a]; n > 1) {
      MeasuredAxis& axis = m.axes[spacing.size()];
      axis.points = n;
      axis.periodic = problem.periodic[a];
      for (std::int64_t i = 0; problem.rectilinear && i < n; ++i)
        axis.coordinates.push_back(problem.rectilinear->coordinate(a, double(i)) -
                                   problem.rectilinear->coordinate(a, 0));
      spacing.push_back(grid.spacing()[a]);
    }
  if (spacing.empty()) spacing.push_back(1);
  m.dimensions = int(spacing.size());
  m.integers = !problem.rectilinear && std::equal(spacing.begin() + 1, spacing.end(), spacing.begin());
  double largest = 0;
  for (const MeasuredAxis& a : m.axes) {
    const auto steps = double(a.points * (a.periodic ? copiesAlong : 1) - 1);
    largest += steps * steps;
  }
  m.unit = m.integers ? spacing[0] : 1;
  m.integers32 = m.integers && largest < 1 << 29;
  m.limit = maximumDistance > 0 ? largestSquare(maximumDistance, m.unit, m.integers) : infinite;
  for (int a = 0; a < m.dimensions; ++a) {
    if (!m.integers && !problem.rectilinear) m.axes[a].weight = spacing[a] * spacing[a];
    m.axes[a].reach = reachOf(m.axes[a], m.limit);
  }
  return m;
}

} // namespace isochrone::distance
