#include "MeshTravelTime/Scheme/VertexStars.h"

#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/OpenCells.h"
#include "MeshTravelTime/Scheme/SortedBy.h"

#include <algorithm>
#include <array>
#include <cmath>

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

/// Writes the tetrahedra in an order of the cells, without barriers.
void writeTetrahedra(const Problem& p, const OpenCells& cells, const Values<std::int32_t>& cellOrder,
                     int threads, VertexStars& stars) {
  const std::int64_t count = cells.count();
  stars.tetrahedra.resize(count);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t t = 0; t < count; ++t) {
    const std::int64_t c = cellOrder[t];
    Tetrahedron& to = stars.tetrahedra[t];
    const RoundedShape& shape = cells.shapes[c];
    std::copy_n(shape.square.begin(), 6, to.square);
    for (int k = 0; k < 4; ++k) {
      const std::int64_t v = p.cells[std::size_t(4 * c + shape.vertex[k])];
      to.vertex[k] = v < 0 ? stars.vertexCount : stars.number[v];
    }
  }
}

/// Sorts the corners by vertex. Each thread reads all tetrahedra and writes the corners at its vertices.
void sortCorners(int threads, VertexStars& stars) {
  const auto n = std::uint32_t(stars.vertexCount);
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
    for (std::size_t t = 0; t < stars.tetrahedra.size(); ++t)
      for (int k = 0; k < 4; ++k)
        if (const std::uint32_t v = std::uint32_t(stars.tetrahedra[t].vertex[k]) - first; v < last - first)
          stars.corners[next[v]++] = Corner(4 * t + std::size_t(k));
  });
}

} // namespace

std::size_t VertexStars::bytes() const {
  return tetrahedra.size() * sizeof(Tetrahedron) + (first.size() + corners.size()) * sizeof(std::uint32_t) +
         (order.size() + number.size()) * sizeof(std::int32_t);
}

void VertexStars::releaseTetrahedra() {
  tetrahedra = Values<Tetrahedron>(); // an empty list, {}, would keep the memory
  corners = Values<Corner>();
}

VertexStars makeVertexStars(const Problem& p, int threads, const Monitor& monitor) {
  VertexStars stars;
  const std::int64_t vertices = p.vertexCount();
  stars.vertexCount = std::int32_t(vertices);
  const auto isStopped = [&] { return stars.unfinished = !monitor.report(0); };

  // 1. Renumber the vertices.
  stars.order = vertexOrder(p, threads);
  stars.number.resize(vertices);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t v = 0; v < vertices; ++v) stars.number[stars.order[v]] = std::int32_t(v);

  // 2. Sort the open cells by their lowest vertex.
  const OpenCells cells = openCells(p, stars.number, threads, monitor);
  stars.unit = cells.unit;
  stars.unfinished = cells.unfinished;
  if (stars.unfinished) return stars;
  stars.barriers = cells.barriers;
  stars.straightened = cells.straightened;
  stars.longEdge = cells.longEdge;
  const Values<std::int32_t> cellOrder = sortedBy(cells.lowest, std::uint32_t(vertices) + 1, threads);

  // 3. Write the tetrahedra and their corners.
  if (isStopped()) return stars;
  writeTetrahedra(p, cells, cellOrder, threads, stars);
  if (isStopped()) return stars;
  sortCorners(threads, stars);
  return stars;
}

} // namespace isochrone::mesh
