// EdgeTerms.h - what the travel time along an edge is made of.
//
// The weight of an edge is a sum of terms: a length times the slowness of a point, or times the least
// slowness of up to four cells that share a piece of the edge. The terms depend on the offset alone.
#pragma once

#include "RayTracing/RayTracing.h"

#include <array>
#include <vector>

namespace isochrone::rays {

struct Term {
  double length;                 ///< world units
  int count;                     ///< of samples
  std::array<Offset, 4> samples; ///< points or cells, relative to the point that the offset starts from; the
                                 ///< last one fills the rest
};

struct EdgeTerms {
  Offset offset;
  double length; ///< world units
  /// In the order in which they are added, the same from both ends of the edge. With WeightRule::Fast the
  /// weight is half the length times the sum of the slownesses of both ends, and the terms are those of the
  /// accurate rule: the edge is closed where one of their points is blanked.
  std::vector<Term> terms;
};

/// Of all offsets of the template, in its order.
std::vector<EdgeTerms> edgeTerms(const Grid& grid, WeightRule rule, const Template& neighbours);

/// A straight segment from one place to another, in steps of the grid, that crosses no plane of grid points
/// between its ends: its terms, with samples counted from point (or cell) (0, 0, 0).
std::vector<Term> segmentTerms(const Grid& grid, WeightRule rule, const Position& from, const Position& to);

} // namespace isochrone::rays
