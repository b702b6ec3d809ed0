// MeshPlace.h - places on a mesh by weights of vertices, and straight moves within cells.
//
// A place is what topology says: on a vertex, an edge, a face or within a cell, by the vertices of that
// carrier. Whether two cells meet there is a question of vertices, never of coordinates: flat, inverted and
// overlapping cells need no care, and no tolerance.
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

/// Numbers by corner of a cell: weights, or how they change along a way.
using CornerWeights = std::array<double, 4>;

/// The place of a position in a cell, or near it: clamped to the cell; a corner if the cell has no volume.
Place placeIn(const Problem& problem, std::int64_t cell, const Position& at);

/// @return in world units
Position positionOf(const Problem& problem, const Place& place);

/// Weights of a place by corner of a cell; false if the cell does not hold it.
bool weightsIn(const Problem& problem, std::int64_t cell, const Place& place, CornerWeights& weights);

/// Visits the cells that hold a place, while visit(cell, weights) says true.
template <class Visit>
void visitCells(const Problem& problem, const VertexCells& cells, const Place& place, Visit visit) {
  std::int64_t least = place.vertex[0]; // the vertex with the fewest cells
  for (int i = 1; i < place.count; ++i)
    if (cells.around(place.vertex[std::size_t(i)]).size() < cells.around(least).size())
      least = place.vertex[std::size_t(i)];
  CornerWeights weights;
  for (const std::int32_t cell : cells.around(least))
    if (weightsIn(problem, cell, place, weights) && !visit(std::int64_t(cell), weights)) return;
}

/// Up to where the weights stay positive along a way.
/// @param rates  change of the weights per length of the way
double lengthWithin(const CornerWeights& weights, const CornerWeights& rates);

constexpr double roundedWeight = 1e-12; ///< weights below it are roundings

/// The place at that length of a way: on the side of the cell that it leaves through.
/// @param least  lesser weights become zero: the place comes to lie on a face, an edge or a vertex nearby
Place moved(const Problem& problem, std::int64_t cell, const CornerWeights& weights,
            const CornerWeights& rates, double length, double least = roundedWeight);

/// How weights change along a vector, per vector; false if it does not lie in the cell's space (the plane
/// of a triangle), or the cell has no volume.
bool ratesAlong(const Problem& problem, std::int64_t cell, const Position& vector, CornerWeights& rates);

} // namespace isochrone::mesh
