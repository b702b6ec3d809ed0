// PlaceList.h - points of an image that are one place, and so have one value: the points beside the border of
// an image with periodic axes, and their copies; the points of a pole, of the centre and of the first
// meridian of a spherical grid.
#pragma once

#include "ImageTravelTime/Tiles/HeldPoints.h"
#include "ImageTravelTime/Tiles/Rounds.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace isochrone::image {

struct PlaceList {
  std::vector<std::int64_t> node;    ///< numbers on the device, place after place
  std::vector<std::uint8_t> relaxed; ///< per node: whether its tile may lower it
  std::vector<int> ends;             ///< per place, the end of its nodes
  std::vector<int> idle;             ///< tiles none of whose points may be lowered by a tile

  bool empty() const { return ends.empty(); }
  std::size_t count() const { return ends.size(); }
  /// Returns the nodes of a place.
  std::span<const std::int64_t> of(std::size_t place) const {
    const int begin = place == 0 ? 0 : ends[place - 1];
    return {node.data() + begin, std::size_t(ends[place] - begin)};
  }
  void add(std::int64_t point, bool isRelaxed) { node.push_back(point), relaxed.push_back(isRelaxed); }
  void endPlace() { ends.push_back(int(node.size())); }

  /// Returns starts in which all nodes of a place have the earliest start of the place.
  std::vector<StartNode> ofWholePlaces(const std::vector<StartNode>& starts) const;
};

/// Returns the places of a problem: of an image with periodic axes each own point beside a face, with its
/// copies behind the faces; of a spherical grid those of openPlaces. Other problems have none.
PlaceList placesOf(const Problem& problem, const Tiling& tiling);

/// Returns starts in which a point and all of its copies have the earliest start of them.
/// @param own  the points that are no copies; the period of an axis is their number
std::vector<StartNode> withCopies(const std::vector<StartNode>& starts, const Grid& grid,
                                  const grid::Box& own);

/// Returns the maximum device memory of the places of a problem, bytes, without that per tile.
std::size_t placeBytes(const Problem& problem);

} // namespace isochrone::image
