// StarWorkspace.h - the star of one vertex after the other, as its update wants it.
#pragma once

#include "MeshTravelTime/StarRelaxation.h"
#include "MeshTravelTime/VertexStars.h"

#include <cstdint>
#include <span>

namespace isochrone::mesh {

class StarWorkspace {
public:
  explicit StarWorkspace(const VertexStars& stars);

  /// Looks at a vertex; other threads may lower times meanwhile.
  void visit(std::int32_t vertex, const float* times);
  /// Fetches into the cache what visits of vertices that come next read first, and what they read then.
  void announce(std::int32_t soon, std::int32_t next) const;
  /// The update of the vertex visited, as single precision; `time` if it is not below.
  float relaxed(float time) {
    const double least = kernels.relax(star, time);
    return least < time ? float(least) : time;
  }
  /// Vertices around it that may fall now that its time is `time`; some several times over.
  std::span<const std::int32_t> wokenBy(float time) {
    return {woken.data(), std::size_t(kernels.wake(star, time, woken.data()))};
  }

private:
  const VertexStars& stars;
  StarKernels kernels;
  Star star{};
  Values<StarBlock> blocks;
  Values<EdgeBlock> edges;
  Values<std::int32_t> woken;
};

} // namespace isochrone::mesh
