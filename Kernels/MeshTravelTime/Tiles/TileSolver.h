// TileSolver.h - travel times by kernels, on any device: by bands of vertices, and by subdomains.
#pragma once

#include "Execution/Rounds.h"
#include "MeshTravelTime/Seeds/Starts.h"
#include "MeshTravelTime/Tiles/DomainTiles.h"
#include "MeshTravelTime/Tiles/Domains.h"
#include "MeshTravelTime/Tiles/RelaxTile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace isochrone::mesh {

struct KernelSettings {
  double band = 8;           ///< width of the band of keys, in long edges; 0: all active vertices
  int passes = 2;            ///< passes of one block over its subdomain in one round
  double* seconds = nullptr; ///< if given, increases by the time of the rounds, without set-up and copies
};

using execution::blocksOf;

/// Returns the subdomains of a mesh: the requested number, or one that suits the mesh (see DESIGN.md).
inline Domains domainsOf(const VertexStars& stars, const Options& options) {
  constexpr int usualSize = 512; // vertices
  const int count = options.subdomains > 0 ? options.subdomains : 1 + stars.vertexCount / usualSize;
  return makeDomains(stars, count, chooseThreads(options.threads));
}

/// The mesh and its times in device memory.
template <class Device>
struct MeshOnDevice {
  template <class T>
  using Array = typename Device::template Array<T>;
  Device& device;
  const std::int32_t vertexCount;
  Array<Tetrahedron> tetrahedra;
  Array<std::uint32_t> first;
  Array<Corner> corners;
  Array<float> times, fresh; ///< times of the previous round, and the newest ones
  Array<Key> keys;           ///< the minimum time that woke a vertex
  Array<RoundControl> control;

  MeshOnDevice(Device& d, const VertexStars& stars)
      : device(d), vertexCount(stars.vertexCount),
        tetrahedra(d.upload(std::span<const Tetrahedron>(stars.tetrahedra))),
        first(d.upload(std::span<const std::uint32_t>(stars.first))),
        corners(d.upload(std::span<const Corner>(stars.corners))),
        times(d.template array<float>(std::size_t(vertexCount) + 1, unreached)),
        fresh(d.template array<float>(std::size_t(vertexCount) + 1, unreached)),
        keys(d.template array<Key>(std::size_t(vertexCount), noKey)),
        control(d.template array<RoundControl>(1, RoundControl{})) {}

  Mesh mesh() { return {tetrahedra.data(), first.data(), corners.data(), vertexCount}; }
  RoundControl* counters() { return control.data(); }
  std::size_t bytes() const {
    return tetrahedra.bytes() + first.bytes() + corners.bytes() + times.bytes() + fresh.bytes() +
           keys.bytes();
  }
};

inline float bandOf(const KernelSettings& settings, const VertexStars& stars) {
  return settings.band > 0 ? float(settings.band * stars.longEdge) : std::numeric_limits<float>::infinity();
}

// Orders of work. round() runs the kernels of a round; begin() ends a round of times set from outside.

/// A list of active vertices, shared out to blocks of equal size. `Order` writes the list.
template <class Device, class Order>
class ListedVertices {
public:
  ListedVertices(MeshOnDevice<Device>& m, const VertexStars& stars, const Options&,
                 const KernelSettings& settings)
      : on(m), chosen(m.device.template array<std::uint8_t>(std::size_t(m.vertexCount), 0)),
        list(m.device.template allocate<int>(std::size_t(m.vertexCount))), band(bandOf(settings, stars)) {}

  void begin() { order().choose(); }
  void round() {
    RoundControl* const counters = on.counters();
    const VertexList active{list.data(), &counters->count};
    const int most = (on.vertexCount + blockVertices - 1) / blockVertices;
    on.device.run(DecideRound{band, blockVertices, true, counters}, 1);
    on.device.run(UpdateVertices{on.mesh(), active, on.times.data(), on.fresh.data(), on.keys.data()},
                  &counters->blocks, most);
    on.device.run(WakeNeighbours{on.mesh(), active, on.times.data(), on.fresh.data(), on.keys.data(),
                                 order().domains()},
                  &counters->blocks, most);
    order().choose();
  }
  std::int64_t updates(const RoundControl& last) { return last.updates; }
  std::size_t bytes() const { return chosen.bytes() + list.bytes(); }

protected:
  template <class T>
  using Array = typename Device::template Array<T>;
  MeshOnDevice<Device>& on;
  Array<std::uint8_t> chosen; ///< per vertex
  Array<int> list;

private:
  Order& order() { return static_cast<Order&>(*this); }
  float band;
};

