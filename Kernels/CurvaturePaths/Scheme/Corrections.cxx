#include "CurvaturePaths/Scheme/Corrections.h"

#include "CurvaturePaths/Scheme/SecondDifference.h"
#include "Error.h"

namespace isochrone::curvature {

Corrections::Corrections(const Problem& p, std::span<const float> uncorrected, const Walls& w)
    : grid(p.grid), window(p), before(uncorrected), walls(w), limit(correctionLimit(p)) {
  if (!before.empty() && std::int64_t(before.size()) != window.states())
    fail("the uncorrected travel time has ", before.size(), " values, the state grid ", window.states(),
         ": pass the one solved on this grid");
}

float Corrections::value(std::int64_t i, std::int64_t j, int k, const Offset& e, int times) const {
  const std::int64_t x = i + times * e[0], y = j + times * e[1];
  if (x < 0 || y < 0 || x >= grid.nx || y >= grid.ny || !walls.free(i, j, times * e[0], times * e[1]))
    return infinity;
  const int n = grid.headings, h = ((k + times * e[2]) % n + n) % n;
  return before[window.state(x, y, h)];
}

Corrections::Factors Corrections::factors(std::int64_t i, std::int64_t j, int k,
                                          const std::vector<Term>& scheme) const {
  Factors factors;
  factors.fill(1);
  if (before.empty()) return factors;
  const float here = value(i, j, k, {}, 0);
  for (std::size_t t = 0; t < scheme.size(); ++t) {
    SecondDifference<StateNumber> second;
    for (const int side : {1, -1})
      if (side > 0 || scheme[t].symmetric)
        second.add(here, value(i, j, k, scheme[t].offset, side), value(i, j, k, scheme[t].offset, 2 * side),
                   limit);
    factors[t] = double(second.factor()) * second.factor();
  }
  return factors;
}

} // namespace isochrone::curvature
