#include "Surface/PieceTree.h"

#include "Grid/Vector3.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isochrone::surface {

namespace {

using grid::Vector3;

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector3 middleOf(const Piece& p) {
  Vector3 m;
  for (int a = 0; a < 3; ++a)
    m[a] = (std::min({p[0][a], p[1][a], p[2][a]}) / 2 + std::max({p[0][a], p[1][a], p[2][a]}) / 2);
  return m;
}

/// The middle of a piece, and its number.
struct Middle {
  Vector3 at;
  std::int32_t number;
};

/// Orders pieces so that every run that begins at a multiple of its length, a power of `fan`, lies together:
/// halves the range across its longest axis, at such a multiple.
void order(std::span<Middle> range) {
  if (range.size() <= PieceTree::fan) return;
  std::size_t run = PieceTree::fan;
  while (run * PieceTree::fan < range.size()) run *= PieceTree::fan;
  Vector3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const Middle& m : range)
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], m.at[a]), high[a] = std::max(high[a], m.at[a]);
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
  const std::size_t runs = (range.size() + run - 1) / run, half = runs / 2 * run;
  std::ranges::nth_element(
      range, range.begin() + std::ptrdiff_t(half), [axis](const Middle& a, const Middle& b) {
        return a.at[axis] < b.at[axis] || (a.at[axis] == b.at[axis] && a.number < b.number);
      });
  order(range.first(half));
  order(range.subspan(half));
}

/// Sets the disc around some pieces, parallel to most of them.
void setDisc(std::span<const PieceTerms> pieces, PieceBox& box) {
  Vector3 normal{}, middle;
  for (const PieceTerms& piece : pieces) {
    const Vector3 n{piece.normal[0], piece.normal[1], piece.normal[2]};
    const double sign = grid::dot(n, normal) < 0 ? -1 : 1;
    for (int a = 0; a < 3; ++a) normal[a] += sign * n[a];
  }
  const double length = std::sqrt(grid::dot(normal, normal));
  for (int a = 0; a < 3; ++a) {
    box.normal[a] = normal[a] = length > 0 ? normal[a] / length : a == 0;
    box.middle[a] = middle[a] = (box.low[a] + box.high[a]) / 2;
  }
  double low = infinity, high = -infinity;
  const auto forCorners = [&](const auto& f) {
    for (const PieceTerms& piece : pieces)
      for (const auto& corner : piece.corner) f(grid::difference({corner[0], corner[1], corner[2]}, middle));
  };
  forCorners([&](const Vector3& d) {
    const double height = grid::dot(d, normal);
    low = std::min(low, height), high = std::max(high, height);
  });
  for (int a = 0; a < 3; ++a) box.middle[a] = middle[a] += (low + high) / 2 * normal[a];
  box.thickness = box.radius = 0;
  forCorners([&](const Vector3& d) {
    const double height = grid::dot(d, normal);
    box.thickness = std::max(box.thickness, std::abs(height));
    box.radius = std::max(box.radius, grid::dot(d, d) - height * height);
  });
}

PieceBox boxOf(std::span<const PieceTerms> pieces) {
  PieceBox box;
  const PieceTerms& middle = pieces[pieces.size() / 2];
  for (int a = 0; a < 3; ++a) {
    box.low[a] = infinity, box.high[a] = -infinity, box.point[a] = middle.corner[0][a];
    for (const PieceTerms& piece : pieces)
      for (const auto& corner : piece.corner)
        box.low[a] = std::min(box.low[a], corner[a]), box.high[a] = std::max(box.high[a], corner[a]);
  }
  setDisc(pieces, box);
  return box;
}

PieceBox boxOf(std::span<const PieceBox> boxes) {
  PieceBox box = boxes[boxes.size() / 2];
  for (const PieceBox& b : boxes)
    for (int a = 0; a < 3; ++a)
      box.low[a] = std::min(box.low[a], b.low[a]), box.high[a] = std::max(box.high[a], b.high[a]);
  box.thickness = box.radius = infinity;
  return box;
}

