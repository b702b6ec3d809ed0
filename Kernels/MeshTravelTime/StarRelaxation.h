// StarRelaxation.h - the update of a vertex from all tetrahedra around it, one tetrahedron a lane: plain
// data, so that it crosses the border between sources compiled for different instruction sets.
#pragma once

#include <cstdint>

namespace isochrone::mesh {

inline constexpr int starLanes = 16; ///< as many as the widest vector has floats

/// What a vertex sees of sixteen tetrahedra around it: of each the opposite triangle a, b, c.
struct alignas(64) StarBlock {
  float ua[starLanes], ub[starLanes], uc[starLanes];                   ///< as in Opposite
  float la[starLanes], lb[starLanes], lc[starLanes];                   ///<
  float ab[starLanes], ac[starLanes], bc[starLanes];                   ///<
  std::int32_t a[starLanes], b[starLanes], c[starLanes];               ///< vertices
  double time[starLanes], wa[starLanes], wb[starLanes], wc[starLanes]; ///< PlaneWave, computed
};

/// Edges to look at, three for each tetrahedron at most.
struct alignas(64) EdgeBlock {
  float ua[starLanes], ub[starLanes], la[starLanes], lb[starLanes], ab[starLanes]; ///< as in fromEdge
};

struct Star {
  int count; ///< tetrahedra; the last block is filled up with such that change nothing
  StarBlock* blocks;
  EdgeBlock* edges; ///< three times as many blocks
};

struct StarKernels {
  /// The update of the vertex; `bound` if it is not below.
  double (*relax)(const Star& star, double bound);
  /// Which of the vertices around it, some several times over, may fall now that its time is `time`.
  /// @return their number
  int (*wake)(const Star& star, float time, std::int32_t* woken);
};

/// For the best instruction set of this processor.
StarKernels chooseStarKernels();

} // namespace isochrone::mesh
