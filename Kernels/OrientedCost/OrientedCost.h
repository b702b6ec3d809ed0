// OrientedCost.h - public interface: computes a cost per position and heading from an image with tubes
// (vessels, roads). The cost is small along the tubes.
//
// The strength of a tube at a point is the second derivative of the smoothed image across the heading. The
// smoothing Gaussian is as narrow as the tube across the heading and longer along it. The cost falls from
// `ceiling`, where the image has no tube, to `floor` along strong tubes.
#pragma once

#include "Monitor.h"
#include "Values.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::oriented {

/// Whether the tubes are brighter or darker than their surroundings.
enum class Polarity { Bright, Dark };

/// Point (i, j) lies at (i*hx, j*hy); values are stored x fastest. Heading k is the angle 2 pi k / headings,
/// radians, from the first axis towards the second.
struct Problem {
  std::int64_t nx = 0, ny = 0;
  double hx = 1, hy = 1; ///< world units
  int headings = 60;
  std::span<const float> intensity; ///< nx*ny; a point without a finite value lies outside
  /// nx*ny; nonzero marks a point outside the imaged region, empty marks none. Such a point has no tube, and
  /// the step of intensity at the region's border does not produce one.
  std::span<const std::uint8_t> outside;
  Polarity polarity = Polarity::Bright;
  /// Standard deviations of the Gaussians across a tube, world units, at least half the spacing. The
  /// strongest response over the widths is used. A tube with a Gaussian profile responds most strongly at
  /// sqrt(2) times its own standard deviation.
  std::vector<double> widths;
  double length = 0;         ///< standard deviation of the mean along the tube, world units
  double halfStrength = 0.2; ///< strength at which the cost is halfway, as a share of the typical strength
  double exponent = 2;       ///< > 0, steepness of the cost at that strength
  double floor = 0.02, ceiling = 1; ///< 1e-30 <= floor <= ceiling <= 1e30

  std::int64_t points() const { return nx * ny; }
};

struct Result {
  Values<float> cost;    ///< nx*ny*headings, x fastest, then y, then heading
  Values<float> minCost; ///< nx*ny, minimum over the headings
  Values<float> heading; ///< nx*ny, heading of the minimum cost, radians; the smaller of two opposite ones
  double typicalStrength = 0; ///< in the unit of intensity
  bool aborted = false;       ///< the monitor requested a stop; the arrays are then empty
};

/// Computes the cost floor + (ceiling - floor) / (1 + (strength / (halfStrength *
/// typicalStrength))^exponent). The typical strength is the mean of the strongest response per point,
/// weighted by the response itself. It is at least a thousandth of the half range of the intensities, so that
/// rounding noise is not detected as a tube.
/// @param threads  0: all cores; does not affect the result
/// @throws Error on invalid input, with value, place and remedy, and on insufficient memory
Result makeOrientedCost(const Problem& problem, int threads, const Monitor& monitor);

} // namespace isochrone::oriented
