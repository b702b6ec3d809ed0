#include "Reference/SurfaceReference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::reference {

namespace {

using Number = long double;
using Vector = std::array<Number, 3>;

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector plus(const Vector& a, const Vector& b, Number s) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
Number dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector vectorOf(const Position& p) { return {p[0], p[1], p[2]}; }

Number length(const Vector& v) { return std::sqrt(dot(v, v)); }

Number toSegment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector ab = minus(b, a);
  const Number square = dot(ab, ab);
  const Number s = square > 0 ? std::clamp<Number>(dot(minus(p, a), ab) / square, 0, 1) : 0;
  return length(minus(p, plus(a, ab, s)));
}

} // namespace

double distanceTo(const surface::Piece& piece, const Position& position) {
  const Vector a = vectorOf(piece[0]), b = vectorOf(piece[1]), c = vectorOf(piece[2]), p = vectorOf(position);
  const Vector ab = minus(b, a), ac = minus(c, a), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
  const Number d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  const Number va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (va > 0 && vb > 0 && vc > 0) {
    const Number sum = va + vb + vc;
    return double(length(minus(p, plus(plus(a, ab, vb / sum), ac, vc / sum))));
  }
  return double(std::min({toSegment(p, a, b), toSegment(p, b, c), toSegment(p, c, a)}));
}

double distanceTo(std::span<const surface::Piece> pieces, const Position& position) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const surface::Piece& piece : pieces) nearest = std::min(nearest, distanceTo(piece, position));
  return nearest;
}

} // namespace isochrone::reference
