// RelaxStarDispatch.h - the update of a vertex from the tetrahedra of a star, one tetrahedron a lane: plain
// data, so that it crosses the border between sources compiled for different instruction sets.
#pragma once

#include <cstdint>

namespace isochrone::mesh {

/// What a vertex sees. See StarHeader: what it leaves out.
struct Star {
  static constexpr int most = 64; ///< tetrahedra
  int count;
  const std::uint16_t* local;  ///< may be read beyond its end, by a vector
  const float* squares;        ///< of all tetrahedra la, then lb, lc, ab, ac, bc; as well
  alignas(64) float times[32]; ///< of the neighbours

  // Computed.
  alignas(64) float ua[most], ub[most], uc[most];  ///< as in Opposite
  double time[most], wa[most], wb[most], wc[most]; ///< PlaneWave
  float edgeUa[3 * most], edgeUb[3 * most], edgeLa[3 * most], edgeLb[3 * most],
      edgeAb[3 * most]; ///< to look at
};

struct StarKernels {
  /// Gives each tetrahedron the times of its corners.
  void (*spread)(Star& star);
  /// The update of the vertex; `bound` if it is not below.
  double (*relax)(Star& star, double bound);
  /// Which neighbours may fall now that the vertex has this time: a bit for each.
  std::uint32_t (*wake)(const Star& star, float time);
};

/// For the best instruction set of this processor.
StarKernels chooseStarKernels();

} // namespace isochrone::mesh
