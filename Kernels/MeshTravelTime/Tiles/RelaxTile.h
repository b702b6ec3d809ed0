// RelaxTile.h - the update of active vertices on any Team, one lane per pair of a vertex and an adjacent
// tetrahedron (paper, 5.2.2).
//
// A block takes some vertices and sums their numbers of pairs; the pairs exist only in this numbering.
// Several lanes may lower the same value to a minimum by atomic operations, an exception to the first rule of
// Team.h: no lane reads the value in the same phase, and a minimum does not depend on the order.
#pragma once

#include "Execution/Key.h"
#include "MeshTravelTime/Scheme/LocalSolver.h"
#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>

namespace isochrone::mesh {

using execution::Box;
using execution::Cell;
using execution::fetchMin;
using execution::Key;
using execution::keyOf;
using execution::noKey;
using execution::timeOf;

/// VertexStars in device memory.
struct Mesh {
  const Tetrahedron* tetrahedra;
  const std::uint32_t* first;
  const Corner* corners;
  std::int32_t vertexCount;
};

/// Counters in device memory that control the rounds.
struct RoundControl {
  int listed = 0; ///< vertices, or subdomains, chosen for the next round
  int count = 0;  ///< items chosen for this round
  int blocks = 0; ///< number of blocks of this round
  int domains = 0;
  int round = 0;
  int wave = 0; ///< number of times that vertices were lowered from outside
  int done = 0;
  Key least = noKey;               ///< minimum over the vertices woken
  Key bound = execution::firstKey; ///< a round takes the vertices with keys up to this one
  std::int64_t updates = 0;
};

/// Some vertices of a block, and the numbering of their pairs.
template <int most>
struct PairTable {
  static constexpr int capacity = most;
  std::int32_t vertex[most];
  std::uint32_t begin[most]; ///< its first corner
  std::uint32_t count[most]; ///< number of its pairs
  std::uint32_t end[most];   ///< number after its last pair
  float before[most];
  Key least[most];

  /// Numbers the pairs of vertices 0 ... n - 1.
  /// @param load  sets vertex, before and least of a slot, and returns whether its pairs are needed
  template <class Team, class F>
  TEAM_FN void number(Team& team, const Mesh& mesh, int n, F&& load) {
    team.each(Box<most, 1, 1>{}, [&](Cell c) {
      const bool wanted = c.index < n && load(c.index);
      begin[c.index] = wanted ? mesh.first[vertex[c.index]] : 0;
      count[c.index] = wanted ? mesh.first[vertex[c.index] + 1] - begin[c.index] : 0;
    });
    team.each(Box<most, 1, 1>{}, [&](Cell c) {
      std::uint32_t sum = 0;
      for (int i = 0; i <= c.index && i < n; ++i) sum += count[i];
      end[c.index] = sum;
    });
  }

  /// Calls f(slot, corner) for all pairs.
  template <class Team, class F>
  TEAM_FN void eachPair(Team& team, const Mesh& mesh, int n, F&& f) {
    using Lanes = typename Team::Lanes;
    team.each(Lanes{}, [&](Cell c) {
      int slot = 0;
      const std::uint32_t pairs = n > 0 ? end[n - 1] : 0;
      for (std::uint32_t pair = c.index; pair < pairs; pair += Lanes::size) {
        while (slot < n && pair >= end[slot]) ++slot;
        f(slot, mesh.corners[begin[slot] + count[slot] - (end[slot] - pair)]);
      }
    });
  }

  /// Lowers least[] to the updates.
  /// @param times  times[vertex], an array or similar
  template <class Team, class Times>
  TEAM_FN void update(Team& team, const Mesh& mesh, int n, const Times& times) {
    eachPair(team, mesh, n, [&](int slot, Corner corner) {
      const Opposite seen = opposite(mesh.tetrahedra[corner / 4], int(corner % 4), times);
      const float time = float(mesh::update(seen, before[slot]));
      if (time < before[slot]) fetchMin(least[slot], keyOf(time));
    });
  }

