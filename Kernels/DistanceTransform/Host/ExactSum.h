// ExactSum.h - the exact sign of a short sum of products of doubles, for comparisons that rounding could
// decide wrongly. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18
// (1971); Shewchuk, Adaptive precision floating-point arithmetic, Discrete Comput. Geom. 18 (1997),
// Grow-Expansion.
#pragma once

namespace isochrone::distance::ISOCHRONE_ISA {

/// A sum as an expansion: parts in the order of their size that overlap in no bit.
class ExactSum {
public:
  void add(double value) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const double sum = value + part[i], of = sum - value;
      const double rest = (value - (sum - of)) + (part[i] - of); // exact: sum + rest = value + part
      value = sum;
      if (rest != 0) part[kept++] = rest;
    }
    if (value != 0) part[kept++] = value;
    count = kept;
  }

  void addProduct(double a, double b) {
    const double product = a * b;
    add(errorOf(product, a, b));
    add(product);
  }
  void addProduct(double a, double b, double c) {
    const double product = b * c;
    addProduct(a, errorOf(product, b, c));
    addProduct(a, product);
  }

  /// Returns a number with the sign of the sum.
  double sign() const { return count > 0 ? part[count - 1] : 0; }

private:
  /// Returns the upper half of the bits of a number.
  static double high(double a) {
    const double scaled = a * 134217729; // 2^27 + 1
    return scaled - (scaled - a);
  }

  /// Returns a * b - product, where product is a * b rounded.
  static double errorOf(double product, double a, double b) {
    const double highA = high(a), highB = high(b), lowA = a - highA, lowB = b - highB;
    return ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB;
  }

  double part[16]; ///< as many as numbers can be added
  int count = 0;
};

} // namespace isochrone::distance::ISOCHRONE_ISA
