// HeadingStencils.h - the stencils of all headings, in the two forms that the sweeps know.
#pragma once

#include "CurvaturePaths/Scheme/BlockTable.h"

#include <vector>

namespace isochrone::curvature {

/// Least and largest value of a field outside walls.
struct Range {
  double lo = 0, hi = 0;
  bool varies() const { return lo < hi; }
};
Range rangeOf(const Problem& problem, const Field& field);

/// Stencils as functions of xi and phi: per block the pieces of its turning rate.
struct VaryingBlockPieces {
  Block block;
  std::vector<Piece> pieces;
};
struct VaryingSchemePieces {
  std::vector<VaryingBlockPieces> blocks;
  bool symmetric = false, turnsOnTheSpot = false;
};

/// Where xi and phi are constant each heading has one stencil; else one table per heading.
struct HeadingStencils {
  bool varying = false;
  std::vector<Stencil> uniform;
  std::vector<std::vector<VaryingSchemePieces>> tables;
  /// Per heading, every offset that may be read, both signs of symmetric ones, without repetition.
  std::vector<std::vector<Offset>> offsets;
};

HeadingStencils makeHeadingStencils(const Problem& problem);

} // namespace isochrone::curvature
