#include "CurvaturePaths/Turning.h"

#include "CurvaturePaths/Problem.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace isochrone::filters {

namespace {

void validate(double right) {
  if (right > 0 && std::isfinite(right)) return;
  std::ostringstream message;
  message << "the right turning radius must be positive and finite, got " << right
          << ": set it to 0 for equal radii on both sides";
  throw Error(message.str());
}

double at(const curvature::Field& field, std::size_t n) {
  return field.values.empty() ? field.constant : field.values[n % field.values.size()];
}

/// Keeps an invalid left radius, so that the solver reports its place.
curvature::Turning between(double left, double right) {
  return left > 0 ? curvature::turningBetween(left, right) : curvature::Turning{left, 0};
}

} // namespace

void steer(CurvatureProblem& out, double right) {
  if (right != 0) validate(right);
  out.rightRadius = right;
  curvature::Problem& problem = out.problem;
  const curvature::Field left = problem.turningRadius, shift = problem.curvatureShift;
  if (out.vehicle) {
    out.vehicle->leftRadius = left.constant;
    out.vehicle->rightRadius = right != 0 ? right : left.constant;
    return;
  }
  if (right == 0) return;
  const std::size_t n = std::max(left.values.size(), shift.values.size());
  std::vector<float> radii(n), shifts(n);
  for (std::size_t p = 0; p < n; ++p) {
    const curvature::Turning turning = between(at(left, p), right);
    radii[p] = float(turning.radius);
    shifts[p] = float(at(shift, p) + turning.shift);
  }
  out.turningRadius = std::move(radii);
  out.curvatureShift = std::move(shifts);
  const curvature::Turning turning = between(left.constant, right);
  problem.turningRadius = {turning.radius, out.turningRadius};
  problem.curvatureShift = {shift.constant + turning.shift, out.curvatureShift};
}

} // namespace isochrone::filters
