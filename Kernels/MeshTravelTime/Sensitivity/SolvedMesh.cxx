#include "MeshTravelTime/Sensitivity/SolvedMesh.h"

#include "Execution/ReportedLoop.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/Unfolding.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

namespace {

/// Returns from + part * (to - from).
Position between(const Position& from, const Position& to, double part) {
  Position x;
  for (std::size_t a = 0; a < 3; ++a) x[a] = from[a] + part * (to[a] - from[a]);
  return x;
}

/// The line across the edge between two cells, from a corner of the first one to a point of the second one.
class AcrossEdge {
public:
  AcrossEdge(const Problem& problem, const CellsOfUnfolded& both, const Position& endA, const Position& endB)
      : p(problem), cells(both), a(endA), b(endB) {}

  /// Returns the squared time along a line in one of the cells.
  double square(std::size_t cell, const Position& from, const Position& to) const {
    grid::Symmetric3 metric{};
    metricAt(p, cells[cell], metric);
    return grid::square(metric, grid::difference(to, from));
  }
  /// Returns the point of the edge on the line.
  Position crossing(std::size_t cell, const Position& from, const Position& to) const {
    const LineAcross line = unfold({square(cell, a, b), square(cell, from, a), square(cell, from, b),
                                    square(1 - cell, a, to), square(1 - cell, b, to)});
    return between(b, a, line.atA);
  }

private:
  const Problem& p;
  const CellsOfUnfolded& cells;
  const Position &a, &b;
};

} // namespace

bool SolvedMesh::prepare(const Monitor& monitor) {
  stars = makeVertexStars(p, pool, monitor.part(0, 0.8), &cellsOf);
  if (stars.unfinished) return false;
  if (p.ballRadius > 0) vertexCells = makeVertexCells(p, pool);
  listTimes();
  listStarts();
  return monitor.report(1);
}

bool SolvedMesh::evaluate(const Monitor& monitor) {
  dependence.resize(std::size_t(stars.vertexCount));
  const StarsView view{stars.tetrahedra.data(), stars.first.data(), stars.corners.data()};
  return execution::forEachReported(stars.vertexCount, pool, monitor, [&](std::int64_t v) {
    dependence[std::size_t(v)] =
        dependenceAt(view, std::int32_t(v), times.data(), startTime[std::size_t(v)], origin());
  });
}

void SolvedMesh::listTimes() {
  times.resize(std::size_t(stars.vertexCount) + 1);
  times.back() = unreached;
  vertexOf.resize(std::size_t(stars.vertexCount));
  pool.forEach(p.vertexCount(), [&](std::int64_t v) {
    const auto at = std::size_t(stars.number[std::size_t(v)]);
    vertexOf[at] = v;
    const float time = travelTime[std::size_t(v)];
    times[at] = std::isfinite(time) ? inUnits(time) : double(unreached);
  });
}

void SolvedMesh::listStarts() {
  starts = seedStarts(p, vertexCells);
  startAt.assign(std::size_t(stars.vertexCount), -1);
  for (std::size_t s = 0; s < starts.size(); ++s) {
    std::int64_t& first = startAt[std::size_t(stars.number[std::size_t(starts[s].vertex)])];
    if (first < 0 || starts[s].time < starts[std::size_t(first)].time) first = std::int64_t(s);
  }
  startTime.resize(startAt.size());
  pool.forEach(std::ssize(startAt), [&](std::int64_t v) {
    const std::int64_t start = startAt[std::size_t(v)];
    startTime[std::size_t(v)] = start < 0 ? double(unreached) : inUnits(starts[std::size_t(start)].time);
  });
}

std::int32_t SolvedMesh::seedOf(std::int32_t v) const {
  const auto at = std::size_t(v);
  return dependence[at].count > 0 || startAt[at] < 0 ? -1 : starts[std::size_t(startAt[at])].seed;
}

SolvedMesh::TipPlace SolvedMesh::placeOf(const Tip& tip) const {
  grid::Symmetric3 metric;
  Place place;
  if (tip.vertex >= p.vertexCount() || tip.cell >= p.cellCount()) return {};
  if (tip.vertex >= 0)
    place = placeAt(tip.vertex);
  else if (tip.cell >= 0 && metricAt(p, tip.cell, metric) == Passage::Open)
    place = placeIn(p, tip.cell, tip.at);
  TipPlace found;
  for (std::size_t i = 0; i < std::size_t(place.count); ++i) {
    const auto vertex = std::size_t(place.vertex[i]);
    if (!std::isfinite(travelTime[vertex])) return {};
    found.vertex[i] = stars.number[vertex], found.weight[i] = place.weight[i];
    found.time += place.weight[i] * double(travelTime[vertex]);
    found.count = i + 1;
  }
  return found;
}

void SolvedMesh::piecesTo(std::int32_t v, std::vector<LinePiece>& pieces) const {
  pieces.clear();
  const VertexDependence& d = dependence[std::size_t(v)];
  if (d.count > 0) {
    if (std::int64_t(d.tetrahedron) >= cellTetrahedra())
      return piecesAcross(v, cellsOf.unfolded[d.tetrahedron - std::size_t(cellTetrahedra())], pieces);
    grid::Vector3 e = positionOf(v);
    for (std::size_t i = 0; i < d.count; ++i) {
      const Position x = positionOf(d.vertex[i]);
      for (std::size_t a = 0; a < 3; ++a) e[a] -= d.weight[i] * x[a];
    }
    pieces.push_back({cellsOf.cell[d.tetrahedron], e});
    return;
  }
  if (startAt[std::size_t(v)] < 0) return;
  const SeedStart& start = starts[std::size_t(startAt[std::size_t(v)])];
  const Seed& seed = p.seeds[std::size_t(start.seed)];
  if (start.ofBall)
    SeedSight(p, vertexCells, seed).timeFrom(placeAt(start.vertex), 1 << 16, &pieces);
  else if (seed.vertex < 0)
    pieces.push_back({seed.cell, grid::difference(pointAt(p, start.vertex), seed.at)});
}

