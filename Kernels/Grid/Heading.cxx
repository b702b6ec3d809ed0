#include "Grid/Heading.h"

#include <cmath>
#include <numbers>

namespace isochrone::grid {

Direction headingDirection(int k, int headings) {
  // Reduce 8k/headings to the first octant so that mirror images get the same bits.
  const int eighth = 8 * k % (8 * headings), octant = eighth / headings, rest = eighth % headings;
  const int within = octant % 2 ? headings - rest : rest;
  const double angle = std::numbers::pi / 4 * within / headings;
  double c = std::cos(angle), s = std::sin(angle);
  if (within == headings) c = s = std::numbers::sqrt2 / 2;
  switch (octant) {
  case 0:
    return {c, s};
  case 1:
    return {s, c};
  case 2:
    return {-s, c};
  case 3:
    return {-c, s};
  case 4:
    return {-c, -s};
  case 5:
    return {-s, -c};
  case 6:
    return {s, -c};
  default:
    return {c, -s};
  }
}

} // namespace isochrone::grid
