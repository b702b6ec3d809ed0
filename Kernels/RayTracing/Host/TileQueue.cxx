#include "RayTracing/Host/TileQueue.h"

#include "Bytes.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <algorithm>

namespace isochrone::rays {

TileQueue::TileQueue(const ImageGrid& t, double w)
    : tiles(t), window(w), keys(std::size_t(count()), unreached<double>), occupied(std::size_t(count())) {}

void TileQueue::offer(int tile, double key) {
  if (!(key < keys[tile])) return;
  keys[tile] = key;
  waiting.emplace(key, tile);
}

/// Removes outdated entries: an earlier key was offered since, or the tile was taken.
void TileQueue::dropOutdated() {
  while (!waiting.empty() && waiting.top().first != keys[waiting.top().second]) waiting.pop();
}

double TileQueue::pending() {
  dropOutdated();
  return waiting.empty() ? unreached<double> : waiting.top().first;
}

int TileQueue::take(double limit) {
  double earliest = unreached<double>;
  for (const Entry& e : working) earliest = std::min(earliest, e.first);
  int taken = -1;
  for (dropOutdated(); !waiting.empty() && taken < 0; dropOutdated()) {
    const Entry entry = waiting.top();
    const auto [key, tile] = entry;
    earliest = std::min(earliest, key);
    if (key > std::min(earliest + window, limit)) break;
    waiting.pop();
    if (occupied[tile]) {
      setAside.push_back(entry);
      continue;
    }
    taken = tile;
    working.push_back(entry);
    keys[tile] = unreached<double>;
    occupy(tile, 1);
  }
  for (const Entry& e : setAside) waiting.push(e);
  setAside.clear();
  return taken;
}

void TileQueue::done(int tile) {
  std::erase_if(working, [&](const Entry& e) { return e.second == tile; });
  occupy(tile, -1);
}

void TileQueue::occupy(int tile, int change) {
  const GridIndex at = tiles.indices(tile);
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        if (const std::int64_t n = indexAt(tiles, at, {x, y, z}); n >= 0)
          occupied[n] = std::uint8_t(occupied[n] + change);
}

std::size_t TileQueue::bytes() const { return bytesOf(keys, occupied); }

} // namespace isochrone::rays