  /// Calls wake(neighbour, key) for the neighbours that the times in least[] may lower; for some more than
  /// once.
  template <class Team, class Times, class F>
  TEAM_FN void wakeNeighbours(Team& team, const Mesh& mesh, int n, const Times& times, F&& wake) {
    eachPair(team, mesh, n, [&](int slot, Corner corner) {
      const Tetrahedron& t = mesh.tetrahedra[corner / 4];
      const int k = int(corner % 4);
      const float time = timeOf(least[slot]);
      for (int i = 0; i < 3; ++i) {
        const int j = otherVertex(k, i);
        const std::int32_t other = t.vertex[j];
        if (other < mesh.vertexCount && mayLower(t, k, j, time, times[other])) wake(other, least[slot]);
      }
    });
  }
};

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
      table.least[slot] = keyOf(times[v]);
      return true;
    });
    table.update(team, mesh, n, times);
    team.each(Box<blockVertices, 1, 1>{}, [&](Cell c) {
      if (c.index >= n) return;
      const std::int32_t v = table.vertex[c.index];
      fresh[v] = timeOf(table.least[c.index]);
      keys[v] = noKey;
    });
  }
};

/// Keys of subdomains: equal shares of the vertices along a space-filling curve.
struct DomainKeys {
  int size;  ///< vertices of a subdomain
  Key* keys; ///< per subdomain, not above the minimum key of its vertices; null: no subdomains

  TEAM_FN void lower(std::int32_t vertex, Key key) const {
    if (keys) fetchMin(keys[vertex / size], key);
  }
};

/// Wakes the vertices that may be lowered by the listed vertices whose time fell.
struct WakeNeighbours {
  using Lanes = Box<128, 1, 1>;
  using Shared = PairTable<blockVertices>;
  Mesh mesh;
  VertexList active;
  const float* times; ///< times of the previous round
  const float* fresh;
  Key* keys;
  DomainKeys domains;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& table, int position) const {
    const int n = active.inBlock(position);
    table.number(team, mesh, n, [&](int slot) {
      const std::int32_t v = active.vertex(position, slot);
      table.vertex[slot] = v;
      table.least[slot] = keyOf(fresh[v]);
      return fresh[v] < times[v];
    });
    table.wakeNeighbours(team, mesh, n, fresh, [&](std::int32_t other, Key key) {
      fetchMin(keys[other], key);
      domains.lower(other, key);
    });
  }
};

/// A time set from outside: of a start, or of another process.
struct LowerVertex {
  std::int32_t vertex;
  float time;
};

/// Writes such times to `to`, and the vertices to a list.
struct PlaceTimes {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  const LowerVertex* list; ///< at most one per vertex
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

/// Starts another wave.
struct BeginWave {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] { control->done = 0, ++control->wave; });
  }
};

/// Decides whether another round follows, and sets the maximum key of the one after it.
struct DecideRound {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  float band;
  int perBlock; ///< listed items per block
  bool countUpdates;
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      RoundControl& now = *control;
      now.done = now.done || now.least == noKey;
      now.count = now.done ? 0 : now.listed;
      now.blocks = (now.count + perBlock - 1) / perBlock;
      now.round += !now.done;
      if (countUpdates) now.updates += now.count;
      if (!now.done) now.bound = execution::endOfBand(now.least, band);
      now.least = noKey;
    });
  }
};

/// Ends a round of all vertices: publishes the new times, and chooses the vertices within the band for the
/// next round.
struct ChooseVertices {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    Key least;
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
    team.once([&] { shared.least = noKey; });
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t v = std::int64_t(position) * Lanes::size + c.index;
      if (v >= vertexCount) return;
      const Key key = keys[v];
      if (chosen[v]) times[v] = fresh[v];
      chosen[v] = key <= control->bound && key != noKey;
      if (key != noKey) fetchMin(shared.least, key);
    });
    team.once([&] {
      if (shared.least != noKey) fetchMin(control->least, shared.least);
    });
  }
};

} // namespace isochrone::mesh