/// Lists vertices of the whole mesh by compaction (paper, 5.2.1).
template <class Device>
class AllVertices : public ListedVertices<Device, AllVertices<Device>> {
public:
  using ListedVertices<Device, AllVertices<Device>>::ListedVertices;

  void choose() {
    auto& on = this->on;
    on.device.run(ChooseVertices{on.vertexCount, on.counters(), on.keys.data(), on.fresh.data(),
                                 on.times.data(), this->chosen.data()},
                  blocksOf<ChooseVertices>(on.vertexCount));
    on.device.compact(this->chosen, this->list, &on.counters()->listed);
  }
  DomainKeys domains() { return {1, nullptr}; }
};

/// The first decomposition: subdomains with active vertices list them.
template <class Device>
class ManyBlocks : public ListedVertices<Device, ManyBlocks<Device>> {
  using Base = ListedVertices<Device, ManyBlocks<Device>>;
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  ManyBlocks(MeshOnDevice<Device>& m, const VertexStars& stars, const Options& options,
             const KernelSettings& settings)
      : Base(m, stars, options, settings), cut(domainsOf(stars, options)),
        keys(m.device.template array<Key>(cut.count, noKey)),
        worked(m.device.template array<std::uint8_t>(cut.count, 0)),
        chosenDomains(m.device.template array<std::uint8_t>(cut.count, 0)),
        active(m.device.template allocate<int>(cut.count)),
        counts(m.device.template allocate<int>(cut.count)),
        begins(m.device.template allocate<int>(cut.count)) {}

  void choose() {
    auto& on = this->on;
    RoundControl* const counters = on.counters();
    std::uint8_t* const chosen = this->chosen.data();
    on.device.run(ChooseDomains{cut.count, counters, keys.data(), worked.data(), chosenDomains.data()},
                  blocksOf<ChooseDomains>(cut.count));
    on.device.compact(chosenDomains, active, &counters->domains);
    on.device.run(ChooseInDomain{cut.size, on.vertexCount, counters, active.data(), on.keys.data(),
                                 on.fresh.data(), on.times.data(), chosen, keys.data(), worked.data(),
                                 counts.data()},
                  &counters->domains, cut.count);
    on.device.run(ScanDomains{counters, counts.data(), begins.data()}, 1);
    on.device.run(
        ListInDomain{cut.size, on.vertexCount, active.data(), begins.data(), chosen, this->list.data()},
        &counters->domains, cut.count);
  }
  DomainKeys domains() { return {cut.size, keys.data()}; }
  std::size_t bytes() const {
    return Base::bytes() + keys.bytes() + worked.bytes() + chosenDomains.bytes() + active.bytes() +
           counts.bytes() + begins.bytes();
  }

private:
  const Domains cut;
  Array<Key> keys;
  Array<std::uint8_t> worked, chosenDomains;
  Array<int> active, counts, begins;
};

/// The second decomposition: one block works on a subdomain, in place.
template <class Device>
class OneBlock {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  OneBlock(MeshOnDevice<Device>& m, const VertexStars& stars, const Options& options,
           const KernelSettings& settings)
      : on(m), cut(domainsOf(stars, options)), passes(settings.passes),
        first(m.device.upload(std::span<const std::int32_t>(cut.first))),
        interface(m.device.upload(std::span<const std::int32_t>(cut.interface))),
        inbox(m.device.template array<Key>(std::size_t(m.vertexCount), noKey)),
        keys(m.device.template array<Key>(cut.count, noKey)),
        keysInbox(m.device.template array<Key>(cut.count, noKey)),
        chosen(m.device.template array<std::uint8_t>(cut.count, 0)),
        active(m.device.template allocate<int>(cut.count)),
        rounds(m.device.template array<int>(cut.count, -1)),
        made(m.device.template array<std::int64_t>(cut.count, 0)), band(bandOf(settings, stars)) {}

