// Which points a closed surface encloses: the parity of its crossings with lines along the first axis that
// has more than one point. Whether a line meets a triangle is decided edge by edge, and both triangles of an
// edge decide it from the same numbers in the same order. So no line slips through an edge or a corner.
#include "Backend.h"
#include "Execution/RoundPool.h"
#include "Surface/Surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace isochrone::surface {

namespace {

bool isTriangle(const Piece& p) { return p[0] != p[1] && p[1] != p[2] && p[2] != p[0]; }
bool isSegment(const Piece& p) { return !isTriangle(p) && !(p[0] == p[1] && p[1] == p[2]); }

/// Returns the ends of a segment.
std::pair<Position, Position> endsOf(const Piece& p) { return {p[0], p[0] == p[1] ? p[2] : p[1]}; }

/// Returns whether the surface is one of segments, in a plane.
bool isCurve(std::span<const Piece> pieces) {
  return std::ranges::none_of(pieces, isTriangle) && std::ranges::any_of(pieces, isSegment);
}

/// The lines: along axis u, through the points of the axes v and w.
struct Lines {
  int u = 0, v = 1, w = 2;
};

/// Returns the position along v at which the edge from a to b has the height w; the same for both directions.
double meet(const Position& a, const Position& b, double height, const Lines& lines) {
  const auto key = [&](const Position& p) { return std::pair(p[lines.w], p[lines.v]); };
  const Position &low = key(a) < key(b) ? a : b, &high = key(a) < key(b) ? b : a;
  const double share = (height - low[lines.w]) / (high[lines.w] - low[lines.w]);
  return low[lines.v] + share * (high[lines.v] - low[lines.v]);
}

/// Returns whether the line through (v, w) meets a triangle: whether a ray in the plane of v and w crosses an
/// odd number of its edges.
bool meets(const Piece& t, double v, double w, const Lines& lines) {
  bool odd = false;
  for (int e = 0; e < 3; ++e) {
    const Position &a = t[std::size_t(e)], &b = t[std::size_t((e + 1) % 3)];
    if ((a[lines.w] > w) != (b[lines.w] > w)) odd ^= v < meet(a, b, w, lines);
  }
  return odd;
}

/// Returns where the line through (v, w) meets the plane of a triangle.
double crossing(const Piece& t, double v, double w, const Lines& lines) {
  const Position a{t[1][0] - t[0][0], t[1][1] - t[0][1], t[1][2] - t[0][2]},
      b{t[2][0] - t[0][0], t[2][1] - t[0][1], t[2][2] - t[0][2]};
  const double area = a[lines.v] * b[lines.w] - a[lines.w] * b[lines.v];
  const double dv = v - t[0][lines.v], dw = w - t[0][lines.w];
  const double s = (dv * b[lines.w] - dw * b[lines.v]) / area, r = (a[lines.v] * dw - a[lines.w] * dv) / area;
  const double lowest = std::min({t[0][lines.u], t[1][lines.u], t[2][lines.u]}),
               highest = std::max({t[0][lines.u], t[1][lines.u], t[2][lines.u]});
  const double at = t[0][lines.u] + s * a[lines.u] + r * b[lines.u];
  return at >= lowest ? std::min(at, highest) : lowest; // also for NaN: the triangle is seen from its edge
}

/// Returns the numbers of the points of an axis from `low` to `high`, as a half-open range within a box.
std::pair<std::int64_t, std::int64_t> pointsBetween(double low, double high, double spacing,
                                                    std::int64_t begin, std::int64_t end) {
  const auto index = [&](double at) {
    return std::int64_t(std::clamp(at / spacing, double(begin) - 2, double(end) + 2));
  };
  return {std::max(begin, index(low) - 1), std::min(end, index(high) + 2)};
}

} // namespace

