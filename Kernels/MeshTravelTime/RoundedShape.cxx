#include "MeshTravelTime/RoundedShape.h"

#include "MeshTravelTime/MeshTravelTimeMath.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace isochrone::mesh {

namespace {

using Squares = std::array<double, 6>;

constexpr int ends[6][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}; // of edges

/// Of 36 times the squared volume, what may change unnoticed, and what a search need not improve.
constexpr double noticed = 1e-4, enough = 1e-5;

/// Squared ratio to the longest edge below which a short one loses its lean.
constexpr double isShort = 1e-8;

double between(const Squares& s, int i, int j) { return s[std::size_t(edgeBetween(i, j))]; }

/// 36 times the squared volume, as the determinant of inner products of the edges from vertex 3. Where the
/// edge from 2 to 3 is the shortest, all its terms are as small as the volume is for that.
double volume(const Squares& s) {
  const double a = between(s, 2, 3), b = between(s, 0, 3), c = between(s, 1, 3);
  const double ab = 0.5 * (a + b - between(s, 0, 2)), ac = 0.5 * (a + c - between(s, 1, 2)),
               bc = 0.5 * (b + c - between(s, 0, 1));
  return a * (b * c - bc * bc) - ab * (ab * c - bc * ac) + ac * (ab * bc - b * ac);
}

/// Whether all faces are triangles.
bool hasFaces(const Squares& s) {
  const auto isTriangle = [&](int i, int j, int k) {
    const double a = between(s, i, j), b = between(s, i, k), ab = 0.5 * (a + b - between(s, j, k));
    return a * b >= ab * ab;
  };
  return isTriangle(0, 1, 2) && isTriangle(0, 1, 3) && isTriangle(0, 2, 3) && isTriangle(1, 2, 3);
}

/// Takes the lean off short edges: of edges from another vertex to their ends both get the mean. Those
/// without length get none.
void straighten(Squares& s) {
  const double longest = *std::max_element(s.begin(), s.end());
  std::array<int, 4> group{0, 1, 2, 3}; // the least vertex that is near
  for (std::size_t e = 0; e < 6; ++e) {
    const int i = group[std::size_t(ends[e][0])], j = group[std::size_t(ends[e][1])];
    if (s[e] < isShort * longest && i != j)
      std::replace(group.begin(), group.end(), std::max(i, j), std::min(i, j));
  }
  const auto between = [&](std::size_t e) -> std::pair<int, int> {
    return std::minmax(group[std::size_t(ends[e][0])], group[std::size_t(ends[e][1])]);
  };
  const Squares before = s;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [i, j] = between(e);
    if (i == j) {
      if (s[e] < noLength * longest) s[e] = 0;
      continue;
    }
    double sum = 0;
    int count = 0;
    for (std::size_t f = 0; f < 6; ++f)
      if (between(f) == std::pair(i, j)) sum += before[f], ++count;
    s[e] = sum / count;
  }
}

/// Among the squares next to the nearest ones, those of a tetrahedron with that volume, or as near to it as
/// they come; the nearest ones if there is no tetrahedron among them.
Squares withVolume(const Squares& nearest, double wanted) {
  std::array<std::array<double, 3>, 6> choices; // as numbers of single precision in order, none below 0
  for (std::size_t e = 0; e < 6; ++e) {
    const auto bits = std::bit_cast<std::uint32_t>(float(nearest[e]));
    for (std::uint32_t i = 0; i < 3; ++i)
      choices[e][i] = std::bit_cast<float>(bits > 0 ? bits + (i == 2 ? 1 : -i) : 0);
  }
  Squares best = nearest, s;
  double off = HUGE_VAL;
  for (std::size_t code = 0; code < 729 && off > enough * wanted; ++code) {
    std::size_t digits = code;
    for (std::size_t e = 0; e < 6; ++e, digits /= 3) s[e] = choices[e][digits % 3];
    const double got = volume(s);
    if (!(got >= 0 && std::abs(got - wanted) < off) || !hasFaces(s)) continue;
    off = std::abs(got - wanted), best = s;
  }
  return best;
}

/// The squares after the vertices were put in order; order[k]: which one becomes vertex k.
Squares inOrder(const Squares& s, const std::array<std::uint8_t, 4>& order) {
  Squares out;
  for (std::size_t e = 0; e < 6; ++e)
    out[e] = between(s, order[std::size_t(ends[e][0])], order[std::size_t(ends[e][1])]);
  return out;
}

/// The order that makes the squares, read from the last one, the least: the shortest edge is from 2 to 3.
std::array<std::uint8_t, 4> leastOrder(const Squares& s) {
  std::array<std::uint8_t, 4> order{0, 1, 2, 3}, best = order;
  Squares least = s;
  while (std::ranges::next_permutation(order).found) {
    const Squares now = inOrder(s, order);
    if (std::lexicographical_compare(now.rbegin(), now.rend(), least.rbegin(), least.rend()))
      best = order, least = now;
  }
  return best;
}

Squares nearestOf(const Squares& s) {
  Squares nearest;
  for (std::size_t e = 0; e < 6; ++e) nearest[e] = float(s[e]);
  return nearest;
}

bool isFlat(const Squares& s) {
  const double exact = volume(s);
  return !(std::abs(volume(nearestOf(s)) - exact) <= noticed * exact);
}

} // namespace

RoundedShape roundShape(const std::array<double, 6>& square) {
  RoundedShape shape;
  const auto [shortest, longest] = std::minmax_element(square.begin(), square.end());
  Squares s = square;
  if (*shortest < isShort * *longest || isFlat(s)) {
    shape.vertex = leastOrder(s);
    s = inOrder(s, shape.vertex);
    if (*shortest < isShort * *longest) straighten(s);
    s = withVolume(nearestOf(s), std::max(volume(s), 0.));
  }
  for (std::size_t e = 0; e < 6; ++e) shape.square[e] = float(s[e]);
  return shape;
}

} // namespace isochrone::mesh
