#include "CurvaturePaths/Scheme/OppositeHeadings.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace isochrone::curvature {

namespace {

/// Start values at opposite headings that differ by less, relative to the time since the earliest one, are
/// equal: costs sampled between grid headings are rounded. The solver's own rounding is larger.
constexpr double sameStart = 1e-6;

bool isWall(const Problem& p, std::int64_t point) { return !p.walls.empty() && p.walls[point]; }

} // namespace

bool isEven(const Problem& p, const Field& field, double tolerance) {
  if (!field.isPerState(p.grid)) return true;
  const std::int64_t plane = p.grid.planePoints(), half = p.grid.points() / 2;
  for (std::int64_t state = 0; state < half; ++state) {
    const double a = field.values[state], b = field.values[state + half];
    if (std::abs(a - b) > tolerance * std::max(a, b) && !isWall(p, state % plane)) return false;
  }
  return true;
}

bool isZero(const Problem& p, const Field& field) {
  if (field.values.empty()) return field.constant == 0;
  for (std::size_t n = 0; n < field.values.size(); ++n)
    if (field.values[n] != 0 && !isWall(p, std::int64_t(n) % p.grid.planePoints())) return false;
  return true;
}

bool oppositeHeadingsAgree(const Problem& p, const std::vector<StartState>& starts) {
  if (p.model != Model::ReedsShepp || p.grid.headings % 2 || starts.size() % 2) return false;
  const std::int64_t half = p.grid.points() / 2;
  const std::span all(starts);
  const auto first = all.first(all.size() / 2), second = all.last(all.size() / 2);
  const double earliest = earliestOf(starts);
  const auto isOpposite = [=](const StartState& a, const StartState& b) {
    const double since = std::max(a.travelTime, b.travelTime) - earliest;
    return a.state + half == b.state && std::abs(a.travelTime - b.travelTime) <= sameStart * since;
  };
  return std::ranges::equal(first, second, isOpposite) && isZero(p, p.curvatureShift) &&
         isEven(p, p.cost, 0) && isEven(p, p.turningRadius, 0);
}

} // namespace isochrone::curvature
