// Exchange.cxx - the minimum of values at shared points over all processes.
//
// After each exchange all processes that have a point agree on its value. So a process sends the values that
// decreased since then: first to the owner of the point, then the owner sends the minimum to the others.
#include "Execution/Key.h"
#include "FirstException.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace isochrone::mesh {

namespace {

using execution::Key;
using execution::noKey;
using Points = std::vector<std::int32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::size_t maskWords(std::size_t points) { return (points + 31) / 32; }

/// Returns a message with the keys of listed points below those that the receiver has, each as a word.
/// Before them, whichever is shorter: a bit per point, or the indices in the list.
/// @param agreed  by point
/// @param received  from the receiver, by index in the list; empty: none
Processes::Message packed(const Points& points, const std::vector<Key>& keys, const std::vector<Key>& agreed,
                          const std::vector<Key>& received) {
  std::vector<std::uint32_t> words, values, mask(maskWords(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto point = std::size_t(points[i]);
    if (keys[point] >= (received.empty() ? agreed[point] : std::min(agreed[point], received[i]))) continue;
    words.push_back(std::uint32_t(i));
    values.push_back(std::uint32_t(keys[point]));
    mask[i / 32] |= 1u << i % 32;
  }
  if (words.size() >= mask.size()) words.swap(mask);
  words.insert(words.end(), values.begin(), values.end());
  Processes::Message message(4 * words.size());
  if (!words.empty()) std::memcpy(message.data(), words.data(), message.size());
  return message;
}

/// Returns the keys in a message, noKey for points without one. Shorter messages than two masks have indices.
std::vector<Key> unpacked(const Processes::Message& message, const Points& points) {
  std::vector<std::uint32_t> words(message.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), message.data(), message.size());
  std::vector<Key> keys(points.size(), noKey);
  const std::size_t mask = maskWords(points.size()), count = words.size() / 2;
  if (words.size() < 2 * mask) {
    for (std::size_t i = 0; i < count; ++i) keys[words[i]] = Key(words[count + i]);
    return keys;
  }
  std::size_t next = mask;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (words[i / 32] >> i % 32 & 1) keys[i] = Key(words[next++]);
  return keys;
}

/// Lowers the keys of listed points.
void lower(std::vector<Key>& keys, const Points& points, const std::vector<Key>& values) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    Key& key = keys[std::size_t(points[i])];
    key = std::min(key, values[i]);
  }
}

} // namespace

Exchange::Exchange(const Processes& processes, const SharedVertices& vertices)
    : all(processes), shared(vertices), messages(vertices.neighbours.size()) {
  for (const SharedVertices::Neighbour& n : shared.neighbours) partners.push_back(n.process);
}

Sharing Exchange::sharing() {
  Sharing sharing;
  sharing.vertices = shared.vertices;
  sharing.exchange = [this](std::span<float> values, double pending, double band) {
    return exchangeTimes(values, pending, band);
  };
  sharing.exchangeSeeds = [this](std::span<std::int32_t> values) { return exchangeSeeds(values); };
  return sharing;
}

/// Returns whether all processes take this step. Sets the minimum pending time and the maximum band of all.
bool Exchange::agree(Step step, double& pending, double& band) {
  if (stopped) return false;
  double values[4] = {double(step), -double(step), pending, -band};
  all.allMin(values);
  stopped = values[0] != -values[1] || step == Step::Stop;
  pending = values[2], band = -values[3];
  return !stopped;
}

/// Sets the keys that all processes agree on to the minimum of `keys` over all processes.
void Exchange::settle(std::vector<Key>& agreed, std::vector<Key> keys) {
  using Neighbour = SharedVertices::Neighbour;
  const auto& neighbours = shared.neighbours;
  std::vector<std::vector<Key>> received(neighbours.size());
  FirstException failure; // a process that fails sends empty messages, since the others wait for them
  const auto pass = [&](Points Neighbour::*sent, Points Neighbour::*lowered) {
    for (Processes::Message& message : messages) message.clear();
    failure.guard([&] {
      for (std::size_t n = 0; n < neighbours.size(); ++n)
        messages[n] = packed(neighbours[n].*sent, keys, agreed, received[n]);
    });
    std::vector<Processes::Message> answers;
    FirstException lost; // the next pass follows even so
    lost.guard([&] { answers = all.exchange(partners, messages); });
    failure.guard([&] {
      lost.rethrow();
      for (std::size_t n = 0; n < neighbours.size(); ++n) {
        received[n] = unpacked(answers[n], neighbours[n].*lowered);
        lower(keys, neighbours[n].*lowered, received[n]);
      }
    });
  };
  pass(&Neighbour::foreign, &Neighbour::owned); // owners take the minimum
  pass(&Neighbour::owned, &Neighbour::foreign); // the others take it from the owners
  failure.rethrow();
  agreed = std::move(keys);
}

double Exchange::exchangeTimes(std::span<float> values, double pending, double band) {
  constexpr double ahead = 16; // bands between two exchanges; tuning parameter
  const bool stop = std::isnan(pending);
  if (stop) pending = infinity;
  times.resize(std::size_t(shared.pointCount), execution::keyOf(float(infinity)));
  std::vector<Key> own(values.size()), keys = times;
  std::ranges::transform(values, own.begin(), [](float time) { return execution::keyOf(time); });
  lower(keys, shared.point, own);
  // A decreased time is pending in the processes that do not have it yet.
  for (std::size_t p = 0; p < keys.size(); ++p)
    if (keys[p] < times[p]) pending = std::min(pending, double(execution::timeOf(keys[p])));
  if (!agree(stop ? Step::Stop : Step::Times, pending, band) || pending == infinity) return none;
  settle(times, std::move(keys));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = execution::timeOf(times[std::size_t(shared.point[i])]);
  return pending + ahead * band;
}

bool Exchange::exchangeSeeds(std::span<std::int32_t> values) {
  seeds.resize(std::size_t(shared.pointCount), ~-1);
  std::vector<Key> own(values.size()), keys = seeds;
  std::ranges::transform(values, own.begin(), std::bit_not());
  lower(keys, shared.point, own);
  double pending = keys == seeds ? infinity : 0, band = 0;
  if (!agree(Step::Seeds, pending, band) || pending == infinity) return false;
  settle(seeds, std::move(keys));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = ~seeds[std::size_t(shared.point[i])];
  return true;
}

bool Exchange::finish(bool well) {
  double pending = infinity, band = 0;
  const bool allWell = agree(well ? Step::Finish : Step::Stop, pending, band);
  stopped = true;
  return allWell;
}

} // namespace isochrone::mesh
