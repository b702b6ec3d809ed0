#include "ImageTravelTime/Tiles/TensorReaders.h"

#include "Backend.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>

namespace isochrone::image {

namespace {

/// A growing box of points within a tile.
struct Extent {
  std::array<int, 3> low{15, 15, 15}, high{};

  void add(const std::array<int, 3>& at) {
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], at[a]), high[a] = std::max(high[a], at[a]);
  }
  PackedBox packed() const {
    PackedBox box = 0;
    for (int a = 0; a < 3; ++a) box |= PackedBox(low[a]) << (4 * a) | PackedBox(high[a]) << (12 + 4 * a);
    return box;
  }
};

/// A tile that a tile reads.
struct Source {
  int tile;
  Extent read, reads;
};

/// Finds the tiles that tiles read, one tile after another.
class Sources {
public:
  Sources(const TensorTerms& tensorTerms, const Tiling& tilesOfImage)
      : terms(tensorTerms), tiling(tilesOfImage), number(tiling.count(), -1) {
    for (int a = 0; a < 3; ++a) shift[a] = std::countr_zero(unsigned(tiling.shape[a]));
  }

  /// Returns the tiles that a tile reads, until the next call.
  const std::vector<Source>& of(int tile) {
    for (const Source& source : sources) number[source.tile] = -1;
    sources.clear();
    const grid::Box box = tiling.boxOf(tile);
    const GridIndex sizes = terms.grid.sizes();
    for (std::int64_t k = box.low[2]; k < std::min(box.high[2], sizes[2]); ++k)
      for (std::int64_t j = box.low[1]; j < std::min(box.high[1], sizes[1]); ++j)
        for (std::int64_t i = box.low[0]; i < std::min(box.high[0], sizes[0]); ++i)
          terms.forEachRead({i, j, k}, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
            x = original(0, x), y = original(1, y), z = original(2, z);
            Source& source = sourceAt(x, y, z);
            source.read.add(inTile(x, y, z));
            source.reads.add(inTile(i, j, k));
          });
    return sources;
  }

private:
  const TensorTerms& terms;
  const Tiling& tiling;
  std::array<int, 3> shift;
  std::vector<Source> sources;
  std::vector<int> number; ///< per tile, its index in `sources`, or -1

  /// Returns the index on an axis of the own point that a point repeats.
  std::int64_t original(int a, std::int64_t at) const {
    const grid::Box& own = terms.own;
    return at < own.low[a] ? at + own.size(a) : at >= own.high[a] ? at - own.size(a) : at;
  }
  Source& sourceAt(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto& count = tiling.number;
    const int tile = int(x >> shift[0]) + count[0] * (int(y >> shift[1]) + count[1] * int(z >> shift[2]));
    if (number[tile] < 0) number[tile] = int(sources.size()), sources.push_back({tile, {}, {}});
    return sources[number[tile]];
  }
  std::array<int, 3> inTile(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto& size = tiling.shape;
    return {int(x) & (size[0] - 1), int(y) & (size[1] - 1), int(z) & (size[2] - 1)};
  }
};

} // namespace

TensorReaders::TensorReaders(const TensorTerms& terms, const Tiling& tiling, execution::RoundPool& pool)
    : first(tiling.count() + 2, 0) {
  const int tiles = tiling.count(), parts = std::min(tiles, 16 * pool.size());
  const auto bound = [&](int part) { return int(std::int64_t(tiles) * part / parts); };
  struct Pair {
    int source;
    TensorReader reader;
  };
  std::vector<std::vector<Pair>> pairs(parts);
  pool.run(parts, [&](int part, int) {
    Sources sources(terms, tiling);
    for (int tile = bound(part); tile < bound(part + 1); ++tile)
      for (const Source& source : sources.of(tile))
        pairs[part].push_back({source.tile, {tile, source.read.packed(), source.reads.packed()}});
  });
  std::size_t count = 0;
  for (const auto& list : pairs) count += list.size();
  if (count > std::size_t(std::numeric_limits<int>::max()))
    throw OutOfDeviceMemory("the tiles of the image have " + std::to_string(count) +
                            " readers; choose the Host or the Automatic backend");
  for (const auto& list : pairs)
    for (const Pair& pair : list) ++first[pair.source + 2];
  for (std::size_t n = 2; n < first.size(); ++n)
    first[n] += first[n - 1]; // now first[t + 1] is where those of t begin
  readers.resize(first.back());
  for (const auto& list : pairs)
    for (const Pair& pair : list) readers[first[pair.source + 1]++] = pair.reader;
  first.pop_back();
}

} // namespace isochrone::image
