// OneBlock.h - the paper's second decomposition (6.3.2), on any Team: a block works on a subdomain in a
// single kernel, in place, and reads the times of other subdomains as of the previous round.
#pragma once

#include "Execution/Rounds.h"
#include "MeshTravelTime/Tiles/DomainTiles.h"
#include "MeshTravelTime/Tiles/Domains.h"
#include "MeshTravelTime/Tiles/MeshOnDevice.h"

#include <numeric>
#include <span>
#include <vector>

namespace isochrone::mesh {

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
      table.minimum[slot] = keyOf(times[v]);
      keys[v] = noKey;
      return true;
    });
    table.update(team, mesh, n, seen);
    team.each(Slots{}, [&](Cell c) {
      if (c.index < n) times[table.vertex[c.index]] = timeOf(table.minimum[c.index]);
    });
    table.number(team, mesh, n, [&](int slot) { return timeOf(table.minimum[slot]) < table.before[slot]; });
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
struct EndDomainRound {
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
      if (!control->done && key != noKey) fetchMin(control->minimum, key);
    });
  }
};

/// An order of work: one block works on a subdomain.
template <class Device>
class OneBlock {
public:
  /// @param width    of the band of times of a round, in solver units
  /// @param passesOfRound     passes of a block over its subdomain in one round
  OneBlock(MeshOnDevice<Device>& mesh, float width, const Domains& domains, int passesOfRound)
      : on(mesh), band(width), count(domains.count), size(domains.size), passes(passesOfRound),
        first(on.device.upload(std::span<const std::int32_t>(domains.first))),
        interface(on.device.upload(std::span<const std::int32_t>(domains.interface))),
        inbox(on.device.template array<Key>(std::size_t(on.vertexCount), noKey)),
        domainKeys(on.device.template array<Key>(count, noKey)),
        domainInbox(on.device.template array<Key>(count, noKey)),
        chosen(on.device.template array<std::uint8_t>(count, 0)),
        active(on.device.template allocate<int>(count)), rounds(on.device.template array<int>(count, -1)),
        made(on.device.template array<std::int64_t>(count, 0)) {}

  DomainKeys keys() { return DomainKeys{on.keys.data(), domainKeys.data(), size}; }
  void begin() { endRound(); }
  void round() {
    RoundControl* const counters = on.counters();
    on.device.run(DecideRound{band, 1, counters}, 1);
    on.device.run(SolveDomain{on.mesh(), size, passes, counters, active.data(), on.fresh.data(),
                              on.times.data(), on.keys.data(), inbox.data(), domainKeys.data(),
                              domainInbox.data(), rounds.data(), made.data()},
                  &counters->blocks, count);
    endRound();
  }
  std::int64_t updates(const RoundControl&) {
    std::vector<std::int64_t> perDomain(count);
    on.device.download(made, perDomain.data());
    return std::accumulate(perDomain.begin(), perDomain.end(), std::int64_t(0));
  }
  std::size_t bytes() const {
    return first.bytes() + interface.bytes() + inbox.bytes() + domainKeys.bytes() + domainInbox.bytes() +
           chosen.bytes() + active.bytes() + rounds.bytes() + made.bytes();
  }

private:
  template <class T>
  using Array = typename Device::template Array<T>;

  void endRound() {
    RoundControl* const counters = on.counters();
    on.device.run(EndDomainRound{first.data(), interface.data(), counters, rounds.data(), on.fresh.data(),
                                 on.times.data(), on.keys.data(), inbox.data(), domainKeys.data(),
                                 domainInbox.data(), chosen.data()},
                  count);
    on.device.compact(chosen, active, &counters->listed);
  }

  MeshOnDevice<Device>& on;
  float band;
  int count, size, passes; ///< subdomains, vertices of each, and passes of a round
  Array<std::int32_t> first, interface;
  Array<Key> inbox, domainKeys, domainInbox;
  Array<std::uint8_t> chosen;
  Array<int> active, rounds;
  Array<std::int64_t> made;
};

} // namespace isochrone::mesh
