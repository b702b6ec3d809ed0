// Path.h - a polyline from a seed to a tip, the result of every path extraction.
#pragma once

#include <cstdint>
#include <vector>

namespace isochrone {

/// Outcome of a path extraction.
enum class PathStatus {
  Complete,    ///< runs from a seed to the tip
  TipOutside,  ///< the tip lies outside the grid or is not finite
  TipInWall,   ///< the tip lies in a wall
  Unreachable, ///< no path leads to the tip
  /// Runs from a seed to the tip, but turns more tightly than its model allows.
  TurnsTooTightly,
  /// Runs from a seed to the tip as its model allows, but costs much more than the travel time.
  ExceedsTravelTime,
};

/// One polyline, ordered from the seed to the tip. Every vector has one entry per point, or is empty where
/// the model lacks the quantity.
struct Path {
  PathStatus status = PathStatus::Unreachable;
  std::int32_t seed = -1;         ///< index of the seed it starts from
  std::vector<double> x, y, z;    ///< world units, relative to point 0 on a grid; z empty in the plane
  std::vector<double> travelTime; ///< non-decreasing from seed to tip
  std::vector<double> heading;    ///< radians, unwrapped (continuous along the path)
  /// dheading/dlength, 1 / world length, positive to the left; 0 where it turns on the spot
  std::vector<double> curvature;
  std::vector<std::int8_t> gear; ///< +1 forward, -1 backward, 0 turning on the spot
  double energy = 0;             ///< integral of the cost along this polyline, by the model's own formula
  double length = 0;             ///< world units

  std::size_t size() const { return x.size(); }
};

} // namespace isochrone
