#include "ImageTravelTime/Paths/TrailsInParts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace isochrone::image {

namespace {

/// The statuses of paths before they are traced; of several, the first one holds.
constexpr std::array statuses{PathStatus::Complete, PathStatus::Unreachable, PathStatus::TipInWall,
                              PathStatus::TipOutside};

} // namespace

TrailsInParts::TrailsInParts(const Problem& p) : problem(p), first(gridCoordinates(p.part.first)) {}

/// Returns whether a trail has ended: at a seed or nowhere.
bool TrailsInParts::isDone(const Trail& trail) const {
  return trail.trace.seed.has_value() || trail.trace.samples.empty();
}

/// Returns the link to the process that owns a position in the margin.
std::size_t TrailsInParts::linkTo(const GridCoordinates& at) const {
  const GridIndex point = nearestTo(at);
  const auto& links = problem.part.links;
  const auto has = [&](const grid::PartLink& link) { return link.heard.contains(point); };
  return std::size_t(std::find_if(links.begin(), links.end(), has) - links.begin());
}

bool TrailsInParts::follow(std::vector<Trail>& trails,
                           const std::function<bool(std::vector<Trail>&)>& trace) const {
  const auto& links = problem.part.links;
  std::vector<Trail> open = std::exchange(trails, {}), done;
  for (;;) {
    // 1. Trace, and send each trail onward or back.
    if (!trace(open)) return false;
    std::vector<Numbers> numbers(links.size());
    double minusSent = 0;
    for (std::vector<Trail>* some : {&open, &done})
      for (Trail& trail : *some) {
        std::size_t link = links.size();
        if (!isDone(trail)) {
          link = linkTo(trail.trace.samples.back().at);
        } else if (!trail.way.empty()) {
          link = std::size_t(std::ranges::find(links, trail.way.back(), &grid::PartLink::process) -
                             links.begin());
          trail.way.pop_back();
        } else {
          trails.push_back(std::move(trail));
          continue;
        }
        put(trail, numbers.at(link));
        --minusSent;
      }

    // 2. Receive, until no trail is on its way.
    std::vector<grid::Message> messages;
    for (const Numbers& some : numbers) {
      grid::Message& message = messages.emplace_back(some.size() * sizeof(double));
      if (!some.empty()) std::memcpy(message.data(), some.data(), message.size());
    }
    const std::vector<grid::Message> heard = problem.part.exchange({&minusSent, 1}, messages);
    if (minusSent == 0) return true;
    open.clear(), done.clear();
    for (std::size_t l = 0; l < heard.size(); ++l)
      for (Trail& trail : taken(heard[l], links[l].process))
        (isDone(trail) ? done : open).push_back(std::move(trail));
  }
}

/// Appends a trail to a message, with positions relative to the whole image.
void TrailsInParts::put(const Trail& trail, Numbers& message) const {
  const auto& seed = trail.trace.seed;
  const Position h = problem.grid.spacing();
  message.push_back(trail.tip);
  message.push_back(seed ? seed->number : -1);
  for (int a = 0; a < 3; ++a) message.push_back(seed ? seed->at[a] + first[a] * h[a] : 0);
  message.push_back(double(trail.way.size()));
  message.insert(message.end(), trail.way.begin(), trail.way.end());
  message.push_back(double(trail.trace.samples.size()));
  for (const PathSample& sample : trail.trace.samples) {
    for (int a = 0; a < 3; ++a) message.push_back(sample.at[a] + first[a]);
    message.push_back(sample.value);
    message.push_back(sample.time);
  }
}

/// Returns the trails of a message. Those that have not ended came from the process `from`.
std::vector<Trail> TrailsInParts::taken(const grid::Message& message, int from) const {
  const Position h = problem.grid.spacing();
  Numbers numbers(message.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), message.data(), message.size());
  std::vector<Trail> trails;
  for (auto next = numbers.begin(); next != numbers.end();) {
    Trail& trail = trails.emplace_back();
    trail.tip = std::int32_t(*next++);
    PathSeeds::Seed seed{std::int32_t(*next++), {}, -1};
    for (int a = 0; a < 3; ++a) seed.at[a] = *next++ - first[a] * h[a];
    if (seed.number >= 0) trail.trace.seed = seed;
    for (auto left = std::int64_t(*next++); left > 0; --left) trail.way.push_back(int(*next++));
    for (auto left = std::int64_t(*next++); left > 0; --left) {
      PathSample& sample = trail.trace.samples.emplace_back();
      for (int a = 0; a < 3; ++a) sample.at[a] = *next++ - first[a];
      sample.value = *next++;
      sample.time = *next++;
    }
    if (!isDone(trail)) trail.way.push_back(from);
  }
  return trails;
}

void TrailsInParts::agree(std::span<Path> paths) const {
  std::vector<double> order;
  for (const Path& path : paths)
    order.push_back(double(std::ranges::find(statuses, path.status) - statuses.begin()));
  problem.part.allMin(order);
  for (std::size_t p = 0; p < paths.size(); ++p) paths[p].status = statuses[std::size_t(order[p])];
}

} // namespace isochrone::image
