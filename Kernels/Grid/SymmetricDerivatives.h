// SymmetricDerivatives.h - derivatives with respect to symmetric matrices, as matrices: an element off the
// diagonal stands for one of the two equal elements.
#pragma once

#include "Grid/Selling.h"

#include <cmath>

namespace isochrone::grid {

/// Returns (a b^T + b a^T) / 2: the derivative of <a, D b> with respect to D.
TEAM_FN Symmetric3 symmetricProduct(const Vector3& a, const Vector3& b) {
  const auto mean = [&](std::size_t i, std::size_t j) { return (a[i] * b[j] + a[j] * b[i]) / 2; };
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2], mean(0, 1), mean(1, 2), mean(0, 2)};
}

/// Adds factor * d.
TEAM_FN void add(Symmetric3& to, double factor, const Symmetric3& d) {
  for (std::size_t c = 0; c < 6; ++c) to[c] += factor * d[c];
}

/// Returns the derivative of the length sqrt(<v, D v>) with respect to D; 0 of a vector of length 0.
TEAM_FN Symmetric3 perMetricOfLength(const Vector3& v, double length) {
  Symmetric3 d{};
  if (length > 0) add(d, 1 / (2 * length), symmetricProduct(v, v));
  return d;
}

/// Returns the derivative, with respect to the metric G, of the remainder of Taylor's series along e, own
/// T(x)
/// - nearest T(x + e) - farther T(x + 2 e) + <x, G e> / T(x), with T(v) = sqrt(<v, G v>).
inline Symmetric3 remainderPerMetric(const Symmetric3& metric, const Vector3& x, const Vector3& e, double own,
                                     double nearest, double farther) {
  Symmetric3 d{};
  const auto addLength = [&](double coefficient, int steps) {
    if (coefficient == 0) return;
    const Vector3 v{x[0] + steps * e[0], x[1] + steps * e[1], x[2] + steps * e[2]};
    add(d, coefficient, perMetricOfLength(v, std::sqrt(square(metric, v))));
  };
  const double time = std::sqrt(square(metric, x)), slope = dot(x, times(metric, e));
  addLength(own - slope / (time * time), 0);
  addLength(-nearest, 1);
  addLength(-farther, 2);
  add(d, 1 / time, symmetricProduct(x, e));
  return d;
}

/// Returns -A D A: the derivative with respect to the inverse of A, from the derivative D with respect to A.
TEAM_FN Symmetric3 perInverse(const Symmetric3& a, const Symmetric3& d) {
  const std::array<Vector3, 3> column{times(a, {1, 0, 0}), times(a, {0, 1, 0}), times(a, {0, 0, 1})};
  const auto element = [&](std::size_t i, std::size_t j) { return -dot(column[i], times(d, column[j])); };
  return {element(0, 0), element(1, 1), element(2, 2), element(0, 1), element(1, 2), element(0, 2)};
}

/// Returns the derivative of sellingWeight, which is linear in D.
TEAM_FN Symmetric3 sellingDerivative(const Superbase& base, int pair) {
  const auto real = [&](int n) {
    const Offset& b = base[std::size_t(superbasePair(pair)[std::size_t(n)])];
    return Vector3{double(b[0]), double(b[1]), double(b[2])};
  };
  Symmetric3 derivative{};
  add(derivative, -1, symmetricProduct(real(0), real(1)));
  return derivative;
}

} // namespace isochrone::grid
