#include "ImageTravelTime/Scheme/ThomsenStencil.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

/// The tensors of both parts of a medium, in grid steps.
struct Parts {
  grid::Symmetric3 across, along;

  grid::Symmetric3 with(const ThomsenTangent<double>& t) const {
    grid::Symmetric3 d;
    for (int c = 0; c < 6; ++c) d[c] = t.across * across[c] + t.along * along[c];
    return d;
  }
};

Parts partsOf(const Problem& p, const ThomsenMedium& medium) {
  const GridIndex sizes = p.grid.sizes();
  const Position h = p.grid.spacing();
  const grid::Vector3 scale{1 / h[0], 1 / h[1], 1 / h[2]};
  Parts parts{grid::scaled(medium.squaredVelocity({1, 0}), scale),
              grid::scaled(medium.squaredVelocity({0, 1}), scale)};
  double fastest = 0; // an axis with one point has no steps: it takes the speed of the fastest other axis
  for (int a = 0; a < 3; ++a)
    if (sizes[a] > 1) fastest = std::max(fastest, parts.across[a] + parts.along[a]);
  for (int a = 0; a < 3; ++a) {
    if (sizes[a] > 1) continue;
    for (grid::Symmetric3* part : {&parts.across, &parts.along}) {
      (*part)[a] = 0;
      if (a != 2) (*part)[3] = 0;
      if (a != 0) (*part)[4] = 0;
      if (a != 1) (*part)[5] = 0;
    }
    parts.across[a] = fastest > 0 ? fastest : 1;
  }
  return parts;
}

double weightOf(const grid::Superbase& base, int pair, const Parts& parts, const ThomsenTangent<double>& t) {
  return t.across * grid::sellingWeight(base, pair, parts.across) +
         t.along * grid::sellingWeight(base, pair, parts.along);
}

/// Returns the last direction from `first` on at which no weight of the superbase is negative.
double obtuseUpTo(const grid::Superbase& base, const Parts& parts, const ThomsenCurve<double>& curve,
                  double first) {
  double last = 1;
  for (int pair = 0; pair < maxTerms; ++pair) {
    const auto isNegative = [&](double s) {
      const ThomsenTangent<double> t = curve.tangent(s);
      return weightOf(base, pair, parts, t) < -grid::obtuseTolerance(parts.with(t));
    };
    if (!isNegative(last)) continue;
    for (double low = first;;) { // bisects to the last digit
      const double middle = low + (last - low) / 2;
      if (middle == low || middle == last) {
        last = low;
        break;
      }
      (isNegative(middle) ? last : low) = middle;
    }
  }
  return last;
}

/// Sets the terms of a piece: those that are more than rounding noise at one of its ends.
void setTerms(const grid::Superbase& base, const Parts& parts, const ThomsenCurve<double>& curve, bool plane,
              ThomsenPiece& piece) {
  std::array<int, maxTerms> sorted;
  std::array<grid::Offset, maxTerms> offset;
  for (int pair = 0; pair < maxTerms; ++pair) {
    grid::Offset e = grid::sellingOffset(base, pair);
    if (e < grid::Offset{0, 0, 0})
      for (int& c : e) c = -c;
    offset[pair] = e, sorted[pair] = pair;
  }
  std::ranges::sort(sorted, {}, [&](int pair) { return offset[pair]; });
  for (const int pair : sorted) {
    if (plane && offset[pair][2] != 0) continue;
    bool counts = false;
    for (const double end : {piece.first, piece.last}) {
      const ThomsenTangent<double> t = curve.tangent(end);
      const grid::Symmetric3 inverse = grid::inverse(parts.with(t));
      counts = counts || isTerm(weightOf(base, pair, parts, t), inverse, offset[pair]);
    }
    if (!counts) continue;
    piece.offset[piece.count] = offset[pair];
    piece.across[piece.count] = grid::sellingWeight(base, pair, parts.across);
    piece.along[piece.count++] = grid::sellingWeight(base, pair, parts.along);
  }
}

} // namespace

TensorStencil ThomsenPiece::stencil(const ThomsenTangent<double>& t) const {
  TensorStencil stencil;
  for (int r = 0; r < count; ++r)
    if (const double weight = t.across * across[r] + t.along * along[r]; weight > 0)
      stencil.term[stencil.count++] = {offset[r], weight};
  return stencil;
}

ThomsenScheme thomsenScheme(const Problem& p, std::int64_t point) {
  /// Share of the curve beyond the end of a piece at which the next superbase is found.
  constexpr double beyond = 1e-9;
  ThomsenScheme scheme{thomsenAt(p, point), {}};
  const ThomsenCurve<double>& curve = scheme.medium.curve;
  const Parts parts = partsOf(p, scheme.medium);
  grid::Superbase base = grid::canonicalSuperbase();
  for (double first = 0, from = 0;;) {
    grid::makeObtuse(base, parts.with(curve.tangent(from)));
    ThomsenPiece piece{first, obtuseUpTo(base, parts, curve, from), 0, {}, {}, {}};
    if (piece.last + beyond >= 1) piece.last = 1;
    setTerms(base, parts, curve, p.grid.nz == 1, piece);
    scheme.pieces.push_back(piece);
    if (piece.last == 1) return scheme;
    first = piece.last, from = first + beyond;
  }
}

ThomsenSolution solvePiece(const ThomsenCurve<double>& curve, const ThomsenPiece& piece,
                           std::span<const ThomsenTerm> terms) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  // The minimum v with sum of w max(0, v - value)^2 = 1: a set of the earliest terms attains it.
  const auto solve = [&](double direction) {
    const ThomsenTangent<double> t = curve.tangent(direction);
    double best = infinite;
    for (const ThomsenTerm& last : terms) {
      double a = 0, b = 0, c = -1; // relative to the last value used
      for (const ThomsenTerm& term : terms) {
        if (term.value > last.value) continue;
        const double w = std::max(0., t.across * term.across + t.along * term.along);
        const double m = term.value - last.value;
        a += w, b += w * m, c += w * m * m;
      }
      if (a > 0 && c < 0)
        best = std::min(best, last.value + (b + std::sqrt(std::max(0., b * b - a * c))) / a);
    }
    return best;
  };
  // Each tangent's value leads to a better tangent, until none is better.
  const bool maximum = curve.isMaximum();
  double across = 0, along = 0;
  for (const ThomsenTerm& term : terms) across += term.across, along += term.along;
  const double start = extremalDirection(across, along, piece.first, piece.last); // for late values
  ThomsenSolution best{solve(start), start};
  while (std::isfinite(best.value)) {
    double alpha = 0, beta = 0;
    for (const ThomsenTerm& term : terms) {
      const double d = std::max(0., best.value - term.value);
      alpha += term.across * d * d, beta += term.along * d * d;
    }
    const double direction = extremalDirection(alpha, beta, piece.first, piece.last);
    const double value = solve(direction);
    if (!(maximum ? value < best.value : value > best.value)) break;
    best = {value, direction};
  }
  return best;
}

} // namespace isochrone::image
