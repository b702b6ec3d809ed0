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

struct Extremum {
  double value = infinite;
  ThomsenTangent<double> tangent{};
  TensorStencil stencil;
};

Extremum extremumAt(const Problem& p, std::span<const float> u, std::int64_t point) {
  const ThomsenScheme scheme = thomsenScheme(p, point);
  const ThomsenCurve<double>& curve = scheme.medium.curve;
  const bool maximum = curve.isMaximum();
  Extremum best;
  bool first = true;
  for (const ThomsenPiece& piece : scheme.pieces) {
    std::array<ThomsenTerm, maxTerms> terms;
    int count = 0;
    for (int r = 0; r < piece.count; ++r) {
      double value = infinite;
      for (const std::int64_t to : seenAlong(p, point, piece.offset[r]))
        if (to >= 0) value = std::min(value, double(u[std::size_t(to)]));
      if (std::isfinite(value)) terms[count++] = {value, piece.across[r], piece.along[r]};
    }
    const ThomsenSolution own = solvePiece(curve, piece, {terms.data(), std::size_t(count)});
    if (!first && !(maximum ? own.value < best.value : own.value > best.value)) continue;
    const ThomsenTangent<double> tangent = curve.tangent(own.direction);
    best = {own.value, tangent, piece.stencil(tangent)};
    first = false;
  }
  return best;
}

} // namespace

TiltedUpwind tiltedUpwind(const Problem& p, std::span<const float> u, std::int64_t point) {
  const Extremum best = extremumAt(p, u, point);
  return {best.value, best.stencil};
}

TensorStencil stencilFor(const Problem& p, std::span<const float> u, std::int64_t point) {
  return isTilted(p) ? extremumAt(p, u, point).stencil : stencilAt(p, point);
}

grid::Symmetric3 tiltedTensor(const Problem& p, std::span<const float> u, std::int64_t point) {
  return thomsenTensor(p, point, extremumAt(p, u, point).tangent);
}

bool seesAllPieces(const Problem& p, std::int64_t point) {
  bool all = true;
  forEachNeighbour(p, point, [&](std::int64_t to) { all = all && to >= 0; });
  return all;
}

double earliestOfPieces(const Problem& p, std::span<const float> u, std::int64_t point) {
  double earliest = infinite;
  forEachNeighbour(p, point, [&](std::int64_t to) {
    if (to >= 0) earliest = std::min(earliest, double(u[std::size_t(to)]));
  });
  return earliest;
}

} // namespace isochrone::image
