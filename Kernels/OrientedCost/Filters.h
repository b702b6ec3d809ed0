// Filters.h - the weights of the Gaussians across and along a tube.
#pragma once

#include "Grid/Heading.h"
#include "OrientedCost/Rows.h"

#include <cstdint>
#include <vector>

namespace isochrone::oriented {

/// Derivatives of a Gaussian as weights of the neighbours -reach, ..., reach on a line. They are right for
/// every quadratic function, however coarse the grid.
struct Gaussian {
  int reach = 0;
  std::vector<float> derivative[3]; ///< of orders 0, 1, 2, in 1 / world unit^order
};
/// @param deviation  standard deviation, world units
/// @param h          spacing
/// @param n          points along the axis. Mirrors at both ends repeat them every 2 n points, so weights
///                   farther than n count at the points that they show: the image bounds the work.
Gaussian gaussian(double deviation, double h, std::int64_t n);
/// How far a Gaussian reaches.
inline constexpr double gaussianDeviations = 4;
/// The same in grid steps, n at most.
int gaussianReach(double deviation, double h, std::int64_t n);

/// A tap at (i, j) grid steps.
struct LineTap {
  int i, j;
  float weight;
};

/// A mean along a heading, weighted by a Gaussian of standard deviation `length`, of an image that is smooth
/// on the scale `width`. World units.
std::vector<LineTap> lineTaps(const grid::Direction& heading, double hx, double hy, double width,
                              double length);

/// The same sum over an image of nx * ny points that mirrors repeat, by taps that lie no farther than nx and
/// ny from the middle, each once.
std::vector<LineTap> folded(std::vector<LineTap> taps, std::int64_t nx, std::int64_t ny);

} // namespace isochrone::oriented
