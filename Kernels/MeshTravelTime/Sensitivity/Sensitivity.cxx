// Sensitivity.cxx - differentiate(): masses pass from the tips to the seeds and contribute to the derivatives
// of the cells on their path. By Fermat's principle the minimum point of an update may be held fixed.
#include "Error.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/LineOfSight.h"
#include "MeshTravelTime/Seeds/Starts.h"
#include "MeshTravelTime/Sensitivity/MediumDerivatives.h"
#include "MeshTravelTime/Sensitivity/VertexMasses.h"
#include "MeshTravelTime/Validation.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

namespace {

/// @throws Error unless the derivatives of such a problem exist
void requireDifferentiable(const Problem& p, std::span<const float> travelTime,
                           std::span<const WeightedTip> tips) {
  if (p.accuracy == Accuracy::Exact)
    throw Error("sensitivities are not available with exact distances: choose the first order");
  if (p.sharing.exchange)
    throw Error("sensitivities are not available on parts of a mesh: gather it on one process");
  if (std::int64_t(travelTime.size()) != p.vertexCount())
    fail("travel times must be given for each of ", p.vertexCount(), " points, got ", travelTime.size());
  for (std::size_t t = 0; t < tips.size(); ++t)
    if (!std::isfinite(tips[t].weight))
      fail("the weight of a tip must be finite, got ", text(tips[t].weight), " at tip ", t);
}

/// The times and dependences of a solved problem, and the sums over them.
class Adjoint {
public:
  Adjoint(const Problem& problem, std::span<const float> u, int threadCount)
      : p(problem), travelTime(u), pool(threadCount) {}

  /// Returns false if the monitor requested a stop.
  bool differentiate(std::span<const WeightedTip> tips, const Monitor& monitor, Sensitivities& result) {
    stars = makeVertexStars(p, pool, monitor, &cellOf);
    if (stars.unfinished) return false;
    if (stars.tetrahedra.size() > cellOf.size())
      throw Error("sensitivities are not available where obtuse angles of triangles were unfolded: switch "
                  "unfolding off, or use a surface without obtuse angles");
    cells = makeVertexCells(p);
    listTimes();
    listStarts();
    if (!monitor.report(0.3)) return false;
    dependence.resize(std::size_t(stars.vertexCount));
    pool.forEach(stars.vertexCount, [&](std::int64_t v) { setDependence(std::int32_t(v)); });
    if (!monitor.report(0.6)) return false;
    placeTips(tips, result);
    result.lostWeight = passMasses(dependence, mass);
    if (!monitor.report(0.8)) return false;
    result.metric.resize(std::size_t(6 * p.cellCount()));
    std::ranges::fill(result.metric, 0);
    pool.forEach(std::int64_t(cellOf.size()), [&](std::int64_t t) { addTetrahedron(t, result); });
    addStarts(result);
    setMedium(p, result);
    return monitor.report(1);
  }

private:
  const Problem& p;
  std::span<const float> travelTime;
  execution::RoundPool pool;
  VertexStars stars;
  Values<std::uint32_t> cellOf; ///< per tetrahedron
  VertexCells cells;
  // The following are per vertex, by index in the stars, and in solver units.
  std::vector<double> times; ///< and an additional one
  std::vector<std::int64_t> vertexOf;
  std::vector<std::int64_t> startAt; ///< index of the earliest start; -1: none
  std::vector<SeedStart> starts;
  std::vector<VertexDependence> dependence;
  std::vector<double> mass;

  double inUnits(double time) const { return (time - p.timeOrigin) / stars.unit; }

  void listTimes() {
    times.assign(std::size_t(stars.vertexCount) + 1, unreached);
    vertexOf.resize(std::size_t(stars.vertexCount));
    mass.assign(std::size_t(stars.vertexCount), 0);
    for (std::int64_t v = 0; v < p.vertexCount(); ++v) {
      const auto at = std::size_t(stars.number[std::size_t(v)]);
      vertexOf[at] = v;
      if (std::isfinite(travelTime[std::size_t(v)])) times[at] = inUnits(travelTime[std::size_t(v)]);
    }
  }

  void listStarts() {
    starts = seedStarts(p, cells);
    startAt.assign(std::size_t(stars.vertexCount), -1);
    for (std::size_t s = 0; s < starts.size(); ++s) {
      std::int64_t& first = startAt[std::size_t(stars.number[std::size_t(starts[s].vertex)])];
      if (first < 0 || starts[s].time < starts[std::size_t(first)].time) first = std::int64_t(s);
    }
  }

  /// A vertex with count 0 has its time from its start.
  void setDependence(std::int32_t v) {
    const auto at = std::size_t(v);
    if (!(times[at] < unreached)) return;
    VertexDependence d = dependenceOf(stars, v, times);
    if (startAt[at] >= 0)
      if (const double start = inUnits(starts[std::size_t(startAt[at])].time); float(start) <= float(d.value))
        d = {}, d.value = start;
    dependence[at] = d;
  }

