#include "Grid/TileSchedule.h"

#include "Bytes.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace isochrone::grid {

namespace {

constexpr float unreachable = std::numeric_limits<float>::max();

/// Minimum number of active tiles, of both colours, with keys up to the bound of a round, as far as tiles are
/// active. With fewer, lanes and threads would be idle. Independent of the number of threads, on which the
/// result must not depend.
constexpr std::size_t enough = 64;

} // namespace

TileSchedule::TileSchedule(const std::array<int, 3>& tiles, float bandWidth, int threads)
    : number(tiles), band(bandWidth), keys(count(), unreachable), reachedKeys(count(), 0), listed(count(), 0),
      fresh(threads) {}

int TileSchedule::neighbour(int tile, int face) const {
  const int axis = face / 2, step = axis == 0 ? 1 : axis == 1 ? number[0] : number[0] * number[1];
  const int at = position(tile)[axis];
  if (face % 2) return at + 1 < number[axis] ? tile + step : -1;
  return at > 0 ? tile - step : -1;
}

void TileSchedule::activate(int tile, float key, int thread) {
  std::atomic_ref<float> lowest(keys[tile]);
  float known = lowest.load(std::memory_order_relaxed);
  while (key < known && !lowest.compare_exchange_weak(known, key, std::memory_order_relaxed)) {
  }
  std::atomic_ref<std::uint8_t> isListed(listed[tile]);
  if (isListed.load(std::memory_order_relaxed) == 0 && isListed.exchange(1, std::memory_order_relaxed) == 0)
    fresh[thread].push_back(tile);
}

/// Returns the maximum key of the next round.
float TileSchedule::bandEnd() {
  minimum = unreachable;
  for (const std::int32_t tile : waiting) minimum = std::min(minimum, keys[tile]);
  const float last = minimum + band;
  if (waiting.size() <= enough) return last;
  ranked.clear();
  for (const std::int32_t tile : waiting) ranked.push_back(keys[tile]);
  std::nth_element(ranked.begin(), ranked.begin() + enough, ranked.end());
  return std::max(last, ranked[enough]);
}

float TileSchedule::pending() const {
  float lowest = unreachable;
  for (const std::int32_t tile : waiting) lowest = std::min(lowest, keys[tile]);
  for (const auto& list : fresh)
    for (const std::int32_t tile : list) lowest = std::min(lowest, keys[tile]);
  return lowest;
}

void TileSchedule::choose(float limit) {
  for (auto& list : fresh) {
    waiting.insert(waiting.end(), list.begin(), list.end());
    list.clear();
  }
  chosen.clear();
  if (waiting.empty()) return;
  const float last = std::min(bandEnd(), limit);
  if (minimum > limit) return;
  for (int attempt = 0; attempt < 2 && chosen.empty(); ++attempt, nextColour ^= 1)
    for (const std::int32_t tile : waiting)
      if (colour(tile) == nextColour && keys[tile] <= last) chosen.push_back(std::uint32_t(tile));
}

std::span<const std::int32_t> TileSchedule::takeChosen() {
  std::sort(chosen.begin(), chosen.end());
  round.clear();
  for (const std::uint64_t entry : chosen) {
    const auto tile = std::int32_t(entry & 0xffffffffu);
    round.push_back(tile);
    reachedKeys[tile] = keys[tile];
    keys[tile] = unreachable, listed[tile] = 0;
  }
  std::erase_if(waiting, [&](std::int32_t tile) { return listed[tile] == 0; });
  return round;
}

std::size_t TileSchedule::bytes() const {
  std::size_t sum = bytesOf(keys, reachedKeys, listed, waiting, round, ranked, chosen);
  for (const auto& list : fresh) sum += bytesOf(list);
  return sum;
}

} // namespace isochrone::grid
