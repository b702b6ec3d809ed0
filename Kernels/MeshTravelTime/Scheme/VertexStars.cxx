#include "MeshTravelTime/Scheme/VertexStars.h"

#include "Error.h"
#include "FirstException.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/RoundedShape.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <omp.h>

namespace isochrone::mesh {

namespace {

/// Spreads the lower 10 bits of a to every third bit.
std::uint32_t spread(std::uint32_t a) {
  a = (a | a << 16) & 0x030000ff;
  a = (a | a << 8) & 0x0300f00f;
  a = (a | a << 4) & 0x030c30c3;
  return (a | a << 2) & 0x09249249;
}

/// Runs f(first, last) on each thread for its share of 0 ... count.
template <class F>
void inShares(std::uint32_t count, int threads, F&& f) {
  FirstException failure;
#pragma omp parallel num_threads(threads)
  {
    const std::uint64_t share = std::uint64_t(omp_get_thread_num()),
                        all = std::uint64_t(omp_get_num_threads());
    failure.guard([&] { f(std::uint32_t(count * share / all), std::uint32_t(count * (share + 1) / all)); });
  }
  failure.rethrow();
}

/// Sorts 0 ... keys.size() - 1 by their keys, equal keys by index. Each thread reads all keys and places the
/// keys of its share.
Values<std::int32_t> sortedBy(const Values<std::uint32_t>& keys, std::uint32_t keyCount, int threads) {
  Values<std::uint32_t> begin(std::size_t(keyCount) + 1);
  begin[0] = 0;
  inShares(keyCount, threads, [&](std::uint32_t first, std::uint32_t last) {
    std::fill(begin.begin() + first + 1, begin.begin() + last + 1, 0u);
    for (const std::uint32_t key : keys)
      if (key - first < last - first) ++begin[key + 1];
  });
  for (std::uint32_t k = 0; k < keyCount; ++k) begin[k + 1] += begin[k];
  Values<std::int32_t> order(keys.size());
  inShares(keyCount, threads, [&](std::uint32_t first, std::uint32_t last) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] - first < last - first) order[begin[keys[i]]++] = std::int32_t(i);
  });
  return order;
}

/// Returns the vertices along a Morton curve through boxes of about eight vertices.
Values<std::int32_t> vertexOrder(const Problem& p, int threads) {
  const std::int64_t n = p.vertexCount();
  std::array<double, 3> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (std::int64_t v = 0; v < n; ++v) {
    const Position x = pointAt(p, v);
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
  }
  int bits = 1;
  while (bits < 8 && (std::int64_t(8) << (3 * bits)) < n) ++bits;
  const double boxes = double(1 << bits);
  // Halved, because the difference of the largest numbers overflows.
  const double side =
      std::max({high[0] / 2 - low[0] / 2, high[1] / 2 - low[1] / 2, high[2] / 2 - low[2] / 2});
  Values<std::uint32_t> keys(n);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t v = 0; v < n; ++v) {
    const Position x = pointAt(p, v);
    std::uint32_t key = 0;
    for (int a = 0; a < 3; ++a) {
      const double at = side > 0 ? (x[a] / 2 - low[a] / 2) / side * boxes : 0;
      key |= spread(std::uint32_t(std::min(at, boxes - 1))) << a;
    }
    keys[v] = key;
  }
  return sortedBy(keys, std::uint32_t(1) << (3 * bits), threads);
}

/// Computes the squared edge lengths of a cell, times `scale`; for a triangle its three, followed by ones.
Passage squaresOf(const Problem& p, std::int64_t cell, double scale, std::array<double, 6>& square) {
  grid::Symmetric3 metric;
  const Passage passage = metricAt(p, cell, metric);
  if (passage != Passage::Open) return passage;
  const int corners = cornersOf(p, cell);
  square.fill(1);
  for (int j = 1; j < corners; ++j)
    for (int i = 0; i < j; ++i) {
      const Position a = pointAt(p, p.cells[std::size_t(4 * cell + i)]),
                     b = pointAt(p, p.cells[std::size_t(4 * cell + j)]);
      square[edgeBetween(i, j)] = scale * grid::square(metric, {a[0] - b[0], a[1] - b[1], a[2] - b[2]});
    }
  return Passage::Open;
}

/// Returns the world time of a unit: the power of two above the longest edge in a sample of the cells.
double unitOf(const Problem& p) {
  const std::int64_t cells = p.cellCount(), step = std::max<std::int64_t>(1, cells / 20000);
  double longest = 0;
  for (std::int64_t first = 0; first < step && longest == 0; ++first) // the next sample if all were barriers
    for (std::int64_t c = first; c < cells; c += step) {
      std::array<double, 6> square;
      if (squaresOf(p, c, 1, square) != Passage::Open) continue;
      const int edges = cornersOf(p, c) == 4 ? 6 : 3; // a triangle has the first three
      longest = std::max(longest, *std::max_element(square.begin(), square.begin() + edges));
    }
  if (!(longest > 0) || std::isinf(longest)) return 1;
  int exponent = 0;
  std::frexp(std::sqrt(longest), &exponent);
  return std::ldexp(1.0, exponent);
}

