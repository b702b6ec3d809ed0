#include "CurvatureTurning.h"

#include "CurvatureProblem.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace isochrone::filters {

namespace {

double at(const curvature::Field& field, std::size_t n) {
  return field.values.empty() ? field.constant : field.values[n % field.values.size()];
}

/// The radius of a turn that is as far from going straight as the mean of both. A radius that is not positive
/// stays, for the solver to name its place.
double meanRadius(double left, double right) { return left > 0 ? 2 / (1 / left + 1 / right) : left; }

double shiftBetween(double left, double right) { return (1 / left - 1 / right) / 2; }

} // namespace

void steer(CurvatureProblem& problem, double right) {
  if (right == 0) return;
  if (!(right > 0) || !std::isfinite(right)) {
    std::ostringstream message;
    message << "the right turning radius must be positive and finite, got " << right
            << ": set it to 0 for a vehicle that turns alike to both sides";
    throw Error(message.str());
  }
  problem.rightRadius = right;
  const curvature::Field left = problem.problem.turningRadius, shift = problem.problem.curvatureShift;
  const std::size_t n = std::max(left.values.size(), shift.values.size());
  std::vector<float> radii(n), shifts(n);
  for (std::size_t p = 0; p < n; ++p) {
    radii[p] = float(meanRadius(at(left, p), right));
    shifts[p] = float(at(shift, p) + shiftBetween(at(left, p), right));
  }
  problem.turningRadius = std::move(radii);
  problem.curvatureShift = std::move(shifts);
  problem.problem.turningRadius = {meanRadius(left.constant, right), problem.turningRadius};
  problem.problem.curvatureShift = {shift.constant + shiftBetween(left.constant, right),
                                    problem.curvatureShift};
}

} // namespace isochrone::filters
