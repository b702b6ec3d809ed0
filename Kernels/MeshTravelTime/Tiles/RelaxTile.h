// RelaxTile.h - the kernels of a round on any Team: the update of the active vertices, the activation of
// their neighbours, and the choice of the next round's vertices.
#pragma once

#include "MeshTravelTime/Tiles/Rounds.h"
#include "MeshTravelTime/Tiles/VertexPairs.h"

namespace isochrone::mesh {

/// Vertices per block of the kernels below: 24 pairs each in a regular mesh, three per lane.
inline constexpr int blockVertices = 16;

/// The vertices of a list.
struct VertexList {
  const int* vertices;
  const int* count;

  TEAM_FN int inBlock(int position) const {
    const int rest = *count - position * blockVertices;
    return rest < blockVertices ? rest : blockVertices;
  }
  TEAM_FN std::int32_t vertex(int position, int slot) const {
    return vertices[position * blockVertices + slot];
  }
};

/// Updates active vertices with the times of the previous round.
struct UpdateVertices {
  using Lanes = Box<128, 1, 1>;
  using Shared = PairTable<blockVertices>;
  Mesh mesh;
  VertexList active;
  const float* times;
  float* fresh; ///< per vertex: its newest time
  Key* keys;    ///< per vertex: the minimum time that woke it

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& table, int position) const {
    const int n = active.inBlock(position);
    table.number(team, mesh, n, [&](int slot) {
      const std::int32_t v = active.vertex(position, slot);
      table.vertex[slot] = v;
      table.before[slot] = times[v];
      table.minimum[slot] = keyOf(times[v]);
      return true;
    });
    table.update(team, mesh, n, times);
    team.each(Box<blockVertices, 1, 1>{}, [&](Cell c) {
      if (c.index >= n) return;
      const std::int32_t v = table.vertex[c.index];
      fresh[v] = timeOf(table.minimum[c.index]);
      keys[v] = noKey;
    });
  }
};

/// Keys of vertices: the minimum time that woke each.
struct VertexKeys {
  Key* keys;

  TEAM_FN void lower(std::int32_t vertex, Key key) const { fetchMin(keys[vertex], key); }
};

/// Wakes the vertices that may be lowered by the listed vertices whose time fell.
/// @tparam Keys  keys.lower(vertex, key) lowers the key of a vertex
template <class Keys>
struct WakeNeighbours {
  using Lanes = Box<128, 1, 1>;
  using Shared = PairTable<blockVertices>;
  Mesh mesh;
  VertexList active;
  const float* times; ///< times of the previous round
  const float* fresh;
  Keys keys;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& table, int position) const {
    const int n = active.inBlock(position);
    table.number(team, mesh, n, [&](int slot) {
      const std::int32_t v = active.vertex(position, slot);
      table.vertex[slot] = v;
      table.minimum[slot] = keyOf(fresh[v]);
      return fresh[v] < times[v];
    });
    table.wakeNeighbours(team, mesh, n, fresh, [&](std::int32_t other, Key key) { keys.lower(other, key); });
  }
};

/// Ends a round of all vertices: publishes the new times, and chooses the vertices within the band for the
/// next round.
struct ChooseVertices {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    Key minimum;
  };
  std::int32_t vertexCount;
  RoundControl* control;
  const Key* keys;
  const float* fresh;
  float* times;
  std::uint8_t* chosen; ///< per vertex

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    if (control->done) return;
    team.once([&] { shared.minimum = noKey; });
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t v = std::int64_t(position) * Lanes::size + c.index;
      if (v >= vertexCount) return;
      const Key key = keys[v];
      if (chosen[v]) times[v] = fresh[v];
      chosen[v] = key <= control->bound && key != noKey;
      if (key != noKey) fetchMin(shared.minimum, key);
    });
    team.once([&] {
      if (shared.minimum != noKey) fetchMin(control->minimum, shared.minimum);
    });
  }
};

} // namespace isochrone::mesh
