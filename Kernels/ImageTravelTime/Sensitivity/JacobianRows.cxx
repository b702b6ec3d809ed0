#include "ImageTravelTime/Sensitivity/JacobianRows.h"

#include "ImageTravelTime/Seeds/Seeding.h"

#include <algorithm>

namespace isochrone::image {

JacobianRows::JacobianRows(const Problem& p, const DependenceScheme& s, const DependenceGraph& g,
                           const RankedPoints& ranked)
    : problem(p), scheme(s), graph(g), points(ranked), mass(ranked.order.points.size(), 0),
      waiting(std::int64_t(mass.size())), passed(p.grid.points()) {}

/// Finds the mass of a point whose users have theirs, or of all points of its cycle.
void JacobianRows::pass(std::int64_t rank, std::int64_t tip) {
  const std::vector<DependenceOrder::Cycle>& cycles = points.order.cycles;
  DependenceOrder::Cycle range{rank, rank + 1};
  const auto next = std::ranges::upper_bound(cycles, rank, {}, &DependenceOrder::Cycle::begin);
  if (next != cycles.begin() && rank < std::prev(next)->end) range = *std::prev(next);
  const std::span<const std::int64_t> members(&points.order.points[std::size_t(range.begin)],
                                              std::size_t(range.end - range.begin));
  // The order of the sum depends on positions alone. Points without a mass add 0.
  const auto arriving = [&](std::int64_t point) {
    double sum = point == tip ? 1 : 0;
    graph.forUsers(point, [&](std::int64_t user, int axis) {
      sum += graph.sharesOf(user)[axis] * mass[std::size_t(points.rank[std::size_t(user)])];
    });
    return sum;
  };
  if (members.size() == 1) {
    mass[std::size_t(rank)] = arriving(members[0]);
  } else {
    std::vector<double> masses;
    for (const std::int64_t point : members) masses.push_back(arriving(point));
    graph.solveCycle(members, masses);
    std::ranges::copy(masses, mass.begin() + range.begin);
  }
  for (std::int64_t r = range.begin; r < range.end; ++r) {
    waiting.remove(r);
    ranks.push_back(r);
    const std::int64_t point = points.order.points[std::size_t(r)];
    passed.add(point);
    graph.forUsed(point, [&](std::int64_t neighbour, int) {
      if (const std::int64_t to = points.rank[std::size_t(neighbour)]; to >= range.end) waiting.add(to);
    });
  }
}

JacobianRow JacobianRows::of(std::int64_t tip) {
  // 1. The masses.
  ranks.clear();
  waiting.add(points.rank[std::size_t(tip)]);
  waiting.takeAll([&](std::int64_t rank) { pass(rank, tip); });

  // 2. The derivatives, in the order of the points.
  JacobianRow row;
  std::vector<double> perSeedSlowness(scheme.balls().size(), 0); // per ball
  passed.takeAll([&](std::int64_t point) {
    const TimeFrom from = graph.from(point);
    if (from == TimeFrom::Nothing) return;
    const double at = mass[std::size_t(points.rank[std::size_t(point)])];
    if (const double weight = at * graph.perSlownessOf(point); weight != 0) {
      row.point.push_back(point);
      row.weight.push_back(weight);
    }
    if (perSeedSlowness.empty()) return;
    const DependenceScheme::OnSeed on =
        scheme.onSeed(point, from, graph.sidesOf(point), graph.sharesOf(point));
    if (on.ball >= 0) perSeedSlowness[std::size_t(on.ball)] += at * on.perSlowness;
  });
  for (const std::int64_t rank : ranks) mass[std::size_t(rank)] = 0;

  // 3. Those of the slowness at a seed belong to its nearest points.
  for (std::size_t b = 0; b < perSeedSlowness.size(); ++b) {
    if (perSeedSlowness[b] == 0) continue;
    const Seed& seed = problem.seeds[std::size_t(scheme.balls()[b].seed)];
    const std::vector<std::int64_t> nearest = nearestPoints(problem, seed.at);
    for (const std::int64_t point : nearest) {
      const auto at = std::ranges::lower_bound(row.point, point) - row.point.begin();
      if (at == std::ssize(row.point) || row.point[std::size_t(at)] != point) {
        row.point.insert(row.point.begin() + at, point);
        row.weight.insert(row.weight.begin() + at, 0);
      }
      row.weight[std::size_t(at)] += perSeedSlowness[b] / double(nearest.size());
    }
  }
  return row;
}

} // namespace isochrone::image
