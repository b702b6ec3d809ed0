#include "Reference/OrientedCostReference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::reference {

namespace {

std::int64_t inMirrors(std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}

} // namespace

double tubeStrength(const oriented::Problem& p, std::int64_t i, std::int64_t j, int k) {
  const double angle = 2 * std::numbers::pi * k / p.headings, c = std::cos(angle), s = std::sin(angle);
  double best = 0;
  for (const double width : p.widths) {
    const double across2 = width * width, along2 = across2 + p.length * p.length,
                 reach = 5 * std::sqrt(along2);
    const double height = 1 / (2 * std::numbers::pi * std::sqrt(across2 * along2));
    double sum = 0;
    for (std::int64_t b = std::int64_t(-reach / p.hy); b <= reach / p.hy; ++b)
      for (std::int64_t a = std::int64_t(-reach / p.hx); a <= reach / p.hx; ++a) {
        const double x = double(a) * p.hx, y = double(b) * p.hy, t = c * x + s * y, n = c * y - s * x;
        const double density = height * std::exp(-n * n / (2 * across2) - t * t / (2 * along2));
        sum += (n * n / across2 - 1) * density * p.hx * p.hy *
               p.intensity[inMirrors(i + a, p.nx) + p.nx * inMirrors(j + b, p.ny)];
      }
    best = std::max(best, p.polarity == oriented::Polarity::Bright ? -sum : sum);
  }
  return best;
}

} // namespace isochrone::reference
