#include "MeshTravelTime/Scheme/Unfolding.h"

#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/OpenCells.h"
#include "MeshTravelTime/Scheme/SortedBy.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::mesh {

namespace {

/// A triangle as seen from its vertex k: the squared edge opposite to it, and to the ends of that edge.
struct Opposite3 {
  std::int64_t x, a, b;
  double edge, toA, toB;
};

class Unfolder {
public:
  Unfolder(const Problem& p, const OpenCells& c, const VertexStars& s, execution::RoundPool& workers)
      : problem(p), cells(c), pool(workers), scale(1 / (s.unit * s.unit)) {}

  std::vector<UnfoldedTriangle> unfoldAll() {
    const std::int64_t count = problem.cellCount();
    const auto anyTriangle = [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t c = begin; c < end; ++c)
        if (isOpenTriangle(c)) return 1;
      return 0;
    };
    if (pool.reduce(count, 0, anyTriangle, [](int& all, int one) { all += one; }) == 0) return {};
    listEdges();
    return pool.reduce(
        count, std::vector<UnfoldedTriangle>(),
        [&](std::int64_t begin, std::int64_t end, int) {
          std::vector<UnfoldedTriangle> found;
          for (std::int64_t c = begin; c < end; ++c)
            if (isOpenTriangle(c))
              for (int k = 0; k < 3; ++k) unfoldAngle(c, k, found);
          return found;
        },
        [](std::vector<UnfoldedTriangle>& all, const std::vector<UnfoldedTriangle>& part) {
          all.insert(all.end(), part.begin(), part.end());
        });
  }

  std::int64_t countAll() const {
    const auto countRange = [&](std::int64_t begin, std::int64_t end, int) {
      std::int64_t found = 0;
      for (std::int64_t c = begin; c < end; ++c)
        for (int k = 0; k < 3 && isOpenTriangle(c); ++k) found += hasObtuse(opposite3(c, k));
      return found;
    };
    return pool.reduce(problem.cellCount(), std::int64_t(0), countRange,
                       [](std::int64_t& all, std::int64_t part) { all += part; });
  }

private:
  static bool hasObtuse(const Opposite3& t) { return isObtuse({t.edge, t.toA, t.toB, 0, 0}); }

  bool isOpenTriangle(std::int64_t cell) const {
    const auto v = problem.cells.subspan(std::size_t(4 * cell), 4);
    return v[3] < 0 && cells.lowest[std::size_t(cell)] != std::uint32_t(problem.vertexCount()) &&
           v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
  }

  /// Sorts the edges of triangles, 4 * cell + opposite vertex, by the lower number of their ends.
  void listEdges() {
    const auto none = std::uint32_t(problem.vertexCount());
    edges = sortedBy(std::size_t(3 * problem.cellCount()), none, pool, [&](const auto& visit) {
      for (std::int64_t c = 0; c < problem.cellCount(); ++c)
        for (std::int64_t k = 0; k < 3; ++k)
          visit(std::uint32_t(4 * c + k), isOpenTriangle(c) ? lowEnd(c, k) : none);
    });
  }

  std::uint32_t lowEnd(std::int64_t cell, std::int64_t k) const {
    const auto v = problem.cells.subspan(std::size_t(4 * cell), 3);
    return std::uint32_t(std::min(v[std::size_t((k + 1) % 3)], v[std::size_t((k + 2) % 3)]));
  }

  Opposite3 opposite3(std::int64_t cell, int k) const {
    std::array<double, 6> square;
    squaredEdges(problem, cell, scale, square);
    const auto v = problem.cells.subspan(std::size_t(4 * cell), 3);
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const auto between = [&](int i, int j) { return square[std::size_t(edgeBetween(i, j))]; };
    return {v[std::size_t(k)], v[std::size_t(a)], v[std::size_t(b)],
            between(a, b),     between(k, a),     between(k, b)};
  }

  void unfoldAngle(std::int64_t cell, int k, std::vector<UnfoldedTriangle>& found) const {
    const Opposite3 t = opposite3(cell, k);
    if (!hasObtuse(t)) return;
    const std::uint32_t low = lowEnd(cell, k);
    for (std::uint32_t i = edges.first[low]; i < edges.first[low + 1]; ++i) {
      const std::uint32_t other = edges.order[i];
      if (std::int64_t(other / 4) == cell) continue;
      Opposite3 n = opposite3(other / 4, int(other % 4));
      if (n.a == t.b) std::swap(n.a, n.b), std::swap(n.toA, n.toB);
      if (n.a != t.a || n.b != t.b || n.x == t.x || !sameLength(t.edge, n.edge)) continue;
      const LineAcross line = unfold({t.edge, t.toA, t.toB, n.toA, n.toB});
      const bool alsoFromC = hasObtuse(n) && n.x < t.x; // with the same triangles
      if (!crosses(line) || alsoFromC) continue;
      const CellsOfUnfolded both{std::uint32_t(cell), other / 4};
      add({t.x, t.a, n.x}, {t.toA, line.square, n.toA}, both, found);
      add({t.x, t.b, n.x}, {t.toB, line.square, n.toB}, both, found);
    }
  }

  /// @param square  of the edges 0 1, 0 2, 1 2, by edgeBetween
  static void add(const std::array<std::int64_t, 3>& vertex, const std::array<double, 3>& square,
                  const CellsOfUnfolded& cells, std::vector<UnfoldedTriangle>& found) {
    const std::array<double, 6> all{square[0], square[1], square[2], 1, 1, 1};
    const RoundedShape shape = roundShape(all, 3);
    if (!isStraightened(shape, all, 3)) found.push_back({shape, vertex, cells});
  }

  const Problem& problem;
  const OpenCells& cells;
  execution::RoundPool& pool;
  const double scale; ///< of squared times, to the units of the stars
  SortedIndices edges;
};

} // namespace

LineAcross unfold(const EdgeBetweenTriangles& t) {
  // From the nearer end of the edge, so that the numbers do not depend on the order of the ends.
  const bool fromA = t.toA < t.toB || (t.toA == t.toB && t.fromA <= t.fromB);
  const double x = fromA ? t.toA : t.toB, xFar = fromA ? t.toB : t.toA, c = fromA ? t.fromA : t.fromB,
               cFar = fromA ? t.fromB : t.fromA;
  const double length = std::sqrt(t.edge);
  const double footX = (x - xFar + t.edge) / (2 * length), footC = (c - cFar + t.edge) / (2 * length);
  const double heightX = std::sqrt(std::max(0.0, x - footX * footX)),
               heightC = std::sqrt(std::max(0.0, c - footC * footC));
  const double height = heightX + heightC, across = footC - footX;
  const double at = (footX * heightC + footC * heightX) / (height * length); // weight of the far end
  return {across * across + height * height, fromA ? 1 - at : at};
}

std::vector<UnfoldedTriangle> unfoldObtuseAngles(const Problem& problem, const OpenCells& cells,
                                                 const VertexStars& stars, execution::RoundPool& pool) {
  return Unfolder(problem, cells, stars, pool).unfoldAll();
}

std::int64_t countObtuseAngles(const Problem& problem, const OpenCells& cells, const VertexStars& stars,
                               execution::RoundPool& pool) {
  return Unfolder(problem, cells, stars, pool).countAll();
}

} // namespace isochrone::mesh
