#include "RayTracing/Paths/RaysInParts.h"

namespace isochrone::rays {

RaysInParts::RaysInParts(const Problem& p) : TrailRelay(p.part), problem(p) {}

bool RaysInParts::hasEnded(const RayTrail& trail) const { return trail.source != RayTrail::unknown; }

GridIndex RaysInParts::next(const RayTrail& trail) const {
  return problem.grid.indices(ImageNumbers::ofPoints(problem).inPart(trail.points.back()));
}

void RaysInParts::put(const RayTrail& trail, Numbers& message) const {
  message.insert(message.end(), {double(trail.ray), double(trail.source), trail.startTime,
                                 double(trail.points.size()), double(trail.times.size())});
  message.insert(message.end(), trail.points.begin(), trail.points.end());
  message.insert(message.end(), trail.times.begin(), trail.times.end());
}

RayTrail RaysInParts::taken(Numbers::const_iterator& at) const {
  RayTrail trail;
  trail.ray = std::int32_t(*at++);
  trail.source = std::int32_t(*at++);
  trail.startTime = *at++;
  const auto points = std::size_t(*at++), times = std::size_t(*at++);
  while (trail.points.size() < points) trail.points.push_back(std::int64_t(*at++));
  while (trail.times.size() < times) trail.times.push_back(*at++);
  return trail;
}

} // namespace isochrone::rays