/// Range of squared edge lengths.
struct EdgeRange {
  double shortest = HUGE_VAL, longest = 0; ///< for edges of nonzero length; infinity if one is NaN
  bool vanished = false;                   ///< some have zero length although their ends differ

  void add(double square) {
    if (square > 0) shortest = std::min(shortest, square);
    longest = std::isfinite(square) ? std::max(longest, square) : HUGE_VAL;
  }
  void add(const EdgeRange& other) {
    shortest = std::min(shortest, other.shortest), longest = std::max(longest, other.longest);
    vanished = vanished || other.vanished;
  }
};

/// Cells that waves pass.
struct OpenCells {
  Values<std::uint32_t> least; ///< per cell: its lowest vertex; the number of vertices for a barrier
  Values<RoundedShape> shapes; ///< in solver units; undefined for barriers
  Barriers barriers;
  Straightened straightened;
  EdgeRange range;
  bool unfinished = false; ///< the monitor requested a stop
};

void add(Barriers& sum, const Barriers& more) {
  sum.closed += more.closed, sum.noFrame += more.noFrame, sum.notDefinite += more.notDefinite;
  if (sum.firstNoFrame < 0) sum.firstNoFrame = more.firstNoFrame;
  if (sum.firstNotDefinite < 0) sum.firstNotDefinite = more.firstNotDefinite;
}

void add(Straightened& sum, const Straightened& more) {
  sum.count += more.count;
  if (sum.first < 0) sum.first = more.first;
}

bool isPoint(const Problem& p, std::int64_t cell) {
  const Position first = pointAt(p, p.cells[std::size_t(4 * cell)]);
  for (int k = 1; k < cornersOf(p, cell); ++k)
    if (pointAt(p, p.cells[std::size_t(4 * cell + k)]) != first) return false;
  return true;
}

RoundedShape shapeOf(const Problem& p, std::int64_t cell, const std::array<double, 6>& square,
                     EdgeRange& range, Straightened& straightened) {
  const int corners = cornersOf(p, cell), edges = corners == 4 ? 6 : 3; // a triangle has the first three
  const double longest = *std::max_element(square.begin(), square.begin() + edges);
  range.vanished = range.vanished || (longest == 0 && !isPoint(p, cell));
  for (int e = 0; e < edges; ++e)
    if (!(square[e] < noLength * longest)) range.add(square[e]); // else its ends coincide
  if (!std::isfinite(range.longest)) return {};                  // rejected later
  const RoundedShape shape = roundShape(square, corners);
  if (isStraightened(shape, square, corners)) add(straightened, {1, cell});
  return shape;
}

OpenCells openCells(const Problem& p, const VertexStars& stars, int threads, const Monitor& monitor) {
  const std::int64_t cells = p.cellCount();
  const double scale = 1 / (stars.unit * stars.unit);
  OpenCells open{Values<std::uint32_t>(cells), Values<RoundedShape>(cells), {}, {}, {}, false};
  std::atomic<bool> stopped = false;
#pragma omp parallel num_threads(threads)
  {
    Barriers barriers;
    Straightened straightened;
    EdgeRange range;
#pragma omp for schedule(static)
    for (std::int64_t c = 0; c < cells; ++c) {
      // Thread 0 is the calling thread, and its share takes as long as the others.
      if (c % 65536 == 0 && omp_get_thread_num() == 0 && !monitor.goOn(0)) stopped = true;
      if (stopped) continue;
      std::array<double, 6> square;
      const Passage passage = squaresOf(p, c, scale, square);
      open.least[c] = std::uint32_t(stars.vertexCount);
      if (passage == Passage::Closed) ++barriers.closed;
      if (passage == Passage::NoFrame && barriers.noFrame++ == 0) barriers.firstNoFrame = c;
      if (passage == Passage::NotDefinite && barriers.notDefinite++ == 0) barriers.firstNotDefinite = c;
      if (passage != Passage::Open) continue;
      for (int k = 0; k < cornersOf(p, c); ++k)
        open.least[c] = std::min(open.least[c], std::uint32_t(stars.number[p.cells[std::size_t(4 * c + k)]]));
      open.shapes[c] = shapeOf(p, c, square, range, straightened);
    }
#pragma omp for ordered schedule(static, 1)
    for (int t = 0; t < omp_get_num_threads(); ++t) {
#pragma omp ordered
      {
        add(open.barriers, barriers);
        add(open.straightened, straightened);
        open.range.add(range);
      }
    }
  }
  open.unfinished = stopped;
  return open;
}

