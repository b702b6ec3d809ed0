// ThomsenCurve.h - the slowness curve of P waves in a transversely isotropic medium.
//
// Thomsen: Weak elastic anisotropy, Geophysics 51 (1986), gives the medium by the speed Vp along its symmetry
// axis, epsilon, delta and f = (Vs / Vp)^2. In units of 1 / Vp let X be the square of the slowness across the
// axis and Z that along it. The larger eigenvalue of the Christoffel equation is
//
//   L(X, Z) = (B + R) / 2,  B = (c + f) X + (1 + f) Z,  R^2 = ((c - f) X - (1 - f) Z)^2 + 4 E X Z
//
// with c = 1 + 2 epsilon and E = (1 - f) (1 - f + 2 delta), and P waves have L = 1. L has degree 1, so its
// gradient (a, b) depends on the direction s = Z / (X + Z) only, L = a X + b Z, and a X + b Z = 1 is the
// tangent of the conic L = 1 in this direction. L is the maximum over all tangents if epsilon >= delta, else
// the minimum: an extremum of the Hamiltonians of Riemannian metrics. Desquilbet, Mirebeau, Metivier: Single
// pass eikonal solver in tilted transversely anisotropic media (2021).
#pragma once

#include "Execution/Team.h"

namespace isochrone {

// Not std::sqrt: the linker keeps one copy of it, for some instruction set.
TEAM_FN double squareRoot(double v) {
#if defined(__CUDA_ARCH__)
  return ::sqrt(v);
#else
  return __builtin_sqrt(v);
#endif
}
TEAM_FN float squareRoot(float v) {
#if defined(__CUDA_ARCH__)
  return ::sqrtf(v);
#else
  return __builtin_sqrtf(v);
#endif
}

/// A tangent a X + b Z = 1 of the curve.
template <class Real>
struct ThomsenTangent {
  Real across, along; ///< a and b, > 0
};

template <class Real>
struct ThomsenCurve {
  Real across;   ///< c = 1 + 2 epsilon
  Real shear;    ///< f, below 1 and c
  Real coupling; ///< E > 0

  /// @param s  Z / (X + Z), 0 to 1
  TEAM_FN ThomsenTangent<Real> tangent(Real s) const {
    const Real x = 1 - s, z = s, p = across - shear, q = 1 - shear;
    const Real difference = p * x - q * z;
    const Real root = squareRoot(difference * difference + 4 * coupling * x * z);
    return {(across + shear + (difference * p + 2 * coupling * z) / root) / 2,
            (1 + shear + (2 * coupling * x - difference * q) / root) / 2};
  }

  /// Returns the derivative of log(t b / a) by log t, with t^2 = Z / X: 1 in an elliptic medium, positive
  /// where the curve is convex.
  /// @param at  tangent(s)
  TEAM_FN Real groupSlope(Real s, const ThomsenTangent<Real>& at) const {
    const Real x = 1 - s, z = s;
    const Real root = 2 * (at.across * x + at.along * z) - (across + shear) * x - (1 + shear) * z; // R
    const Real bend = 4 * coupling * ((across - shear) * (1 - shear) - coupling) / (root * root * root);
    return 1 + bend * x * z * (x / at.along + z / at.across);
  }

  /// Returns whether L is the maximum over the tangents, not the minimum.
  bool isMaximum() const { return coupling <= (across - shear) * (1 - shear); }
};

/// Returns the direction from first to last of the tangent with the extremum of a alpha + b beta.
template <class Real>
TEAM_FN Real extremalDirection(Real alpha, Real beta, Real first, Real last) {
  const Real sum = alpha + beta;
  return beta >= last * sum ? last : beta <= first * sum ? first : beta / sum;
}

} // namespace isochrone
