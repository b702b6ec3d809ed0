// DomainTiles.h - the paper's two decompositions into subdomains (6.3.1, 6.3.2), on any Team.
//
// Many blocks: each subdomain with work chooses and lists its own active vertices; blocks of equal size then
// share the vertices of all subdomains. One block: a block works on a subdomain in a single kernel, in place,
// and reads the times of other subdomains as of the previous round.
#pragma once

#include "MeshTravelTime/Tiles/RelaxTile.h"

namespace isochrone::mesh {

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

// ---- Many blocks per subdomain ----

/// Chooses the subdomains that have work at the end of a round.
struct ChooseDomains {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  int count;
  RoundControl* control;
  const Key* keys;            ///< per subdomain
  const std::uint8_t* worked; ///< per subdomain: had active vertices in this round
  std::uint8_t* chosen;       ///< per subdomain

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int d = position * Lanes::size + c.index;
      if (d >= count) return;
      const bool take = !control->done && (worked[d] || (keys[d] <= control->bound && keys[d] != noKey));
      chosen[d] = take;
      if (!take && keys[d] != noKey) fetchMin(control->least, keys[d]);
    });
  }
};

/// Ends a round of a chosen subdomain: publishes its new times, and chooses its vertices within the band for
/// the next round.
struct ChooseInDomain {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    WarpCounts<Lanes> warps;
    Key least;
  };
  int size;
  std::int32_t vertexCount;
  RoundControl* control;
  const int* domains; ///< chosen
  const Key* keys;    ///< per vertex
  const float* fresh;
  float* times;
  std::uint8_t* chosen; ///< per vertex
  Key* domainKeys;
  std::uint8_t* worked;
  int* counts; ///< per chosen subdomain: number of its chosen vertices

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    const int domain = domains[position];
    const DomainRange range(domain, size, vertexCount);
    int count = 0;
    team.once([&] { shared.least = noKey; });
    for (std::int32_t begin = range.begin; begin < range.end; begin += Lanes::size) {
      team.each(Lanes{}, [&](Cell c) {
        const std::int32_t v = begin + c.index;
        if (v >= range.end) return;
        if (chosen[v]) times[v] = fresh[v];
        chosen[v] = keys[v] <= control->bound && keys[v] != noKey;
        if (keys[v] != noKey) fetchMin(shared.least, keys[v]);
      });
      count = append(
          team, shared.warps, count,
          [&](Cell c) { return begin + c.index < range.end && chosen[begin + c.index]; }, [](Cell, int) {});
    }
    team.once([&] {
      counts[position] = count;
      worked[domain] = count > 0;
      domainKeys[domain] = shared.least;
      if (shared.least != noKey) fetchMin(control->least, shared.least);
    });
  }
};

/// Computes, in one block, the exclusive scan of the counts: the start of each subdomain's part of the list.
struct ScanDomains {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    int sum[Lanes::size];
  };
  RoundControl* control;
  const int* counts;
  int* begins;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int) const {
    const int n = control->domains, share = (n + Lanes::size - 1) / Lanes::size;
    team.each(Lanes{}, [&](Cell c) {
      int sum = 0;
      for (int i = c.index * share; i < (c.index + 1) * share && i < n; ++i) sum += counts[i];
      shared.sum[c.index] = sum;
    });
    team.each(Lanes{}, [&](Cell c) {
      int sum = 0;
      for (int lane = 0; lane < c.index; ++lane) sum += shared.sum[lane];
      for (int i = c.index * share; i < (c.index + 1) * share && i < n; ++i) {
        begins[i] = sum;
        sum += counts[i];
      }
      if (c.index == Lanes::size - 1) control->listed = sum;
    });
  }
};

/// Writes a subdomain's part of the list of active vertices.
struct ListInDomain {
  using Lanes = Box<256, 1, 1>;
  using Shared = WarpCounts<Lanes>;
  int size;
  std::int32_t vertexCount;
  const int* domains;
  const int* begins;
  const std::uint8_t* chosen;
  int* list;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& warps, int position) const {
    const DomainRange range(domains[position], size, vertexCount);
    int at = begins[position];
    for (std::int32_t begin = range.begin; begin < range.end; begin += Lanes::size)
      at = append(
          team, warps, at, [&](Cell c) { return begin + c.index < range.end && chosen[begin + c.index]; },
          [&](Cell c, int place) { list[place] = begin + c.index; });
  }
};

// ---- One block per subdomain ----

/// Times as visible in a subdomain.
struct TimesInDomain {
  DomainRange range;
  const float* own;
  const float* shown; ///< times of other subdomains, at the end of the previous round

