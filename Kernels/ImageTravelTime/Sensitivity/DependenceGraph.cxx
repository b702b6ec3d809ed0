#include "ImageTravelTime/Sensitivity/DependenceGraph.h"

#include "Execution/Progress.h"

#include <algorithm>
#include <atomic>

namespace isochrone::image {

DependenceGraph::DependenceGraph(const SolverInput& solverInput, const DependenceScheme& dependences,
                                 std::span<const float> u)
    : input(solverInput), scheme(dependences), travelTime(u), strides(input.problem.grid.strides()),
      state(u.size(), 0), sides(u.size(), 0) {
  open.resize(u.size());
  shares.resize(3 * u.size());
  mass.resize(u.size());
  perSlowness.resize(u.size());
  rounding.resize(u.size());
}

std::size_t DependenceGraph::bytesNeeded(const Grid& grid) {
  return std::size_t(grid.points()) *
         (2 * sizeof(State) + sizeof(std::uint8_t) + 5 * sizeof(double) + sizeof(float));
}

/// Visits the points of a front and then those that the visits add, until there are none.
bool DependenceGraph::visitAll(std::vector<std::int64_t> front, const Visit& visit,
                               const std::function<bool(std::int64_t)>& report, DependenceOrder* order) {
  std::vector<std::vector<std::int64_t>> next(std::size_t(input.pool.size()));
  std::int64_t visited = 0;
  while (!front.empty()) {
    if (order) order->points.insert(order->points.end(), front.begin(), front.end());
    constexpr std::int64_t batch = 512, slice = 1 << 18; // points between two reports
    for (std::int64_t first = 0; first < std::int64_t(front.size()); first += slice) {
      const auto count = std::min(slice, std::int64_t(front.size()) - first);
      input.pool.forRanges(count, batch, [&](std::int64_t begin, std::int64_t end, int thread) {
        for (std::int64_t n = first + begin; n < first + end; ++n)
          visit(front[std::size_t(n)], next[std::size_t(thread)]);
      });
      visited += count;
      if (!report(visited)) return false;
    }
    front.clear();
    for (auto& list : next) {
      front.insert(front.end(), list.begin(), list.end());
      list.clear();
    }
  }
  return true;
}

/// Marks a point. Returns whether it was not marked before.
bool DependenceGraph::reach(std::int64_t point) {
  std::atomic_ref<State> flags(state[std::size_t(point)]);
  if (flags.fetch_or(reached, std::memory_order_relaxed) & reached) return false;
  mass[std::size_t(point)] = 0;
  return true;
}

void DependenceGraph::evaluate(std::int64_t point, std::vector<std::int64_t>& next) {
  const auto p = std::size_t(point);
  const PointDependence d = scheme.at(point);
  std::atomic_ref<State>(state[p]).fetch_or(State(int(d.from) << fromShift), std::memory_order_relaxed);
  sides[p] = d.sides;
  for (int axis = 0; axis < 3; ++axis) shares[3 * p + std::size_t(axis)] = d.share[std::size_t(axis)];
  perSlowness[p] = d.perSlowness;
  rounding[p] = d.from == TimeFrom::Nothing ? 0.f : float(d.value - (double(travelTime[p]) - input.earliest));
  forUsed(point, [&](std::int64_t neighbour, int) {
    if (reach(neighbour)) next.push_back(neighbour);
  });
}

bool DependenceGraph::collect(std::span<const PointMass> tips, const Monitor& monitor) {
  std::vector<std::int64_t> front;
  for (const PointMass& tip : tips)
    if (reach(tip.point)) front.push_back(tip.point);
  execution::Progress progress(monitor);
  const double points = double(travelTime.size());
  count = 0;
  return visitAll(
      std::move(front), [this](std::int64_t p, auto& next) { evaluate(p, next); },
      [&](std::int64_t visited) {
        count = visited;
        return progress.report([&] { return double(visited) / points; });
      });
}

/// Returns the mass that the finished points that depend on a point pass on to it. The order of the sum
/// depends on positions alone.
double DependenceGraph::massFromUsers(std::int64_t point) const {
  double sum = 0;
  forUsers(point, [&](std::int64_t user, int axis) {
    if (state[std::size_t(user)] & done) sum += sharesOf(user)[axis] * massOf(user);
  });
  return sum;
}

void DependenceGraph::passOn(std::int64_t point, std::vector<std::int64_t>& next) {
  mass[std::size_t(point)] += massFromUsers(point);
  std::atomic_ref<State>(state[std::size_t(point)]).fetch_or(done, std::memory_order_relaxed);
  forUsed(point, [&](std::int64_t neighbour, int) {
    std::atomic_ref<std::uint8_t> users(open[std::size_t(neighbour)]);
    if (users.fetch_sub(1, std::memory_order_acq_rel) == 1) next.push_back(neighbour);
  });
}

bool DependenceGraph::spread(std::span<const PointMass> tips, const Monitor& monitor,
                             DependenceOrder* order) {
  for (const PointMass& tip : tips) mass[std::size_t(tip.point)] = tip.mass;
  execution::Progress progress(monitor);
  // 1. Count the users of each point.
  const auto countUsers = [this](std::int64_t point) {
    if (!isReached(point)) return;
    std::uint8_t users = 0;
    forUsers(point, [&](std::int64_t, int) { ++users; });
    open[std::size_t(point)] = users;
  };
  const auto points = std::int64_t(travelTime.size());
  constexpr std::int64_t slice = 1 << 22; // points between two reports
  for (std::int64_t first = 0; first < points; first += slice) {
    input.pool.forEach(std::min(slice, points - first), [&](std::int64_t n) { countUsers(first + n); });
    if (!progress.report([&] { return 0.2 * double(first) / double(points); })) return false;
  }

  // 2. Pass on the masses of points whose users are done.
  std::vector<std::int64_t> front;
  for (const PointMass& tip : tips)
    if (open[std::size_t(tip.point)] == 0) front.push_back(tip.point);
  std::int64_t spreadPoints = 0;
  const bool isDone = visitAll(
      std::move(front), [this](std::int64_t p, auto& next) { passOn(p, next); },
      [&](std::int64_t visited) {
        spreadPoints = visited;
        return progress.report([&] { return 0.2 + 0.6 * double(visited) / double(count); });
      },
      order);
  if (!isDone) return false;

  // 3. The others are in cycles, or give their time to points in cycles.
  return spreadPoints == count || spreadThroughCycles(monitor.part(0.8, 0.2), order);
}

} // namespace isochrone::image
