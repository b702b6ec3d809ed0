#include "ImageTravelTime/Sensitivity/AdjointTask.h"

#include "Adjoint/MassRounds.h"
#include "ImageTravelTime/Sensitivity/SeedSlowness.h"

#include <functional>
#include <limits>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

namespace isochrone::image {

namespace {

/// Returns whether a mass that leaves a point can come to one that keeps it. Points whose times are equal up
/// to rounding may only lead back to each other. The earliest points are followed first.
/// @param timeOf  timeOf(point) is its travel time
/// @param usedBy  usedBy(point, f) calls f(next) for the points that give it this time; none: it keeps masses
template <class TimeOf, class UsedBy>
bool leadsToAnEnd(std::int64_t point, const TimeOf& timeOf, const UsedBy& usedBy) {
  using Later = std::pair<float, std::int64_t>;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> open;
  std::unordered_set<std::int64_t> seen{point};
  open.emplace(timeOf(point), point);
  while (!open.empty()) {
    const std::int64_t now = open.top().second;
    open.pop();
    bool keeps = true;
    usedBy(now, [&](std::int64_t next) {
      keeps = false;
      if (seen.insert(next).second) open.emplace(timeOf(next), next);
    });
    if (keeps) return true;
  }
  return false;
}

} // namespace

std::vector<SpecialPoint> specialPoints(const SolverInput& input, const DependenceScheme& scheme,
                                        std::span<const float> u, std::span<const int> points) {
  const GridIndex strides = input.problem.grid.strides();
  const auto timeOf = [&](std::int64_t point) { return u[std::size_t(point)]; };
  const auto usedBy = [&](std::int64_t point, const auto& f) {
    forEachSide(scheme.at(point).sides, [&](Direction d) { f(point + (d & 1 ? 1 : -1) * strides[d >> 1]); });
  };
  std::vector<SpecialPoint> special(points.size());
  input.pool.forEach(std::ssize(points), [&](std::int64_t n) {
    const std::int64_t point = points[std::size_t(n)];
    const PointDependence d = scheme.at(point);
    SpecialPoint& s = special[std::size_t(n)];
    s.point = int(point);
    if (d.from == TimeFrom::Nothing) return;
    bool descends = d.sides == 0;
    usedBy(point, [&](std::int64_t used) { descends = descends || timeOf(used) < timeOf(point); });
    if (!descends && !leadsToAnEnd(point, timeOf, usedBy)) return;
    s.from = d.from, s.sides = d.sides;
    for (std::size_t axis = 0; axis < 3; ++axis) s.share[axis] = d.share[axis];
    s.perSlowness = d.perSlowness, s.perSeedSlowness = d.perSeedSlowness;
    s.rounding = d.value - (double(timeOf(point)) - input.earliest);
  });
  return special;
}

AdjointTask::AdjointTask(const SolverInput& solverInput, const DependenceScheme& dependenceScheme,
                         std::span<const float> u, std::span<const PointMass> weights)
    : input(solverInput), scheme(dependenceScheme), travelTime(u) {
  std::vector<adjoint::StateWeight> states;
  for (const PointMass& m : weights) states.push_back({int(m.point), u[std::size_t(m.point)], m.mass});
  masses = adjoint::massesOf(states);
  adjoint::sortLatestFirst(masses);
}

void AdjointTask::addTo(Sensitivities& result) {
  const Problem& p = input.problem;
  if (result.speed.empty())
    result.speed = std::move(speed);
  else
    input.pool.forEach(std::ssize(speed),
                       [&](std::int64_t n) { result.speed[std::size_t(n)] += speed[std::size_t(n)]; });
  result.objective += rounding;
  for (std::size_t b = 0; b < scheme.balls().size(); ++b)
    addAtSeed(p, scheme.balls()[b].seed, perSeedSlowness[b], result.speed);
  for (std::size_t n = 0; n < keepers.size(); ++n) {
    const SpecialPoint& at = keepers[n];
    const double mass = arrived[n];
    if (mass == 0) continue;
    if (at.from == TimeFrom::Nothing) {
      result.lostWeight += mass;
      continue;
    }
    const int ball = scheme.ballsOf().ballAt(p.grid.indices(at.point));
    const std::int32_t seed =
        at.from == TimeFrom::Start ? scheme.startOf(at.point)->seed : scheme.balls()[std::size_t(ball)].seed;
    result.startValue[std::size_t(seed)] += mass;
    result.objective += mass * at.rounding;
    result.speed[std::size_t(at.point)] += mass * at.perSlowness * slownessPerSpeed(p, at.point);
    if (at.from == TimeFrom::SeedBound) addAtSeed(p, seed, mass * at.perSeedSlowness, result.speed);
  }
}

std::size_t adjointBytes(const SolverInput& input) {
  const Problem& p = input.problem;
  const std::int64_t points = p.grid.points();
  if (points >= std::numeric_limits<int>::max()) return tooManyForDevice;
  // Times, derivatives, masses that have passed, marks of special points, their list.
  const std::size_t perPoint =
      adjoint::bytesPerState + sizeof(float) + 2 * sizeof(double) + sizeof(std::uint8_t) + sizeof(int);
  const bool mayHaveBalls = input.options.factoring != SourceFactoring::Off;
  const std::size_t special = input.starts.size() + (mayHaveBalls ? std::size_t(points) / 8 : 0);
  return std::size_t(points) * perPoint + special * sizeof(SpecialPoint) + p.speed.size_bytes() +
         p.barriers.size_bytes();
}

} // namespace isochrone::image
