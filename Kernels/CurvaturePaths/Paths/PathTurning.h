// PathTurning.h - bends a path until it turns no more tightly than its model allows.
//
// The relaxed scheme moves sideways, so the path that it leads to turns too tightly in places. That path is
// the guide: it decides on which side of each obstacle the path passes. Its vertices are moved along their
// normals, as little as possible, until every turning rate lies between phi - 1 / xi and phi + 1 / xi.
#pragma once

#include "CurvaturePaths/Paths/PathTrace.h"

#include <vector>

namespace isochrone::curvature {

/// Whether each end of a path has a fixed heading, which is the guide's heading there. The other headings are
/// free.
struct FixedHeadings {
  bool first = false, last = false;
};

/// Returns a path near `guide` with the same ends. It keeps the turning radius at every vertex, its headings
/// are the directions in which it moves, and it stays free of walls and inside the grid. Returns an empty
/// path if none is near enough.
std::vector<Sample> keepTurningRadius(const DescentFlow& flow, const std::vector<Sample>& guide,
                                      const FixedHeadings& fixed);

} // namespace isochrone::curvature