  void begin() { meet(); }
  void round() {
    RoundControl* const counters = on.counters();
    on.device.run(DecideRound{band, 1, false, counters}, 1);
    on.device.run(SolveDomain{on.mesh(), cut.size, passes, counters, active.data(), on.fresh.data(),
                              on.times.data(), on.keys.data(), inbox.data(), keys.data(), keysInbox.data(),
                              rounds.data(), made.data()},
                  &counters->blocks, cut.count);
    meet();
  }
  DomainKeys domains() { return {cut.size, keys.data()}; }
  std::int64_t updates(const RoundControl&) {
    std::vector<std::int64_t> all(cut.count);
    on.device.download(made, all.data());
    std::int64_t sum = 0;
    for (const std::int64_t ofDomain : all) sum += ofDomain;
    return sum;
  }
  std::size_t bytes() const {
    return first.bytes() + interface.bytes() + inbox.bytes() + keys.bytes() + keysInbox.bytes() +
           chosen.bytes() + active.bytes() + rounds.bytes() + made.bytes();
  }

private:
  void meet() {
    RoundControl* const counters = on.counters();
    on.device.run(MeetDomains{first.data(), interface.data(), counters, rounds.data(), on.fresh.data(),
                              on.times.data(), on.keys.data(), inbox.data(), keys.data(), keysInbox.data(),
                              chosen.data()},
                  cut.count);
    on.device.compact(chosen, active, &counters->listed);
  }

  MeshOnDevice<Device>& on;
  const Domains cut;
  int passes;
  Array<std::int32_t> first, interface;
  Array<Key> inbox, keys, keysInbox;
  Array<std::uint8_t> chosen;
  Array<int> active, rounds;
  Array<std::int64_t> made;
  float band;
};

/// Returns the starts in single precision, each vertex once with its minimum time.
inline std::vector<LowerVertex> leastTimes(const std::vector<Start>& starts) {
  std::vector<LowerVertex> list;
  for (const Start& start : starts) list.push_back({start.vertex, float(start.time)});
  std::sort(list.begin(), list.end(), [](const LowerVertex& a, const LowerVertex& b) {
    return a.vertex != b.vertex ? a.vertex < b.vertex : a.time < b.time;
  });
  const auto same = [](const LowerVertex& a, const LowerVertex& b) { return a.vertex == b.vertex; };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
  return list;
}

/// Exchanges the times of vertices that other processes share: downloads this part's times and returns the
/// earlier ones of other processes.
template <class Device>
class SharedVertices {
public:
  SharedVertices(MeshOnDevice<Device>& m, const VertexStars& s, const Sharing& with)
      : on(m), stars(s), sharing(with), here(with.vertices.size()), everywhere(with.vertices.size()) {
    std::vector<int> list;
    for (const std::int64_t v : sharing.vertices) list.push_back(stars.number[v]);
    vertices = on.device.upload(std::span<const int>(list));
    times = on.device.template allocate<float>(list.size());
  }

  /// Exchanges times with the other processes, when this part has no work left.
  /// @param lower  receives the times that are earlier elsewhere
  /// @return whether more work may follow
  bool exchange(bool aborted, std::vector<LowerVertex>& lower) {
    lower.clear();
    const int n = int(here.size());
    on.device.run(CopyListed{vertices.data(), n, on.fresh.data(), times.data(), true},
                  blocksOf<CopyListed>(n));
    on.device.download(times, here.data());
    for (int i = 0; i < n; ++i)
      everywhere[i] = here[i] < unreached ? here[i] * stars.unit : std::numeric_limits<double>::infinity();
    const double pending =
        aborted ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    if (std::isnan(sharing.exchange(everywhere, pending, stars.longEdge * stars.unit))) return false;
    std::vector<Start> earlier;
    for (int i = 0; i < n; ++i)
      if (const double time = everywhere[i] / stars.unit; std::isfinite(time) && float(time) < here[i])
        earlier.push_back({stars.number[sharing.vertices[i]], time, -1});
    lower = leastTimes(earlier);
    return true;
  }

private:
  MeshOnDevice<Device>& on;
  const VertexStars& stars;
  const Sharing& sharing;
  typename Device::template Array<int> vertices;
  typename Device::template Array<float> times;
  std::vector<float> here;
  std::vector<double> everywhere;
};

