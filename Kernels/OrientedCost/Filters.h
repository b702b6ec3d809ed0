// Filters.h - the weights of the Gaussians across and along a tube.
#pragma once

#include "Grid/Heading.h"
#include "OrientedCost/Rows.h"

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
Gaussian gaussian(double deviation, double h);
/// How far a Gaussian reaches.
inline constexpr double gaussianDeviations = 4;
/// The same in grid steps.
int gaussianReach(double deviation, double h);

/// A tap at (i, j) grid steps.
struct LineTap {
  int i, j;
  float weight;
};

/// A mean along a heading, weighted by a Gaussian of standard deviation `length`, of an image that is smooth
/// on the scale `width`. World units.
std::vector<LineTap> lineTaps(const grid::Direction& heading, double hx, double hy, double width,
                              double length);

} // namespace isochrone::oriented
