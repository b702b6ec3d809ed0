#include "MeshTravelTime/VertexStars.h"

#include "Error.h"
#include "MeshTravelTime/CellMetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace isochrone::mesh {

namespace {

/// Lower 10 bits of a, spread to every third bit.
std::uint32_t spread(std::uint32_t a) {
  a = (a | a << 16) & 0x030000ff;
  a = (a | a << 8) & 0x0300f00f;
  a = (a | a << 4) & 0x030c30c3;
  return (a | a << 2) & 0x09249249;
}

/// Sorts 0 ... keys.size() - 1 by their keys, equal keys in order.
Values<std::int32_t> sortedBy(const Values<std::uint32_t>& keys, std::uint32_t keyCount) {
  std::vector<std::uint32_t> begin(std::size_t(keyCount) + 1, 0);
  for (const std::uint32_t key : keys) ++begin[key + 1];
  for (std::uint32_t k = 0; k < keyCount; ++k) begin[k + 1] += begin[k];
  Values<std::int32_t> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[begin[keys[i]]++] = std::int32_t(i);
  return order;
}

/// Vertices along a Morton curve through boxes of about eight.
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
  const double side = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  Values<std::uint32_t> keys(n);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t v = 0; v < n; ++v) {
    const Position x = pointAt(p, v);
    std::uint32_t key = 0;
    for (int a = 0; a < 3; ++a) {
      const double at = side > 0 ? (x[a] - low[a]) / side * boxes : 0;
      key |= spread(std::uint32_t(std::min(at, boxes - 1))) << a;
    }
    keys[v] = key;
  }
  return sortedBy(keys, std::uint32_t(1) << (3 * bits));
}

/// The squares of the edges of a cell in world units.
Passage squaresOf(const Problem& p, std::int64_t cell, std::array<double, 6>& square) {
  grid::Symmetric3 metric;
  const Passage passage = metricAt(p, cell, metric);
  if (passage != Passage::Open) return passage;
  const int corners = cornersOf(p, cell);
  square.fill(1); // edges to the vertex that a triangle has not
  for (int j = 1; j < corners; ++j)
    for (int i = 0; i < j; ++i) {
      const Position a = pointAt(p, p.cells[std::size_t(4 * cell + i)]),
                     b = pointAt(p, p.cells[std::size_t(4 * cell + j)]);
      square[edgeBetween(i, j)] = grid::square(metric, {a[0] - b[0], a[1] - b[1], a[2] - b[2]});
    }
  return Passage::Open;
}

} // namespace

std::size_t VertexStars::bytes() const {
  return tetrahedra.size() * sizeof(Tetrahedron) + (first.size() + corners.size()) * sizeof(std::uint32_t) +
         (order.size() + number.size()) * sizeof(std::int32_t);
}

VertexStars makeVertexStars(const Problem& p, int threads) {
  VertexStars stars;
  const std::int64_t vertices = p.vertexCount(), cells = p.cellCount();
  stars.vertexCount = std::int32_t(vertices);

  // 1. New numbers of the vertices.
  stars.order = vertexOrder(p, threads);
  stars.number.resize(vertices);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t v = 0; v < vertices; ++v) stars.number[stars.order[v]] = std::int32_t(v);

  // 2. Cells that waves pass, by their least vertex.
  Values<std::uint32_t> least(cells);
  Values<std::array<float, 6>> squares(cells);
  double longest = 0;
  std::vector<double> sample;
  for (std::int64_t c = 0; c < cells; ++c) {
    std::array<double, 6> square;
    const Passage passage = squaresOf(p, c, square);
    least[c] = std::uint32_t(vertices); // barriers come last
    if (passage == Passage::Closed) ++stars.barriers.closed;
    if (passage == Passage::NoFrame && stars.barriers.noFrame++ == 0) stars.barriers.firstNoFrame = c;
    if (passage == Passage::NotDefinite && stars.barriers.notDefinite++ == 0)
      stars.barriers.firstNotDefinite = c;
    if (passage != Passage::Open) continue;
    for (int k = 0; k < cornersOf(p, c); ++k)
      least[c] = std::min(least[c], std::uint32_t(stars.number[p.cells[std::size_t(4 * c + k)]]));
    for (int e = 0; e < 6; ++e) {
      squares[c][e] = float(square[e]);
      longest = std::max(longest, square[e]);
      if (c % 64 == 0) sample.push_back(square[e]);
    }
  }
  const Values<std::int32_t> cellOrder = sortedBy(least, std::uint32_t(vertices) + 1);
  const std::int64_t open =
      cells - stars.barriers.closed - stars.barriers.noFrame - stars.barriers.notDefinite;
  int exponent = 0;
  std::frexp(std::sqrt(longest), &exponent);
  stars.unit = std::ldexp(1.0, exponent);
  const double scale = std::ldexp(1.0, -2 * exponent);
  if (!sample.empty()) {
    const std::size_t rank = sample.size() * 95 / 100;
    std::nth_element(sample.begin(), sample.begin() + std::ptrdiff_t(rank), sample.end());
    stars.longEdge = float(std::sqrt(sample[rank] * scale));
  }

  // 3. Tetrahedra, and corners by vertex.
  stars.tetrahedra.resize(open);
  stars.first.assign(std::size_t(vertices) + 3, 0);
  for (std::int64_t t = 0; t < open; ++t) {
    const std::int64_t c = cellOrder[t];
    Tetrahedron& to = stars.tetrahedra[t];
    for (int e = 0; e < 6; ++e) to.square[e] = float(squares[c][e] * scale);
    for (int k = 0; k < 4; ++k) {
      const std::int64_t v = p.cells[std::size_t(4 * c + k)];
      to.vertex[k] = v < 0 ? std::int32_t(vertices) : stars.number[v];
      if (v >= 0) ++stars.first[to.vertex[k] + 2];
    }
  }
  for (std::int64_t v = 0; v <= vertices; ++v) stars.first[v + 2] += stars.first[v + 1];
  stars.corners.resize(stars.first[vertices + 1]);
  for (std::int64_t t = 0; t < open; ++t)
    for (int k = 0; k < 4; ++k)
      if (const std::int32_t v = stars.tetrahedra[t].vertex[k]; v < vertices)
        stars.corners[stars.first[v + 1]++] = Corner(4 * t + k);
  stars.first.resize(std::size_t(vertices) + 2);
  return stars;
}

} // namespace isochrone::mesh
