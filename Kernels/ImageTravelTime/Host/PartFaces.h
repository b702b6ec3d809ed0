// PartFaces.h - the values beside the faces between a part of an image and the parts of other processes.
#pragma once

#include "ImageTravelTime/Host/TileGrid.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// A process tells the others the values beside a face that have fallen since it last told them and that can
/// lower the values behind the face: those below them or, with source factoring, all.
class PartFaces {
public:
  PartFaces(const Problem& problem, const SeedsOfTiles& seeds, TileGrid& tiles);

  /// Returns one message for each link of the part.
  /// @param sweeps   number of sweeps of each tile so far, to skip the tiles that have not changed
  /// @param minimum  lowered to the minimum value in the messages
  std::vector<grid::Message> tell(std::span<const std::int32_t> sweeps, float& minimum);

  /// Writes the values of other processes into the tiles.
  /// @param lowered  called as lowered(tile, value, own): a point of the tile has got the value, which may
  ///                 lower points of the tile `own`; -1: it may not
  template <class Lowered>
  void hear(const std::vector<grid::Message>& messages, Lowered&& lowered) {
    for (const Face& face : faces) {
      const grid::News news = grid::unpacked<float>(messages[face.link], face.inner.points());
      for (std::size_t n = 0; n < news.point.size(); ++n) {
        const GridIndex inner = pointOf(face.inner, news.point[n]),
                        outer = pointOf(face.outer, news.point[n]);
        const int tile = tiles.tiling.tileOf(outer);
        const bool mayLower = news.value[n] < tiles.value(inner) || seeds.has(tile);
        tiles.lower(outer, news.value[n]);
        lowered(tile, news.value[n], mayLower ? tiles.tiling.tileOf(inner) : -1);
      }
    }
  }

private:
  struct Face : grid::PartFace {
    std::vector<float> told; ///< per point, the value last told
  };
  /// The points of a face in one tile.
  struct Patch {
    std::size_t face;
    int tile;
    grid::Box points;
    std::int32_t sweeps = 0; ///< of the tile when the points were last told
  };

  /// Returns a point of a box by its number, x fastest.
  static GridIndex pointOf(const grid::Box& box, std::uint32_t number) {
    const std::int64_t row = number / box.size(0);
    return {box.low[0] + number % box.size(0), box.low[1] + row % box.size(1),
            box.low[2] + row / box.size(1)};
  }

  const SeedsOfTiles& seeds;
  TileGrid& tiles;
  std::vector<Face> faces;
  std::vector<Patch> patches;
  std::size_t links;
};

} // namespace isochrone::image
