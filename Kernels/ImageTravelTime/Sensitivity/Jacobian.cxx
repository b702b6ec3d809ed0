// Jacobian.cxx - differentiateEach(): the derivatives of the travel time of each tip, row by row.
#include "ImageTravelTime/ImageTravelTime.h"

#include "Backend.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Sensitivity/JacobianRows.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "ImageTravelTime/Validation.h"
#include "Workers.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace isochrone::image {

namespace {

/// Returns the points of the tips, each once, by number.
std::vector<PointMass> pointsOf(std::span<const Placement> tips) {
  std::vector<PointMass> points;
  for (const Placement& tip : tips)
    if (tip.point >= 0) points.push_back({tip.point, 1});
  std::ranges::sort(points, {}, &PointMass::point);
  const auto again = std::unique(points.begin(), points.end(),
                                 [](const PointMass& a, const PointMass& b) { return a.point == b.point; });
  points.erase(again, points.end());
  return points;
}

/// Computes the rows of the tips. Returns nothing if the monitor requested a stop.
std::vector<JacobianRow> rowsOf(const Problem& problem, const DependenceScheme& scheme,
                                const DependenceGraph& graph, const RankedPoints& points,
                                std::span<const Placement> tips, int threads, const Monitor& monitor) {
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  constexpr std::int64_t bytesPerEntry =
      sizeof(std::int64_t) + sizeof(double); // still missing: those of the matrix
  Workers workers(std::max(1, std::min(threads, int(tips.size()))), monitor);
  std::vector<std::unique_ptr<JacobianRows>> makers(std::size_t(workers.threads)); // one per thread
  requireHostMemory(std::size_t(workers.threads) * (points.order.points.size() * (2 * sizeof(double) + 1) +
                                                    std::size_t(problem.grid.points()) / 8),
                    "the rows of the Jacobian");
  std::vector<JacobianRow> rows(tips.size());
  std::atomic<std::int64_t> entries{0};
  const bool done = workers.run(std::int64_t(tips.size()), [&](std::int64_t t, int worker) {
    const std::int64_t point = tips[std::size_t(t)].point;
    if (point < 0) return;
    std::unique_ptr<JacobianRows>& maker = makers[std::size_t(worker)];
    if (!maker) maker = std::make_unique<JacobianRows>(problem, scheme, graph, points);
    JacobianRow& row = rows[std::size_t(t)];
    row = maker->of(point);
    const auto size = std::int64_t(row.point.size()), before = entries.fetch_add(size);
    if (before / checked != (before + size) / checked)
      requireHostMemory(std::size_t((before + size) * bytesPerEntry),
                        "the Jacobian of " + std::to_string(tips.size()) + " tips");
  });
  if (!done) rows.clear();
  return rows;
}

} // namespace

Jacobian differentiateEach(const Problem& given, std::span<const float> travelTime,
                           std::span<const Position> tips, const SensitivityOptions& options,
                           const Monitor& monitor) {
  // 1. Check, place the tips and the seeds.
  requireDriftSize(given);
  const Problem problem = withoutZeroDrift(given);
  requireDifferentiable(problem, options);
  requireTravelTime(problem.grid, travelTime);
  Options solved;
  solved.factoring = options.factoring;
  solved.threads = options.threads;
  const SolverInput input(problem, solved);
  Jacobian result;
  for (const Position& tip : tips) result.tips.push_back(placeTip(problem, travelTime, tip));
  requireHostMemory(DependenceGraph::bytesNeeded(problem.grid) +
                        std::size_t(problem.grid.points()) * 2 * sizeof(std::int64_t),
                    "the Jacobian");
  const auto stopped = [&] {
    Jacobian none;
    none.aborted = true;
    return none;
  };
  if (!monitor.report(0)) return stopped();

  // 2. Find the points that the tips depend on, and an order in which their masses can be found.
  const DependenceScheme scheme(input, travelTime);
  DependenceGraph graph(input, scheme, travelTime);
  RankedPoints points;
  const std::vector<PointMass> tipPoints = pointsOf(result.tips);
  const Monitor collecting = monitor.part(0, 0.2), spreading = monitor.part(0.2, 0.2);
  if (!graph.collect(tipPoints, collecting) || !graph.spread(tipPoints, spreading, &points.order))
    return stopped();
  points.rank.resize(travelTime.size());
  for (std::size_t r = 0; r < points.order.points.size(); ++r)
    points.rank[std::size_t(points.order.points[r])] = std::int64_t(r);

  // 3. The rows, each on one thread.
  std::vector<JacobianRow> rows =
      rowsOf(problem, scheme, graph, points, result.tips, input.pool.size(), monitor.part(0.4, 0.6));
  if (rows.size() != tips.size()) return stopped();
  for (std::size_t p = 0; p < travelTime.size(); ++p)
    if (graph.isReached(std::int64_t(p)) && graph.from(std::int64_t(p)) == TimeFrom::Nothing)
      result.lostWeight += graph.massOf(std::int64_t(p));
  TimeMatrix& matrix = result.matrix;
  std::size_t entries = 0;
  for (const JacobianRow& row : rows) entries += row.point.size();
  matrix.element.reserve(entries);
  matrix.weight.reserve(entries);
  matrix.row.push_back(0);
  for (JacobianRow& row : rows) {
    matrix.element.insert(matrix.element.end(), row.point.begin(), row.point.end());
    matrix.weight.insert(matrix.weight.end(), row.weight.begin(), row.weight.end());
    matrix.row.push_back(std::int64_t(matrix.element.size()));
    row = {};
  }
  return result;
}

} // namespace isochrone::image
