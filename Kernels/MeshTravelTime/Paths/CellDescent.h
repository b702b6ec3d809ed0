// CellDescent.h - the steepest descent of the interpolated time within a cell.
#pragma once

#include "MeshTravelTime/Seeds/MeshPlace.h"

namespace isochrone::mesh {

/// A cell with the times of its corners.
struct CellTimes {
  int corners = 4;
  std::array<double, 4> time{};
  std::array<double, 6> square{}; ///< of the times along edges, by edgeBetween
};

/// False if the cell is a barrier, or a corner is not reached.
bool timesOf(const Problem& problem, std::span<const float> travelTime, std::int64_t cell, CellTimes& times);

/// A way within a cell, a line along which the time falls.
struct Descent {
  double slope = 0;      ///< fall of the time per time spent on the way; 0: there is no way down
  CornerWeights rates{}; ///< change of the weights per time spent
};

/// The steepest way down from a place: into the cell, or along one of its faces or edges that hold the place.
Descent steepestDescent(const CellTimes& cell, const CornerWeights& place);

/// M grad u within the cell, with corner weights for directions; false: equal times, or no volume.
bool gradientOf(const CellTimes& cell, Descent& descent);

/// Squared time along a way.
double squareAlong(const CellTimes& cell, const CornerWeights& way);

} // namespace isochrone::mesh
