// Ends.h - whether masses come to an end.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

namespace isochrone::adjoint {

/// Returns whether a mass that leaves a state can come to a state that keeps it. States whose times are equal
/// up to rounding may only lead back to each other. The earliest states are followed first.
/// @param timeOf  timeOf(state) is its travel time
/// @param usedBy  usedBy(state, f) calls f(next) for the states that give it this time; none: it keeps masses
template <class TimeOf, class UsedBy>
bool leadsToAnEnd(std::int64_t state, const TimeOf& timeOf, const UsedBy& usedBy) {
  using Later = std::pair<double, std::int64_t>;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> open;
  std::unordered_set<std::int64_t> seen{state};
  open.emplace(timeOf(state), state);
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

} // namespace isochrone::adjoint
