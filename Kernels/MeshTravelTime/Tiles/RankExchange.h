// RankExchange.h - exchanges the times of vertices that other processes share, between waves of rounds.
#pragma once

#include "MeshTravelTime/Tiles/OutsideTimes.h"

#include <cmath>

namespace isochrone::mesh {

template <class Device>
class RankExchange {
public:
  RankExchange(MeshOnDevice<Device>& mesh, const VertexStars& s, const Sharing& with)
      : on(mesh), stars(s), sharing(with), local(with.vertices.size()), global(with.vertices.size()) {
    std::vector<int> list;
    for (const std::int64_t v : sharing.vertices) list.push_back(stars.number[v]);
    vertices = on.device.upload(std::span<const int>(list));
    times = on.device.template allocate<float>(list.size());
  }

  /// Exchanges times when this part has no work left, or its solve was aborted.
  /// @param earlier  receives the times that are earlier in other processes
  /// @return whether more work may follow
  bool exchange(bool aborted, std::vector<OutsideTime>& earlier) {
    earlier.clear();
    if (!sharing.exchange) return false;
    const int n = int(local.size());
    on.device.run(CopyListed{vertices.data(), n, on.fresh.data(), times.data(), true},
                  blocksOf<CopyListed>(n));
    on.device.download(times, local.data());
    using Limits = std::numeric_limits<double>;
    const double pending = aborted ? Limits::quiet_NaN() : Limits::infinity();
    for (std::size_t i = 0; i < local.size(); ++i)
      global[i] = float(local[i] < unreached ? local[i] * stars.unit : Limits::infinity());
    const double limit = sharing.exchange(global, pending, stars.longEdge * stars.unit);
    if (aborted || std::isnan(limit)) return false;
    std::vector<Start> starts;
    for (std::size_t i = 0; i < local.size(); ++i)
      if (const double time = global[i] / stars.unit; std::isfinite(time) && float(time) < local[i])
        starts.push_back({stars.number[sharing.vertices[i]], time, -1});
    earlier = earliestTimes(starts);
    return true;
  }

private:
  MeshOnDevice<Device>& on;
  const VertexStars& stars;
  const Sharing& sharing;
  typename Device::template Array<int> vertices;
  typename Device::template Array<float> times;
  std::vector<float> local;  ///< times of the shared vertices in this process
  std::vector<float> global; ///< minima over all processes, in world units
};

} // namespace isochrone::mesh
