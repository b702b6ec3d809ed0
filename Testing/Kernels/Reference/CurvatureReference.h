// CurvatureReference.h - the curvature solver again, simple and slow, to test the real one against.
//
// Heap fast marching in double: states are accepted in the order of their travel times, each one once. It
// shares the problem's description with the kernels and no code: own stencils, own wall test, own update.
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
  bool symmetric = false;      ///< takes the lesser of both sides
  int scheme = 0;              ///< 0, or 1 for the second scheme of Dubins
};

/// The differences of heading k where the turning radius is xi and the curvature shift phi.
std::vector<Difference> differences(const curvature::Problem& problem, int k, double xi, double phi);

/// Pixels other than (0, 0) that the segment from (0, 0) to (ex, ey) touches: Liang-Barsky clipping in
/// integers.
std::vector<std::array<int, 2>> touchedPixels(int ex, int ey);

/// For one planar step after the other, the plane points from which no wall and no border is in its way.
class FreeSteps {
public:
  explicit FreeSteps(const curvature::Problem& problem) : problem(problem) {}

  /// One flag per plane point; stays valid as long as this object.
  const std::vector<char>& of(int ex, int ey);

private:
  const curvature::Problem& problem;
  std::map<std::array<int, 2>, std::vector<char>> tables;
};

/// Travel time per state, +infinity where no path leads. Seeds outside or in walls are left out.
std::vector<double> march(const curvature::Problem& problem);

/// F u / cost per state: 1 where `travelTime` solves the scheme. Seeds get 1, states that cannot be reached
/// from any neighbour and are not reached get 1, others that are not reached +infinity.
std::vector<double> costRatio(const curvature::Problem& problem, std::span<const float> travelTime);

/// Grid states of the seeds with their start values.
std::vector<std::pair<std::int64_t, double>> seedStates(const curvature::Problem& problem);

/// Value of a field at a state.
double valueAt(const curvature::Problem& problem, const curvature::Field& field, std::int64_t state);

} // namespace isochrone::reference
