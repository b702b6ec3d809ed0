// MeshPlace.h - places on a mesh as weights of vertices, and straight moves within cells.
//
// A place lies on a vertex, on an edge, on a face or within a cell, and is given by the vertices of that
// carrier. Whether two cells meet at a place depends on vertices alone, not on coordinates: flat, inverted
// and overlapping cells need neither special cases nor tolerances.
#pragma once

#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/VertexCells.h"

#include <cstdint>
#include <span>

namespace isochrone::mesh {

struct Place {
  int count = 0; ///< vertices of the carrier
  std::array<std::int64_t, 4> vertex{};
  std::array<double, 4> weight{}; ///< positive, sum 1

  void add(std::int64_t v, double w) { vertex[std::size_t(count)] = v, weight[std::size_t(count++)] = w; }
};

inline Place placeAt(std::int64_t vertex) {
  Place place;
  place.add(vertex, 1);
  return place;
}

/// One number per corner of a cell: weights, or their change along a line.
using CornerWeights = std::array<double, 4>;

/// Returns the place of a position in or near a cell: clamped to the cell; the nearest corner if the cell has
/// no volume.
Place placeIn(const Problem& problem, std::int64_t cell, const Position& at);

/// Returns the position in world units.
Position positionOf(const Problem& problem, const Place& place);

/// Computes the weights of a place per corner of a cell. Returns false if the cell does not contain it.
bool weightsIn(const Problem& problem, std::int64_t cell, const Place& place, CornerWeights& weights);

/// Visits the cells that contain a place, until visit(cell, weights) returns false.
template <class Visit>
void visitCells(const Problem& problem, const VertexCells& cells, const Place& place, Visit visit) {
  std::int64_t vertex = place.vertex[0]; // the one with the fewest cells
  for (int i = 1; i < place.count; ++i)
    if (cells.around(place.vertex[std::size_t(i)]).size() < cells.around(vertex).size())
      vertex = place.vertex[std::size_t(i)];
  CornerWeights weights;
  for (const std::int64_t cell : cells.around(vertex))
    if (weightsIn(problem, cell, place, weights) && !visit(cell, weights)) return;
}

/// Returns the length along a line up to which the weights stay positive.
/// @param rates  change of the weights per length of the line
double lengthWithin(const CornerWeights& weights, const CornerWeights& rates);

constexpr double roundedWeight = 1e-12; ///< weights below it are rounding errors

/// Returns the place at a length along a line: on the side through which the line leaves the cell, if it
/// does.
/// @param minimum  smaller weights become zero: the place then moves to a nearby face, edge or vertex
Place moved(const Problem& problem, std::int64_t cell, const CornerWeights& weights,
            const CornerWeights& rates, double length, double minimum = roundedWeight);

/// Computes the change of the weights along a vector. Returns false if the vector does not lie in the cell's
/// space (the plane of a triangle), or the cell has no volume.
bool ratesAlong(const Problem& problem, std::int64_t cell, const Position& vector, CornerWeights& rates);

} // namespace isochrone::mesh
