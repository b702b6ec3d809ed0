// HeadingStencils.h - the stencils of all headings, in the two forms that the sweeps read.
#pragma once

#include "CurvaturePaths/Scheme/BlockTable.h"

#include <vector>

namespace isochrone::curvature {

/// Minimum and maximum of a field outside walls.
struct Range {
  double lo = 0, hi = 0;
  bool varies() const { return lo < hi; }
};
Range rangeOf(const Problem& problem, const Field& field);

/// Holds one stencil per heading where xi and phi are constant, else one table per heading: the schemes with
/// the pieces of their blocks.
struct HeadingStencils {
  bool varying = false;
  std::vector<Stencil> uniform;
  std::vector<std::vector<Scheme>> tables;
  /// Per heading, every offset that may be read, without repetition. Symmetric offsets appear with both
  /// signs.
  std::vector<std::vector<Offset>> offsets;
};

/// @param radius, shift  ranges of these fields of the problem
HeadingStencils makeHeadingStencils(const Problem& problem, const Range& radius, const Range& shift);

} // namespace isochrone::curvature
