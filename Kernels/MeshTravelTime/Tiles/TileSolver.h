// TileSolver.h - travel times by kernels, on any device: waves of rounds, in any order of work.
#pragma once

#include "Execution/Rounds.h"
#include "MeshTravelTime/Tiles/RankExchange.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace isochrone::mesh {

/// Returns the times of all vertices. Sets the same members of the result as solveOnHost.
/// @param makeOrder  makeOrder(MeshOnDevice&) returns the order of work, as ListedVertices is one
template <class Device, class MakeOrder>
Values<float> solveByOrder(Device& device, const VertexStars& stars, const std::vector<Start>& starts,
                           const Sharing& sharing, const MakeOrder& makeOrder, const Monitor& monitor,
                           Result& result) {
  constexpr int batch = 8; // rounds per launch; at most this many do nothing
  MeshOnDevice<Device> on(device, stars);
  auto order = makeOrder(on);
  std::vector<OutsideTime> lower = earliestTimes(starts);
  placeTimes(on, order, lower);
  int waves = 1;

  // Run rounds until no vertex is active in any process.
  execution::Rounds<Device, RoundControl> rounds(device, on.counters(), [&] {
    for (int i = 0; i < batch; ++i) order.round();
  });
  const auto ended = [&](const RoundControl& now) { return now.done && now.wave == waves; };
  const double expected = 1 + 3 * std::cbrt(double(stars.vertexCount)); // rounds, for the progress bar
  const auto share = [&](const RoundControl& now) { return now.round / (now.round + expected); };
  RankExchange<Device> others(on, stars, sharing);
  while (true) {
    result.aborted = !rounds.run(monitor, ended, share);
    if (!others.exchange(result.aborted, lower)) break;
    if (lower.empty()) continue;
    placeTimes(on, order, lower);
    ++waves;
  }
  rounds.finish();

  const RoundControl& last = rounds.counters();
  result.rounds = last.round;
  result.updatesPerVertex = double(order.updates(last)) / std::max(1, stars.vertexCount);
  result.workBytes += on.bytes() + order.bytes();
  Values<float> times;
  if (result.aborted) return times;
  times.resize(std::size_t(stars.vertexCount) + 1);
  device.download(on.fresh, times.data());
  return times;
}

} // namespace isochrone::mesh
