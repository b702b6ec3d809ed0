#include "Grid/Heading.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace isochrone::grid {

Direction headingDirection(int k, int headings) {
  // Reduce 8k/headings to the first octant so that mirror images get the same bits.
  const int eighth = 8 * k % (8 * headings), octant = eighth / headings, rest = eighth % headings;
  const int within = octant % 2 ? headings - rest : rest;
  const double angle = std::numbers::pi / 4 * within / headings;
  double c = std::cos(angle), s = std::sin(angle);
  if (within == headings) c = s = std::numbers::sqrt2 / 2;
  if (octant % 4 == 1 || octant % 4 == 2) std::swap(c, s); // nearer to the y axis
  return {octant >= 2 && octant < 6 ? -c : c, octant >= 4 ? -s : s};
}

} // namespace isochrone::grid
