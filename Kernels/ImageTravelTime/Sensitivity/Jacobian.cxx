// Jacobian.cxx - differentiateEach(): the derivatives of the travel time of each tip, row by row.
#include "ImageTravelTime/ImageTravelTime.h"

#include "Backend.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Sensitivity/JacobianRows.h"
#include "ImageTravelTime/Sensitivity/TensorRows.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "ImageTravelTime/Validation.h"
#include "Workers.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace isochrone::image {

namespace {

/// Returns the place of a point on a curve that stays near itself (Morton's).
std::uint64_t alongCurve(const GridIndex& at) {
  std::uint64_t place = 0;
  for (int bit = 0; bit < 21; ++bit)
    for (int a = 0; a < 3; ++a) place |= (std::uint64_t(at[a]) >> bit & 1) << (3 * bit + a);
  return place;
}

/// Returns the points of the tips, each once, those that are near each other together: their rows share
/// points.
std::vector<std::int64_t> pointsOf(const Grid& grid, std::span<const Placement> tips) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> places;
  for (const Placement& tip : tips)
    if (tip.point >= 0) places.emplace_back(alongCurve(grid.indices(tip.point)), tip.point);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::int64_t> points;
  for (const auto& [place, point] : places) points.push_back(point);
  return points;
}

/// Returns how many threads compute rows: as many as may take half of the free memory together. The other
/// half is for the entries. One thread takes what it needs.
/// @param bytesOfOne  memory of a thread, without masses
/// @param tiles  that the tips depend on: a thread may have masses on all of them
int workersFor(std::int64_t groups, int threads, std::size_t bytesOfOne, const TileOrder& order,
               std::size_t tiles) {
  const std::size_t bytes = bytesOfOne + MassPass<rowLanes>::massBytes(order, tiles);
  int workers = int(std::clamp<std::int64_t>(groups, 1, threads));
  while (workers > 1 && !hasHostMemory(2 * std::size_t(workers) * bytes)) --workers;
  return workers;
}

/// The points that all tips together depend on.
struct Reach {
  Cycles cycles;
  std::size_t tiles;
  double lostWeight = 0;
};

/// Evaluates these points. Returns nothing if the monitor requested a stop.
std::optional<Reach> reachOf(Dependences& dependences, std::span<const PointMass> masses,
                             execution::RoundPool& pool, const Monitor& monitor) {
  const TileOrder& order = dependences.order;
  MassPass<1> pass(dependences, &pool);
  std::vector<MassPass<1>::Tip> tips;
  for (const PointMass& m : masses) tips.push_back({order.numberOf(m.point), {m.mass}});
  if (!pass.flood(std::move(tips), monitor.part(0, 0.5)) || !pass.spread(monitor.part(0.5, 0.5)))
    return std::nullopt;
  Reach reach{pass.cycles(), pass.tiles().size()};
  for (const std::int32_t tile : pass.tiles())
    for (std::int64_t n = order.firstOf(tile); n < order.firstOf(tile + 1); ++n)
      if (pass.isReached(n) && pass.isLost(n)) reach.lostWeight += *pass.massesOf(n);
  return reach;
}

/// Computes the rows of points, `rowLanes` at a time. Returns nothing if the monitor requested a stop.
/// @param tiles  that the points depend on
std::vector<JacobianRow> rowsOf(const Problem& problem, const DependenceScheme& scheme,
                                Dependences& dependences, const Cycles& cycles,
                                const SecondOrderDependences* secondOrder, std::size_t tiles,
                                std::span<const std::int64_t> points, int threads, const Monitor& monitor) {
  const std::int64_t groups = (std::ssize(points) + rowLanes - 1) / rowLanes;
  const std::size_t bytes =
      MassPass<rowLanes>::bytesNeeded(problem) +
      (secondOrder ? OrderedPass<rowLanes>::bytesNeeded(std::size_t(problem.grid.points())) : 0);
  Workers workers(workersFor(groups, threads, bytes, dependences.order, tiles), monitor);
  std::vector<std::unique_ptr<JacobianRows>> makers(std::size_t(workers.threads)); // one per thread
  requireHostMemory(std::size_t(workers.threads) * bytes, "the rows of the Jacobian");
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  constexpr std::int64_t bytesPerEntry =
      sizeof(std::int64_t) + sizeof(double); // still missing: those of the matrix
  std::atomic<std::int64_t> entries{0};
  std::vector<JacobianRow> rows(points.size());
  std::atomic<bool> stop{false};
  const bool done = workers.run(groups, [&](std::int64_t group, int worker) {
    std::unique_ptr<JacobianRows>& maker = makers[std::size_t(worker)];
    if (!maker) maker = std::make_unique<JacobianRows>(problem, scheme, dependences, cycles, secondOrder);
    const auto first = std::size_t(group * rowLanes);
    const Monitor within{[&](double) { // worker 0 is the thread that reports
      if (worker == 0 && !monitor.report(double(group) / double(groups))) stop = true;
      return !stop;
    }};
    std::vector<JacobianRow> some =
        maker->of(points.subspan(first, std::min<std::size_t>(rowLanes, points.size() - first)), within);
    std::int64_t size = 0;
    for (const JacobianRow& row : some) size += std::ssize(row.point);
    std::ranges::move(some, rows.begin() + std::ptrdiff_t(first));
    const std::int64_t before = entries.fetch_add(size);
    if (before / checked != (before + size) / checked)
      requireHostMemory(std::size_t((before + size) * bytesPerEntry),
                        "the Jacobian of " + std::to_string(points.size()) + " tips");
  });
  if (!done || stop) rows.clear();
  return rows;
}

