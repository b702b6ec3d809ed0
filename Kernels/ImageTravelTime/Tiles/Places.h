// Places.h - the kernels that give all points of a place the minimum of their values, after each round.
//
// The relaxed tiles lower the values of the places that their points belong to. The points of a place that
// fell get the value, in groups, since the centre of a sphere is one place with many points. A tile that
// reads a lowered point gets a key, which ChooseTiles reads. Values and keys are minima, so that they do not
// depend on the order of work.
#pragma once

#include "Execution/Key.h"
#include "ImageTravelTime/Tiles/PlaceList.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// Lowers the values of the places that have points in the relaxed tiles.
struct GatherPlaces {
  using Lanes = Box<64, 1, 1>;
  struct Shared {};
  const RoundControl* control;
  const int* active;
  const TileReport* report;
  const int* first;         ///< per tile and one more: its points in `node` and `place`
  const std::int64_t* node; ///< of the points that tiles may lower
  const int* place;         ///< of the same points
  const float* u;
  execution::Key* value; ///< per place
  int* fellIn;           ///< per place, the last round in which it fell
  const int* firstGroup; ///< per place and one more
  int* fallen;           ///< the groups of the places that fell in this round, in any order
  int* count;            ///< their number

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int tile = active[position], round = control->round;
    if (report[tile].lowered != round) return;
    const int begin = first[tile], end = first[tile + 1];
    for (int from = begin; from < end; from += Lanes::size)
      team.each(Lanes{}, [&](Cell c) {
        const int at = from + c.index;
        if (at < end) lower(place[at], execution::keyOf(u[node[at]]), round);
      });
  }

private:
  TEAM_FN void lower(int at, execution::Key key, int round) const {
    if (execution::fetchMin(value[at], key) <= key) return;
    if (execution::exchange(fellIn[at], round) == round) return;
    const int begin = firstGroup[at], end = firstGroup[at + 1];
    int* list = fallen + execution::fetchAdd(*count, end - begin);
    for (int group = begin; group < end; ++group) *list++ = group;
  }
};

/// A point of a place, and the tiles that read it.
struct PlacePoint {
  std::int64_t node;
  int tile;
  int faces; ///< bit f: the tile behind face f reads it, too
};

/// Gives the points of the places that fell the values of the places.
struct SpreadPlaces {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  NodeGrid grid;
  const int* fallen;
  const int* first; ///< per group and one more: its points
  const int* place; ///< per group
  const PlacePoint* points;
  const execution::Key* value; ///< per place
  float* u;
  execution::Key* keys; ///< per tile: minimum new value that it reads

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int group = fallen[position], begin = first[group], end = first[group + 1];
    const execution::Key key = value[place[group]];
    for (int from = begin; from < end; from += Lanes::size)
      team.each(Lanes{}, [&](Cell c) {
        if (from + c.index < end) lower(points[from + c.index], key);
      });
  }

private:
  TEAM_FN void lower(const PlacePoint& point, execution::Key key) const {
    const float now = execution::timeOf(key);
    if (!(now < u[point.node])) return;
    u[point.node] = now;
    execution::fetchMin(keys[point.tile], key);
    for (int face = 0; face < tileFaces; ++face)
      if (point.faces >> face & 1) execution::fetchMin(keys[grid.neighbour(point.tile, face)], key);
  }
};

/// The places of an image in device memory.
template <class Shape, class Device>
class Places {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  /// @param list  not empty
  Places(Device& on, const PlaceList& list, const NodeGrid& nodes) : Places(on, nodes, Tables(list, nodes)) {}

  /// Runs the kernels on the tiles that a round relaxed.
  void couple(const RoundControl* control, const int* active, const TileReport* report, float* u) {
    const GatherPlaces gather{control,       active,      report,       firstOfTile.data(), node.data(),
                              place.data(),  u,           value.data(), fellIn.data(),      firstGroup.data(),
                              fallen.data(), count.data()};
    const SpreadPlaces spread{
        grid, fallen.data(), firstOfGroup.data(), placeOfGroup.data(), points.data(), value.data(),
        u,    keys.data()};
    device.run(gather, &control->count, grid.tiles());
    device.run(spread, count.data(), groups);
  }
  /// For ChooseTiles.
  PlaceKeys newKeys() { return {keys.data(), count.data()}; }

