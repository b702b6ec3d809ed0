#include "ImageTravelTime/Paths/TrailsInParts.h"

namespace isochrone::image {

TrailsInParts::TrailsInParts(const Problem& p)
    : TrailRelay(p.part), problem(p), first(gridCoordinates(p.part.first)) {}

/// Returns whether a trail has ended: at a seed or nowhere.
bool TrailsInParts::hasEnded(const Trail& trail) const {
  return trail.trace.seed.has_value() || trail.trace.samples.empty();
}

GridIndex TrailsInParts::next(const Trail& trail) const { return nearestTo(trail.trace.samples.back().at); }

void TrailsInParts::put(const Trail& trail, Numbers& message) const {
  const auto& seed = trail.trace.seed;
  const Position h = problem.grid.spacing();
  message.push_back(trail.tip);
  message.push_back(seed ? seed->number : -1);
  for (int a = 0; a < 3; ++a) message.push_back(seed ? seed->at[a] + first[a] * h[a] : 0);
  message.push_back(double(trail.trace.samples.size()));
  for (const PathSample& sample : trail.trace.samples) {
    for (int a = 0; a < 3; ++a) message.push_back(sample.at[a] + first[a]);
    message.push_back(sample.value);
    message.push_back(sample.time);
  }
}

Trail TrailsInParts::taken(Numbers::const_iterator& at) const {
  const Position h = problem.grid.spacing();
  Trail trail;
  trail.tip = std::int32_t(*at++);
  PathSeeds::Seed seed{std::int32_t(*at++), {}, -1};
  for (int a = 0; a < 3; ++a) seed.at[a] = *at++ - first[a] * h[a];
  if (seed.number >= 0) trail.trace.seed = seed;
  for (auto left = std::int64_t(*at++); left > 0; --left) {
    PathSample& sample = trail.trace.samples.emplace_back();
    for (int a = 0; a < 3; ++a) sample.at[a] = *at++ - first[a];
    sample.value = *at++;
    sample.time = *at++;
  }
  return trail;
}

void TrailsInParts::move(Trail& trail, const GridIndex& by) const {
  const Position h = problem.grid.spacing();
  for (int a = 0; a < 3; ++a) {
    if (trail.trace.seed) trail.trace.seed->at[a] += double(by[a]) * h[a];
    for (PathSample& sample : trail.trace.samples) sample.at[a] += double(by[a]);
  }
}

} // namespace isochrone::image
