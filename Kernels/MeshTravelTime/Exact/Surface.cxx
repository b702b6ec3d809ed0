#include "MeshTravelTime/Exact/Surface.h"

#include "Error.h"
#include "MeshTravelTime/Scheme/CellMetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

namespace isochrone::mesh {

namespace {

/// An angle around a vertex that is larger by this than 2 pi, or than pi on the boundary, lets paths bend
/// there. The gap that a smaller excess leaves behind the vertex changes distances by the square of it.
constexpr double excess = 1e-9;

/// Triangles whose height is below this part of an edge let paths bend at their vertices, since their angles
/// have lost too many digits.
constexpr double flat = 1e-7;

/// An edge of a cell.
struct CellEdge {
  std::int32_t low, high, apex, face;
  auto key() const { return std::tie(low, high, apex, face); }
};

class SurfaceBuilder {
public:
  explicit SurfaceBuilder(const Problem& p) : problem(p) {
    out.vertexCount = std::int32_t(p.vertexCount());
    out.bends.assign(std::size_t(p.vertexCount()), 0);
    out.open.assign(std::size_t(p.vertexCount()), 0);
    out.sidesOfCell.assign(std::size_t(3 * p.cellCount()), -1);
  }

  Surface build(const Monitor& monitor) {
    using Builder = SurfaceBuilder;
    for (const auto step : {&Builder::chooseUnit, &Builder::collect, &Builder::sort, &Builder::removeCopies,
                            &Builder::makeSides, &Builder::listCorners, &Builder::findBends}) {
      if (out.unfinished = !monitor.report(0); out.unfinished) break;
      (this->*step)();
    }
    return std::move(out);
  }

private:
  bool isBarrier(std::int64_t cell) const {
    return !problem.hidden.empty() && problem.hidden[std::size_t(cell)];
  }
  Position pointOf(std::int64_t v) const {
    Position x = pointAt(problem, v);
    for (double& value : x) value = value / out.unit;
    return x;
  }
  double lengthBetween(std::int64_t v, std::int64_t w) const {
    const Position a = pointOf(v), b = pointOf(w);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }

  void chooseUnit() {
    double longest = 0;
    for (std::int64_t c = 0; c < problem.cellCount(); ++c) {
      const auto v = verticesOf(problem, c);
      for (std::size_t k = 0; k < 3; ++k) {
        const double length = lengthBetween(v[k], v[(k + 1) % 3]);
        longest = std::isfinite(length) ? std::max(longest, length) : HUGE_VAL;
      }
    }
    if (!std::isfinite(longest))
      throw Error(
          "edges are longer than 1.8e308, the maximum of double precision: use other units of length");
    int exponent = 0;
    if (longest > 0) std::frexp(longest, &exponent);
    out.unit = std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
  }

  void addLink(std::int64_t v, std::int64_t w) {
    out.bends[std::size_t(v)] = out.bends[std::size_t(w)] = 1;
    const double length = lengthBetween(v, w);
    out.links.push_back({std::int32_t(v), std::int32_t(w), length});
    out.links.push_back({std::int32_t(w), std::int32_t(v), length});
  }

  /// Lists the edges of all open triangles.
  void collect() {
    edges.reserve(std::size_t(3 * problem.cellCount()));
    for (std::int64_t c = 0; c < problem.cellCount(); ++c) {
      if (isBarrier(c)) {
        ++out.barriers;
        continue;
      }
      const auto v = verticesOf(problem, c);
      for (const std::int64_t corner : v) out.open[std::size_t(corner)] = 1;
      if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
        const auto [low, high] = std::ranges::minmax(v);
        if (low != high) addLink(low, high);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(v[k], v[(k + 1) % 3]);
        edges.push_back(
            {std::int32_t(low), std::int32_t(high), std::int32_t(v[(k + 2) % 3]), std::int32_t(c)});
      }
    }
  }

  void sort() {
    std::ranges::sort(edges, {}, &CellEdge::key);
    std::ranges::sort(out.links, {}, [](const Surface::Link& l) { return std::tuple(l.from, l.to); });
  }

  /// Removes all but the first of the triangles with the same vertices: each copy would double the lines that
  /// cross it.
  void removeCopies() {
    const auto isCopy = [](const CellEdge& a, const CellEdge& b) {
      return a.low == b.low && a.high == b.high && a.apex == b.apex;
    };
    edges.erase(std::unique(edges.begin(), edges.end(), isCopy), edges.end());
  }

  void makeSides() {
    out.sides.resize(edges.size());
    double sum = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const CellEdge& e = edges[i];
      if (i == 0 || e.low != edges[i - 1].low || e.high != edges[i - 1].high) {
        out.edges.push_back({e.low, e.high, std::uint32_t(i), lengthBetween(e.low, e.high)});
        sum += out.edges.back().length;
      }
      Side& side = out.sides[i];
      side.face = e.face, side.apex = e.apex, side.edge = std::int32_t(out.edges.size()) - 1;
      placeApex(side);
      std::int32_t* const ofCell = &out.sidesOfCell[std::size_t(3 * e.face)];
      *std::find(ofCell, ofCell + 2, -1) = std::int32_t(i);
    }
    out.meanEdge = out.edges.empty() ? 0 : sum / double(out.edges.size());
    out.edges.push_back({0, 0, std::uint32_t(edges.size()), 0});
    double shortest = 0;
    for (std::size_t first = 0; first < out.sidesOfCell.size(); first += 3)
      if (out.sidesOfCell[first] >= 0) {
        const auto lengthOf = [&](std::size_t k) {
          const Side& side = out.sides[std::size_t(out.sidesOfCell[first + k])];
          return out.edges[std::size_t(side.edge)].length;
        };
        shortest += std::min({lengthOf(0), lengthOf(1), lengthOf(2)});
      }
    out.meanShortest = out.sides.empty() ? 0 : shortest / (double(out.sides.size()) / 3);
    for (Side& side : out.sides) {
      const std::int32_t* const ofCell = &out.sidesOfCell[std::size_t(3 * side.face)];
      for (int k = 0; k < 3; ++k) {
        const Side& other = out.sides[std::size_t(ofCell[k])];
        if (other.apex == out.edges[std::size_t(side.edge)].high) side.toLow = other.edge;
        if (other.apex == out.edges[std::size_t(side.edge)].low) side.toHigh = other.edge;
      }
    }
  }

