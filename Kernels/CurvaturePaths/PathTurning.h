// PathTurning.h - paths that turn no tighter than their model allows.
//
// The path that the relaxed scheme leads to turns too tightly in places. It is bent, as little as need be,
// until the circles through its vertices are as wide as the turning radius asks.
#pragma once

#include "CurvaturePaths/PathTrace.h"

#include <optional>
#include <vector>

namespace isochrone::curvature {

/// The ends of a path; a heading that is not given is free.
struct PathEnds {
  Sample first, last; ///< k counts only where the heading is given
  bool firstHeading = false, lastHeading = false;
};

/// Largest turning rate of a polyline, by the circles through three neighbouring vertices and by the turns
/// from the headings at its ends, over the bound of the model there: 1 is as tight as allowed.
struct Tightness {
  double share = 0;
  double curvature = 0; ///< signed, 1 / world length, where the share is largest
};
Tightness tightnessOf(const Flow& flow, const std::vector<Sample>& path, const PathEnds& ends);

/// A path near `guide` that has its ends, keeps the turning radius, touches no wall and stays inside the
/// grid. Its headings are the directions in which it goes. Nothing where there is none near enough.
std::optional<std::vector<Sample>> keepTurningRadius(const Flow& flow, const std::vector<Sample>& guide,
                                                     const PathEnds& ends);

} // namespace isochrone::curvature
