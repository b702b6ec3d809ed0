// PathTurning.h - bends a path until it turns no more tightly than its model allows.
//
// The relaxed scheme moves sideways, so the path that it leads to turns too tightly in places. That path is
// the guide: it decides which way round obstacles the path goes. Its vertices are moved along their normals,
// as little as possible, until every turning rate lies between phi - 1 / xi and phi + 1 / xi.
#pragma once

#include "CurvaturePaths/Paths/PathTrace.h"

#include <vector>

namespace isochrone::curvature {

/// Which ends of a path have a heading of their own, that of the guide there; the other headings are free.
struct FixedHeadings {
  bool first = false, last = false;
};

/// Returns a path near `guide` with the same ends. It keeps the turning radius at every vertex, its headings
/// are the directions in which it moves, and it stays free of walls and inside the grid. Returns an empty
/// path if there is none near enough.
std::vector<Sample> keepTurningRadius(const Flow& flow, const std::vector<Sample>& guide,
                                      const FixedHeadings& fixed);

} // namespace isochrone::curvature
