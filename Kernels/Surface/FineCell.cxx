#include "Surface/FineCell.h"

#include <algorithm>
#include <cmath>

namespace isochrone::surface {

namespace {

/// The 64 values around a cell, x fastest; along axes of one point all are the same.
struct Surroundings {
  std::array<double, 64> value;

  Surroundings(const LevelSet& s, const GridIndex& low) {
    for (int n = 0; n < 64; ++n) value[std::size_t(n)] = at(s, low, {n % 4 - 1, n / 4 % 4 - 1, n / 16 - 1});
  }

private:
  /// Returns the value at a point, extrapolated linearly beyond the image; NaN where there is none.
  static double at(const LevelSet& s, const GridIndex& low, std::array<int, 3> step) {
    const GridIndex n = s.grid.sizes();
    for (int a = 0; a < 3; ++a) {
      if (n[a] == 1) {
        step[a] = 0;
        continue;
      }
      const std::int64_t i = low[a] + step[a];
      if (i >= 0 && i < n[a]) continue;
      const int inward = i < 0 ? 1 : -1;
      std::array<int, 3> first = step, second = step;
      first[a] += inward, second[a] += 2 * inward;
      return 2 * at(s, low, first) - at(s, low, second);
    }
    const std::int64_t point = s.grid.index(low[0] + step[0], low[1] + step[1], low[2] + step[2]);
    if (!s.hidden.empty() && s.hidden[std::size_t(point)]) return std::nan("");
    const double v = s.floats.empty() ? s.doubles[std::size_t(point)] : double(s.floats[std::size_t(point)]);
    return std::isfinite(v) ? valueAt(s, point) : std::nan("");
  }
};

double halfway(double a, double b, double c, double d) {
  const double cubic = (9 * (b + c) - (a + d)) / 16;
  return std::isfinite(cubic) ? cubic : b / 2 + c / 2;
}

} // namespace

FineCell::FineCell(const LevelSet& levelSet, const GridIndex& low) {
  const Surroundings around(levelSet, low);
  // Along x, then y, then z: three values of four.
  std::array<double, 48> alongX;
  for (int row = 0; row < 16; ++row) {
    const double* v = &around.value[std::size_t(4 * row)];
    alongX[std::size_t(3 * row)] = v[1];
    alongX[std::size_t(3 * row + 1)] = halfway(v[0], v[1], v[2], v[3]);
    alongX[std::size_t(3 * row + 2)] = v[2];
  }
  std::array<double, 36> alongY;
  for (int z = 0; z < 4; ++z)
    for (int x = 0; x < 3; ++x) {
      const auto v = [&](int y) { return alongX[std::size_t(x + 3 * (y + 4 * z))]; };
      alongY[std::size_t(x + 9 * z)] = v(1);
      alongY[std::size_t(x + 3 + 9 * z)] = halfway(v(0), v(1), v(2), v(3));
      alongY[std::size_t(x + 6 + 9 * z)] = v(2);
    }
  for (int i = 0; i < 9; ++i) {
    const auto v = [&](int z) { return alongY[std::size_t(i + 9 * z)]; };
    value[std::size_t(i)] = v(1);
    value[std::size_t(i + 9)] = halfway(v(0), v(1), v(2), v(3));
    value[std::size_t(i + 18)] = v(2);
  }
  for (int n = 0; n < 27; ++n) {
    const std::array<int, 3> at{n % 3, n / 3 % 3, n / 9};
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (int k = 0; k < 8; ++k) {
      std::array<int, 3> corner;
      for (int a = 0; a < 3; ++a) corner[a] = at[a] == 1 ? 2 * (k >> a & 1) : at[a];
      const double v = value[std::size_t(corner[0] + 3 * (corner[1] + 3 * corner[2]))];
      lowest = std::min(lowest, v), highest = std::max(highest, v);
    }
    double& v = value[std::size_t(n)];
    v = std::clamp(std::isnan(v) ? lowest / 2 + highest / 2 : v, lowest, highest);
  }
}

ContourCell FineCell::part(const ContourCell& cell, int part) const {
  ContourCell half = cell;
  std::array<int, 3> first{};
  for (int a = 0; a < cell.dimensions; ++a) {
    const int axis = cell.axes[std::size_t(a)];
    const double middle = cell.low[axis] + (cell.high[axis] - cell.low[axis]) / 2;
    first[axis] = part >> a & 1;
    (first[axis] ? half.low : half.high)[axis] = middle;
  }
  for (int c = 0; c < 1 << cell.dimensions; ++c) {
    std::array<int, 3> at = first;
    for (int a = 0; a < cell.dimensions; ++a) at[cell.axes[std::size_t(a)]] += c >> a & 1;
    half.value[std::size_t(c)] = value[std::size_t(at[0] + 3 * (at[1] + 3 * at[2]))];
  }
  return half;
}

} // namespace isochrone::surface
