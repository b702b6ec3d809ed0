// Jacobian.cxx - differentiateEach(): the derivatives of the travel time of each tip, row by row.
#include "Backend.h"
#include "Execution/Progress.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Sensitivity/JacobianRows.h"
#include "MeshTravelTime/Sensitivity/MediumDerivatives.h"
#include "MeshTravelTime/Sensitivity/Updates.h"
#include "MeshTravelTime/Validation.h"
#include "Workers.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace isochrone::mesh {

namespace {

using TipPlaces = std::vector<SolvedMesh::TipPlace>;

/// Returns how many threads compute rows at the same time: as many as there is memory for.
int threadsOfRows(int maximum, std::size_t bytes) {
  int threads = std::max(1, maximum);
  while (threads > 1 && !hasHostMemory(std::size_t(threads) * bytes)) --threads;
  requireHostMemory(std::size_t(threads) * bytes, "the rows of the Jacobian");
  return threads;
}

/// Computes the rows of the tips. Returns nothing if the monitor requested a stop.
std::vector<JacobianRow> rowsOf(std::int64_t elements, const SolvedMesh& solved, const MassFlow& flow,
                                const ElementWeights& weights, const TipPlaces& places, int threads,
                                const Monitor& monitor) {
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  constexpr std::int64_t missing =          // bytes per entry: those of the matrix
      sizeof(std::int64_t) + sizeof(double);
  const std::size_t bytes = sizeof(double) * (solved.dependences().size() + std::size_t(elements)); // of one
  Workers workers(threadsOfRows(std::min(threads, int(places.size())), bytes), monitor);
  std::vector<std::unique_ptr<JacobianRows>> makers(std::size_t(workers.threads)); // one per thread
  std::vector<JacobianRow> rows(places.size());
  const std::thread::id caller = std::this_thread::get_id(); // asks the monitor
  std::atomic<std::int64_t> entries{0};
  std::atomic<bool> stop{false};
  execution::Progress progress(monitor); // within a row
  const bool done = workers.run(std::int64_t(places.size()), [&](std::int64_t t, int worker) {
    if (places[std::size_t(t)].count == 0 || stop) return;
    std::unique_ptr<JacobianRows>& maker = makers[std::size_t(worker)];
    if (!maker) maker = std::make_unique<JacobianRows>(elements, solved, flow, weights);
    JacobianRow& row = rows[std::size_t(t)];
    row = maker->of(places[std::size_t(t)], [&] {
      if (std::this_thread::get_id() == caller &&
          !progress.report([&] { return double(t) / double(places.size()); }))
        stop = true;
      return !stop;
    });
    row.entries.shrink_to_fit();
    const auto size = std::ssize(row.entries), before = entries.fetch_add(size);
    if (before / checked != (before + size) / checked)
      requireHostMemory(std::size_t((before + size) * missing),
                        "the Jacobian of " + std::to_string(places.size()) + " tips");
  });
  if (!done || stop) rows.clear();
  return rows;
}

/// Moves the rows into a matrix.
void setMatrix(std::vector<JacobianRow> rows, Jacobian& result) {
  std::size_t entries = 0;
  for (const JacobianRow& row : rows) entries += row.entries.size();
  TimeMatrix& matrix = result.matrix;
  matrix.element.reserve(entries);
  matrix.weight.reserve(entries);
  matrix.row.push_back(0);
  for (JacobianRow& row : rows) {
    for (const ElementWeight& entry : row.entries) {
      matrix.element.push_back(entry.element);
      matrix.weight.push_back(entry.weight);
    }
    matrix.row.push_back(std::int64_t(matrix.element.size()));
    result.seed.push_back(row.seed);
    result.lostWeight += row.lostWeight;
    row = {};
  }
}

Jacobian differentiateWhereChosen(const Problem& p, std::span<const float> travelTime,
                                  std::span<const Tip> tips, const SensitivityOptions& options,
                                  const Monitor& monitor) {
  // 1. Find the update of each vertex.
  const auto stopped = [] {
    Jacobian none;
    none.aborted = true;
    return none;
  };
  Jacobian result;
  result.ranOn = chooseForUpdates(p, options.backend);
  execution::RoundPool pool(chooseThreads(options.threads, 1000 * double(p.cellCount())));
  SolvedMesh solved(p, travelTime, pool);
  const Monitor evaluating = monitor.part(0, 0.4), passing = monitor.part(0.4, 0.2),
                weighing = monitor.part(0.6, 0.1), adding = monitor.part(0.7, 0.3);
  if (!solved.prepare(evaluating.part(0, 0.5)) ||
      !findUpdates(solved, result.ranOn.backend, evaluating.part(0.5, 0.5)))
    return stopped();

  // 2. The vertices that the tips depend on, and an order in which their masses can be found.
  TipPlaces places;
  std::vector<std::int32_t> vertices;
  for (const Tip& tip : tips) {
    places.push_back(solved.placeOf(tip));
    const SolvedMesh::TipPlace& place = places.back();
    vertices.insert(vertices.end(), place.vertex.begin(), place.vertex.begin() + std::ptrdiff_t(place.count));
  }
  MassFlow flow(solved.dependences(), pool);
  ElementWeights weights;
  if (!flow.prepare(vertices, passing) || !weights.fill(p, solved, flow.ranked(), pool, weighing))
    return stopped();

  // 3. The rows, each on one thread.
  result.ofVertices = mediumShapeOf(p).ofVertices;
  std::vector<JacobianRow> rows = rowsOf(result.ofVertices ? p.vertexCount() : p.cellCount(), solved, flow,
                                         weights, places, pool.size(), adding);
  if (rows.size() != tips.size()) return stopped();
  setMatrix(std::move(rows), result);
  return result;
}

} // namespace

Jacobian differentiateEach(const Problem& p, std::span<const float> travelTime, std::span<const Tip> tips,
                           const SensitivityOptions& options, const Monitor& monitor) {
  validate(p, {});
  requireDifferentiable(p);
  requireTravelTime(p, travelTime);
  requireHostMemory(sensitivityBytes(p), "the Jacobian");
  return solveWithFallback(options, [&](const SensitivityOptions& o) {
    return differentiateWhereChosen(p, travelTime, tips, o, monitor);
  });
}

} // namespace isochrone::mesh