/// Joins the rows of the points to those of the tips.
TimeMatrix join(std::span<const Placement> tips, std::span<const std::int64_t> points,
                std::vector<JacobianRow> rows) {
  std::unordered_map<std::int64_t, std::size_t> rowOf; // per point
  for (std::size_t r = 0; r < points.size(); ++r) rowOf[points[r]] = r;
  std::vector<int> uses(rows.size(), 0);
  std::size_t entries = 0;
  for (const Placement& tip : tips)
    if (tip.point >= 0) ++uses[rowOf.at(tip.point)], entries += rows[rowOf.at(tip.point)].point.size();
  TimeMatrix matrix;
  matrix.element.reserve(entries);
  matrix.weight.reserve(entries);
  matrix.row.push_back(0);
  for (const Placement& tip : tips) {
    if (tip.point >= 0) {
      const std::size_t r = rowOf.at(tip.point);
      JacobianRow& row = rows[r];
      matrix.element.insert(matrix.element.end(), row.point.begin(), row.point.end());
      matrix.weight.insert(matrix.weight.end(), row.weight.begin(), row.weight.end());
      if (--uses[r] == 0) row = {};
    }
    matrix.row.push_back(std::int64_t(matrix.element.size()));
  }
  return matrix;
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
  solved.order = options.order;
  solved.threads = options.threads;
  SolverInput input(problem, solved);
  Jacobian result;
  for (const Position& tip : tips) result.tips.push_back(placeTip(problem, travelTime, tip));
  const std::vector<std::int64_t> points = pointsOf(problem.grid, result.tips);
  const auto stopped = [&] {
    Jacobian none;
    none.aborted = true;
    return none;
  };
  if (hasTensorSpeeds(problem)) {
    std::vector<JacobianRow> rows = tensorRows(input, travelTime, points, monitor, result.lostWeight);
    if (rows.size() != points.size()) return stopped();
    result.matrix = join(result.tips, points, std::move(rows));
    return result;
  }
  const bool isSecondOrder = options.order == 2 && !points.empty();
  const std::size_t size = travelTime.size();
  requireHostMemory(Dependences::bytesNeeded(problem, options.factoring != SourceFactoring::Off) +
                        MassPass<1>::bytesNeeded(problem) + size * sizeof(double) +
                        (isSecondOrder
                             ? SecondOrderDependences::bytesNeeded(size, true) +
                                   secondOrderPassBytes(size, options.factoring) + size * sizeof(float)
                             : 0),
                    "the Jacobian");
  if (!monitor.report(0)) return stopped();

  // 2. With second order, find the points that keep their first order times.
  FirstOrderTimes firstOrder;
  std::optional<SecondOrderDependences> secondOrder;
  std::vector<PointMass> masses; // of all tips together
  for (const std::int64_t point : points) masses.push_back({point, 1});
  if (isSecondOrder) {
    if (!firstOrder.find(problem, options, masses, monitor.part(0, 0.05))) return stopped();
    secondOrder.emplace(input, firstOrder.times(), travelTime);
    std::optional<SecondOrderMasses> passed =
        passSecondOrder(*secondOrder, masses, Backend::Host, input.pool, monitor.part(0.05, 0.05));
    if (!passed) return stopped();
    masses = std::move(passed->kept);
    secondOrder->sort();
    travelTime = firstOrder.times();
  }

  // 3. Find the points that these depend on, and those that depend on each other.
  const DependenceScheme scheme(input, travelTime);
  Dependences dependences(input, scheme, travelTime);
  const std::optional<Reach> reach = reachOf(dependences, masses, input.pool, monitor.part(0.1, 0.1));
  if (!reach) return stopped();
  result.lostWeight = reach->lostWeight;

  // 4. The rows, on one thread each.
  std::vector<JacobianRow> rows =
      rowsOf(problem, scheme, dependences, reach->cycles, secondOrder ? &*secondOrder : nullptr, reach->tiles,
             points, input.pool.size(), monitor.part(0.2, 0.8));
  if (rows.size() != points.size()) return stopped();
  result.matrix = join(result.tips, points, std::move(rows));
  return result;
}

} // namespace isochrone::image
