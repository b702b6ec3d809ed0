// Corrections.h - second order by deferred correction: a solution tells what its own differences miss.
//
// A difference d = V(p) - V(p + e) falls short of the derivative by half of the second difference
// s = V(p) - 2 V(p + e) + V(p + 2 e), so the corrected scheme has  (1 + s / (2 d)) (u(p) - u(p + e))  instead
// of u(p) - u(p + e), with the factor taken from the first-order solution V and kept. It is the first-order
// scheme with other weights: as monotone, as causal, with one fixed point, and with the same adjoint. Where s
// is no small part of d the solution is not smooth, and the correction fades out continuously: a switch would
// turn ties of mirrored states, equal but for rounding, into values that differ by half a per cent.
//
// Ours. Deferred correction after Stetter, The defect correction principle, 1978; additive in our study.
#pragma once

#include "CurvaturePaths/Scheme/Stencil.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <array>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// The factors of a solution in the caller's layout, for what is done after the solve.
class Corrections {
public:
  /// @param uncorrected  Solution::uncorrected; if empty, every factor is 1
  Corrections(const Problem& problem, std::span<const float> uncorrected, const Walls& walls);

  /// By what the weights of the terms of a scheme at state (i, j, k) are multiplied, for as many as it has.
  using Factors = std::array<double, 6 * fejerNodes>;
  Factors factors(std::int64_t i, std::int64_t j, int k, const std::vector<Term>& scheme) const;

private:
  float value(std::int64_t i, std::int64_t j, int k, const Offset& e, int times) const;

  const StateGrid& grid;
  std::span<const float> before;
  const Walls& walls;
  float limit;
};

} // namespace isochrone::curvature