bool isClosed(std::span<const Piece> pieces) {
  if (isCurve(pieces)) {
    std::map<Position, int> ends;
    for (const Piece& piece : pieces) {
      if (!isSegment(piece)) continue;
      const auto [a, b] = endsOf(piece);
      ++ends[a], ++ends[b];
    }
    return std::ranges::all_of(ends, [](const auto& end) { return end.second % 2 == 0; });
  }
  std::vector<std::pair<Position, Position>> edges;
  for (const Piece& piece : pieces) {
    if (!isTriangle(piece)) continue;
    for (std::size_t e = 0; e < 3; ++e) edges.push_back(std::minmax(piece[e], piece[(e + 1) % 3]));
  }
  std::ranges::sort(edges);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t next = i;
    while (next < edges.size() && edges[next] == edges[i]) ++next;
    if ((next - i) % 2) return false;
    i = next;
  }
  return !edges.empty();
}

Values<std::uint8_t> enclosedBy(const ImageGrid& grid, const grid::Box& box, std::span<const Piece> pieces,
                                int threads) {
  const bool curve = isCurve(pieces);
  std::array<int, 3> axes{0, 1, 2}; // those of one point last
  std::ranges::stable_sort(axes, {}, [&](int a) { return grid.sizes()[a] == 1; });
  const Lines lines{axes[0], axes[1], axes[2]};
  const auto at = [&](int axis, std::int64_t i) { return double(i) * grid.spacing()[axis]; };

  // 1. Find where the lines cross the surface.
  const std::int64_t columns = box.size(lines.v), rows = box.size(lines.w);
  std::vector<std::vector<double>> crossings(std::size_t(std::max<std::int64_t>(columns * rows, 0)));
  const auto add = [&](std::int64_t j, std::int64_t k, double where) {
    crossings[std::size_t(j - box.low[lines.v] + columns * (k - box.low[lines.w]))].push_back(where);
  };
  for (const Piece& t : pieces) {
    const auto range = [&](int axis) {
      return pointsBetween(std::min({t[0][axis], t[1][axis], t[2][axis]}),
                           std::max({t[0][axis], t[1][axis], t[2][axis]}), grid.spacing()[axis],
                           box.low[axis], box.high[axis]);
    };
    const auto [j0, j1] = range(lines.v);
    if (curve && isSegment(t)) {
      const auto [a, b] = endsOf(t);
      const Lines across{lines.w, lines.u, lines.v}; // the place along u at a height v
      for (std::int64_t j = j0; j < j1; ++j)
        if (const double v = at(lines.v, j); (a[lines.v] > v) != (b[lines.v] > v))
          for (std::int64_t k = box.low[lines.w]; k < box.high[lines.w]; ++k)
            add(j, k, meet(a, b, v, across));
    }
    if (curve || !isTriangle(t)) continue;
    const auto [k0, k1] = range(lines.w);
    for (std::int64_t k = k0; k < k1; ++k)
      for (std::int64_t j = j0; j < j1; ++j)
        if (meets(t, at(lines.v, j), at(lines.w, k), lines))
          add(j, k, crossing(t, at(lines.v, j), at(lines.w, k), lines));
  }

  // 2. Count the crossings beyond each point.
  Values<std::uint8_t> marks(std::size_t(box.points()));
  const GridIndex stride{1, box.size(0), box.size(0) * box.size(1)};
  execution::RoundPool pool(chooseThreads(threads, 2. * double(box.points())));
  pool.forEach(std::int64_t(crossings.size()), [&](std::int64_t line) {
    std::vector<double>& places = crossings[std::size_t(line)];
    std::ranges::sort(places);
    std::int64_t point = line % columns * stride[lines.v] + line / columns * stride[lines.w];
    std::size_t passed = 0;
    for (std::int64_t i = box.low[lines.u]; i < box.high[lines.u]; ++i, point += stride[lines.u]) {
      while (passed < places.size() && places[passed] <= at(lines.u, i)) ++passed;
      marks[std::size_t(point)] = passed % 2;
    }
  });
  return marks;
}

} // namespace isochrone::surface
