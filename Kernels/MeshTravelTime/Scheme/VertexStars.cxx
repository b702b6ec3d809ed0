#include "MeshTravelTime/Scheme/VertexStars.h"

#include "Backend.h"
#include "Error.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/OpenCells.h"
#include "MeshTravelTime/Scheme/SortedBy.h"
#include "MeshTravelTime/Scheme/Unfolding.h"

#include <algorithm>
#include <utility>

namespace isochrone::mesh {

namespace {

/// Spreads the lower 10 bits of a to every third bit.
std::uint32_t spread(std::uint32_t a) {
  a = (a | a << 16) & 0x030000ff;
  a = (a | a << 8) & 0x0300f00f;
  a = (a | a << 4) & 0x030c30c3;
  return (a | a << 2) & 0x09249249;
}

/// Returns the vertices along a Morton curve through boxes of about eight vertices.
Values<std::uint32_t> vertexOrder(const Problem& p, execution::RoundPool& pool) {
  const std::int64_t n = p.vertexCount();
  Bounds bounds;
  for (std::int64_t v = 0; v < n; ++v) bounds.add(pointAt(p, v));
  const Position &low = bounds.low, &high = bounds.high;
  int bits = 1;
  while (bits < 8 && (std::int64_t(8) << (3 * bits)) < n) ++bits;
  const double boxes = double(1 << bits);
  // Halved, because the difference of the largest numbers overflows.
  const double side =
      std::max({high[0] / 2 - low[0] / 2, high[1] / 2 - low[1] / 2, high[2] / 2 - low[2] / 2});
  Values<std::uint32_t> keys(n);
  pool.forEach(n, [&](std::int64_t v) {
    const Position x = pointAt(p, v);
    std::uint32_t key = 0;
    for (int a = 0; a < 3; ++a) {
      const double at = side > 0 ? (x[a] / 2 - low[a] / 2) / side * boxes : 0;
      key |= spread(std::uint32_t(std::min(at, boxes - 1))) << a;
    }
    keys[v] = key;
  });
  return sortedBy(keys, std::uint32_t(1) << (3 * bits), pool).order;
}

/// Writes a cell.
/// @param vertexOf  vertexOf(k): the number in the problem of vertex k of the shape's caller; -1: none
template <class VertexOf>
void write(const RoundedShape& shape, const VertexOf& vertexOf, const VertexStars& stars, Tetrahedron& to) {
  std::copy_n(shape.square.begin(), 6, to.square);
  for (int k = 0; k < 4; ++k) {
    const std::int64_t v = vertexOf(shape.vertex[k]);
    to.vertex[k] = v < 0 ? stars.vertexCount : stars.number[v];
  }
}

/// Writes the cells in their order, without barriers, and after them the unfolded triangles.
void writeTetrahedra(const Problem& p, const OpenCells& cells, const Values<std::uint32_t>& cellOrder,
                     const std::vector<UnfoldedTriangle>& unfolded, execution::RoundPool& pool,
                     VertexStars& stars) {
  const auto count = std::int64_t(cellOrder.size()), added = std::int64_t(unfolded.size());
  if (count + added >= std::int64_t(1) << 30)
    fail("the surface has ", count, " triangles, and ", added,
         " more for obtuse angles, but at most 1073741823 are possible: distribute it over more ranks");
  if (added > 0)
    requireHostMemory(std::size_t(added) * (sizeof(Tetrahedron) + 3 * sizeof(Corner) + 50),
                      "the unfolding of obtuse angles");
  stars.tetrahedra.resize(std::size_t(count + added));
  pool.forEach(count, [&](std::int64_t t) {
    const std::int64_t c = cellOrder[t];
    write(
        cells.shapes[c], [&](int k) { return p.cells[std::size_t(4 * c + k)]; }, stars, stars.tetrahedra[t]);
  });
  pool.forEach(added, [&](std::int64_t t) {
    const UnfoldedTriangle& triangle = unfolded[std::size_t(t)];
    write(
        triangle.shape, [&](int k) { return k < 3 ? triangle.vertex[std::size_t(k)] : -1; }, stars,
        stars.tetrahedra[count + t]);
  });
}

void sortCorners(execution::RoundPool& pool, VertexStars& stars) {
  const auto& tetrahedra = stars.tetrahedra;
  const auto forEachCorner = [&](const auto& visit) { // those of the additional vertex are left out
    for (std::size_t t = 0; t < tetrahedra.size(); ++t)
      for (std::size_t k = 0; k < 4; ++k) visit(Corner(4 * t + k), std::uint32_t(tetrahedra[t].vertex[k]));
  };
  SortedIndices sorted =
      sortedBy(4 * tetrahedra.size(), std::uint32_t(stars.vertexCount), pool, forEachCorner);
  stars.first = std::move(sorted.first);
  stars.corners = std::move(sorted.order);
}

} // namespace

void VertexStars::releaseTetrahedra() {
  tetrahedra = Values<Tetrahedron>(); // an empty list, {}, would keep the memory
  corners = Values<Corner>();
}

VertexStars makeVertexStars(const Problem& p, execution::RoundPool& pool, const Monitor& monitor,
                            TetrahedronCells* cellsOf) {
  VertexStars stars;
  const std::int64_t vertices = p.vertexCount();
  stars.vertexCount = std::int32_t(vertices);
  const auto isStopped = [&] { return stars.unfinished = !monitor.report(0); };

  // 1. Renumber the vertices.
  const Values<std::uint32_t> order = vertexOrder(p, pool);
  stars.number.resize(vertices);
  pool.forEach(vertices, [&](std::int64_t v) { stars.number[order[v]] = std::int32_t(v); });

  // 2. Sort the open cells by their lowest vertex.
  const OpenCells cells = openCells(p, pool, monitor, stars);
  if (stars.unfinished) return stars;
  Values<std::uint32_t> cellOrder = sortedBy(cells.lowest, std::uint32_t(vertices), pool).order;

  // 3. Write the tetrahedra and their corners.
  if (isStopped()) return stars;
  std::vector<UnfoldedTriangle> unfolded;
  if (p.unfolds && p.sharing.exchange) stars.obtuseAngles = countObtuseAngles(p, cells, stars, pool);
  if (p.unfolds && !p.sharing.exchange) unfolded = unfoldObtuseAngles(p, cells, stars, pool);
  writeTetrahedra(p, cells, cellOrder, unfolded, pool, stars);
  if (cellsOf) {
    cellsOf->cell = std::move(cellOrder);
    for (const UnfoldedTriangle& triangle : unfolded) cellsOf->unfolded.push_back(triangle.cells);
  }
  if (isStopped()) return stars;
  sortCorners(pool, stars);
  return stars;
}

} // namespace isochrone::mesh
