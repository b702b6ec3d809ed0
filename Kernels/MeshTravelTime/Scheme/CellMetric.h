// CellMetric.h - the tensor of a cell, from any form of speed data.
#pragma once

#include "Grid/Symmetric3.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace isochrone::mesh {

enum class Passage { Open, Closed, NoFrame, NotDefinite }; ///< all but Open are barriers

/// Computes the inverse of M, the metric G of a cell in world units: the squared time along e is <e, G e>.
/// Returns the reason if the cell is a barrier.
Passage metricAt(const Problem& problem, std::int64_t cell, grid::Symmetric3& metric);

/// Computes M from the arrays for a cell, or for one of its vertices where the arrays hold vertex data.
/// Returns the reason if it is a barrier; a tensor need not be definite.
Passage tensorAt(const Problem& problem, std::int64_t cell, std::int64_t vertex, grid::Symmetric3& tensor);

/// Returns whether the tensor of a cell is the mean of those of its vertices.
bool hasVertexData(const Problem& problem);

/// The axes of a tensor from fibres, unit vectors, and the squared speeds along fibre, sheet and normal.
struct FibreFrame {
  grid::Vector3 squaredVelocities, fibre, normal; ///< normal: zero without sheets
};

/// Computes the frame of a cell, or of one of its vertices where an array holds vertex data. Returns the
/// reason if it is a barrier.
Passage frameOf(const Problem& problem, std::int64_t cell, std::int64_t vertex, FibreFrame& frame);

/// Computes the squared times along the edges of a cell, by edgeBetween, times `scale`; for a triangle its
/// three, followed by ones. Returns the reason if the cell is a barrier.
Passage squaredEdges(const Problem& problem, std::int64_t cell, double scale, std::array<double, 6>& square);

/// Returns a tuple of three numbers.
inline grid::Vector3 vectorAt(const Numbers& numbers, std::int64_t tuple) {
  const std::size_t i = std::size_t(3 * tuple);
  return {numbers[i], numbers[i + 1], numbers[i + 2]};
}

/// Returns the position of a vertex.
inline Position pointAt(const Problem& problem, std::int64_t vertex) {
  return vectorAt(problem.points, vertex);
}

/// Returns the vertices of a cell: four, or three of a triangle.
inline std::span<const std::int64_t> verticesOf(const Problem& problem, std::int64_t cell) {
  const auto all = problem.cells.subspan(std::size_t(4 * cell), 4);
  return all.first(all[3] < 0 ? 3 : 4);
}

/// A box along the axes.
struct Bounds {
  Position low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  void add(const Position& x) {
    for (std::size_t a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
  }
};

/// Returns the bounds of a cell.
inline Bounds boundsOf(const Problem& problem, std::int64_t cell) {
  Bounds bounds;
  for (const std::int64_t v : verticesOf(problem, cell)) bounds.add(pointAt(problem, v));
  return bounds;
}

} // namespace isochrone::mesh
