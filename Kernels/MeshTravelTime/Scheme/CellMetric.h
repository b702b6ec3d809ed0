// CellMetric.h - the tensor of a cell, from any form of speed data.
#pragma once

#include "Grid/Symmetric3.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <array>
#include <cstdint>

namespace isochrone::mesh {

enum class Passage { Open, Closed, NoFrame, NotDefinite }; ///< all but Open are barriers

/// Computes M of a cell in world units; returns the reason if the cell is a barrier.
Passage squaredSpeedAt(const Problem& problem, std::int64_t cell, grid::Symmetric3& tensor);

/// Computes the inverse of M, the metric G: the squared time along e is <e, G e>.
Passage metricAt(const Problem& problem, std::int64_t cell, grid::Symmetric3& metric);

/// Returns the squared times along the edges of a cell, by edgeBetween, times `scale`; for a triangle its
/// three, followed by ones.
std::array<double, 6> squaredEdges(const Problem& problem, std::int64_t cell, const grid::Symmetric3& metric,
                                   double scale = 1);

/// Returns the position of a vertex.
inline Position pointAt(const Problem& problem, std::int64_t vertex) {
  const std::size_t i = std::size_t(3 * vertex);
  return {problem.points[i], problem.points[i + 1], problem.points[i + 2]};
}

/// Returns 4, or 3 for a triangle.
inline int cornersOf(const Problem& problem, std::int64_t cell) {
  return problem.cells[std::size_t(4 * cell + 3)] < 0 ? 3 : 4;
}

} // namespace isochrone::mesh
