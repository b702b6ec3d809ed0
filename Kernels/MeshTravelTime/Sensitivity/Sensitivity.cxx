// Sensitivity.cxx - differentiate(): masses pass from the tips to the seeds and contribute to the derivatives
// of the cells on their path. By the envelope theorem the weights of the minimum point of an update may be
// held fixed.
#include "Error.h"
#include "Execution/HostDevice.h"
#include "Execution/Progress.h"
#include "Execution/ReportedLoop.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Sensitivity/AdjointSolver.h"
#include "MeshTravelTime/Sensitivity/MassFlow.h"
#include "MeshTravelTime/Sensitivity/MediumDerivatives.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"
#include "MeshTravelTime/Sensitivity/Updates.h"
#include "MeshTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::mesh {

namespace {

/// The masses of a solved problem, and the sums over them.
class Adjoint {
public:
  Adjoint(const Problem& problem, std::span<const float> travelTime, int threadCount)
      : p(problem), device(threadCount), solved(problem, travelTime, pool) {}

  /// Returns false if the monitor requested a stop.
  bool differentiate(std::span<const WeightedTip> tips, const Monitor& monitor, Sensitivities& result) {
    if (!solved.prepare(monitor.part(0, 0.3))) return false;
    mass.assign(std::size_t(solved.vertexStars().vertexCount), 0);
    std::vector<std::int32_t> vertices = placeTips(tips, result);
    if (!passMasses(std::move(vertices), monitor.part(0.3, 0.6), result)) return false;
    result.metric.resize(std::size_t(6 * p.cellCount()));
    pool.forEach(std::int64_t(result.metric.size()),
                 [&](std::int64_t i) { result.metric[std::size_t(i)] = 0; });
    const auto add = [&](std::int64_t t) { addTetrahedron(t, result); };
    if (!execution::forEachReported(solved.cellTetrahedra(), pool, monitor.part(0.9, 0.03), add))
      return false;
    return addOthers(monitor.part(0.93, 0.02), result) &&
           setMedium(p, pool, monitor.part(0.95, 0.05), result);
  }

private:
  const Problem& p;
  execution::HostDevice device;
  execution::RoundPool& pool = device.pool;
  SolvedMesh solved;
  Values<double> mass; ///< per vertex

  /// Returns the vertices of the tips.
  std::vector<std::int32_t> placeTips(std::span<const WeightedTip> tips, Sensitivities& result) {
    std::vector<std::int32_t> vertices;
    for (const WeightedTip& tip : tips) {
      const SolvedMesh::TipPlace place = solved.placeOf(tip.at);
      result.counts.push_back(place.count > 0);
      result.objective += tip.weight * place.time;
      for (std::size_t i = 0; i < place.count; ++i) {
        mass[std::size_t(place.vertex[i])] += tip.weight * place.weight[i];
        vertices.push_back(place.vertex[i]);
      }
    }
    return vertices;
  }

  /// Finds the updates of all vertices, and passes the masses of some on. Returns false if the monitor
  /// requested a stop.
  bool passMasses(std::vector<std::int32_t> vertices, const Monitor& monitor, Sensitivities& result) {
    AdjointTask task(mass, std::move(vertices));
    if (result.ranOn.backend == Backend::Cuda) {
      adjointOnCuda(solved, task, monitor.part(0, 0.8));
    } else {
      if (!solved.evaluate(monitor.part(0, 0.6))) return false;
      mesh::passMasses(device, solved.dependences().data(), task, monitor.part(0.6, 0.2));
    }
    if (task.aborted) return false;
    mass = std::move(task.mass);
    if (task.waiting.empty()) return true;
    MassFlow flow(solved.dependences(), pool);
    return flow.prepare(task.waiting, monitor.part(0.8, 0.1)) &&
           flow.pass(mass, result.lostWeight, monitor.part(0.9, 0.1));
  }

