// MassRounds.h - the rounds of the discrete adjoint on any device (MassFront.h).
#pragma once

#include "Adjoint/MassFront.h"
#include "Execution/Rounds.h"
#include "Monitor.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace isochrone::adjoint {

/// Device memory per state: masses, both lists of the front, and the masses taken from them.
inline constexpr std::size_t bytesPerState = 2 * sizeof(std::int64_t) + 2 * sizeof(FrontState);

/// The masses and the front in the memory of a device.
template <class Device>
class MassRounds {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  /// @param tipMasses  the latest first; must outlive this; not empty
  /// @param held       the states that keep the mass they get
  MassRounds(Device& on, std::size_t stateCount, const TipMasses& tipMasses, std::span<const int> held)
      : device(on), states(stateCount), masses(tipMasses),
        tips(on.upload(std::span<const TipMass>(masses.tips))), keepers(on.upload(held)),
        keeperCount(int(held.size())) {
    device.run(HoldMass{keepers.data(), keeperCount, mass.data()},
               execution::blocksOf<HoldMass>(keeperCount));
  }

  /// Passes masses down until the front is empty. Returns false if the monitor requested a stop.
  /// @param step      as in SpreadMass
  /// @param lead      time by which tips join ahead of the front
  /// @param earliest  travel time to which masses go, for the monitor
  template <class Step>
  bool run(const Step& step, float lead, double earliest, const Monitor& monitor) {
    constexpr int batch = 16; // rounds per launch, and at most this many too many
    FrontControl* const counters = control.data();
    const FrontView front{
        counters, {lists.data(), lists.data() + states}, taken.data(), mass.data(), device.manyThreads()};
    const SpreadMass<Step> spread{step, front, tips.data()};
    const int count = int(masses.tips.size());
    const int listedBlocks = int((states + masses.tips.size()) / FrontLanes::size) + 1;
    const auto someRounds = [&] {
      for (int i = 0; i < batch; ++i) {
        device.run(NextRound{front, tips.data(), count, lead}, 1);
        device.run(TakeMass{front}, &counters->blocks, listedBlocks);
        device.run(spread, &counters->blocks, listedBlocks);
      }
    };
    const double latest = masses.tips.front().time;
    double share = 0; // masses may return to later states, the reported share does not
    execution::Rounds<Device, FrontControl> rounds(device, counters, someRounds);
    const bool done = rounds.run(
        monitor, [](const FrontControl& now) { return now.round > 0 && now.blocks == 0; },
        [&](const FrontControl& now) {
          if (now.blocks == 0) return now.round == 0 ? 0. : 1.;
          if (latest > earliest)
            share = std::max(share, std::min(1., (latest - now.top) / (latest - earliest)));
          return share;
        });
    rounds.finish();
    return done;
  }

  /// Returns the masses that the `held` states keep.
  std::vector<std::int64_t> arrived() {
    auto kept = device.template array<std::int64_t>(std::size_t(keeperCount), 0);
    device.run(ReadMass{keepers.data(), keeperCount, mass.data(), kept.data()},
               execution::blocksOf<ReadMass>(keeperCount));
    std::vector<std::int64_t> found(static_cast<std::size_t>(keeperCount));
    if (keeperCount > 0) device.download(kept, found.data());
    return found;
  }

private:
  Device& device;
  std::size_t states;
  const TipMasses& masses;
  Array<TipMass> tips;
  Array<int> keepers;
  int keeperCount;
  Array<FrontState> lists = device.template allocate<FrontState>(2 * states); ///< both lists of the front
  Array<std::int64_t> taken = device.template allocate<std::int64_t>(states);
  Array<std::int64_t> mass = device.template array<std::int64_t>(states, 0);
  Array<FrontControl> control = device.template array<FrontControl>(1, FrontControl{});
};

} // namespace isochrone::adjoint
