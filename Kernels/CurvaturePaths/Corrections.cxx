#include "CurvaturePaths/Corrections.h"

#include "CurvaturePaths/SecondDifference.h"
#include "Error.h"

#include <string>

namespace isochrone::curvature {

Corrections::Corrections(const Problem& problem, std::span<const float> uncorrected, const Walls& w)
    : grid(problem.grid), before(uncorrected), walls(w), limit(correctionLimit(problem.model)) {
  if (!before.empty() && std::int64_t(before.size()) != grid.points())
    throw Error("the uncorrected travel time has " + std::to_string(before.size()) +
                " values, the state grid " + std::to_string(grid.points()) +
                ": pass the one solved on this grid");
}

float Corrections::value(std::int64_t i, std::int64_t j, int k, const Offset& e, int times) const {
  const std::int64_t x = i + times * e[0], y = j + times * e[1];
  if (x < 0 || y < 0 || x >= grid.nx || y >= grid.ny || !walls.free(i, j, times * e[0], times * e[1]))
    return infinity;
  const int n = grid.headings, h = ((k + times * e[2]) % n + n) % n;
  return before[grid.index(x, y, h)];
}

double Corrections::factor(std::int64_t i, std::int64_t j, int k, const Term& term) const {
  if (before.empty()) return 1;
  const float here = value(i, j, k, {}, 0);
  SecondDifference second;
  for (const int side : {1, -1})
    if (side > 0 || term.symmetric)
      second.add(here, value(i, j, k, term.offset, side), value(i, j, k, term.offset, 2 * side), limit);
  return second.factor();
}

} // namespace isochrone::curvature
