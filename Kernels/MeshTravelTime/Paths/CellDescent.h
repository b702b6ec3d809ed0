// CellDescent.h - the steepest descent of the interpolated time within a cell.
#pragma once

#include "MeshTravelTime/Seeds/MeshPlace.h"

namespace isochrone::mesh {

/// A cell with the times of its corners.
struct CellTimes {
  int corners = 4;
  std::array<double, 4> time{};
  std::array<double, 6> square{}; ///< squared times along edges, by edgeBetween
};

/// Sets the times of a cell. Returns false if the cell is a barrier, or a corner is not reached.
bool timesOf(const Problem& problem, std::span<const float> travelTime, std::int64_t cell, CellTimes& times);

/// A line within a cell along which the time falls.
struct Descent {
  double slope = 0;      ///< fall of the time per time spent; 0: no descent
  CornerWeights rates{}; ///< change of the weights per time spent
};

/// Returns the steepest descent from a place: into the cell, or along a face or an edge that contains the
/// place.
Descent steepestDescent(const CellTimes& cell, const CornerWeights& place);

/// Computes M grad u within the cell, as rates of corner weights. Returns false for equal times or no volume.
bool gradientOf(const CellTimes& cell, Descent& descent);

/// Returns the squared time along a vector.
double squareAlong(const CellTimes& cell, const CornerWeights& vector);

} // namespace isochrone::mesh
