#include "CurvaturePaths/Paths/TrailsInParts.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace isochrone::curvature {

namespace {

using Numbers = std::vector<double>;
using Place = Numbers::const_iterator;

template <class... Values>
void put(Numbers& to, Values... values) {
  (to.push_back(double(values)), ...);
}
template <class T>
T take(Place& at) {
  return T(*at++);
}

void put(Numbers& to, const Sample& s) { put(to, s.x, s.y, s.k); }
Sample takeSample(Place& at) {
  const auto x = take<double>(at), y = take<double>(at), k = take<double>(at);
  return {x, y, k};
}

void put(Numbers& to, const GridState& q) { put(to, q.i, q.j, q.k); }
GridState takeState(Place& at) {
  const auto i = take<std::int64_t>(at), j = take<std::int64_t>(at);
  return {i, j, take<int>(at)};
}

void put(Numbers& to, const Moments& moments) {
  put(to, moments.origin);
  put(to, moments.mass);
  for (int a = 0; a < 3; ++a) {
    put(to, moments.first[a]);
    for (int b = 0; b <= a; ++b) put(to, moments.second[a][b]);
  }
}
Moments takeMoments(Place& at) {
  Moments moments{takeSample(at)};
  moments.mass = take<double>(at);
  for (int a = 0; a < 3; ++a) {
    moments.first[a] = take<double>(at);
    for (int b = 0; b <= a; ++b) moments.second[a][b] = take<double>(at);
  }
  return moments;
}

void put(Numbers& to, const MassCloud& cloud) {
  put(to, cloud.last);
  put(to, cloud.moments);
  put(to, cloud.masses.size());
  for (const auto& [key, mass] : cloud.masses) {
    put(to, key.value);
    put(to, key.state);
    put(to, mass);
  }
  put(to, cloud.arrived.size());
  for (const auto& [key, arrival] : cloud.arrived) {
    put(to, key.value);
    put(to, key.state);
    put(to, arrival.mass, arrival.seed);
  }
  put(to, cloud.moved);
}
StateKey takeKey(Place& at) {
  const auto value = take<float>(at);
  return {value, takeState(at)};
}
MassCloud takeCloud(Place& at) {
  MassCloud cloud;
  cloud.last = takeSample(at);
  cloud.moments = takeMoments(at);
  for (auto left = take<std::int64_t>(at); left > 0; --left) {
    const StateKey key = takeKey(at);
    cloud.masses[key] = take<double>(at);
  }
  for (auto left = take<std::int64_t>(at); left > 0; --left) {
    const StateKey key = takeKey(at);
    const auto mass = take<double>(at);
    cloud.arrived[key] = {mass, take<std::int32_t>(at)};
  }
  cloud.moved = take<double>(at) != 0;
  return cloud;
}

} // namespace

void moveTrail(Trail& trail, const GridIndex& by) {
  const auto moveSample = [&](Sample& s) { s.x += double(by[0]), s.y += double(by[1]); };
  const auto moveState = [&](GridState& q) { q.i += by[0], q.j += by[1]; };
  const auto moveKeys = [&](auto& states) { // keeps their order
    std::decay_t<decltype(states)> moved;
    for (const auto& [at, value] : states) {
      StateKey key = at;
      moveState(key.state);
      moved.emplace_hint(moved.end(), key, value);
    }
    states = std::move(moved);
  };
  for (Sample& sample : trail.trace.samples) moveSample(sample);
  if (!trail.next)
    for (std::size_t a = 0; a < 2; ++a) trail.seedShift[a] += double(by[a]);
  else
    moveState(*trail.next);
  if (!trail.cloud) return;
  moveSample(trail.cloud->last);
  moveSample(trail.cloud->moments.origin);
  moveKeys(trail.cloud->masses);
  moveKeys(trail.cloud->arrived);
}

GridIndex TrailsInParts::next(const Trail& trail) const {
  return {std::clamp(trail.next->i, window.low[0], window.high[0] - 1) - window.low[0],
          std::clamp(trail.next->j, window.low[1], window.high[1] - 1) - window.low[1], 0};
}

void TrailsInParts::put(const Trail& trail, Numbers& message) const {
  using curvature::put;
  put(message, trail.tip, trail.trace.seed, trail.seedShift[0], trail.seedShift[1],
      trail.trace.samples.size());
  for (const Sample& sample : trail.trace.samples) put(message, sample);
  put(message, trail.next.has_value());
  if (!trail.next) return;
  put(message, *trail.next);
  put(message, trail.cloud.has_value());
  if (trail.cloud) put(message, *trail.cloud);
}

Trail TrailsInParts::taken(Numbers::const_iterator& at) const {
  Trail trail;
  trail.tip = take<std::int32_t>(at);
  trail.trace.seed = take<std::int32_t>(at);
  for (double& shift : trail.seedShift) shift = take<double>(at);
  for (auto left = take<std::int64_t>(at); left > 0; --left) trail.trace.samples.push_back(takeSample(at));
  if (take<double>(at) == 0) return trail;
  trail.next = takeState(at);
  if (take<double>(at) != 0) trail.cloud = takeCloud(at);
  return trail;
}

} // namespace isochrone::curvature