/// Computes the pieces of the update of a from the line between x and c, which crosses the edge at z, with
/// the weights w_x and w_c. If a metric changes, these are held fixed, but the point on the surface moves.
/// Its distance D from a is given by D^2 = w_x |a x|^2 + w_c |a c|^2 - w_x w_c L^2, with L = |x z| + |z c|,
/// which is stationary in z. By the degree of D the factors times the times of the pieces add up to D.
void SolvedMesh::piecesFromWeights(const std::array<Position, 3>& corner, const std::array<double, 2>& weight,
                                   const Position& z, const CellsOfUnfolded& cells,
                                   std::vector<LinePiece>& pieces) const {
  const std::array<Position, 2> end{corner[0], corner[2]};
  std::array<double, 2> toA, toEdge; // times from the ends
  for (std::size_t i = 0; i < 2; ++i) {
    grid::Symmetric3 metric{};
    metricAt(p, cells[i], metric);
    toA[i] = std::sqrt(grid::square(metric, grid::difference(corner[1], end[i])));
    toEdge[i] = std::sqrt(grid::square(metric, grid::difference(z, end[i])));
  }
  const double both = weight[0] * weight[1], length = toEdge[0] + toEdge[1];
  const double square = weight[0] * toA[0] * toA[0] + weight[1] * toA[1] * toA[1] - both * length * length;
  if (!(square > 0)) return;
  const double distance = std::sqrt(square);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto cell = std::int64_t(cells[i]);
    pieces.push_back({cell, grid::difference(corner[1], end[i]), weight[i] * toA[i] / distance});
    pieces.push_back({cell, grid::difference(z, end[i]), -both * length / distance});
  }
}

/// Computes the pieces of an update from an unfolded triangle x a c, of which x and a are corners of the
/// first cell, and a and c of the second one. The edge between the cells begins at a.
void SolvedMesh::piecesAcross(std::int32_t v, const CellsOfUnfolded& cells,
                              std::vector<LinePiece>& pieces) const {
  // 1. The corners, with v and the weights of the minimum point.
  const VertexDependence& d = dependence[std::size_t(v)];
  const auto has = [&](std::size_t cell, std::int64_t vertex) {
    const auto all = verticesOf(p, cells[cell]);
    return std::ranges::find(all, vertex) != all.end();
  };
  std::array<double, 3> weight{}; // of x, a, c
  std::array<Position, 3> corner;
  std::size_t place = 0; // of v
  const Tetrahedron& triangle = tetrahedron(d.tetrahedron);
  std::int64_t a = -1;
  for (const std::int32_t w : triangle.vertex) {
    if (w == stars.vertexCount) continue;
    const std::int64_t vertex = vertexOf[std::size_t(w)];
    const std::size_t at = !has(1, vertex) ? 0 : has(0, vertex) ? 1 : 2;
    if (at == 1) a = vertex;
    corner[at] = pointAt(p, vertex);
    if (w == v) place = at;
    for (std::size_t i = 0; i < d.count; ++i)
      if (d.vertex[i] == w) weight[at] = d.weight[i];
  }
  std::int64_t b = -1;
  for (const std::int64_t vertex : verticesOf(p, cells[0]))
    if (vertex != a && has(1, vertex)) b = vertex;
  const Position end = pointAt(p, b);
  const AcrossEdge edge(p, cells, corner[1], end);

  // 2. From a corner beside the edge: to the point between the other two, across the edge.
  if (place != 1) {
    const std::size_t own = place == 0 ? 0 : 1, far = 2 - place;
    const Position y = between(corner[1], corner[far], weight[far]), z = edge.crossing(own, corner[place], y);
    pieces.push_back({std::int64_t(cells[own]), grid::difference(corner[place], z)});
    pieces.push_back({std::int64_t(cells[1 - own]), grid::difference(z, y)});
    return;
  }

  // 3. From the end of the edge: to a point of the line between the other two, which lies in one of the
  // cells. With one speed in both cells, their metrics can only change by a common factor, and the point may
  // be held in place.
  const Position z = edge.crossing(0, corner[0], corner[2]);
  const double near = std::sqrt(edge.square(0, corner[0], z)), rest = std::sqrt(edge.square(1, z, corner[2]));
  if (p.speedType != SpeedType::Constant && p.speedType != SpeedType::Scalar)
    return piecesFromWeights(corner, {weight[0], weight[2]}, z, cells, pieces);
  const double atEdge = near / (near + rest);
  const bool isNear = weight[2] <= atEdge;
  const Position y = isNear ? between(corner[0], z, weight[2] / atEdge)
                            : between(z, corner[2], (weight[2] - atEdge) / (1 - atEdge));
  pieces.push_back({std::int64_t(cells[isNear ? 0 : 1]), grid::difference(corner[1], y)});
}

} // namespace isochrone::mesh