  void placeApex(Side& side) {
    const SurfaceEdge& e = out.edges[std::size_t(side.edge)];
    const Position low = pointOf(e.low), along = grid::difference(pointOf(e.high), low),
                   up = grid::difference(pointOf(side.apex), low);
    const Position normal = grid::cross(along, up);
    if (!(e.length > 0)) {
      side.x = 0, side.y = std::sqrt(grid::dot(up, up));
      return;
    }
    side.x = grid::dot(up, along) / e.length;
    side.y = std::sqrt(grid::dot(normal, normal)) / e.length;
  }

  void listCorners() {
    out.firstCorner.assign(std::size_t(out.vertexCount) + 1, 0);
    for (const Side& side : out.sides) ++out.firstCorner[std::size_t(side.apex) + 1];
    for (std::size_t v = 0; v < std::size_t(out.vertexCount); ++v)
      out.firstCorner[v + 1] += out.firstCorner[v];
    out.corners.resize(out.sides.size());
    std::vector<std::uint32_t> next(out.firstCorner.begin(), out.firstCorner.end() - 1);
    for (std::size_t i = 0; i < out.sides.size(); ++i)
      out.corners[next[std::size_t(out.sides[i].apex)]++] = std::int32_t(i);
  }

  void findBends() {
    for (std::int32_t v = 0; v < out.vertexCount; ++v) {
      double angle = 0;
      for (const std::int32_t corner : out.cornersAt(v)) {
        const Side& side = out.sides[std::size_t(corner)];
        const double length = out.edges[std::size_t(side.edge)].length;
        angle += std::atan2(side.y * length, side.y * side.y - side.x * (length - side.x));
      }
      const Fan fan = fanOf(v);
      const double straight = fan == Fan::Closed ? 2 * std::numbers::pi : std::numbers::pi;
      if (fan == Fan::Several || angle > straight + excess) out.bends[std::size_t(v)] = 1;
    }
    for (const Side& side : out.sides) {
      const SurfaceEdge& e = out.edges[std::size_t(side.edge)];
      if (side.y > flat * e.length && e.length > 0) continue;
      for (const std::int32_t v : {e.low, e.high, side.apex}) out.bends[std::size_t(v)] = 1;
    }
  }

  enum class Fan { Closed, Open, Several }; ///< Several: or an edge with three or more triangles

  /// Returns how the triangles around a vertex hang together.
  Fan fanOf(std::int32_t vertex) const {
    const auto corners = out.cornersAt(vertex);
    if (corners.empty()) return Fan::Several;
    // Start at the border, if there is one.
    std::int32_t corner = corners[0], edge = sideOf(corner).toLow;
    for (const std::int32_t other : corners)
      for (const bool low : {true, false})
        if (out.sidesAt(low ? sideOf(other).toLow : sideOf(other).toHigh).size() == 1)
          corner = other, edge = low ? sideOf(other).toHigh : sideOf(other).toLow;
    const std::int32_t first = corner;
    std::size_t count = 1;
    for (; count <= corners.size(); ++count) {
      const auto around = out.sidesAt(edge);
      if (around.size() > 2) return Fan::Several;
      if (around.size() == 1) return count == corners.size() ? Fan::Open : Fan::Several;
      const std::int32_t face = sideOf(corner).face,
                         next = around[0].face == face ? around[1].face : around[0].face;
      for (int k = 0; k < 3; ++k)
        if (const std::int32_t s = out.sidesOfCell[std::size_t(3 * next + k)]; sideOf(s).apex == vertex)
          corner = s;
      if (corner == first) break;
      edge = sideOf(corner).toLow == edge ? sideOf(corner).toHigh : sideOf(corner).toLow;
    }
    return count == corners.size() ? Fan::Closed : Fan::Several;
  }

  const Side& sideOf(std::int32_t corner) const { return out.sides[std::size_t(corner)]; }

  const Problem& problem;
  Surface out;
  std::vector<CellEdge> edges;
};

} // namespace

std::span<const Surface::Link> Surface::linksAt(std::int32_t vertex) const {
  const auto first = std::ranges::lower_bound(links, vertex, {}, &Link::from),
             end = std::ranges::upper_bound(links, vertex, {}, &Link::from);
  return {links.data() + (first - links.begin()), std::size_t(end - first)};
}

Surface makeSurface(const Problem& problem, const Monitor& monitor) {
  return SurfaceBuilder(problem).build(monitor);
}

std::size_t surfaceBytes(const Problem& p) {
  return std::size_t(p.cellCount()) *
             (3 * (sizeof(CellEdge) + sizeof(Side) + 2 * sizeof(std::int32_t)) + 2 * sizeof(SurfaceEdge)) +
         std::size_t(p.vertexCount()) * 16;
}

} // namespace isochrone::mesh
