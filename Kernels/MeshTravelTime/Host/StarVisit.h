// StarVisit.h - updates of one vertex after another, by one thread.
#pragma once

#include "MeshTravelTime/Host/PackedStars.h"
#include "MeshTravelTime/Host/RelaxStarDispatch.h"

#include <bit>
#include <cstdint>

namespace isochrone::mesh {

/// State of a vertex during the solve.
struct VertexState {
  float time;
  float key; ///< the minimum time that made its update due; `unreached` if none is due
};

class StarVisit {
public:
  explicit StarVisit(const PackedStars& s) : stars(s), kernels(chooseStarKernels()) {}

  /// Prefetch the data that the update of a vertex reads, in this order: the position of its stars, the
  /// stars, and the vertices around it. Processors drop requests for lines of a page whose address
  /// translation they do not have yet, so one word is read: without it, 3 million tetrahedra took 1.4 times
  /// as long.
  void fetchPlace(std::int32_t vertex) const { stars.prefetchPlace(vertex); }
  void fetchStar(std::int32_t vertex) const {
    const std::uint32_t* star = stars.star(vertex);
    if (!star) return;
    (void)*static_cast<const volatile std::uint32_t*>(star); // see above
    const char* at = reinterpret_cast<const char*>(star);
    for (int line = 0; line < 12; ++line) __builtin_prefetch(at + 64 * line); // all lines of most vertices
  }
  void fetchNeighbours(std::int32_t vertex, const VertexState* states) const {
    const std::uint32_t* at = stars.star(vertex);
    if (!at) return;
    const int count = std::bit_cast<StarHeader>(at[0]).neighbours;
    for (int i = 1; i <= count; ++i) __builtin_prefetch(states + at[i]);
  }

  /// Returns the update of a vertex whose time is `time`; `time` if the update is not below it. Other threads
  /// may lower times meanwhile.
  float relaxed(std::int32_t vertex, float time, const VertexState* states) {
    double minimum = time;
    at = stars.star(vertex);
    only = nullptr;
    for (const std::uint32_t* next = at; next;) {
      only = next == at ? at : nullptr;
      next = look(next, states);
      minimum = kernels.relax(star, minimum);
    }
    return minimum < time ? float(minimum) : time;
  }

  /// Calls f(neighbour) for the neighbours that may fall now that the vertex last relaxed has this time; for
  /// some of them twice.
  template <class F>
  void wake(float time, const VertexState* states, F&& f) {
    for (const std::uint32_t* next = at; next;) {
      const std::uint32_t* here = next;
      next = here == only ? nullptr : look(next, states);
      for (std::uint32_t bits = kernels.wake(star, time); bits; bits &= bits - 1)
        f(std::int32_t(here[1 + std::countr_zero(bits)]));
    }
  }

private:
  const PackedStars& stars;
  StarKernels kernels;
  const std::uint32_t* at = nullptr;   ///< first star of the vertex last relaxed
  const std::uint32_t* only = nullptr; ///< the same if it is the vertex's only star, which is still loaded
  Star star;
  float gathered[6 * StarHeader::maxTetrahedra + 16]; ///< squares of a compact star

  /// Loads a star; returns the next star of the vertex, null if none exists.
  const std::uint32_t* look(const std::uint32_t* words, const VertexState* states);
};

} // namespace isochrone::mesh
