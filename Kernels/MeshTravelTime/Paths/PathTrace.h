// PathTrace.h - the way of steepest descent from a place.
//
// From every place the path takes the way along which the interpolated time falls fastest per time spent,
// among the ways into all cells that hold the place, along their faces and along their edges, up to where
// it leaves that cell, face or edge. On an edge or a face on which the time is not constant there always is
// one, and at a vertex too: the point that gave it its time is earlier. The path ends:
//  * a step takes the path to an earlier place, and a cell is used for at most `mostVisits` steps.
//    Tensors that differ from cell to cell can make a path circle an edge in ever shorter steps;
//    what comes very near to a face therefore comes to lie on it, if that is earlier, too, and goes
//    on along the edge;
//  * where that is used up, or rounding leaves nothing of a step, the path goes to the earliest corner of the
//    cell; and where times are constant all around, on from vertex to vertex at the same time until one is
//    earlier. Times never rise, so a vertex is gone to once at most in either way.
#pragma once

#include "MeshTravelTime/Paths/CellDescent.h"
#include "MeshTravelTime/Seeds/LineOfSight.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <unordered_map>
#include <vector>

namespace isochrone::mesh {

/// What all paths of a mesh need.
struct PathField {
  PathField(const Problem& problem, std::span<const float> travelTime);

  const Problem& problem;
  std::span<const float> travelTime;
  VertexCells cells;
  std::vector<bool> shared; ///< per vertex; empty: none
  /// Seeds that may be seen from a place with such a vertex.
  std::unordered_map<std::int64_t, std::vector<std::int32_t>> seedsNear;

  double timeOf(const Place& place) const;
  bool isShared(const Place& place) const; ///< it may lie in cells of another process, too
};

/// A place on the way back from the tip.
struct Sample {
  Position at;
  double time;  ///< travel time
  double spent; ///< time along the way from the sample before
};

struct Trace {
  std::vector<Sample> samples; ///< from the tip; the last one at the seed if there is one
  std::int32_t seed = -1;
  Place end; ///< else, where it stays
};

/// The seed that lies in sight of a place, and gave it its time; -1: none.
/// @param spent  time along the straight line to it
std::int32_t seedInSight(const PathField& field, const Place& place, double& spent);

/// The slope of the best way from a place; 0: on at equal times; -1: none.
double steepnessAt(const PathField& field, const Place& place);

/// Follows the steepest descent, at least one step, to a seed or to a place that other processes share.
/// @param toVertex  with the first step to a vertex
Trace traceDown(const PathField& field, const Place& from, bool toVertex);

} // namespace isochrone::mesh