  /// Adds the derivatives of factor * (time along e) with respect to the metric of a cell.
  void addLine(const LinePiece& piece, double factor, Sensitivities& result) const {
    grid::Symmetric3 g;
    const grid::Vector3& e = piece.along;
    if (metricAt(p, piece.cell, g) != Passage::Open) return;
    const double time = std::sqrt(grid::square(g, e));
    if (!(time > 0)) return;
    const double f = factor / (2 * time);
    double* to = result.metric.data() + 6 * piece.cell;
    to[0] += f * e[0] * e[0], to[1] += f * e[1] * e[1], to[2] += f * e[2] * e[2];
    to[3] += 2 * f * e[0] * e[1], to[4] += 2 * f * e[1] * e[2], to[5] += 2 * f * e[0] * e[2];
  }

  void addPieces(std::int32_t v, std::vector<LinePiece>& pieces, Sensitivities& result) const {
    solved.piecesTo(v, pieces);
    for (const LinePiece& piece : pieces) addLine(piece, mass[std::size_t(v)] * piece.factor, result);
  }

  /// Adds the updates from a tetrahedron, in the order of its vertices.
  void addTetrahedron(std::int64_t t, Sensitivities& result) const {
    const auto& vertex = solved.tetrahedron(t).vertex;
    std::vector<LinePiece> pieces;
    for (int k = 0; k < 4; ++k) {
      const std::int32_t v = vertex[k];
      if (std::size_t(v) >= mass.size() || mass[std::size_t(v)] == 0) continue;
      const VertexDependence& d = solved.dependences()[std::size_t(v)];
      if (d.count == 0 || d.tetrahedron != std::uint32_t(t) || std::find(vertex, vertex + k, v) != vertex + k)
        continue;
      addPieces(v, pieces, result);
    }
  }

  /// Adds the updates from unfolded triangles, the times from the seeds to the starts, and the difference of
  /// the equations to rounded times. Returns false if the monitor requested a stop.
  bool addOthers(const Monitor& monitor, Sensitivities& result) const {
    constexpr std::size_t batch = 4096; // vertices between two reports
    execution::Progress progress(monitor);
    result.startTime.assign(p.seeds.size(), 0);
    std::vector<LinePiece> pieces;
    for (std::size_t v = 0; v < mass.size(); ++v) {
      if (v % batch == 0 && !progress.report([&] { return double(v) / double(mass.size()); })) return false;
      if (mass[v] == 0) continue;
      const auto vertex = std::int32_t(v);
      result.objective += mass[v] * solved.roundingOf(vertex);
      const VertexDependence& d = solved.dependences()[v];
      if (d.count > 0 && std::int64_t(d.tetrahedron) < solved.cellTetrahedra()) continue;
      addPieces(vertex, pieces, result);
      if (const std::int32_t seed = solved.seedOf(vertex); seed >= 0)
        result.startTime[std::size_t(seed)] += mass[v];
    }
    return true;
  }
};

} // namespace

void requireDifferentiable(const Problem& p) {
  if (p.accuracy == Accuracy::Exact)
    throw Error("sensitivities are not available with exact distances: choose the first order, or disable "
                "Compute Sensitivity and Compute Jacobian");
  if (p.sharing.exchange)
    throw Error("sensitivities are not available on parts of a mesh: gather it on one process, or "
                "disable Compute Sensitivity and Compute Jacobian");
}

Sensitivities differentiate(const Problem& p, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor) {
  validate(p, {});
  requireDifferentiable(p);
  requireTravelTime(p, travelTime);
  for (std::size_t t = 0; t < tips.size(); ++t)
    if (!std::isfinite(tips[t].weight))
      fail("the weight of a tip must be finite, got ", text(tips[t].weight), " at tip ", t);
  requireHostMemory(sensitivityBytes(p) + std::size_t(p.cellCount()) * 12 * sizeof(double),
                    "the sensitivities");
  return solveWithFallback(options, [&](const SensitivityOptions& o) {
    Sensitivities result;
    result.ranOn = chooseForUpdates(p, o.backend);
    Adjoint adjoint(p, travelTime, chooseThreads(o.threads, 1000 * double(p.cellCount())));
    if (adjoint.differentiate(tips, monitor, result)) return result;
    Sensitivities none;
    none.aborted = true;
    return none;
  });
}

} // namespace isochrone::mesh