  std::size_t bytes() const {
    return firstOfTile.bytes() + node.bytes() + place.bytes() + firstGroup.bytes() + firstOfGroup.bytes() +
           placeOfGroup.bytes() + points.bytes() + value.bytes() + fellIn.bytes() + fallen.bytes() +
           keys.bytes();
  }

private:
  /// The tables of the kernels.
  struct Tables {
    std::vector<int> firstOfTile, place, firstGroup{0}, firstOfGroup{0}, placeOfGroup;
    std::vector<std::int64_t> node;
    std::vector<PlacePoint> points;
    std::vector<execution::Key> keys;

    Tables(const PlaceList& list, const NodeGrid& grid) : firstOfTile(std::size_t(grid.tiles()) + 1, 0) {
      keys.assign(std::size_t(grid.tiles()), execution::keyOf(unreached));
      for (const int tile : list.idle) keys[std::size_t(tile)] = PlaceKeys::idle;
      for (std::size_t number = 0; number < list.count(); ++number) {
        while (firstOfGroup.back() < list.ends[number]) {
          firstOfGroup.push_back(std::min(firstOfGroup.back() + PlaceList::groupPoints, list.ends[number]));
          placeOfGroup.push_back(int(number));
        }
        firstGroup.push_back(int(placeOfGroup.size()));
      }
      for (const std::int64_t n : list.node) points.push_back(pointAt(grid, n));
      const std::size_t all = points.size();
      for (std::size_t n = 0; n < all; ++n)
        if (list.relaxed[n]) ++firstOfTile[std::size_t(points[n].tile) + 1];
      for (std::size_t tile = 1; tile < firstOfTile.size(); ++tile)
        firstOfTile[tile] += firstOfTile[tile - 1];
      node.resize(std::size_t(firstOfTile.back())), place.resize(node.size());
      std::vector<int> next(firstOfTile.begin(), firstOfTile.end() - 1);
      std::size_t n = 0;
      for (std::size_t number = 0; number < list.count(); ++number)
        for (; n < std::size_t(list.ends[number]); ++n)
          if (list.relaxed[n]) {
            const auto at = std::size_t(next[std::size_t(points[n].tile)]++);
            node[at] = points[n].node, place[at] = int(number);
          }
    }
    static PlacePoint pointAt(const NodeGrid& grid, std::int64_t node) {
      constexpr int shape[] = {Shape::nx, Shape::ny, Shape::nz};
      const int at[] = {int(node % grid.nx), int(node / grid.nx % grid.ny), int(node / grid.nx / grid.ny)};
      const int tile = at[0] / Shape::nx + grid.tx * (at[1] / Shape::ny + grid.ty * (at[2] / Shape::nz));
      int faces = 0;
      for (int face = 0; face < tileFaces; ++face)
        if (at[face / 2] % shape[face / 2] == (face % 2 ? shape[face / 2] - 1 : 0) &&
            grid.neighbour(tile, face) >= 0)
          faces |= 1 << face;
      return {node, tile, faces};
    }
  };

  Places(Device& on, const NodeGrid& nodes, const Tables& tables)
      : device(on), grid(nodes), groups(int(tables.placeOfGroup.size())),
        firstOfTile(upload(tables.firstOfTile)), place(upload(tables.place)),
        firstGroup(upload(tables.firstGroup)), firstOfGroup(upload(tables.firstOfGroup)),
        placeOfGroup(upload(tables.placeOfGroup)), node(upload(tables.node)), points(upload(tables.points)),
        value(on.template array<execution::Key>(tables.firstGroup.size() - 1, execution::noKey)),
        keys(upload(tables.keys)), fellIn(on.template array<int>(tables.firstGroup.size() - 1, -1)),
        fallen(on.template array<int>(tables.placeOfGroup.size(), 0)), count(on.template array<int>(1, 0)) {}

  template <class T>
  Array<T> upload(const std::vector<T>& values) {
    return device.upload(std::span<const T>(values));
  }

  Device& device;
  const NodeGrid grid;
  const int groups;
  Array<int> firstOfTile, place, firstGroup, firstOfGroup, placeOfGroup;
  Array<std::int64_t> node;
  Array<PlacePoint> points;
  Array<execution::Key> value, keys;
  Array<int> fellIn, fallen, count;
};

} // namespace isochrone::image
