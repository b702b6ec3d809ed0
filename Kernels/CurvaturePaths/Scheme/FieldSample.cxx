#include "CurvaturePaths/Scheme/FieldSample.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

constexpr double rounding = 1e-9; ///< grid steps

/// Calls visit(index, share) for the values around a point that are not in walls. The shares may add up to
/// less than 1.
template <class Visit>
void eachShare(const Problem& problem, const Walls& walls, bool perState, double x, double y, double k,
               Visit&& visit) {
  const StateGrid& g = problem.grid;
  const std::int64_t i0 = std::clamp<std::int64_t>(std::int64_t(std::floor(x)), 0, g.nx - 1),
                     j0 = std::clamp<std::int64_t>(std::int64_t(std::floor(y)), 0, g.ny - 1);
  const double k0 = std::floor(k), f[3] = {x - double(i0), y - double(j0), perState ? k - k0 : 0};
  for (int c = 0; c < 8; ++c) {
    const int a = c & 1, b = c >> 1 & 1, d = c >> 2;
    const double share = (a ? f[0] : 1 - f[0]) * (b ? f[1] : 1 - f[1]) * (d ? f[2] : 1 - f[2]);
    const std::int64_t i = i0 + a, j = j0 + b;
    if (!(share > 0) || i >= g.nx || j >= g.ny || walls.isWall(i, j)) continue;
    const int n = g.headings, heading = perState ? ((int(k0) + d) % n + n) % n : 0;
    visit(g.index(i, j, heading), share);
  }
}

} // namespace

double sampleField(const Problem& problem, const Walls& walls, const Field& field, double x, double y,
                   double k) {
  if (field.values.empty()) return field.constant;
  const bool perState = field.isPerState(problem.grid);
  double sum = 0, shares = 0;
  eachShare(problem, walls, perState, x, y, k, [&](std::int64_t at, double share) {
    sum += share * field.values[at];
    shares += share;
  });
  return shares > 0 ? sum / shares : 1;
}

void spreadSample(const Problem& problem, const Walls& walls, double x, double y, double k, double amount,
                  std::span<double> perState) {
  double shares = 0;
  eachShare(problem, walls, true, x, y, k, [&](std::int64_t, double share) { shares += share; });
  eachShare(problem, walls, true, x, y, k,
            [&](std::int64_t at, double share) { perState[at] += amount * share / shares; });
}

bool isBlocked(const Problem& problem, const Walls& walls, double x, double y) {
  const StateGrid& g = problem.grid;
  if (x < -rounding || y < -rounding || x > double(g.nx - 1) + rounding || y > double(g.ny - 1) + rounding)
    return true;
  if (!walls.any()) return false;
  for (const double dx : {-0.5 - rounding, 0.5 + rounding})
    for (const double dy : {-0.5 - rounding, 0.5 + rounding}) {
      // A point halfway between two pixels touches both.
      const auto i = std::int64_t(dx < 0 ? std::ceil(x + dx) : std::floor(x + dx)),
                 j = std::int64_t(dy < 0 ? std::ceil(y + dy) : std::floor(y + dy));
      if (i >= 0 && j >= 0 && i < g.nx && j < g.ny && walls.isWall(i, j)) return true;
    }
  return false;
}

} // namespace isochrone::curvature
