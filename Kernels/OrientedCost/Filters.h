// Filters.h - weights of the Gaussians across and along a tube.
#pragma once

#include "Grid/Heading.h"
#include "OrientedCost/Rows.h"

#include <cstdint>
#include <vector>

namespace isochrone::oriented {

/// A Gaussian and its derivatives as weights of the neighbours -reach, ..., reach on a line. The weights are
/// exact for every quadratic function, at any spacing.
struct Gaussian {
  int reach = 0;
  std::vector<float> derivative[3]; ///< orders 0, 1, 2, in 1 / world unit^order
};
/// Returns the weights of a Gaussian.
/// @param deviation  standard deviation, world units
/// @param h          spacing
/// @param n          number of points along the axis. Mirrors at both ends repeat the image every 2 n points,
///                   so weights farther out than n are added at the points that they repeat: the image size
///                   bounds the work.
Gaussian gaussian(double deviation, double h, std::int64_t n);
/// Reach of a Gaussian, in standard deviations.
inline constexpr double gaussianDeviations = 4;
/// Returns the reach of a Gaussian in grid steps, at most n.
int gaussianReach(double deviation, double h, std::int64_t n);

/// A weight at an offset of (i, j) grid steps.
struct LineTap {
  int i, j;
  float weight;
};

/// Returns the maximum offset of the taps of any heading along an axis with spacing h and n points, at most
/// n.
int lineReach(double length, double h, std::int64_t n);

/// Returns the taps of a mean along a heading, weighted by a Gaussian of standard deviation `length`. The
/// image must be smooth on the scale `width`. World units.
std::vector<LineTap> lineTaps(const grid::Direction& heading, double hx, double hy, double width,
                              double length);

/// Returns taps with the same sum over an image of nx * ny points that mirrors repeat. Their offsets are at
/// most nx and ny, and each offset occurs once.
std::vector<LineTap> folded(std::vector<LineTap> taps, std::int64_t nx, std::int64_t ny);

} // namespace isochrone::oriented
