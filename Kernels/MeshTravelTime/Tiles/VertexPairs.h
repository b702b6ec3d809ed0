// VertexPairs.h - the pairs of a vertex and an adjacent tetrahedron, one lane per pair (paper, 5.2.2).
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

/// Some vertices of a block, and the numbering of their pairs.
template <int capacity>
struct PairTable {
  std::int32_t vertex[capacity];
  std::uint32_t begin[capacity]; ///< its first corner
  std::uint32_t count[capacity]; ///< number of its pairs
  std::uint32_t end[capacity];   ///< number after its last pair
  float before[capacity];
  Key minimum[capacity];

  /// Numbers the pairs of vertices 0 ... n - 1.
  /// @param load  sets vertex, before and minimum of a slot, and returns whether its pairs are needed
  template <class Team, class F>
  TEAM_FN void number(Team& team, const Mesh& mesh, int n, F&& load) {
    team.each(Box<capacity, 1, 1>{}, [&](Cell c) {
      const bool wanted = c.index < n && load(c.index);
      begin[c.index] = wanted ? mesh.first[vertex[c.index]] : 0;
      count[c.index] = wanted ? mesh.first[vertex[c.index] + 1] - begin[c.index] : 0;
    });
    team.each(Box<capacity, 1, 1>{}, [&](Cell c) {
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

  /// Lowers minimum[] to the updates.
  /// @param times  times[vertex], an array or similar
  template <class Team, class Times>
  TEAM_FN void update(Team& team, const Mesh& mesh, int n, const Times& times) {
    eachPair(team, mesh, n, [&](int slot, Corner corner) {
      const Opposite seen = opposite(mesh.tetrahedra[corner / 4], int(corner % 4), times);
      const float time = float(mesh::update(seen, before[slot]));
      if (time < before[slot]) fetchMin(minimum[slot], keyOf(time));
    });
  }

  /// Calls wake(neighbour, key) for the neighbours that the times in minimum[] may lower; for some more than
  /// once.
  template <class Team, class Times, class F>
  TEAM_FN void wakeNeighbours(Team& team, const Mesh& mesh, int n, const Times& times, F&& wake) {
    eachPair(team, mesh, n, [&](int slot, Corner corner) {
      const Tetrahedron& t = mesh.tetrahedra[corner / 4];
      const int k = int(corner % 4);
      const float time = timeOf(minimum[slot]);
      for (int i = 0; i < 3; ++i) {
        const int j = otherVertex(k, i);
        const std::int32_t other = t.vertex[j];
        if (other < mesh.vertexCount && mayLower(t, k, j, time, times[other])) wake(other, minimum[slot]);
      }
    });
  }
};

} // namespace isochrone::mesh
