// PathTrace.h - the path of steepest descent from a place.
//
// From every place the path takes the direction in which the interpolated time falls fastest per time spent,
// among the directions into all cells that contain the place, along their faces and along their edges, up to
// the point where it leaves that cell, face or edge. Such a direction always exists on an edge or a face
// where the time is not constant, and at a vertex, since the point that gave the vertex its time is earlier.
// The path always ends:
// * A step leads to an earlier place, and at most `maxVisits` steps use a cell. Tensors that differ from
//   cell to cell can make a path circle an edge in ever shorter steps; a place very near to a face is
//   therefore moved onto it, if that is earlier as well, and the path continues along the edge.
// * Where the visits are used up, or rounding leaves nothing of a step, the path goes to the earliest
//   corner of the cell. Where times are constant all around, it goes from vertex to vertex at the same time
//   until one is earlier. Times never rise, so each of these two rules visits a vertex at most once.
#pragma once

#include "MeshTravelTime/Paths/CellDescent.h"
#include "MeshTravelTime/Seeds/LineOfSight.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <unordered_map>
#include <vector>

namespace isochrone::mesh {

/// Data shared by all paths of a mesh.
struct PathField {
  /// @param known  the cells of the mesh; null: they are found
  PathField(const Problem& problem, std::span<const float> travelTime, const VertexCells* known = nullptr);

  const Problem& problem;
  std::span<const float> travelTime;
  const VertexCells own; ///< empty if they are known
  const VertexCells& cells;
  std::vector<bool> shared; ///< per vertex; empty: none
  /// Seeds that may be in sight of a place with such a vertex.
  std::unordered_map<std::int64_t, std::vector<std::int32_t>> seedsNear;

  double timeOf(const Place& place) const;
  bool isShared(const Place& place) const; ///< may lie in cells of another process as well
};

/// A point of a path, traced back from the tip.
struct Sample {
  Position at;
  double time;  ///< travel time
  double spent; ///< time along the path from the previous sample
};

struct Trace {
  std::vector<Sample> samples; ///< from the tip; the last one at the seed, if one was reached
  std::int32_t seed = -1;
  Place end; ///< else, where the trace ended
};

/// Returns the seed that is in sight of a place and gave it its time; -1: none.
/// @param spent  time along the straight line to the seed
std::int32_t seedInSight(const PathField& field, const Place& place, double& spent);

/// Returns the slope of the steepest descent from a place; 0: continues at equal times; -1: no continuation.
double steepnessAt(const PathField& field, const Place& place);

/// Follows the steepest descent, for at least one step, to a seed or to a place that other processes share.
/// @param toVertex  makes the first step lead to a vertex
Trace traceDown(const PathField& field, const Place& from, bool toVertex);

/// Returns the paths of extractPaths for Accuracy::FirstOrder.
std::vector<Path> steepestPaths(const Problem& problem, std::span<const float> travelTime,
                                std::span<const Tip> tips, int threads, const Monitor& monitor,
                                const VertexCells* cells);

} // namespace isochrone::mesh
