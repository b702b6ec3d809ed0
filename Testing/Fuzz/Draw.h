// Draw.h - random numbers that are the same with every compiler: an engine that the standard specifies bit by
// bit, own distributions, and no two draws in one expression with unspecified order.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace isochrone::fuzz {

inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN(),
                        infinity = std::numeric_limits<double>::infinity();

class Draw {
public:
  explicit Draw(std::uint64_t seed) : engine(seed * 0x9e3779b97f4a7c15ull + 1) {}

  /// Returns a number in [0, 1).
  double real() { return double(engine() >> 11) / 9007199254740992.0; }
  double real(double low, double high) { return low + (high - low) * real(); }
  /// Returns an integer in [low, high].
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return low + std::int64_t(engine() % std::uint64_t(high - low + 1));
  }
  int number(int low, int high) { return int(whole(low, high)); }
  bool chance(double probability) { return real() < probability; }
  /// Returns an approximately normal number: mean 0, standard deviation 1.
  double normal() {
    double sum = 0;
    for (int k = 0; k < 12; ++k) sum += real();
    return sum - 6;
  }
  /// Returns 10^x for x in [low, high).
  double power(double low, double high) { return std::pow(10, real(low, high)); }
  /// Returns an invalid number, or one of any magnitude.
  double wild() {
    constexpr double odd[9] = {notANumber, infinity, -infinity, 0, -1, 1e300, 1e-300, 1e38, 1e-45};
    const std::int64_t which = whole(0, 9);
    if (which < 9) return odd[which];
    const double sign = normal();
    return sign * power(-40, 40);
  }
  /// Puts a wild number into one of n places.
  template <class Values>
  void spoil(Values& values, std::int64_t n) {
    const double bad = wild();
    values[std::size_t(whole(0, n - 1))] = typename Values::value_type(bad);
  }

private:
  std::mt19937_64 engine;
};

} // namespace isochrone::fuzz
