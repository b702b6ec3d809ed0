#include "MeshTravelTime/Scheme/RoundedShape.h"

#include "MeshTravelTime/Scheme/LocalSolver.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace isochrone::mesh {

namespace {

using Squares = std::array<double, 6>;

constexpr int ends[6][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}; // vertices of each edge

/// Relative changes of the squared volume or area: the maximum that needs no search, and the one at which a
/// search stops.
constexpr double noticed = 1e-4, enough = 1e-5;

double between(const Squares& s, int i, int j) { return s[std::size_t(edgeBetween(i, j))]; }

/// Returns 4 times the squared area of three vertices, from the edges that meet at the first one.
template <class Real>
Real area(const Squares& s, int i, int j, int k) {
  const Real a = between(s, i, j), b = between(s, i, k), ab = (a + b - between(s, j, k)) / 2;
  return a * b - ab * ab;
}

/// Returns 36 times the squared volume, as the determinant of inner products of the edges from vertex 3. If
/// the edge from 2 to 3 is the shortest, all its terms are as small as that edge makes the volume.
template <class Real>
Real volume(const Squares& s) {
  const Real a = between(s, 2, 3), b = between(s, 0, 3), c = between(s, 1, 3);
  const Real ab = (a + b - between(s, 0, 2)) / 2, ac = (a + c - between(s, 1, 2)) / 2,
             bc = (b + c - between(s, 0, 1)) / 2;
  return a * (b * c - bc * bc) - ab * (ab * c - bc * ac) + ac * (ab * bc - b * ac);
}

/// Number type of searches that compare cells so flat that most digits of the sums cancel.
using Precise = long double;

/// A cell whose edges are to be rounded.
struct Shape {
  Squares square;
  int corners;

