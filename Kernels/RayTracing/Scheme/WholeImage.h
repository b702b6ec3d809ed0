// WholeImage.h - numbers of points and elements in the whole image, where a problem is a part of it.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"

#include <cstdint>

namespace isochrone::rays {

/// Returns whether any axis is periodic. Axes of one point are not, since nothing moves along them.
inline bool isPeriodic(const Problem& p) {
  for (int a = 0; a < 3; ++a)
    if (p.periodic[a] && p.grid.sizes()[a] > 1) return true;
  return false;
}

/// The numbers of the points of a problem, or of its elements of slowness.
class ImageNumbers {
public:
  static ImageNumbers ofPoints(const Problem& problem) { return {problem, problem.grid, wholeGrid(problem)}; }
  static ImageNumbers ofElements(const Problem& problem, WeightRule rule) {
    return {problem, elementsOf(problem.grid, rule), elementsOf(wholeGrid(problem), rule)};
  }

  /// Returns the number in the whole image.
  std::int64_t inWhole(std::int64_t here) const {
    if (!divided) return here;
    GridIndex at = part.indices(here);
    for (int a = 0; a < 3; ++a) at[a] += first[a];
    return whole.index(at);
  }
  /// Returns the number in this part, -1 if the part does not contain it.
  std::int64_t inPart(std::int64_t number) const {
    if (!divided) return number;
    return inPart(whole.indices(number));
  }
  std::int64_t inPart(GridIndex at) const {
    for (int a = 0; a < 3; ++a) {
      at[a] -= first[a];
      if (at[a] < 0 || at[a] >= part.sizes()[a]) return -1;
    }
    return part.index(at);
  }

private:
  ImageNumbers(const Problem& problem, const Grid& partGrid, const Grid& wholeImage)
      : divided(problem.part.isDivided()), first(problem.part.first), part(partGrid), whole(wholeImage) {}

  bool divided;
  GridIndex first; ///< of the part; 0 without one
  Grid part, whole;
};

} // namespace isochrone::rays
