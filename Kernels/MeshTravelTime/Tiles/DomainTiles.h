// DomainTiles.h - what the kernels of both decompositions of the paper share: subdomains, their keys, and
// lists that a block appends to.
#pragma once

#include "MeshTravelTime/Tiles/Rounds.h"

namespace isochrone::mesh {

using execution::Cell;
using execution::fetchMin;
using execution::warpSize;

TEAM_FN int bitsSet(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __popc(word);
#else
  return __builtin_popcount(word);
#endif
}

/// The vertices of a subdomain.
struct DomainRange {
  std::int32_t begin, end;

  TEAM_FN DomainRange(int domain, int size, std::int32_t vertexCount)
      : begin(domain * size), end(vertexCount - begin > size ? begin + size : vertexCount) {}
};

/// Keys of vertices and of their subdomains.
struct DomainKeys {
  Key* ofVertices;
  Key* ofDomains; ///< per subdomain, not above the minimum key of its vertices
  int size;       ///< vertices of a subdomain

  TEAM_FN void lower(std::int32_t vertex, Key key) const {
    fetchMin(ofVertices[vertex], key);
    fetchMin(ofDomains[vertex / size], key);
  }
};

/// Number of lanes of each warp that append something.
template <class Lanes>
struct WarpCounts {
  int lanes[Lanes::size / warpSize];
};

/// Calls write(cell, place) for the lanes where `wanted` holds, with places `size`, size + 1, ... in lane
/// order.
/// @return size plus the number of these lanes
template <class Team, class Lanes, class Wanted, class Write>
TEAM_FN int append(Team& team, WarpCounts<Lanes>& warps, int size, Wanted&& wanted, Write&& write) {
  const auto bits = team.ballot(wanted);
  team.each(Lanes{}, [&](Cell c) {
    if (c.index % warpSize == 0) warps.lanes[c.index / warpSize] = bitsSet(bits[c]);
  });
  int after = size;
  for (int w = 0; w < Lanes::size / warpSize; ++w) after += warps.lanes[w];
  team.each(Lanes{}, [&](Cell c) {
    const int warp = c.index / warpSize, lane = c.index % warpSize;
    if (!(bits[c] >> lane & 1)) return;
    int place = size + bitsSet(bits[c] & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) place += warps.lanes[w];
    write(c, place);
  });
  return after;
}

} // namespace isochrone::mesh
