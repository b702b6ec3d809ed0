// StateWindow.h - the states of a plane that a solution has: all, or those of a part with its margin.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

namespace isochrone::curvature {

class StateWindow {
public:
  explicit StateWindow(const Problem& problem) : box(windowOf(problem)), headings(problem.grid.headings) {}

  const grid::Box& points() const { return box; }
  std::int64_t states() const { return box.points() * headings; }

  bool has(std::int64_t i, std::int64_t j) const { return box.contains({i, j, 0}); }
  /// Returns the index in the arrays of the solution.
  std::int64_t point(std::int64_t i, std::int64_t j) const {
    return i - box.low[0] + box.size(0) * (j - box.low[1]);
  }
  std::int64_t state(std::int64_t i, std::int64_t j, int k) const { return point(i, j) + box.points() * k; }

private:
  grid::Box box;
  int headings;
};

} // namespace isochrone::curvature
