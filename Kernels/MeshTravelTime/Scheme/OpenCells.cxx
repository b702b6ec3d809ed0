#include "MeshTravelTime/Scheme/OpenCells.h"

#include "Error.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Validation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

namespace isochrone::mesh {

namespace {

/// Returns the number of edges of a cell; a triangle has the first three of a tetrahedron.
int edgesOf(const Problem& p, std::int64_t cell) { return verticesOf(p, cell).size() == 4 ? 6 : 3; }

/// Returns the world time of a unit: the power of two above the longest edge in a sample of the cells.
double unitOf(const Problem& p) {
  const std::int64_t cells = p.cellCount(), step = std::max<std::int64_t>(1, cells / 20000);
  double longest = 0;
  for (std::int64_t first = 0; first < step && longest == 0; ++first) // the next sample if all were barriers
    for (std::int64_t c = first; c < cells; c += step) {
      std::array<double, 6> square;
      if (squaredEdges(p, c, 1, square) != Passage::Open) continue;
      longest = std::max(longest, *std::max_element(square.begin(), square.begin() + edgesOf(p, c)));
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

/// A number of cells, and the first of them.
using Count = Straightened;

void add(Count& sum, const Count& later) {
  sum.count += later.count;
  if (sum.first < 0) sum.first = later.first;
}

/// Counts over some cells.
struct CellCounts {
  std::array<Count, 4> barriers; ///< by Passage
  Count straightened;
  EdgeRange range;

  void add(const CellCounts& later) {
    for (std::size_t i = 0; i < barriers.size(); ++i) mesh::add(barriers[i], later.barriers[i]);
    mesh::add(straightened, later.straightened);
    range.add(later.range);
  }
  const Count& of(Passage passage) const { return barriers[std::size_t(passage)]; }
};

bool isPoint(const Problem& p, std::int64_t cell) {
  const Bounds bounds = boundsOf(p, cell);
  return bounds.low == bounds.high;
}

RoundedShape shapeOf(const Problem& p, std::int64_t cell, const std::array<double, 6>& square,
                     CellCounts& counts) {
  const int corners = int(verticesOf(p, cell).size()), edges = edgesOf(p, cell);
  const double longest = *std::max_element(square.begin(), square.begin() + edges);
  counts.range.vanished = counts.range.vanished || (longest == 0 && !isPoint(p, cell));
  for (int e = 0; e < edges; ++e)
    if (!(square[e] < noLength * longest)) counts.range.add(square[e]); // else its ends coincide
  if (!std::isfinite(counts.range.longest)) return {};                  // rejected later
  const RoundedShape shape = roundShape(square, corners);
  if (isStraightened(shape, square, corners)) add(counts.straightened, {1, cell});
  return shape;
}

/// Requires that the squares of all edges are in the range of single precision, with a margin for products in
/// double, and that the times along them are in this range in world units.
void requireRange(const EdgeRange& range, double unit) {
  const double first = std::sqrt(range.shortest) * unit, last = std::sqrt(range.longest) * unit;
  const bool isEmpty = range.longest == 0;
  if (isEmpty ? !range.vanished
              : range.shortest > 1e-36 && range.longest < 1e36 && last > 1e-37 && last < 1e38)
    return;
  fail("travel times along edges range from ", text(isEmpty ? 0 : first), " to ", text(last),
       ", more than single precision can combine: "
       "check for cells or speeds that are far too small or too large");
}

/// Returns the 95th percentile of the times along edges, from a sample.
float longEdgeOf(const Problem& p, const OpenCells& open) {
  std::vector<float> squares;
  const auto barrier = std::uint32_t(p.vertexCount());
  for (std::int64_t c = 0; c < p.cellCount(); c += std::max<std::int64_t>(1, p.cellCount() / 20000))
    if (open.lowest[c] != barrier) {
      const auto& square = open.shapes[c].square;
      squares.insert(squares.end(), square.begin(), square.begin() + edgesOf(p, c));
    }
  if (squares.empty()) return 0;
  const auto at = squares.begin() + std::ptrdiff_t(squares.size() * 95 / 100);
  std::nth_element(squares.begin(), at, squares.end());
  return std::sqrt(*at);
}

/// Fills `lowest` and `shapes`; incomplete if the monitor requested a stop.
CellCounts fillCells(const Problem& p, execution::RoundPool& pool, const Monitor& monitor, VertexStars& stars,
                     OpenCells& open) {
  const double scale = 1 / (stars.unit * stars.unit);
  const auto barrier = std::uint32_t(p.vertexCount());
  const auto fill = [&](std::int64_t c, CellCounts& counts) {
    std::array<double, 6> square;
    const Passage passage = squaredEdges(p, c, scale, square);
    open.lowest[c] = barrier;
    if (passage != Passage::Open) return add(counts.barriers[std::size_t(passage)], {1, c});
    for (const std::int64_t v : verticesOf(p, c))
      open.lowest[c] = std::min(open.lowest[c], std::uint32_t(stars.number[v]));
    open.shapes[c] = shapeOf(p, c, square, counts);
  };
  std::atomic<bool> stopped = false;
  const auto fillRange = [&](std::int64_t begin, std::int64_t end, int thread) {
    CellCounts own;
    for (std::int64_t c = begin; c < end && !stopped; ++c) {
      // Thread 0 is the calling thread, and has the first range.
      if (c % 65536 == 0 && thread == 0 && !monitor.report(0)) stopped = true;
      fill(c, own);
    }
    return own;
  };
  const CellCounts all = pool.reduce(p.cellCount(), CellCounts(), fillRange,
                                     [](CellCounts& sum, const CellCounts& later) { sum.add(later); });
  stars.unfinished = stopped;
  return all;
}

} // namespace

OpenCells openCells(const Problem& p, execution::RoundPool& pool, const Monitor& monitor,
                    VertexStars& stars) {
  OpenCells open{Values<std::uint32_t>(std::size_t(p.cellCount())),
                 Values<RoundedShape>(std::size_t(p.cellCount()))};
  stars.unit = unitOf(p);
  const CellCounts counts = fillCells(p, pool, monitor, stars, open);
  if (stars.unfinished) return open;
  requireRange(counts.range, stars.unit);
  const Count &noFrame = counts.of(Passage::NoFrame), &notDefinite = counts.of(Passage::NotDefinite);
  stars.barriers = {counts.of(Passage::Closed).count, noFrame.count, notDefinite.count, noFrame.first,
                    notDefinite.first};
  stars.straightened = counts.straightened;
  stars.longEdge = longEdgeOf(p, open);
  return open;
}

} // namespace isochrone::mesh
