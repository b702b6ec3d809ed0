#include "CurvaturePaths/Scheme/BlockTable.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

using Quadratic = std::array<double, 3>; ///< q[0] + q[1] k + q[2] k^2

double value(const Quadratic& q, double k) { return q[0] + k * (q[1] + k * q[2]); }

/// Returns the smallest root of q between `from` and `end`, or `end`.
double nextRoot(const Quadratic& q, double from, double end) {
  double next = end;
  const auto take = [&](double root) {
    if (root > from && root < next) next = root;
  };
  const double discriminant = q[1] * q[1] - 4 * q[2] * q[0];
  if (discriminant < 0) return end;
  const double s = -0.5 * (q[1] + std::copysign(std::sqrt(discriminant), q[1]));
  if (q[2] != 0) take(s / q[2]);
  if (s != 0) take(q[0] / s);
  return next;
}

/// The family v(k) = (v0, k / h_theta), with D(k) = (1 - eps^2) v v^T + eps^2 |v|^2 diag(1, 1, share). The
/// share of turns is `share`, or slope * k > 0 if `slope` is not 0. Scalar products with v are
/// as in upwindTerms.
struct Family {
  double vx, vy, perKappa, eps2, share, slope;

  double planar2() const { return vx * vx + vy * vy; }

  /// Returns <v, e> = first + k * second, not scaled.
  std::array<double, 2> along(const Offset& e) const { return {vx * e[0] + vy * e[1], perKappa * e[2]}; }

  /// Returns <v, e>, scaled.
  std::array<double, 2> scaledAlong(const Offset& e) const {
    const auto [first, second] = along(e);
    if (slope != 0) return {first + second / slope, 0};
    return {first, second / share};
  }

  /// Returns <a, D b>.
  Quadratic form(const Offset& a, const Offset& b) const {
    const auto p = along(a), q = along(b);
    const double planar = double(a[0]) * b[0] + double(a[1]) * b[1], turn = double(a[2]) * b[2];
    const double first = 1 - eps2, m2 = planar2(), p2 = perKappa * perKappa;
    Quadratic sum{first * p[0] * q[0], first * (p[0] * q[1] + p[1] * q[0]), first * p[1] * q[1]};
    if (slope != 0) { // |v|^2 = m2 + p2 k / slope
      sum[0] += eps2 * m2 * planar;
      sum[1] += eps2 * (p2 * planar / slope + m2 * slope * turn);
      sum[2] += eps2 * p2 * turn;
    } else { // |v|^2 = m2 + p2 k^2 / share
      sum[0] += eps2 * (planar + share * turn) * m2;
      sum[2] += eps2 * (planar + share * turn) * (p2 / share);
    }
    return sum;
  }

  /// Returns d<a, D b> / d log(slope), divided by k.
  double perBalance(const Offset& a, const Offset& b) const {
    if (slope == 0) return 0;
    const double planar = double(a[0]) * b[0] + double(a[1]) * b[1], turn = double(a[2]) * b[2];
    return eps2 * (planar2() * slope * turn - perKappa * perKappa * planar / slope);
  }

  /// Nonnegative where the angle between the offset and v is within the pruning angle.
  Quadratic kept(const Offset& e) const {
    const auto p = scaledAlong(e);
    const double planar = double(e[0]) * e[0] + double(e[1]) * e[1], turn = double(e[2]) * e[2];
    const double m2 = planar2(), p2 = perKappa * perKappa;
    if (slope != 0) // multiplied by the share, slope * k
      return {-minCosineSquared * m2 * turn,
              slope * p[0] * p[0] - minCosineSquared * (m2 * slope * planar + p2 * turn / slope),
              -minCosineSquared * p2 * planar};
    const double bound = minCosineSquared * (planar + turn / share);
    return {p[0] * p[0] - bound * m2, 2 * p[0] * p[1], p[1] * p[1] - bound * (p2 / share)};
  }

  double shareAt(double k) const { return slope != 0 ? slope * k : share; }

