// Heading.h - the headings of a state space.
#pragma once

namespace isochrone::grid {

/// The cosine and sine of heading k of n, exactly symmetric under mirrors and quarter turns.
struct Direction {
  double x, y;
};
Direction headingDirection(int k, int headings);

} // namespace isochrone::grid
