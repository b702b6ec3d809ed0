// MeshOnDevice.h - the mesh, its times and the counters of the rounds in device memory.
#pragma once

#include "MeshTravelTime/Tiles/Rounds.h"
#include "MeshTravelTime/Tiles/VertexPairs.h"

#include <cstddef>
#include <span>

namespace isochrone::mesh {

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

} // namespace isochrone::mesh