  double norm2(double k) const { return squaredNorm({vx, vy, k * perKappa}, shareAt(k)); }
  grid::Symmetric3 matrix(double k) const { return relaxedSquare({vx, vy, k * perKappa}, eps2, shareAt(k)); }
};

/// Returns the terms that hold around `kappa`, for the superbase that is obtuse there.
std::vector<QuadraticTerm> termsAt(const Family& family, const grid::Superbase& base, double kappa) {
  std::vector<QuadraticTerm> terms;
  for (int pair = 0; pair < 6; ++pair) {
    const auto [i, j, k, l] = grid::superbasePair(pair);
    Offset e = grid::sellingOffset(base, pair);
    if (value(family.kept(e), kappa) < 0) continue;
    const auto along = family.scaledAlong(e);
    if (along[0] + kappa * along[1] > 0) e = {-e[0], -e[1], -e[2]};
    const Quadratic form = family.form(base[i], base[j]);
    terms.push_back({e, {-form[0], -form[1], -form[2]}, -family.perBalance(base[i], base[j])});
  }
  return terms;
}

/// Returns the end of the interval right of `kappa` on which superbase and kept offsets stay the same.
double intervalEnd(const Family& family, const grid::Superbase& base, double kappa, double hi) {
  double end = hi;
  for (int pair = 0; pair < 6; ++pair) {
    const auto [i, j, k, l] = grid::superbasePair(pair);
    end = nextRoot(family.form(base[i], base[j]), kappa, end);
    end = nextRoot(family.kept(grid::sellingOffset(base, pair)), kappa, end);
  }
  return end;
}

/// Drops the terms that upwindTerms drops at every turning rate of the piece. Their weights are rounding, of
/// either sign.
void dropRounding(const Family& family, Piece& piece) {
  std::erase_if(piece.terms, [&](const QuadraticTerm& term) {
    const auto isRounding = [&](double k) { return term.weight(k) < minWeight * family.norm2(k); };
    return isRounding(piece.lo) && isRounding((piece.lo + piece.hi) / 2) && isRounding(piece.hi);
  });
}

/// Appends the pieces of a family that holds on [lo, hi].
void addPieces(std::vector<Piece>& pieces, const Family& family, double lo, double hi) {
  // Step between velocities, as a share of their length. It is far above rounding.
  constexpr double minimum = 1e-8;
  grid::Superbase base = grid::canonicalSuperbase();
  for (double from = lo;;) {
    const double inside = from + minimum * std::hypot(std::sqrt(family.planar2()) / family.perKappa, from);
    grid::makeObtuse(base, family.matrix(inside));
    const double end = intervalEnd(family, base, inside, std::max(hi, inside));
    const double to = end >= hi ? hi : end;
    pieces.push_back({from, to, termsAt(family, base, 0.5 * (inside + end))});
    dropRounding(family, pieces.back());
    if (to >= hi) return;
    from = to;
  }
}

} // namespace

std::vector<Piece> blockPieces(const StateGrid& grid, int k, double relaxation, double lo, double hi,
                               double balancedRadius) {
  const auto v = velocity(grid, k, 1);
  Family family{v[0], v[1], v[2], relaxation * relaxation, 1, 0};
  std::vector<Piece> pieces;
  if (balancedRadius == 0) {
    addPieces(pieces, family, lo, hi);
    return pieces;
  }
  // Rates to the right, small rates, rates to the left.
  const double bound = minTurnShare / balancedRadius;
  family.share = minTurnShare;
  for (const double side : {-1., 0., 1.}) {
    const double from = side < 0 ? lo : std::max(lo, side > 0 ? bound : -bound),
                 to = side > 0 ? hi : std::min(hi, side < 0 ? -bound : bound);
    family.slope = side * balancedRadius;
    if (from < to || (from == to && lo == hi && pieces.empty())) addPieces(pieces, family, from, to);
  }
  return pieces;
}

} // namespace isochrone::curvature
