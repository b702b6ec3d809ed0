// PathMoves.h - the smallest moves of a path's vertices that bring its turning rate within bounds.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace isochrone::curvature {

/// Vertex n moves by e(n) along its normal; the first and the last vertex do not move. Turning rates are
/// scaled: -1 and 1 are the bounds.
struct MoveProblem {
  std::vector<double> rate;               ///< before the moves
  std::vector<std::array<double, 3>> row; ///< derivatives of rate(n) by e(n-1), e(n) and e(n+1)
  std::vector<double> minimum, maximum;   ///< bounds of the moves, minimum < 0 < maximum
  std::vector<double> evenness;           ///< weight of the squared difference of the rates at n and n + 1
};

/// Minimises  sum of e(n)^2 + evenness(n) (rate(n+1) - rate(n))^2  subject to the bounds, by an
/// interior-point method. The bounds of the moves hold exactly. Exceeding a bound of the rates has a high
/// price, so there is always a solution.
std::vector<double> smallestMoves(const MoveProblem& problem);

} // namespace isochrone::curvature
