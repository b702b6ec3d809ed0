// Selling.h - decomposition of a symmetric positive definite 3x3 matrix along integer offsets.
#pragma once

#include "Grid/Symmetric3.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace isochrone::grid {

using Offset = std::array<int, 3>;

TEAM_FN double product(const Offset& a, const Symmetric3& d, const Offset& b) {
  const auto real = [](const Offset& o) { return Vector3{double(o[0]), double(o[1]), double(o[2])}; };
  return dot(real(a), times(d, real(b)));
}

/// Four integer vectors with sum zero, three of which form a basis of Z^3. D-obtuse: <b_i, D b_j> <= 0 for
/// every pair.
using Superbase = std::array<Offset, 4>;

TEAM_FN Superbase canonicalSuperbase() { return {{{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

/// Returns one of the six pairs (i, j) of a superbase, with the two other indices (k, l).
TEAM_FN const std::array<int, 4>& superbasePair(int pair) {
  static constexpr std::array<int, 4> pairs[] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                                 {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  return pairs[pair];
}

/// Returns the maximum product that is taken as zero, up to rounding. Without it rounding could make
/// Selling's algorithm cycle.
TEAM_FN double obtuseTolerance(const Symmetric3& d) { return 1e-14 * (d[0] + d[1] + d[2]); }

/// Makes `base` D-obtuse by Selling's algorithm. Each step lowers the sum of <b_i, D b_i>, so the algorithm
/// ends.
TEAM_FN void makeObtuse(Superbase& base, const Symmetric3& d) {
  const double tolerance = obtuseTolerance(d);
  for (int clean = 0, pair = 0; clean < 6; pair = (pair + 1) % 6) {
    const auto [i, j, k, l] = superbasePair(pair);
    if (product(base[i], d, base[j]) <= tolerance) {
      ++clean;
      continue;
    }
    clean = 0;
    const Offset b = base[i];
    for (int c = 0; c < 3; ++c) {
      base[k][c] += b[c];
      base[l][c] += b[c];
      base[i][c] = -b[c];
    }
  }
}

/// Returns the offset of pair `pair` in D = sum over pairs of weight * offset offset^T. Its sign is
/// arbitrary.
TEAM_FN Offset sellingOffset(const Superbase& base, int pair) {
  return cross(base[superbasePair(pair)[2]], base[superbasePair(pair)[3]]);
}

/// Returns the weight of pair `pair`, >= 0 up to rounding if `base` is D-obtuse.
TEAM_FN double sellingWeight(const Superbase& base, int pair, const Symmetric3& d) {
  return -product(base[superbasePair(pair)[0]], d, base[superbasePair(pair)[1]]);
}

} // namespace isochrone::grid
