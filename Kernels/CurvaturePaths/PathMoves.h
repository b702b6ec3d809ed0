// PathMoves.h - the smallest moves of the vertices of a path after which it turns no more than allowed.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace isochrone::curvature {

/// Vertex n moves by e(n) along its normal. Its turning rate, 0 in the middle of what is allowed and 1 or -1 at
/// the bounds, becomes rate(n) + row(n)[0] e(n-1) + row(n)[1] e(n) + row(n)[2] e(n+1). The ends do not move.
struct MoveProblem {
  std::vector<double> rate;
  std::vector<std::array<double, 3>> row;
  std::vector<double> least, most; ///< of the moves, least < 0 < most
  std::vector<double> unevenness;  ///< weight of the change of the turning rate from n to n + 1
};

/// Minimises  sum of e(n)^2 + unevenness (change of the rate)^2 + a large number times what the rates exceed
/// the bounds by, squared.  By an interior-point method; the result does not depend on anything but the input.
std::vector<double> smallestMoves(const MoveProblem& problem);

} // namespace isochrone::curvature
