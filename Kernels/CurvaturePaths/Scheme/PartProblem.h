// PartProblem.h - the fields and walls around a part of the plane, as a problem of its own.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/HeadingStencils.h"

#include <array>
#include <vector>

namespace isochrone::curvature {

/// Width of the band around its own points in which a process also knows the flow of the states, points. A
/// path that runs along a border stays with one process.
inline constexpr std::int64_t sharedPoints = 8;

/// Returns the points of the plane whose states this process computes.
grid::Box ownPointsOf(const Problem& problem);

/// Returns marginOf(problem) from its stencils.
/// @param problem  valid
std::int64_t marginOf(const Problem& problem, const HeadingStencils& stencils);

/// @throws Error if the margin of a divided problem is too narrow
void requireMargin(const Problem& problem, const HeadingStencils& stencils);

/// The problem in the window of a part (windowOf), with the arrays that it views. It has no seeds.
class PartProblem {
public:
  /// @param whole  a problem with a part of its plane
  explicit PartProblem(const Problem& whole);
  PartProblem(const PartProblem&) = delete;
  PartProblem& operator=(const PartProblem&) = delete;

  const Problem& problem() const { return part; }

  /// Returns the index in the window of a state of the plane, -1 outside the window.
  std::int64_t stateOf(std::int64_t state) const;
  /// Returns the placement in the window of a place that is Inside the plane. It is Inside only where this
  /// process computes the states.
  Placement placementOf(Placement place) const;

private:
  const StateGrid& plane;
  grid::Box window;
  Problem part;
  std::array<std::vector<float>, 3> fields; ///< cost, turning radius and shift; empty where constant
  std::vector<std::uint8_t> walls;
};

} // namespace isochrone::curvature
