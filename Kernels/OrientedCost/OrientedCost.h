// OrientedCost.h - public interface: from an image with tubes (vessels, roads) to a cost on position and
// heading that is small along them.
//
// How much a point looks like a tube along a heading: the second derivative across the heading of the image,
// smoothed by a Gaussian that is as narrow as the tube across the heading and longer along it. The cost falls
// from `ceiling`, where there is no tube, to `floor` along strong ones.
#pragma once

#include "Monitor.h"
#include "Values.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::oriented {

/// Are the tubes brighter or darker than what is around them?
enum class Polarity { Bright, Dark };

/// Point (i, j) lies at (i*hx, j*hy); values are stored x fastest. Heading k is the angle 2 pi k / headings,
/// radians, from the first axis towards the second.
struct Problem {
  std::int64_t nx = 0, ny = 0;
  double hx = 1, hy = 1; ///< world units
  int headings = 60;
  std::span<const float> intensity; ///< nx*ny; a point without a finite value lies outside
  /// nx*ny, nonzero: the point lies outside of what the image shows; empty: none does. It has no tube, and
  /// the step of intensity at its border makes none.
  std::span<const std::uint8_t> outside;
  Polarity polarity = Polarity::Bright;
  /// Standard deviations of the Gaussians across a tube, world units, at least half the spacing: the
  /// strongest response counts. A tube with the profile of a Gaussian answers most to sqrt(2) times its own.
  std::vector<double> widths;
  double length = 0;         ///< standard deviation by which they are longer along the tube, world units
  double halfStrength = 0.2; ///< of the typical strength: there the cost is halfway
  double exponent = 2;       ///< > 0, how steeply the cost falls there
  double floor = 0.02, ceiling = 1; ///< 1e-30 <= floor <= ceiling <= 1e30
  /// What errors call point (i, j); empty: "point (i, j)".
  std::function<std::string(std::int64_t i, std::int64_t j)> pointName;

  std::int64_t points() const { return nx * ny; }
};

struct Result {
  Values<float> cost;         ///< nx*ny*headings, x fastest, then y, then heading
  Values<float> leastCost;    ///< nx*ny, over the headings
  Values<float> heading;      ///< nx*ny, of the least cost, radians; of two opposite ones the lesser
  double typicalStrength = 0; ///< in the unit of intensity
  bool aborted = false;       ///< the monitor said stop; the arrays are then empty
};

/// floor + (ceiling - floor) / (1 + (strength / (halfStrength * typicalStrength))^exponent). The typical
/// strength is the mean, over the points, of the strongest response of each, weighted by itself; it counts as
/// a thousandth of the half range of the intensities at least, so that rounding is no tube.
/// @param threads  0: all cores; never changes the answer
/// @throws Error on bad input (what, value, where, remedy) and on too little memory
Result makeOrientedCost(const Problem& problem, int threads, const Monitor& monitor);

} // namespace isochrone::oriented