/// Runs rounds until no vertex is active in any process (Execution/Rounds.h).
template <class Order, class Device>
Values<float> relaxByKernels(Device& device, const VertexStars& stars, const std::vector<Start>& starts,
                             const Sharing& sharing, const Options& options, const KernelSettings& settings,
                             const Monitor& monitor, Result& result) {
  constexpr int batch = 8; // rounds per launch; at most this many run in vain
  MeshOnDevice<Device> on(device, stars);
  Order order(on, stars, options, settings);
  RoundControl* const counters = on.counters();

  // 1. Set times from outside, and wake their neighbours.
  int wave = 0;
  const auto lower = [&](const std::vector<LowerVertex>& list) {
    const int n = int(list.size());
    auto from = device.upload(std::span<const LowerVertex>(list));
    auto vertices = device.template allocate<int>(n);
    auto count = device.template array<int>(1, n);
    device.run(BeginWave{counters}, 1);
    ++wave;
    device.run(PlaceTimes{from.data(), n, on.fresh.data(), vertices.data()}, blocksOf<PlaceTimes>(n));
    device.run(WakeNeighbours{on.mesh(),
                              {vertices.data(), count.data()},
                              on.times.data(),
                              on.fresh.data(),
                              on.keys.data(),
                              order.domains()},
               (n + blockVertices - 1) / blockVertices);
    device.run(CopyListed{vertices.data(), n, on.fresh.data(), on.times.data(), false},
               blocksOf<CopyListed>(n));
    order.begin();
    device.wait(); // the lists are released here
  };
  lower(leastTimes(starts));

  // 2. Rounds.
  const auto someRounds = [&] {
    for (int i = 0; i < batch; ++i) order.round();
  };
  execution::Rounds<Device, RoundControl> rounds(device, counters, someRounds);
  SharedVertices<Device> shared(on, stars, sharing);
  std::vector<LowerVertex> earlier;
  const double expected = 1 + 3 * std::cbrt(double(stars.vertexCount)); // rounds, for the progress bar
  while (true) {
    result.aborted = !rounds.run(
        monitor, [&](const RoundControl& now) { return now.done && now.wave == wave; },
        [&](const RoundControl& now) { return now.round / (now.round + expected); });
    if (!sharing.exchange || !shared.exchange(result.aborted, earlier) || result.aborted) break;
    if (!earlier.empty()) lower(earlier);
  }
  const double seconds = rounds.finish();
  if (settings.seconds) *settings.seconds += seconds;
  const RoundControl& now = rounds.counters();

  // 3. Result.
  result.rounds = now.round;
  result.updatesPerVertex = double(order.updates(now)) / std::max(1, stars.vertexCount);
  result.workBytes += on.bytes() + order.bytes();
  Values<float> times;
  if (result.aborted) return times;
  times.resize(std::size_t(stars.vertexCount) + 1);
  device.download(on.fresh, times.data());
  return times;
}

/// Returns the times of all vertices, by kernels and with the method of the options. Sets the same members of
/// the result as solveOnHost.
template <class Device>
Values<float> solveByKernels(Device& device, const VertexStars& stars, const std::vector<Start>& starts,
                             const Sharing& sharing, const Options& options, KernelSettings settings,
                             const Monitor& monitor, Result& result) {
  if (options.method == Method::PlainFim) settings.band = 0;
  const auto relax = [&](auto order) {
    return relaxByKernels<typename decltype(order)::type>(device, stars, starts, sharing, options, settings,
                                                          monitor, result);
  };
  switch (options.method) {
  case Method::DecomposedManyBlocks:
    return relax(std::type_identity<ManyBlocks<Device>>{});
  case Method::DecomposedOneBlock:
    return relax(std::type_identity<OneBlock<Device>>{});
  default:
    return relax(std::type_identity<AllVertices<Device>>{});
  }
}

/// Returns the number of bytes of device memory that any method needs; barriers, not known yet, are included.
inline std::size_t kernelBytes(const Problem& problem) {
  const auto vertices = std::size_t(problem.vertexCount()), cells = std::size_t(problem.cellCount());
  return cells * (sizeof(Tetrahedron) + 4 * sizeof(Corner)) + vertices * 28 + (std::size_t(16) << 20);
}

} // namespace isochrone::mesh
