// ManyBlocks.h - the paper's first decomposition (6.3.1), on any Team: each subdomain with work chooses and
// lists its own active vertices; blocks of equal size then share the vertices of all subdomains.
#pragma once

#include "MeshTravelTime/Tiles/DomainTiles.h"
#include "MeshTravelTime/Tiles/Domains.h"
#include "MeshTravelTime/Tiles/ListedVertices.h"

namespace isochrone::mesh {

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
      if (!take && keys[d] != noKey) fetchMin(control->minimum, keys[d]);
    });
  }
};

/// Ends a round of a chosen subdomain: publishes its new times, and chooses its vertices within the band for
/// the next round.
struct ChooseInDomain {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    WarpCounts<Lanes> warps;
    Key minimum;
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
    team.once([&] { shared.minimum = noKey; });
    for (std::int32_t begin = range.begin; begin < range.end; begin += Lanes::size) {
      team.each(Lanes{}, [&](Cell c) {
        const std::int32_t v = begin + c.index;
        if (v >= range.end) return;
        if (chosen[v]) times[v] = fresh[v];
        chosen[v] = keys[v] <= control->bound && keys[v] != noKey;
        if (keys[v] != noKey) fetchMin(shared.minimum, keys[v]);
      });
      count = append(
          team, shared.warps, count,
          [&](Cell c) { return begin + c.index < range.end && chosen[begin + c.index]; }, [](Cell, int) {});
    }
    team.once([&] {
      counts[position] = count;
      worked[domain] = count > 0;
      domainKeys[domain] = shared.minimum;
      if (shared.minimum != noKey) fetchMin(control->minimum, shared.minimum);
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
  const int* chosen; ///< number of chosen subdomains
  const int* counts;
  int* begins;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int) const {
    const int n = *chosen, share = (n + Lanes::size - 1) / Lanes::size;
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

/// Lists vertices by subdomains with work, for ListedVertices.
template <class Device>
class ByDomains {
public:
  ByDomains(Device& d, const Domains& domains)
      : count(domains.count), size(domains.size), domainKeys(d.template array<Key>(count, noKey)),
        worked(d.template array<std::uint8_t>(count, 0)),
        chosenDomains(d.template array<std::uint8_t>(count, 0)), active(d.template allocate<int>(count)),
        activeCount(d.template array<int>(1, 0)), counts(d.template allocate<int>(count)),
        begins(d.template allocate<int>(count)) {}

  DomainKeys keys(MeshOnDevice<Device>& on) { return DomainKeys{on.keys.data(), domainKeys.data(), size}; }

  template <class Flags, class List>
  void choose(MeshOnDevice<Device>& on, Flags& chosen, List& list) {
    Device& device = on.device;
    RoundControl* const counters = on.counters();
    device.run(ChooseDomains{count, counters, domainKeys.data(), worked.data(), chosenDomains.data()},
               blocksOf<ChooseDomains>(count));
    device.compact(chosenDomains, active, activeCount.data());
    device.run(ChooseInDomain{size, on.vertexCount, counters, active.data(), on.keys.data(), on.fresh.data(),
                              on.times.data(), chosen.data(), domainKeys.data(), worked.data(),
                              counts.data()},
               activeCount.data(), count);
    device.run(ScanDomains{counters, activeCount.data(), counts.data(), begins.data()}, 1);
    device.run(ListInDomain{size, on.vertexCount, active.data(), begins.data(), chosen.data(), list.data()},
               activeCount.data(), count);
  }
  std::size_t bytes() const {
    return domainKeys.bytes() + worked.bytes() + chosenDomains.bytes() + active.bytes() + counts.bytes() +
           begins.bytes();
  }

private:
  template <class T>
  using Array = typename Device::template Array<T>;
  int count, size; ///< subdomains, and vertices of each
  Array<Key> domainKeys;
  Array<std::uint8_t> worked, chosenDomains;
  Array<int> active, activeCount, counts, begins;
};

template <class Device>
using ManyBlocks = ListedVertices<Device, ByDomains<Device>>;

} // namespace isochrone::mesh
