#include "ImageTravelTime/Paths/TiltedUpwind.h"

#include "ImageTravelTime/Seeds/LineOfSight.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns the points a step away in both directions; -1 where not seen.
std::array<std::int64_t, 2> seenAlong(const Problem& p, std::int64_t point, const grid::Offset& step) {
  std::array<std::int64_t, 2> seen{-1, -1};
  const GridCoordinates from = gridCoordinates(p.grid.indices(point));
  for (const int sign : {1, -1}) {
    const std::int64_t to = neighbourAt(p.grid, point, {sign * step[0], sign * step[1], sign * step[2]});
    if (to >= 0 && isClear(p, from, gridCoordinates(p.grid.indices(to)))) seen[sign < 0] = to;
  }
  return seen;
}

/// Calls f(point or -1) for both neighbours of each term.
template <class F>
void forEachNeighbour(const Problem& p, std::int64_t point, F&& f) {
  for (const ThomsenPiece& piece : thomsenScheme(p, point).pieces)
    for (int r = 0; r < piece.count; ++r)
      for (const std::int64_t to : seenAlong(p, point, piece.offset[r])) f(to);
}

} // namespace

TiltedUpwind tiltedUpwind(const Problem& p, std::span<const float> u, std::int64_t point) {
  const ThomsenScheme scheme = thomsenScheme(p, point);
  const ThomsenCurve<double>& curve = scheme.medium.curve;
  const bool maximum = curve.isMaximum();
  TiltedUpwind best{infinite, {}, true};
  bool first = true;
  for (const ThomsenPiece& piece : scheme.pieces) {
    std::array<ThomsenTerm, maxTerms> terms;
    int count = 0;
    for (int r = 0; r < piece.count; ++r) {
      double value = infinite;
      for (const std::int64_t to : seenAlong(p, point, piece.offset[r])) {
        best.seesAll = best.seesAll && to >= 0;
        if (to >= 0) value = std::min(value, double(u[std::size_t(to)]));
      }
      if (std::isfinite(value)) terms[count++] = {value, piece.across[r], piece.along[r]};
    }
    const ThomsenSolution own = solvePiece(curve, piece, {terms.data(), std::size_t(count)});
    if (!first && !(maximum ? own.value < best.value : own.value > best.value)) continue;
    best.value = own.value, best.stencil = piece.stencil(curve.tangent(own.direction));
    first = false;
  }
  return best;
}

grid::Symmetric3 sumOfTerms(const Grid& grid, const TensorStencil& stencil) {
  const GridIndex sizes = grid.sizes();
  grid::Symmetric3 d{};
  for (const auto& [e, w] : stencil) {
    const double x = e[0], y = e[1], z = e[2];
    d[0] += w * x * x, d[1] += w * y * y, d[2] += w * z * z;
    d[3] += w * x * y, d[4] += w * y * z, d[5] += w * x * z;
  }
  for (int a = 0; a < 3; ++a)
    if (sizes[a] == 1) d[a] = 1;
  return d;
}

double earliestOfPieces(const Problem& p, std::span<const float> u, std::int64_t point) {
  double earliest = infinite;
  forEachNeighbour(p, point, [&](std::int64_t to) {
    if (to >= 0) earliest = std::min(earliest, double(u[std::size_t(to)]));
  });
  return earliest;
}

} // namespace isochrone::image