template <class Part>
std::vector<PieceBox> boxesOf(const std::vector<Part>& parts) {
  std::vector<PieceBox> boxes;
  for (std::size_t i = 0; i < parts.size(); i += PieceTree::fan)
    boxes.push_back(boxOf(
        std::span<const Part>(parts).subspan(i, std::min<std::size_t>(PieceTree::fan, parts.size() - i))));
  return boxes;
}

} // namespace

double unitOf(const ImageGrid& grid) {
  double largest = 0;
  for (int a = 0; a < 3; ++a)
    if (grid.sizes()[a] > 1) largest = std::max(largest, grid.spacing()[a]);
  return std::exp2(largest > 0 ? std::ilogb(largest) : 0);
}

double limitOf(double maximumDistance, double unit) {
  return maximumDistance > 0 ? maximumDistance / unit * (1 + 1e-11) : infinity;
}

PieceTerms termsOf(const Piece& piece) {
  PieceTerms t{};
  std::array<Vector3, 3> edge;
  for (int e = 0; e < 3; ++e) {
    edge[e] = grid::difference(piece[(e + 1) % 3], piece[e]);
    const double square = grid::dot(edge[e], edge[e]);
    t.inverse[e] = square > 0 && std::isfinite(1 / square) ? 1 / square : 0;
    for (int a = 0; a < 3; ++a) t.corner[e][a] = piece[e][a], t.edge[e][a] = edge[e][a];
  }
  const Vector3 normal = grid::cross(edge[0], edge[1]);
  const double length = std::sqrt(grid::dot(normal, normal));
  t.face = length > 0 && std::isfinite(1 / length) ? 0 : infinity;
  for (int c = 0; c < 3; ++c)
    for (int a = 0; a < 3; ++a) t.middle[a] += t.corner[c][a] / 3;
  for (const auto& corner : t.corner) {
    const Vector3 d{corner[0] - t.middle[0], corner[1] - t.middle[1], corner[2] - t.middle[2]};
    t.radius = std::max(t.radius, grid::dot(d, d));
  }
  t.radius *= 1 + 1e-14;
  t.all = 1;
  if (t.face > 0) { // along the longest edge
    const int e = int(std::ranges::min_element(t.inverse, {}, [](double i) { return i > 0 ? i : infinity; }) -
                      t.inverse);
    for (int a = 0; a < 3; ++a) t.direction[a] = edge[e][a] * std::sqrt(t.inverse[e]);
    t.some = -0.5;
    return t;
  }
  Vector3 unit;
  for (int a = 0; a < 3; ++a) t.normal[a] = t.direction[a] = unit[a] = normal[a] / length;
  t.all = t.some = 0.5;
  for (int e = 0; e < 3; ++e) {
    const Vector3 inward = grid::cross(unit, edge[e]);
    for (int a = 0; a < 3; ++a) t.inward[e][a] = inward[a];
  }
  return t;
}

PieceTree::PieceTree(std::span<const Piece> pieces, double unit) {
  std::vector<Middle> middles(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) middles[i] = {middleOf(pieces[i]), std::int32_t(i)};
  order(middles);
  terms.reserve(pieces.size());
  number.reserve(pieces.size());
  for (const auto& [at, i] : middles) {
    Piece scaled = pieces[std::size_t(i)];
    for (Position& corner : scaled)
      for (double& c : corner) c /= unit;
    terms.push_back(termsOf(scaled));
    number.push_back(i);
  }
  if (terms.empty()) return;
  levels.push_back(boxesOf(terms));
  constexpr std::size_t discs = 3; // levels with discs
  for (std::size_t run = fan; levels.back().size() > fan;) {
    levels.push_back(boxesOf(levels.back()));
    if (levels.size() > discs) continue;
    run *= fan;
    for (std::size_t i = 0; i < levels.back().size(); ++i)
      setDisc(std::span<const PieceTerms>(terms).subspan(i * run, std::min(run, terms.size() - i * run)),
              levels.back()[i]);
  }
}

} // namespace isochrone::surface
