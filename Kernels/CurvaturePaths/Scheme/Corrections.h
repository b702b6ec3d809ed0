// Corrections.h - second order by deferred correction: corrects differences by the errors that a first
// solution shows.
//
// A difference d = V(p) - V(p + e) falls short of the derivative by half of the second difference s = V(p) -
// 2 V(p + e) + V(p + 2 e). The corrected scheme replaces  u(p) - u(p + e)  by (1 + s / (2 d)) (u(p) - u(p +
// e)), with the factor taken from the first-order solution V and kept. It is the first-order scheme with
// other weights: equally monotone and causal, with one fixed point and the same adjoint. Where s is not a
// small part of d the solution is not smooth, and the correction fades out continuously. A switch would turn
// ties of mirrored states, equal up to rounding, into values that differ by half a per cent.
//
// Not in the paper. Deferred correction after Stetter, The defect correction principle, 1978.
#pragma once

#include "CurvaturePaths/Scheme/StateWindow.h"
#include "CurvaturePaths/Scheme/Stencil.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <array>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// The correction factors of a solution in the caller's layout, for post-processing.
class Corrections {
public:
  /// @param uncorrected  Solution::uncorrected; if empty, every factor is 1
  Corrections(const Problem& problem, std::span<const float> uncorrected, const Walls& walls);

  /// Factors on the weights of a scheme's terms at state (i, j, k), one per term. Unused entries are 1.
  using Factors = std::array<double, 6 * fejerNodes>;
  Factors factors(std::int64_t i, std::int64_t j, int k, const std::vector<Term>& scheme) const;

private:
  float value(std::int64_t i, std::int64_t j, int k, const Offset& e, int times) const;

  const StateGrid& grid;
  StateWindow window;
  std::span<const float> before;
  const Walls& walls;
  float limit;
};

} // namespace isochrone::curvature