  void placeTips(std::span<const WeightedTip> tips, Sensitivities& result) {
    for (const WeightedTip& tip : tips) {
      const Place place = placeOf(tip.at);
      result.counts.push_back(place.count > 0);
      for (std::size_t i = 0; i < std::size_t(place.count); ++i) {
        const double weight = tip.weight * place.weight[i];
        mass[std::size_t(stars.number[std::size_t(place.vertex[i])])] += weight;
        result.objective += weight * double(travelTime[std::size_t(place.vertex[i])]);
      }
    }
  }

  /// Returns the place of a tip; without vertices if it lies outside, in a barrier or where no wave arrives.
  Place placeOf(const Tip& tip) const {
    grid::Symmetric3 metric;
    Place place;
    if (tip.vertex >= p.vertexCount() || tip.cell >= p.cellCount()) return place;
    if (tip.vertex >= 0)
      place = placeAt(tip.vertex);
    else if (tip.cell >= 0 && metricAt(p, tip.cell, metric) == Passage::Open)
      place = placeIn(p, tip.cell, tip.at);
    for (std::size_t i = 0; i < std::size_t(place.count); ++i)
      if (!std::isfinite(travelTime[std::size_t(place.vertex[i])])) return {};
    return place;
  }

  /// Adds the derivatives of factor * (time along e) with respect to the metric of a cell.
  void addLine(std::int64_t cell, const grid::Vector3& e, double factor, Sensitivities& result) const {
    grid::Symmetric3 g;
    if (factor == 0 || metricAt(p, cell, g) != Passage::Open) return;
    const double time = std::sqrt(grid::square(g, e));
    if (!(time > 0)) return;
    const double f = factor / (2 * time);
    double* to = result.metric.data() + 6 * cell;
    to[0] += f * e[0] * e[0], to[1] += f * e[1] * e[1], to[2] += f * e[2] * e[2];
    to[3] += 2 * f * e[0] * e[1], to[4] += 2 * f * e[1] * e[2], to[5] += 2 * f * e[0] * e[2];
  }

  /// Adds the updates from a tetrahedron, in the order of its vertices.
  void addTetrahedron(std::int64_t t, Sensitivities& result) const {
    const auto& vertex = stars.tetrahedra[std::size_t(t)].vertex;
    for (int k = 0; k < 4; ++k) {
      const std::int32_t v = vertex[k];
      if (v >= stars.vertexCount || std::find(vertex, vertex + k, v) != vertex + k) continue;
      const VertexDependence& d = dependence[std::size_t(v)];
      if (d.count == 0 || d.tetrahedron != std::uint32_t(t)) continue;
      grid::Vector3 e = pointAt(p, vertexOf[std::size_t(v)]);
      for (std::size_t i = 0; i < d.count; ++i) {
        const Position x = pointAt(p, vertexOf[std::size_t(d.vertex[i])]);
        for (std::size_t a = 0; a < 3; ++a) e[a] -= d.weight[i] * x[a];
      }
      addLine(cellOf[std::size_t(t)], e, mass[std::size_t(v)], result);
    }
  }

  /// Adds the times from the seeds to the starts, and the difference of the equations to rounded times.
  void addStarts(Sensitivities& result) const {
    result.startTime.assign(p.seeds.size(), 0);
    for (std::size_t v = 0; v < mass.size(); ++v) {
      if (mass[v] == 0) continue;
      result.objective += mass[v] * (dependence[v].value - times[v]) * stars.unit;
      if (dependence[v].count > 0 || startAt[v] < 0) continue;
      const SeedStart& start = starts[std::size_t(startAt[v])];
      const Seed& seed = p.seeds[std::size_t(start.seed)];
      result.startTime[std::size_t(start.seed)] += mass[v];
      if (start.ofBall) {
        std::vector<LinePiece> pieces;
        SeedSight(p, cells, seed).timeFrom(placeAt(start.vertex), 1 << 16, &pieces);
        for (const LinePiece& piece : pieces) addLine(piece.cell, piece.along, mass[v], result);
      } else if (seed.vertex < 0) {
        addLine(seed.cell, grid::difference(pointAt(p, start.vertex), seed.at), mass[v], result);
      }
    }
  }
};

} // namespace

Sensitivities differentiate(const Problem& p, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, int threads, const Monitor& monitor) {
  validate(p, {});
  requireDifferentiable(p, travelTime, tips);
  requireHostMemory(starBytes(p) + std::size_t(p.vertexCount()) * (sizeof(VertexDependence) + 60) +
                        std::size_t(p.cellCount()) * 128,
                    "the sensitivities");
  Sensitivities result;
  Adjoint adjoint(p, travelTime, chooseThreads(threads, 1000 * double(p.cellCount())));
  if (adjoint.differentiate(tips, monitor, result)) return result;
  Sensitivities none;
  none.aborted = true;
  return none;
}

} // namespace isochrone::mesh
