// SolvedMesh.h - a solved problem: the updates that gave its vertices their times.
#pragma once

#include "Execution/RoundPool.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/LineOfSight.h"
#include "MeshTravelTime/Seeds/Starts.h"
#include "MeshTravelTime/Sensitivity/VertexDependence.h"
#include "Monitor.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::mesh {

/// Vertices have their index in the stars.
class SolvedMesh {
public:
  /// All must outlive this.
  SolvedMesh(const Problem& problem, std::span<const float> u, execution::RoundPool& workers)
      : p(problem), travelTime(u), pool(workers) {}

  /// Builds the stars and finds the starts. Returns false if the monitor requested a stop.
  bool prepare(const Monitor& monitor);
  /// Finds the updates, after `prepare`. Returns false if the monitor requested a stop.
  bool evaluate(const Monitor& monitor);
  /// Takes updates that were found elsewhere instead.
  void take(Values<VertexDependence> found) { dependence = std::move(found); }

  const VertexStars& vertexStars() const { return stars; }
  /// Per vertex, in solver units: the time, and that of the earliest start; `unreached`: none. There is one
  /// more time, also unreached.
  std::span<const double> timesInUnits() const { return times; }
  std::span<const double> startTimes() const { return startTime; }
  /// Returns the magnitude of the times that the solver subtracted, in solver units.
  double origin() const { return std::abs(p.timeOrigin) / stars.unit; }

  /// Per vertex; count 0: the time is that of a start, or there is none.
  std::span<const VertexDependence> dependences() const { return dependence; }
  /// Returns the update minus the rounded time, world units.
  double roundingOf(std::int32_t v) const {
    return (dependence[std::size_t(v)].value - times[std::size_t(v)]) * stars.unit;
  }
  /// Returns the seed from which a vertex starts; -1: it does not start.
  std::int32_t seedOf(std::int32_t v) const;

  /// The vertices of a tip and their weights; none if it lies outside, in a barrier or where no wave arrives.
  struct TipPlace {
    std::array<std::int32_t, 4> vertex;
    std::array<double, 4> weight;
    std::size_t count = 0;
    double time = 0; ///< interpolated, world units
  };
  TipPlace placeOf(const Tip& tip) const;

  /// Computes the straight pieces through cells along which the wave arrived at a vertex, from the minimum
  /// point of its update or from the seed. Where that point moves if a metric changes, they are those of
  /// which its distance is made, with factors.
  void piecesTo(std::int32_t v, std::vector<LinePiece>& pieces) const;

  /// The tetrahedra, of which the first have one cell each.
  std::int64_t cellTetrahedra() const { return std::int64_t(cellsOf.cell.size()); }
  const Tetrahedron& tetrahedron(std::int64_t t) const { return stars.tetrahedra[std::size_t(t)]; }

private:
  const Problem& p;
  std::span<const float> travelTime;
  execution::RoundPool& pool;
  VertexStars stars;
  TetrahedronCells cellsOf;
  VertexCells vertexCells; ///< with a ball only
  std::vector<SeedStart> starts;
  // Per vertex, and times in solver units.
  Values<double> times; ///< and an additional one
  Values<std::int64_t> vertexOf;
  std::vector<std::int64_t> startAt; ///< index of the earliest start; -1: none
  Values<double> startTime;
  Values<VertexDependence> dependence;

  double inUnits(double time) const { return (time - p.timeOrigin) / stars.unit; }
  void listTimes();
  void listStarts();
  Position positionOf(std::int32_t v) const { return pointAt(p, vertexOf[std::size_t(v)]); }
  void piecesFromWeights(const std::array<Position, 3>& corner, const std::array<double, 2>& weight,
                         const Position& z, const CellsOfUnfolded& cells,
                         std::vector<LinePiece>& pieces) const;
  void piecesAcross(std::int32_t v, const CellsOfUnfolded& cells, std::vector<LinePiece>& pieces) const;
};

} // namespace isochrone::mesh
