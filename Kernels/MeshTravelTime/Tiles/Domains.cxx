#include "MeshTravelTime/Tiles/Domains.h"

#include <algorithm>
#include <vector>

namespace isochrone::mesh {

Domains makeDomains(const VertexStars& stars, int count, int threads) {
  Domains domains;
  const std::int32_t vertices = std::max(1, stars.vertexCount);
  domains.size = int((std::int64_t(vertices) + count - 1) / count);
  domains.count = (vertices + domains.size - 1) / domains.size;

  std::vector<std::uint8_t> shared(vertices);
  execution::RoundPool(threads).forEach(stars.vertexCount, [&](std::int64_t at) {
    const auto v = std::int32_t(at);
    const auto isForeign = [&](std::int32_t other) {
      return other < stars.vertexCount && other / domains.size != v / domains.size;
    };
    const auto star = stars.star(v);
    shared[v] = std::any_of(star.begin(), star.end(), [&](Corner corner) {
      const auto& vertex = stars.tetrahedra[corner / 4].vertex;
      return std::any_of(vertex, vertex + 4, isForeign);
    });
  });

  for (std::int32_t v = 0; v < vertices; ++v) {
    if (v % domains.size == 0) domains.first.push_back(std::int32_t(domains.interface.size()));
    if (shared[v]) domains.interface.push_back(v);
  }
  domains.first.push_back(std::int32_t(domains.interface.size()));
  return domains;
}

} // namespace isochrone::mesh
