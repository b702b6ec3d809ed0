// JacobianRows.h - the derivatives of the time of one tip with respect to the slowness of each point.
#pragma once

#include "Grid/NumberSet.h"
#include "ImageTravelTime/Sensitivity/DependenceGraph.h"

namespace isochrone::image {

/// The points that tips depend on, in their order, and their places in it.
struct RankedPoints {
  DependenceOrder order;
  Values<std::int64_t> rank; ///< per point; that of points without one is undefined
};

/// A row of the Jacobian.
struct JacobianRow {
  std::vector<std::int64_t> point; ///< ascending
  std::vector<double> weight;      ///< derivative with respect to the slowness, world length
};

/// Computes rows on one thread.
class JacobianRows {
public:
  /// All must outlive this.
  JacobianRows(const Problem& problem, const DependenceScheme& scheme, const DependenceGraph& graph,
               const RankedPoints& points);

  JacobianRow of(std::int64_t tip);

private:
  const Problem& problem;
  const DependenceScheme& scheme;
  const DependenceGraph& graph;
  const RankedPoints& points;
  std::vector<double> mass; ///< per rank; 0 between calls
  grid::NumberSet waiting;  ///< ranks
  grid::NumberSet passed;   ///< points
  std::vector<std::int64_t> ranks;

  void pass(std::int64_t rank, std::int64_t tip);
};

} // namespace isochrone::image