/// Requires that the squares of all edges are in the range of single precision, with a margin for products in
/// double, and that the times along them are in this range in world units.
void requireRange(const EdgeRange& range, double unit) {
  const double first = std::sqrt(range.shortest) * unit, last = std::sqrt(range.longest) * unit;
  const bool none = range.longest == 0;
  if (none ? !range.vanished : range.shortest > 1e-36 && range.longest < 1e36 && last > 1e-37 && last < 1e38)
    return;
  char text[200];
  std::snprintf(text, sizeof text,
                "travel times along edges range from %g to %g, more than single precision can combine: "
                "check for cells or speeds that are far too small or too large",
                none ? 0 : first, last);
  throw Error(text);
}

/// Returns the 95th percentile of the times along edges, from a sample.
float longEdgeOf(const Problem& p, const OpenCells& open) {
  std::vector<float> squares;
  const auto barrier = std::uint32_t(p.vertexCount());
  for (std::int64_t c = 0; c < p.cellCount(); c += std::max<std::int64_t>(1, p.cellCount() / 20000))
    if (open.least[c] != barrier) {
      const int edges = cornersOf(p, c) == 4 ? 6 : 3; // a triangle has the first three
      squares.insert(squares.end(), open.shapes[c].square.begin(), open.shapes[c].square.begin() + edges);
    }
  if (squares.empty()) return 0;
  const auto at = squares.begin() + std::ptrdiff_t(squares.size() * 95 / 100);
  std::nth_element(squares.begin(), at, squares.end());
  return std::sqrt(*at);
}

} // namespace

std::size_t VertexStars::bytes() const {
  return tetrahedra.size() * sizeof(Tetrahedron) + (first.size() + corners.size()) * sizeof(std::uint32_t) +
         (order.size() + number.size()) * sizeof(std::int32_t);
}

void VertexStars::releaseTetrahedra() {
  tetrahedra = {};
  corners = {};
}

VertexStars makeVertexStars(const Problem& p, int threads, const Monitor& monitor) {
  VertexStars stars;
  const std::int64_t vertices = p.vertexCount(), cells = p.cellCount();
  stars.vertexCount = std::int32_t(vertices);

  // 1. Renumber the vertices.
  stars.order = vertexOrder(p, threads);
  stars.number.resize(vertices);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t v = 0; v < vertices; ++v) stars.number[stars.order[v]] = std::int32_t(v);

  // 2. Sort the open cells by their lowest vertex.
  stars.unit = unitOf(p);
  const OpenCells cellsByVertex = openCells(p, stars, threads, monitor);
  stars.unfinished = cellsByVertex.unfinished;
  if (stars.unfinished) return stars;
  requireRange(cellsByVertex.range, stars.unit);
  stars.barriers = cellsByVertex.barriers;
  stars.straightened = cellsByVertex.straightened;
  stars.longEdge = longEdgeOf(p, cellsByVertex);
  const Values<std::int32_t> cellOrder = sortedBy(cellsByVertex.least, std::uint32_t(vertices) + 1, threads);

  if (stars.unfinished = !monitor.goOn(0); stars.unfinished) return stars;

  // 3. Write the tetrahedra, without barriers.
  const std::int64_t open =
      cells - stars.barriers.closed - stars.barriers.noFrame - stars.barriers.notDefinite;
  stars.tetrahedra.resize(open);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t t = 0; t < open; ++t) {
    const std::int64_t c = cellOrder[t];
    Tetrahedron& to = stars.tetrahedra[t];
    const RoundedShape& shape = cellsByVertex.shapes[c];
    std::copy_n(shape.square.begin(), 6, to.square);
    for (int k = 0; k < 4; ++k) {
      const std::int64_t v = p.cells[std::size_t(4 * c + shape.vertex[k])];
      to.vertex[k] = v < 0 ? std::int32_t(vertices) : stars.number[v];
    }
  }

  if (stars.unfinished = !monitor.goOn(0); stars.unfinished) return stars;

  // 4. Sort the corners by vertex. Each thread reads all tetrahedra and writes the corners at its vertices.
  const auto n = std::uint32_t(vertices);
  stars.first.assign(std::size_t(n) + 2, 0);
  inShares(n, threads, [&](std::uint32_t first, std::uint32_t last) {
    for (const Tetrahedron& t : stars.tetrahedra)
      for (const std::int32_t v : t.vertex)
        if (std::uint32_t(v) - first < last - first) ++stars.first[v + 1];
  });
  for (std::uint32_t v = 0; v <= n; ++v) stars.first[v + 1] += stars.first[v];
  stars.corners.resize(stars.first[n]);
  inShares(n, threads, [&](std::uint32_t first, std::uint32_t last) {
    Values<std::uint32_t> next(stars.first.begin() + first, stars.first.begin() + last);
    for (std::int64_t t = 0; t < open; ++t)
      for (int k = 0; k < 4; ++k)
        if (const std::uint32_t v = std::uint32_t(stars.tetrahedra[t].vertex[k]) - first; v < last - first)
          stars.corners[next[v]++] = Corner(4 * t + k);
  });
  return stars;
}

} // namespace isochrone::mesh
