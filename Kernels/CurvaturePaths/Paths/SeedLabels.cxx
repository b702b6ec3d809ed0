#include "CurvaturePaths/Paths/SeedLabels.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace isochrone::curvature {

namespace {

/// Returns the seeds at which paths can end, in any part of the plane. Collective.
std::vector<std::int32_t> liveSeeds(const DescentFlow& flow) {
  std::vector<std::int32_t> live = flow.liveSeeds();
  const grid::GridPart& part = flow.input().part;
  if (!part.isDivided()) return live;
  std::vector<double> isDead(flow.input().seeds.size(), 1);
  for (const std::int32_t seed : live) isDead[std::size_t(seed)] = 0;
  part.allMin(isDead);
  live.clear();
  for (std::size_t s = 0; s < isDead.size(); ++s)
    if (isDead[s] == 0) live.push_back(std::int32_t(s));
  return live;
}

using Numbers = std::vector<std::int64_t>;

grid::Message messageOf(const Numbers& numbers) {
  grid::Message message(numbers.size() * sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(message.data(), numbers.data(), message.size());
  return message;
}
Numbers numbersOf(const grid::Message& message) {
  Numbers numbers(message.size() / sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), message.data(), message.size());
  return numbers;
}

} // namespace

SeedLabels::SeedLabels(const DescentFlow& f) : flow(f), questions(f.input().part.links.size()) {
  const std::vector<std::int32_t> live = liveSeeds(flow);
  if (live.size() == 1)
    only = live[0];
  else
    labels.assign(std::size_t(flow.window().states()), unknown);
}

GridState SeedLabels::stateOf(std::int64_t index) const {
  const StateGrid& g = flow.grid();
  const std::int64_t point = index % g.planePoints();
  return {point % g.nx, point / g.nx, int(index / g.planePoints())};
}

std::int32_t& SeedLabels::label(const GridState& q) {
  return labels[std::size_t(flow.window().state(q.i, q.j, flow.headingOf(q)))];
}

/// Returns the link to the process that computes a state of the margin.
std::size_t SeedLabels::linkOf(const GridState& q) const {
  const GridIndex at{q.i - flow.window().points().low[0], q.j - flow.window().points().low[1], 0};
  const auto& links = flow.input().part.links;
  const auto has = [&](const grid::PartLink& link) { return link.heard.contains(at); };
  return std::size_t(std::find_if(links.begin(), links.end(), has) - links.begin());
}

/// Moves the states of a message from the copy of the plane that sent it.
void SeedLabels::moveStates(const GridIndex& by, std::vector<std::int64_t>& message) const {
  const auto answers = std::size_t(message.at(0));
  for (std::size_t n = 1; n < message.size(); n += n <= 2 * answers ? 2 : 1) {
    GridState q = stateOf(message[n]);
    q.i += by[0], q.j += by[1];
    message[n] = flow.index(q);
  }
}

std::int32_t SeedLabels::at(GridState q, Scratch& scratch) {
  if (labels.empty()) return only;
  scratch.visited.clear();
  std::int32_t found;
  while ((found = std::atomic_ref(label(q)).load(std::memory_order_relaxed)) == unknown) {
    if (!flow.owns(q)) {
      scratch.needed.push_back(flow.index(q));
      return unknown;
    }
    scratch.visited.push_back(flow.index(q));
    found = flow.seedAt(q);
    if (found >= 0) break;
    const std::optional<GridState> next = flow.dominantStep(q);
    if (!next) break; // no edge down: the travel time is not a solution here
    q = *next;
  }
  for (const std::int64_t state : scratch.visited)
    std::atomic_ref(label(stateOf(state))).store(found, std::memory_order_relaxed);
  return found;
}

bool SeedLabels::exchange(std::vector<Scratch>& scratch) {
  const grid::GridPart& part = flow.input().part;
  if (!part.isDivided()) return true;
  double none = 1;
  for (const Scratch& some : scratch)
    if (!some.needed.empty()) none = 0;

  // 1. Answer what is known by now: [number of answers, (state, label) ..., states asked for ...].
  std::vector<Numbers> numbers(questions.size());
  for (std::size_t l = 0; l < questions.size(); ++l) {
    numbers[l].push_back(0);
    std::erase_if(questions[l].open, [&](std::int64_t state) {
      const std::int32_t found = at(stateOf(state), scratch[0]);
      if (found == unknown) return false;
      ++numbers[l][0];
      numbers[l].insert(numbers[l].end(), {state, found});
      return true;
    });
  }

  // 2. Ask for each state once.
  for (Scratch& some : scratch) {
    for (const std::int64_t state : some.needed) {
      const std::size_t link = linkOf(stateOf(state));
      if (questions.at(link).asked.insert(state).second) numbers[link].push_back(state);
    }
    some.needed.clear();
  }
  std::vector<grid::Message> messages;
  for (const Numbers& some : numbers) messages.push_back(messageOf(some));
  const std::vector<grid::Message> received = part.exchange({&none, 1}, messages);
  for (std::size_t l = 0; l < received.size(); ++l) {
    Numbers from = numbersOf(received[l]);
    if (part.periodic) moveStates(part.links[l].shift, from);
    auto next = from.begin() + 1;
    for (std::int64_t left = from.at(0); left > 0; --left, next += 2)
      label(stateOf(next[0])) = std::int32_t(next[1]);
    questions[l].open.insert(questions[l].open.end(), next, from.end());
  }
  return none != 0;
}

} // namespace isochrone::curvature
