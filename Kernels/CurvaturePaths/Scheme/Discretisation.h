// Discretisation.h - the parts of a problem that the solve and all post-processing read, made once per
// problem.
#pragma once

#include "CurvaturePaths/Scheme/HeadingStencils.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <memory>
#include <mutex>
#include <vector>

namespace isochrone::curvature {

/// The units of the solvers: powers of two near the grid step and the geometric mean of the minimum and
/// maximum cost. In these units float neither overflows nor underflows, whatever the user's units. Scaling by
/// a power of two loses no digit.
struct SolverUnits {
  double length = 1, cost = 1;
  double time() const { return length * cost; }
};

/// Holds 4 bytes per plane point where there are walls, and stencils (DESIGN.md). Reads the problem's arrays
/// in the constructor only, so it may outlive them.
class Discretisation {
public:
  /// @param problem  valid (Validation.h)
  explicit Discretisation(const Problem& problem);
  /// Makes the discretisation of a part of the plane, or of copies of all of it, with the units and stencils
  /// of the whole.
  /// @param part  the problem in the window of a part (PartProblem.h), or with copies (PeriodicProblem.h)
  Discretisation(const Problem& part, const Discretisation& whole);

  const Walls walls;
  const Range cost, turningRadius, curvatureShift;
  const SolverUnits units;
  const std::vector<Placement> seeds; ///< one per seed of the problem

  /// Returns whether turning radius or curvature shift vary.
  bool varies() const { return turningRadius.varies() || curvatureShift.varies(); }

  /// Returns the stencils of all headings. The first call makes them, on any thread: where fields vary they
  /// take longer than a descent flow, which does not read them.
  const HeadingStencils& stencils() const;

  /// Returns whether it was made from this problem. Compares arrays by address and size, everything else by
  /// value.
  bool describes(const Problem& problem) const;

private:
  Problem source; ///< its arrays are never read
  mutable std::once_flag made;
  mutable HeadingStencils headingStencils;
};

/// Returns the discretisation that the solution was made with, or a new one if the solution has none or was
/// made for another problem.
std::shared_ptr<const Discretisation> discretisationOf(const Problem& problem, const Solution& solution);

} // namespace isochrone::curvature
