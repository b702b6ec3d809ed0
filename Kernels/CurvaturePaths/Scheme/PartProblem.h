// PartProblem.h - the fields and walls around a part of the plane, as a problem of its own.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/HeadingStencils.h"
#include "CurvaturePaths/Scheme/Starts.h"

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

  /// Returns the start states in the window, by their indices there.
  std::vector<StartState> inWindow(const std::vector<StartState>& starts) const;
  /// Returns the placements in the window. They are Inside only where this process computes the states.
  std::vector<Placement> inWindow(std::vector<Placement> places) const;

private:
  const StateGrid& plane;
  grid::Box window;
  Problem part;
  std::array<std::vector<float>, 3> fields; ///< cost, turning radius and shift; empty where constant
  std::vector<std::uint8_t> walls;
};

} // namespace isochrone::curvature
