// SurfaceStarts.h - the points where a front from a surface between the points starts.
#pragma once

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/Seeding.h"

#include <limits>
#include <vector>

namespace isochrone::image {

/// The starts of `Problem::seedSurface`: the corners of its cells, with the minimum time along a straight
/// line from the surface, by the speed or tensor of the corner.
class SurfaceStarts {
public:
  /// Refers to the problem.
  explicit SurfaceStarts(const Problem& p);

  /// Returns the starts, by point; none without a surface.
  std::vector<SeedPoint> starts(int threads) const;
  /// Returns the point of the surface from which the front arrives first at a corner of its cells.
  Position footOf(std::int64_t corner) const;

private:
  /// A foot in the coordinates of the surface.
  struct Nearest {
    Position at{};
    double length = std::numeric_limits<double>::infinity(); ///< in the metric of the corner
    double time = length;                                    ///< from the foot to the corner
  };

  const Problem& problem;

  Position positionOf(std::int64_t point) const;
  Nearest nearestTo(std::int64_t corner) const;
  void search(std::int64_t corner, const grid::Symmetric3& metric, const GridIndex& low,
              const GridIndex& high, Nearest& nearest) const;
};

} // namespace isochrone::image
