// LineOfSight.h - straight lines to a seed through cells of one tensor, on which the time is known exactly.
#pragma once

#include "MeshTravelTime/Seeds/MeshPlace.h"

#include <vector>

namespace isochrone::mesh {

/// A piece of a straight line within a cell.
struct LinePiece {
  std::int64_t cell;
  grid::Vector3 along;
  double factor = 1; ///< of the derivatives of its time
};

class SeedSight {
public:
  SeedSight(const Problem& problem, const VertexCells& cells, const Seed& seed);

  /// Returns the travel time along the straight line from a place to the seed, without the start time;
  /// infinity unless the line lies in cells that all have the tensor of the cell at its end.
  /// @param maxCells  maximum number of cells that it may pass
  /// @param pieces    filled with the pieces of the line unless null; empty without one
  double timeFrom(const Place& place, int maxCells = 1 << 16, std::vector<LinePiece>* pieces = nullptr) const;

  Position position() const { return target; }

private:
  const Problem& p;
  const VertexCells& cells;
  const Seed& seed;
  Position target;
  std::vector<grid::Symmetric3> metrics; ///< the distinct metrics of the cells at the seed

  /// Returns whether the seed lies on or in a cell.
  bool isAt(std::int64_t cell) const;
  bool sees(const Place& place, const grid::Symmetric3& metric, int maxCells,
            std::vector<LinePiece>& pieces) const;
};

} // namespace isochrone::mesh
