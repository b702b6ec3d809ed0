#include "MeshTravelTime/StarWorkspace.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace isochrone::mesh {

namespace {

float loadRelaxed(const float& value) {
  return std::atomic_ref<float>(const_cast<float&>(value)).load(std::memory_order_relaxed);
}

} // namespace

StarWorkspace::StarWorkspace(const VertexStars& s) : stars(s), kernels(chooseStarKernels()) {
  std::size_t most = 0;
  for (std::int32_t v = 0; v < s.vertexCount; ++v) most = std::max(most, s.star(v).size());
  blocks.resize(most / starLanes + 1);
  edges.assign(3 * blocks.size(), EdgeBlock{});
  woken.resize(3 * starLanes * blocks.size());
  star = {0, blocks.data(), edges.data()};
}

void StarWorkspace::announce(std::int32_t soon, std::int32_t next) const {
  const char* corners = reinterpret_cast<const char*>(stars.corners.data() + stars.first[soon]);
  __builtin_prefetch(corners);
  __builtin_prefetch(corners + 64);
  for (const Corner corner : stars.star(next)) {
    const char* t = reinterpret_cast<const char*>(stars.tetrahedra.data() + (corner >> 2));
    __builtin_prefetch(t);
    __builtin_prefetch(t + sizeof(Tetrahedron) - 1);
  }
}

void StarWorkspace::visit(std::int32_t vertex, const float* times) {
  const std::span<const Corner> corners = stars.star(vertex);
  star.count = int(corners.size());
  int l = 0;
  for (const Corner corner : corners) {
    const Tetrahedron& t = stars.tetrahedra[corner >> 2];
    const int k = int(corner & 3);
    StarBlock& s = blocks[std::size_t(l / starLanes)];
    const int i = l++ % starLanes;
    const std::int32_t a = t.vertex[otherVertex(k, 0)], b = t.vertex[otherVertex(k, 1)],
                       c = t.vertex[otherVertex(k, 2)];
    s.a[i] = a, s.b[i] = b, s.c[i] = c;
    s.ua[i] = loadRelaxed(times[a]), s.ub[i] = loadRelaxed(times[b]), s.uc[i] = loadRelaxed(times[c]);
    const int la = edgeBetween(k, otherVertex(k, 0)), lb = edgeBetween(k, otherVertex(k, 1)),
              lc = edgeBetween(k, otherVertex(k, 2));
    s.la[i] = t.square[la], s.lb[i] = t.square[lb], s.lc[i] = t.square[lc];
    s.ab[i] = t.square[5 - lc], s.ac[i] = t.square[5 - lb], s.bc[i] = t.square[5 - la];
  }
  for (; l % starLanes; ++l) { // tetrahedra that change nothing
    StarBlock& s = blocks[std::size_t(l / starLanes)];
    const int i = l % starLanes;
    s.ua[i] = s.ub[i] = s.uc[i] = unreached;
    s.la[i] = s.lb[i] = s.lc[i] = s.ab[i] = s.ac[i] = s.bc[i] = 1;
  }
}

} // namespace isochrone::mesh
