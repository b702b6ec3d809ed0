// OutsideTimes.h - times set from outside the rounds: of starts, and of other processes that share the mesh.
#pragma once

#include "Execution/Rounds.h"
#include "MeshTravelTime/Seeds/Starts.h"
#include "MeshTravelTime/Tiles/MeshOnDevice.h"
#include "MeshTravelTime/Tiles/RelaxTile.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::mesh {

using execution::blocksOf;

/// A time set from outside: of a start, or of another process.
struct OutsideTime {
  std::int32_t vertex;
  float time;
};

/// Writes such times to `to`, and the vertices to a list.
struct PlaceTimes {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  const OutsideTime* list; ///< at most one per vertex
  int count;
  float* to;
  int* vertices;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i >= count) return;
      vertices[i] = list[i].vertex;
      if (list[i].time < to[list[i].vertex]) to[list[i].vertex] = list[i].time;
    });
  }
};

/// Copies the values of listed vertices from array to array, or to the front of one.
struct CopyListed {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  const int* vertices;
  int count;
  const float* from;
  float* to;
  bool toFront;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) to[toFront ? i : vertices[i]] = from[vertices[i]];
    });
  }
};

/// Returns starts in single precision, each vertex once with its minimum time.
inline std::vector<OutsideTime> earliestTimes(const std::vector<Start>& starts) {
  std::vector<OutsideTime> list;
  for (const Start& start : starts) list.push_back({start.vertex, float(start.time)});
  std::ranges::sort(list, {}, [](const OutsideTime& t) { return std::pair(t.vertex, t.time); });
  const auto same = [](const OutsideTime& a, const OutsideTime& b) { return a.vertex == b.vertex; };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
  return list;
}

/// Sets times, wakes the neighbours of their vertices, and begins another wave of rounds.
template <class Device, class Order>
void placeTimes(MeshOnDevice<Device>& on, Order& order, const std::vector<OutsideTime>& list) {
  Device& device = on.device;
  const int n = int(list.size());
  auto from = device.upload(std::span<const OutsideTime>(list));
  auto vertices = device.template allocate<int>(n);
  auto count = device.template array<int>(1, n);
  const VertexList placed{vertices.data(), count.data()};
  device.run(BeginWave{on.counters()}, 1);
  device.run(PlaceTimes{from.data(), n, on.fresh.data(), vertices.data()}, blocksOf<PlaceTimes>(n));
  device.run(WakeNeighbours<decltype(order.keys())>{on.mesh(), placed, on.times.data(), on.fresh.data(),
                                                    order.keys()},
             (n + blockVertices - 1) / blockVertices);
  device.run(CopyListed{vertices.data(), n, on.fresh.data(), on.times.data(), false},
             blocksOf<CopyListed>(n));
  order.begin();
  device.wait(); // the lists are released here
}

} // namespace isochrone::mesh
