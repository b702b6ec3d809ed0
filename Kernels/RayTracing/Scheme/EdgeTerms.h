// EdgeTerms.h - the terms of the travel time along an edge.
//
// The weight of an edge is a sum of terms. Each term is a length times the slowness of a point, or times the
// minimum slowness of up to four cells that share a piece of the edge. The terms depend on the offset alone.
#pragma once

#include "RayTracing/RayTracing.h"

#include <array>
#include <vector>

namespace isochrone::rays {

struct Term {
  double length;                 ///< world units
  int count;                     ///< number of samples
  std::array<Offset, 4> samples; ///< points or cells, relative to the point at which the offset starts; the
                                 ///< last one fills unused places
};

struct EdgeTerms {
  Offset offset;
  double length; ///< world units
  /// In the order of summation, which is the same from both ends of the edge. With WeightRule::Fast the
  /// weight is half the length times the sum of both end slownesses, and the terms are taken from the
  /// accurate rule: a blanked point in one of them closes the edge.
  std::vector<Term> terms;
};

/// Returns the terms of all offsets of the forward star, in its order.
std::vector<EdgeTerms> edgeTerms(const Grid& grid, WeightRule rule, const ForwardStar& neighbours);

/// Returns the terms of a straight segment that crosses no plane of grid points between its ends. Positions
/// are in grid steps; samples are indices of points (or cells).
std::vector<Term> segmentTerms(const Grid& grid, WeightRule rule, const Position& from, const Position& to);

} // namespace isochrone::rays
