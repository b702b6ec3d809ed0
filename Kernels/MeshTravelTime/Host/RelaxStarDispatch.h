// RelaxStarDispatch.h - the update of a vertex from the tetrahedra of a star, one tetrahedron per lane. All
// types are plain data, so that they may pass between sources compiled for different instruction sets.
#pragma once

#include <cstdint>

namespace isochrone::mesh {

/// The data of a star that an update reads (see StarHeader), and its scratch memory.
struct Star {
  static constexpr int maximum = 64; ///< maximum number of tetrahedra
  int count;
  const std::uint16_t* local;  ///< may be read beyond its end, by one vector
  const float* squares;        ///< la of all tetrahedra, then lb, lc, ab, ac, bc; likewise
  alignas(64) float times[32]; ///< neighbour times

  // Scratch memory.
  alignas(64) float ua[maximum], ub[maximum], uc[maximum];     ///< as in Opposite
  double time[maximum], wa[maximum], wb[maximum], wc[maximum]; ///< PlaneWave
  float edgeUa[3 * maximum], edgeUb[3 * maximum], edgeLa[3 * maximum], edgeLb[3 * maximum],
      edgeAb[3 * maximum]; ///< candidates
};

struct StarKernels {
  /// Sets the times of the corners of each tetrahedron.
  void (*spread)(Star& star);
  /// Returns the update of the vertex, or `bound` if the update is not below it.
  double (*relax)(Star& star, double bound);
  /// Returns one bit per neighbour: whether its time may fall if the vertex has this time.
  std::uint32_t (*wake)(const Star& star, float time);
};

/// Returns the functions for the best instruction set of this processor.
StarKernels chooseStarKernels();

} // namespace isochrone::mesh