  std::size_t edges() const { return corners == 4 ? 6 : 3; }
  auto first() const { return square.begin(); }
  auto last() const { return square.begin() + std::ptrdiff_t(edges()); }
  double longest() const { return *std::max_element(first(), last()); }
  double shortest() const { return *std::min_element(first(), last()); }
  /// Returns the squared volume or area, times a constant; the shortest edge must be between the last two
  /// vertices.
  template <class Real>
  Real content() const {
    return corners == 4 ? volume<Real>(square) : area<Real>(square, 2, 1, 0);
  }
  bool hasFaces() const {
    const auto isTriangle = [&](int i, int j, int k) { return area<Precise>(square, i, j, k) >= 0; };
    return corners == 3 ||
           (isTriangle(0, 1, 2) && isTriangle(0, 1, 3) && isTriangle(0, 2, 3) && isTriangle(1, 2, 3));
  }
};

using Ties = std::array<std::size_t, 6>;

/// Replaces the squared lengths of the edges from another vertex to both ends of a short edge by their mean;
/// lengths below noLength become zero. Returns, per edge, the index of an edge that now has the same length.
Ties straighten(Shape& shape) {
  const double longest = shape.longest();
  std::array<int, 4> group{0, 1, 2, 3}; // the vertex of lowest index nearby
  const auto groups = [&](std::size_t e) -> std::pair<int, int> {
    return {group[std::size_t(ends[e][0])], group[std::size_t(ends[e][1])]};
  };
  for (std::size_t e = 0; e < shape.edges(); ++e)
    if (const auto [i, j] = groups(e); shape.square[e] < shortEdge * longest)
      std::replace(group.begin(), group.end(), std::max(i, j), std::min(i, j));
  Ties tie{0, 1, 2, 3, 4, 5};
  Squares sum{}, count{};
  for (std::size_t e = 0; e < shape.edges(); ++e) {
    if (const auto [i, j] = groups(e); i != j) tie[e] = std::size_t(edgeBetween(i, j));
    sum[tie[e]] += shape.square[e], ++count[tie[e]];
  }
  for (std::size_t e = 0; e < shape.edges(); ++e) {
    const double mean = sum[tie[e]] / count[tie[e]];
    shape.square[e] = mean < noLength * longest ? 0 : mean;
  }
  return tie;
}

Squares nearestOf(const Squares& s) {
  Squares nearest;
  for (std::size_t e = 0; e < 6; ++e) nearest[e] = float(s[e]);
  return nearest;
}

/// Searches the squares up to `reach` numbers from the nearest ones for a cell with the content of the shape,
/// or nearest to it. Returns false if none of them belongs to a cell.
bool findContent(const Shape& shape, const Ties& tie, std::uint32_t reach, Squares& best) {
  const Precise wanted = std::max(shape.content<Precise>(), Precise(0));
  const std::uint32_t near = 2 * reach + 1;
  std::array<std::array<double, 5>, 6> choices; // adjacent single-precision numbers, none below 0
  std::size_t codes = 1;
  for (std::size_t e = 0; e < shape.edges(); ++e) {
    const auto bits = std::bit_cast<std::uint32_t>(float(shape.square[e]));
    for (std::uint32_t i = 0; i < near; ++i)
      choices[e][i] = std::bit_cast<float>(bits > 0 ? (i % 2 ? bits - (i + 1) / 2 : bits + i / 2) : 0);
    if (tie[e] == e) codes *= near;
  }
  Precise off = HUGE_VALL;
  Shape next = shape;
  for (std::size_t code = 0; code < codes && off > enough * wanted; ++code) {
    std::size_t digits = code;
    for (std::size_t e = 0; e < shape.edges(); ++e)
      if (tie[e] == e) next.square[e] = choices[e][digits % near], digits /= near;
    for (std::size_t e = 0; e < shape.edges(); ++e) next.square[e] = next.square[tie[e]];
    const auto got = next.content<Precise>();
    if (!(got >= 0 && std::abs(got - wanted) < off) || !next.hasFaces()) continue;
    off = std::abs(got - wanted), best = next.square;
  }
  return off < HUGE_VALL;
}

/// Returns the squares that best keep the content; the nearest ones if no cell lies within two numbers of
/// them.
Squares withContent(const Shape& shape, const Ties& tie) {
  Squares best = nearestOf(shape.square);
  if (!findContent(shape, tie, 1, best)) findContent(shape, tie, 2, best);
  return best;
}

/// Returns the shape with its vertices reordered; order[k]: the vertex that becomes vertex k.
Shape inOrder(const Shape& shape, const std::array<std::uint8_t, 4>& order) {
  Shape out = shape;
  for (std::size_t e = 0; e < shape.edges(); ++e)
    out.square[e] = between(shape.square, order[std::size_t(ends[e][0])], order[std::size_t(ends[e][1])]);
  return out;
}

/// Returns the order that minimises the squares lexicographically, from the last one on, so that the shortest
/// edge is between the last two vertices.
std::array<std::uint8_t, 4> minOrder(const Shape& shape) {
  std::array<std::uint8_t, 4> order{0, 1, 2, 3}, best = order;
  Squares minimum = shape.square;
  while (std::next_permutation(order.begin(), order.begin() + shape.corners)) {
    const Squares now = inOrder(shape, order).square;
    if (std::lexicographical_compare(now.rbegin(), now.rend(), minimum.rbegin(), minimum.rend()))
      best = order, minimum = now;
  }
  return best;
}

bool isFlat(const Shape& shape) {
  const auto exact = shape.content<double>();
  const auto rounded = Shape{nearestOf(shape.square), shape.corners}.content<double>();
  return !(std::abs(rounded - exact) <= noticed * exact);
}

} // namespace

RoundedShape roundShape(const std::array<double, 6>& square, int corners) {
  RoundedShape rounded;
  Shape shape{square, corners};
  if (shape.shortest() < shortEdge * shape.longest() || isFlat(shape)) {
    rounded.vertex = minOrder(shape);
    shape = inOrder(shape, rounded.vertex);
    const Ties tie = straighten(shape);
    shape.square = withContent(shape, tie);
  }
  for (std::size_t e = 0; e < 6; ++e) rounded.square[e] = float(shape.square[e]);
  return rounded;
}

bool isStraightened(const RoundedShape& rounded, const std::array<double, 6>& square, int corners) {
  const Shape shape = inOrder({square, corners}, rounded.vertex);
  const double digits = 1e-4 * shape.longest();
  for (std::size_t e = 0; e < shape.edges(); ++e)
    if (std::abs(rounded.square[e] - shape.square[e]) > digits) return true;
  return false;
}

} // namespace isochrone::mesh
