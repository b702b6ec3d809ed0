// CurvatureReference.h - a second curvature solver, simple and slow, for tests of the first.
//
// Heap fast marching in double: states are accepted once each, in the order of their travel times. Shares the
// definition of the problem with the kernels, but no code: stencils, wall test and update are independent.
// Mirebeau, Fast-marching methods for curvature penalized shortest paths, 2018.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <array>
#include <map>
#include <span>
#include <vector>

namespace isochrone::reference {

/// One finite difference of scheme `scheme` at a state; equal offsets are not merged.
struct Difference {
  std::array<int, 3> offset{}; ///< x, y, heading in grid steps
  double weight = 0;           ///< 1 / world length squared
  bool symmetric = false;      ///< uses the smaller of both sides
  int scheme = 0;              ///< 0, or 1 for the second scheme of Dubins
};

/// Returns the differences of heading k for turning radius xi and curvature shift phi.
std::vector<Difference> differences(const curvature::Problem& problem, int k, double xi, double phi);

/// Returns the pixels other than (0, 0) that the segment from (0, 0) to (ex, ey) touches, by Liang-Barsky
/// clipping in integers.
std::vector<std::array<int, 2>> touchedPixels(int ex, int ey);

/// Finds, per planar step, the plane points from which no wall or border obstructs it.
class FreeSteps {
public:
  explicit FreeSteps(const curvature::Problem& problem) : problem(problem) {}

  /// Returns a flag per plane point; valid as long as this object.
  const std::vector<char>& of(int ex, int ey);

private:
  const curvature::Problem& problem;
  std::map<std::array<int, 2>, std::vector<char>> tables;
};

/// Returns the travel time per state, +infinity if unreached. Seeds outside or in walls are ignored.
std::vector<double> march(const curvature::Problem& problem);

/// Returns F u / cost per state: 1 where `travelTime` solves the scheme, at seeds, and at unreached states
/// without reached neighbours; +infinity at other unreached states.
std::vector<double> costRatio(const curvature::Problem& problem, std::span<const float> travelTime);

/// Returns the grid states of the seeds with their start values.
std::vector<std::pair<std::int64_t, double>> seedStates(const curvature::Problem& problem);

/// Returns the value of a field at a state.
double valueAt(const curvature::Problem& problem, const curvature::Field& field, std::int64_t state);

} // namespace isochrone::reference
