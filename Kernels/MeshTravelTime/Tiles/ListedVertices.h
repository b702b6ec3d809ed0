// ListedVertices.h - rounds over a list of active vertices, shared out to blocks of equal size.
#pragma once

#include "Execution/Rounds.h"
#include "MeshTravelTime/Tiles/MeshOnDevice.h"
#include "MeshTravelTime/Tiles/RelaxTile.h"

#include <utility>

namespace isochrone::mesh {

using execution::blocksOf;

/// Lists vertices of the whole mesh by compaction (paper, 5.2.1).
template <class Device>
struct WholeMesh {
  VertexKeys keys(MeshOnDevice<Device>& on) { return VertexKeys{on.keys.data()}; }

  /// Ends a round, and lists the vertices of the next one.
  /// @param chosen  per vertex; receives whether it is listed
  template <class Flags, class List>
  void choose(MeshOnDevice<Device>& on, Flags& chosen, List& list) {
    on.device.run(ChooseVertices{on.vertexCount, on.counters(), on.keys.data(), on.fresh.data(),
                                 on.times.data(), chosen.data()},
                  blocksOf<ChooseVertices>(on.vertexCount));
    on.device.compact(chosen, list, &on.counters()->listed);
  }
  std::size_t bytes() const { return 0; }
};

/// An order of work.
/// @tparam Choice  chooses and lists the vertices of a round, as WholeMesh does
template <class Device, class Choice = WholeMesh<Device>>
class ListedVertices {
public:
  /// @param width  of the band of times of a round, in solver units
  ListedVertices(MeshOnDevice<Device>& mesh, float width, Choice by = {})
      : on(mesh), band(width), choice(std::move(by)),
        chosen(on.device.template array<std::uint8_t>(std::size_t(on.vertexCount), 0)),
        list(on.device.template allocate<int>(std::size_t(on.vertexCount))) {}

  /// Returns where activations of vertices are noted.
  auto keys() { return choice.keys(on); }
  /// Ends a round of times set from outside.
  void begin() { choice.choose(on, chosen, list); }
  /// Runs the kernels of a round.
  void round() {
    RoundControl* const counters = on.counters();
    const VertexList active{list.data(), &counters->count};
    const int blocks = (on.vertexCount + blockVertices - 1) / blockVertices;
    on.device.run(DecideRound{band, blockVertices, counters}, 1);
    on.device.run(UpdateVertices{on.mesh(), active, on.times.data(), on.fresh.data(), on.keys.data()},
                  &counters->blocks, blocks);
    on.device.run(
        WakeNeighbours<decltype(keys())>{on.mesh(), active, on.times.data(), on.fresh.data(), keys()},
        &counters->blocks, blocks);
    choice.choose(on, chosen, list);
  }
  std::int64_t updates(const RoundControl& last) { return last.updates; }
  std::size_t bytes() const { return chosen.bytes() + list.bytes() + choice.bytes(); }

private:
  template <class T>
  using Array = typename Device::template Array<T>;
  MeshOnDevice<Device>& on;
  float band;
  Choice choice;
  Array<std::uint8_t> chosen; ///< per vertex
  Array<int> list;
};

} // namespace isochrone::mesh