  TEAM_FN bool owns(std::int32_t v) const { return v >= range.begin && v < range.end; }
  TEAM_FN float operator[](std::int32_t v) const { return owns(v) ? own[v] : shown[v]; }
};

/// Works on a subdomain until no vertex within the band is left, or `passes` passes are made.
struct SolveDomain {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    PairTable<2 * Lanes::size> table;
    WarpCounts<Lanes> warps;
    Key rest;
  };
  Mesh mesh;
  int size, passes; ///< passes: maximum in one round
  const RoundControl* control;
  const int* domains; ///< active
  float* times;
  const float* shown;
  Key* keys;        ///< per vertex, from wakes of the same subdomain and earlier ones
  Key* inbox;       ///< per vertex, from wakes of other subdomains in this round
  Key* domainKeys;  ///< per subdomain
  Key* domainInbox; ///< per subdomain
  int* rounds;      ///< per subdomain: the last round in which it worked
  std::int64_t* updates;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    const int domain = domains[position];
    const DomainRange range(domain, size, mesh.vertexCount);
    std::int64_t made = 0;
    bool active = true;
    for (int pass = 0; active; ++pass) {
      active = false;
      team.once([&] { shared.rest = noKey; });
      int n = 0;
      for (std::int32_t begin = range.begin; begin < range.end; begin += Lanes::size) {
        n = append(
            team, shared.warps, n,
            [&](Cell c) { return pass < passes && begin + c.index < range.end && isActive(begin + c.index); },
            [&](Cell c, int place) { shared.table.vertex[place] = begin + c.index; });
        team.each(Lanes{}, [&](Cell c) {
          if (begin + c.index < range.end && (pass == passes || !isActive(begin + c.index)))
            fetchMin(shared.rest, keys[begin + c.index]);
        });
        if (n <= Lanes::size && begin + Lanes::size < range.end) continue;
        if (n == 0) continue;
        relax(team, shared.table, n, {range, times, shown});
        made += n, n = 0, active = true;
      }
    }
    team.once([&] {
      domainKeys[domain] = shared.rest;
      rounds[domain] = control->round;
      updates[domain] += made;
    });
  }

private:
  TEAM_FN bool isActive(std::int32_t v) const { return keys[v] <= control->bound && keys[v] != noKey; }

  /// Updates the vertices of the table in place, and wakes others.
  template <class Team>
  TEAM_FN void relax(Team& team, PairTable<2 * Lanes::size>& table, int n, const TimesInDomain& seen) const {
    using Slots = Box<2 * Lanes::size, 1, 1>;
    table.number(team, mesh, n, [&](int slot) {
      const std::int32_t v = table.vertex[slot];
      table.before[slot] = times[v];
      table.least[slot] = keyOf(times[v]);
      keys[v] = noKey;
      return true;
    });
    table.update(team, mesh, n, seen);
    team.each(Slots{}, [&](Cell c) {
      if (c.index < n) times[table.vertex[c.index]] = timeOf(table.least[c.index]);
    });
    table.number(team, mesh, n, [&](int slot) { return timeOf(table.least[slot]) < table.before[slot]; });
    table.wakeNeighbours(team, mesh, n, seen, [&](std::int32_t other, Key key) {
      if (seen.owns(other)) {
        fetchMin(keys[other], key);
        return;
      }
      fetchMin(inbox[other], key);
      fetchMin(domainInbox[other / size], key);
    });
  }
};

/// Ends a round of a subdomain: publishes its new times and empties its inbox.
struct MeetDomains {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  const std::int32_t* first;     ///< per subdomain: start of its interface
  const std::int32_t* interface; ///< vertices
  RoundControl* control;
  const int* rounds;
  const float* times;
  float* shown;
  Key* keys;
  Key* inbox;
  Key* domainKeys;
  Key* domainInbox;
  std::uint8_t* chosen; ///< per subdomain: for the next round

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int domain) const {
    const Key woken = domainInbox[domain], key = woken < domainKeys[domain] ? woken : domainKeys[domain];
    const bool moved = woken != noKey || rounds[domain] == control->round;
    team.each(Lanes{}, [&](Cell c) {
      for (std::int32_t i = first[domain] + c.index; moved && i < first[domain + 1]; i += Lanes::size) {
        const std::int32_t v = interface[i];
        if (inbox[v] < keys[v]) keys[v] = inbox[v];
        inbox[v] = noKey;
        shown[v] = times[v];
      }
    });
    team.once([&] {
      domainKeys[domain] = key;
      domainInbox[domain] = noKey;
      chosen[domain] = !control->done && key <= control->bound && key != noKey;
      if (!control->done && key != noKey) fetchMin(control->least, key);
    });
  }
};

} // namespace isochrone::mesh
