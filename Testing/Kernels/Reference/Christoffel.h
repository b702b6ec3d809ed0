// Christoffel.h - P waves in a transversely isotropic medium from its elastic constants: the Christoffel
// equation, solved and sampled in double, without code of the solver.
#pragma once

#include <cmath>
#include <numbers>

namespace isochrone::reference {

/// Elastic constants over density, Voigt notation, axis 3 along the symmetry axis.
struct Elastic {
  double c11, c33, c13, c55;

  /// Thomsen (1986), equations 8 to 10 and 17.
  Elastic(double vp, double epsilon, double delta, double shearRatio)
      : c11(vp * vp * (1 + 2 * epsilon)), c33(vp * vp), c13(0), c55(std::pow(shearRatio * vp, 2)) {
    c13 = std::sqrt(2 * c33 * (c33 - c55) * delta + std::pow(c33 - c55, 2)) - c55;
  }

  /// Returns the larger eigenvalue from the squares of a slowness across and along the axis.
  double ofSquares(double x, double z) const {
    const double g11 = c11 * x + c55 * z, g33 = c55 * x + c33 * z, g13 = std::pow(c13 + c55, 2) * x * z;
    return (g11 + g33) / 2 + std::sqrt(std::pow((g11 - g33) / 2, 2) + g13);
  }

  /// Returns the larger eigenvalue of the Christoffel matrix of a slowness across and along the axis.
  double eigenvalue(double x, double z) const {
    const double g11 = c11 * x * x + c55 * z * z, g33 = c55 * x * x + c33 * z * z, g13 = (c13 + c55) * x * z;
    return (g11 + g33) / 2 + std::sqrt(std::pow((g11 - g33) / 2, 2) + g13 * g13);
  }
};

/// Returns the time along a vector across and along the axis: the maximum of <p, v> over the slowness curve,
/// sampled, then refined by golden section around the best sample.
inline double groupTime(const Elastic& medium, double across, double along) {
  across = std::abs(across), along = std::abs(along);
  const auto value = [&](double angle) {
    const double x = std::sin(angle), z = std::cos(angle);
    return (x * across + z * along) / std::sqrt(medium.eigenvalue(x, z));
  };
  constexpr int samples = 64;
  constexpr double step = std::numbers::pi / 2 / samples;
  int best = 0;
  for (int n = 0; n <= samples; ++n)
    if (value(n * step) > value(best * step)) best = n;
  double low = (best - 1) * step, high = (best + 1) * step;
  for (int n = 0; n < 44; ++n) {
    const double a = low + 0.382 * (high - low), b = high - 0.382 * (high - low);
    (value(a) < value(b) ? low : high) = value(a) < value(b) ? a : b;
  }
  return value((low + high) / 2);
}

} // namespace isochrone::reference
