// EvaluateVertices.h - the updates that gave the vertices their times, on any device.
#pragma once

#include "Execution/Rounds.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"
#include "Values.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace isochrone::mesh {

/// Finds what gives each vertex its time, one vertex per lane.
struct EvaluateVertices {
  using Lanes = execution::Box<128, 1, 1>;
  struct Shared {};
  StarsView stars;
  std::int32_t count;
  const double *times, *startTimes; ///< as in SolvedMesh
  double origin;
  VertexDependence* dependence;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](execution::Cell c) {
      const std::int32_t v = position * Lanes::size + c.index;
      if (v < count) dependence[v] = dependenceAt(stars, v, times, startTimes[v], origin);
    });
  }
};

/// Does the same as SolvedMesh::evaluate. Returns the updates in device memory, too.
template <class Device>
auto evaluateOnDevice(Device& device, SolvedMesh& solved) {
  const VertexStars& stars = solved.vertexStars();
  auto tetrahedra = device.upload(std::span<const Tetrahedron>(stars.tetrahedra));
  auto first = device.upload(std::span<const std::uint32_t>(stars.first));
  auto corners = device.upload(std::span<const Corner>(stars.corners));
  auto times = device.upload(solved.timesInUnits()), startTimes = device.upload(solved.startTimes());
  auto dependence = device.template allocate<VertexDependence>(std::size_t(stars.vertexCount));
  device.run(EvaluateVertices{{tetrahedra.data(), first.data(), corners.data()},
                              stars.vertexCount,
                              times.data(),
                              startTimes.data(),
                              solved.origin(),
                              dependence.data()},
             execution::blocksOf<EvaluateVertices>(stars.vertexCount));
  Values<VertexDependence> found(std::size_t(stars.vertexCount));
  device.download(dependence, found.data());
  solved.take(std::move(found));
  return dependence;
}

} // namespace isochrone::mesh
