#include "MeshTravelTime/Host/StarVisit.h"

#include <atomic>

namespace isochrone::mesh {

const std::uint32_t* StarVisit::look(const std::uint32_t* words, const VertexState* states) {
  const auto header = std::bit_cast<StarHeader>(words[0]);
  for (int i = 0; i < header.neighbours; ++i) {
    const float& time = states[words[1 + i]].time;
    star.times[i] = std::atomic_ref<float>(const_cast<float&>(time)).load(std::memory_order_relaxed);
  }
  const std::uint32_t* local = words + 1 + header.neighbours;
  const std::uint32_t* lengths = local + header.localWords();
  star.count = header.tetrahedra;
  star.local = reinterpret_cast<const std::uint16_t*>(local);
  star.squares = reinterpret_cast<const float*>(lengths);
  if (stars.isCompact()) {
    const int n = star.count;
    for (int l = 0; l < n; ++l) {
      const float* squares = stars.squaresOf(lengths[l] / 4);
      for (int e = 0; e < 6; ++e) gathered[e * n + l] = squares[edgesSeen[lengths[l] % 4][e]];
    }
    star.squares = gathered;
  }
  kernels.spread(star);
  return header.more ? words + header.words(stars.isCompact()) : nullptr;
}

} // namespace isochrone::mesh
