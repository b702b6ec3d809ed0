#include "Reference/TensorReference.h"

#include "Reference/Christoffel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace isochrone::reference {

namespace {

using image::Grid;
using image::Problem;
using Step = std::array<int, 3>;
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr double infinite = std::numeric_limits<double>::infinity();

Matrix full(const std::array<double, 6>& d) {
  return {{{d[0], d[3], d[5]}, {d[3], d[1], d[4]}, {d[5], d[4], d[2]}}};
}

/// Inverts by Gauss-Jordan elimination.
Matrix inverted(Matrix a) {
  Matrix b{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int c = 0; c < 3; ++c) {
    int pivot = c;
    for (int r = c; r < 3; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    std::swap(a[c], a[pivot]), std::swap(b[c], b[pivot]);
    const double p = a[c][c];
    for (int k = 0; k < 3; ++k) a[c][k] /= p, b[c][k] /= p;
    for (int r = 0; r < 3; ++r) {
      if (r == c) continue;
      const double f = a[r][c];
      for (int k = 0; k < 3; ++k) a[r][k] -= f * a[c][k], b[r][k] -= f * b[c][k];
    }
  }
  return b;
}

double dot(const Step& a, const Matrix& d, const Step& b) {
  double sum = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum += a[r] * d[r][c] * b[c];
  return sum;
}

Step combined(const std::array<Step, 3>& basis, int x, int y, int z) {
  Step v;
  for (int c = 0; c < 3; ++c) v[c] = x * basis[0][c] + y * basis[1][c] + z * basis[2][c];
  return v;
}

int determinant(const Step& a, const Step& b, const Step& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// Returns a basis whose vectors cannot be shortened by adding others, up to twice.
std::array<Step, 3> reducedBasis(const Matrix& d) {
  std::array<Step, 3> basis{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (int n = 0; n < 3; ++n)
      for (int x = -2; x <= 2; ++x)
        for (int y = -2; y <= 2; ++y) {
          int factor[3] = {1, 1, 1};
          factor[(n + 1) % 3] = x, factor[(n + 2) % 3] = y;
          const Step v = combined(basis, factor[0], factor[1], factor[2]);
          if (dot(v, d, v) < dot(basis[n], d, basis[n]) * (1 - 1e-12)) basis[n] = v, shorter = true;
        }
  }
  return basis;
}

bool touches(const std::array<double, 3>& from, const Step& step, const std::array<std::int64_t, 3>& cell) {
  std::array<double, 3> middle, half; // separating axes
  for (int a = 0; a < 3; ++a) half[a] = step[a] / 2., middle[a] = from[a] + half[a] - double(cell[a]);
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    if (std::abs(middle[a]) > 0.5 + std::abs(half[a])) return false;
    if (std::abs(middle[a] * half[b] - middle[b] * half[a]) > 0.5 * (std::abs(half[a]) + std::abs(half[b])))
      return false;
  }
  return true;
}

bool hasTensors(const Problem& p) {
  return p.speedType == image::SpeedType::MetricTensor ||
         p.speedType == image::SpeedType::SquaredVelocityTensor;
}

std::array<double, 3> driftOf(const Problem& p, std::int64_t n) {
  if (p.drift.empty()) return {};
  const double sign = p.towardsSeeds ? -1 : 1;
  const float* v = p.drift.data() + n * (p.grid.nz == 1 ? 2 : 3);
  return {sign * v[0], sign * v[1], p.grid.nz == 1 ? 0 : sign * v[2]};
}

double product(const std::array<double, 3>& a, const Matrix& d, const std::array<double, 3>& b) {
  double sum = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum += a[r] * d[r][c] * b[c];
  return sum;
}

/// Returns M - V V^T: the equation of a drift, <g, M g> = (1 - <g, V>)^2, has it as its quadratic form.
Matrix squaredVelocity(const Problem& p, std::int64_t n) {
  const Grid& g = p.grid;
  Matrix m;
  if (hasTensors(p)) {
    const float* t = p.speed.data() + n * (g.nz == 1 ? 3 : 6);
    m = g.nz == 1 ? Matrix{{{t[0], t[2], 0}, {t[2], t[1], 0}, {0, 0, 1}}}
                  : Matrix{{{t[0], t[3], t[5]}, {t[3], t[1], t[4]}, {t[5], t[4], t[2]}}};
    if (p.speedType == image::SpeedType::MetricTensor) m = inverted(m);
  } else {
    const double value = p.speed.empty() ? p.constantSpeed : double(p.speed[n]);
    const double f = p.speedType == image::SpeedType::Slowness ? 1 / value : value;
    m = {{{f * f, 0, 0}, {0, f * f, 0}, {0, 0, f * f}}};
  }
  const std::array<double, 3> v = driftOf(p, n);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] -= v[r] * v[c];
  return m;
}

/// A tilted medium of a point.
struct Tilted {
  Elastic elastic;
  bool isMaximum; ///< over tensors
  std::array<double, 3> axis;

  static double at(std::span<const float> v, std::int64_t n) {
    return v.empty() ? 0 : v[v.size() == 1 ? 0 : n];
  }

  Tilted(const Problem& p, std::int64_t n)
      : elastic(p.speed.empty() ? p.constantSpeed : p.speed[n], at(p.thomsen.epsilon, n),
                at(p.thomsen.delta, n), at(p.thomsen.shear, n)),
        isMaximum(at(p.thomsen.epsilon, n) >= at(p.thomsen.delta, n)) {
    const std::size_t axes = p.grid.nz == 1 ? 2 : 3, all = p.thomsen.axis.size() == axes ? 0 : n;
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      axis[a] = a < axes ? p.thomsen.axis[all * axes + a] : 0;
      square += axis[a] * axis[a];
    }
    for (double& a : axis) a /= std::sqrt(square);
  }

  double time(const std::array<double, 3>& v) const {
    double along = 0, square = 0;
    for (int a = 0; a < 3; ++a) along += v[a] * axis[a], square += v[a] * v[a];
    return groupTime(elastic, std::sqrt(std::max(0., square - along * along)), along);
  }

  /// Returns the tensor, in grid steps, that is tangent to the slowness curve at an angle from the axis.
  std::array<double, 6> tensor(double angle, const Grid& g) const {
    constexpr double step = 1e-5;
    const double x = std::pow(std::sin(angle), 2), z = std::pow(std::cos(angle), 2);
    const double a = (elastic.ofSquares(x + step, z) - elastic.ofSquares(x - step, z)) / (2 * step),
                 b = (elastic.ofSquares(x, z + step) - elastic.ofSquares(x, z - step)) / (2 * step);
    const double h[3] = {g.hx, g.hy, g.nz == 1 ? 1 : g.hz};
    Matrix m;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) m[r][c] = ((r == c ? a : 0) + (b - a) * axis[r] * axis[c]) / (h[r] * h[c]);
    if (g.nz == 1) m[2] = {0, 0, m[0][0] + m[1][1]};
    return {m[0][0], m[1][1], m[2][2], m[0][1], m[1][2], m[0][2]};
  }
};

class Scheme {
public:
  Scheme(const Problem& p, int tangentCount)
      : problem(p), g(p.grid), tangents(tangentCount), closed(g.points(), 0), terms(g.points()) {
    const std::size_t components = g.nz == 1 ? 3 : 6;
    const bool tensors = hasTensors(p);
    if (isTilted())
      for (std::int64_t n = 0; n < g.points(); ++n) {
        const Tilted here(p, n);
        closed[n] |= std::isnan(here.elastic.c11 + here.elastic.c13 + here.axis[0]);
      }
    for (std::int64_t n = 0; n < g.points(); ++n) {
      bool zero = !p.speed.empty();
      for (std::size_t c = 0; c < (tensors ? components : p.speed.empty() ? 0 : 1); ++c) {
        const float v = p.speed[n * (tensors ? components : 1) + c];
        closed[n] |= std::isnan(v), zero &= v == 0;
      }
      for (std::size_t a = 0; a < (p.drift.empty() ? 0 : g.nz == 1 ? 2 : 3); ++a)
        closed[n] |= std::isnan(p.drift[n * (g.nz == 1 ? 2 : 3) + a]);
      closed[n] |= zero || (!p.barriers.empty() && p.barriers[n]);
    }
    for (std::int64_t n = 0; n < g.points(); ++n)
      if (!closed[n]) collect(n);
  }

  std::vector<double> solve() const {
    std::vector<double> u(g.points(), infinite);
    for (const image::Seed& s : problem.seeds) {
      const std::int64_t at =
          g.index(std::llround(s.at[0] / g.hx), std::llround(s.at[1] / g.hy), std::llround(s.at[2] / g.hz));
      u[at] = std::min(u[at], s.startValue);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const bool back : {false, true})
        for (std::int64_t m = 0; m < g.points(); ++m) {
          const std::int64_t n = back ? g.points() - 1 - m : m;
          if (closed[n]) continue;
          const double v = updated(terms[n], u);
          if (v < u[n] && !(v >= u[n] - 1e-14 * std::abs(v))) u[n] = v, changed = true;
        }
    }
    return u;
  }

private:
  struct Pair {
    std::int64_t side[2]; ///< -1: not seen
    double weight;
    double form; ///< one-form of the drift along the offset
  };
  struct Point {
    std::vector<std::vector<Pair>> tensors;             ///< pairs of each
    bool isMaximum = true;                              ///< over the tensors
    std::vector<std::pair<std::int64_t, double>> faces; ///< neighbour and time, if some are not visible
  };

  const Problem& problem;
  const Grid& g;
  int tangents;
  std::vector<char> closed;
  std::vector<Point> terms;

  bool isTilted() const { return problem.speedType == image::SpeedType::TiltedTransverse; }

  std::int64_t seen(std::int64_t n, const Step& step) const {
    const std::int64_t size[3] = {g.nx, g.ny, g.nz}, at[3] = {n % g.nx, n / g.nx % g.ny, n / (g.nx * g.ny)};
    std::int64_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      const std::int64_t to = at[a] + step[a];
      if (to < 0 || to >= size[a]) return -1;
      low[a] = std::min(at[a], to), high[a] = std::max(at[a], to);
    }
    const std::array<double, 3> from{double(at[0]), double(at[1]), double(at[2])};
    for (std::int64_t k = low[2]; k <= high[2]; ++k)
      for (std::int64_t j = low[1]; j <= high[1]; ++j)
        for (std::int64_t i = low[0]; i <= high[0]; ++i)
          if (closed[g.index(i, j, k)] && touches(from, step, {i, j, k})) return -1;
    return g.index(at[0] + step[0], at[1] + step[1], at[2] + step[2]);
  }

  void collect(std::int64_t n) {
    if (isTilted()) {
      collectTilted(n);
      return;
    }
    const std::array<double, 6> d = gridTensor(problem, n);
    const std::array<double, 3> w = gridForm(problem, n);
    if (collect(n, d, w)) return;
    const Matrix metric = inverted(full(d));
    addFaces(n, [&](int a, int sign) { return std::sqrt(metric[a][a]) - sign * w[a]; });
  }

  void collectTilted(std::int64_t n) {
    const Tilted here(problem, n);
    terms[n].isMaximum = here.isMaximum;
    bool all = true;
    for (int t = 0; t <= tangents; ++t) {
      const std::array<double, 6> d = here.tensor(t * std::numbers::pi / 2 / tangents, g);
      all &= collect(n, d, {});
    }
    if (all) return;
    addFaces(n, [&](int a, int) {
      std::array<double, 3> v{};
      v[a] = std::array{g.hx, g.hy, g.hz}[a];
      return here.time(v);
    });
  }

  /// Adds the pairs of a tensor. Returns whether all are seen.
  bool collect(std::int64_t n, const std::array<double, 6>& d, const std::array<double, 3>& w) {
    bool all = true;
    std::vector<Pair>& pairs = terms[n].tensors.emplace_back();
    for (const Difference& e : differencesOf(d)) {
      if (g.nz == 1 && e.offset[2] != 0) continue;
      const Step back{-e.offset[0], -e.offset[1], -e.offset[2]};
      pairs.push_back({{seen(n, e.offset), seen(n, back)},
                       e.weight,
                       w[0] * e.offset[0] + w[1] * e.offset[1] + w[2] * e.offset[2]});
      all &= pairs.back().side[0] >= 0 && pairs.back().side[1] >= 0;
    }
    return all;
  }

  /// @param time  of axis and sign of the step to the neighbour
  template <class Time>
  void addFaces(std::int64_t n, Time&& time) {
    for (int a = 0; a < 3; ++a)
      for (const int sign : {-1, 1}) {
        Step step{};
        step[a] = sign;
        if (const std::int64_t to = seen(n, step); to >= 0) terms[n].faces.push_back({to, time(a, sign)});
      }
  }

  static double updated(const Point& point, const std::vector<double>& u) {
    double best = point.isMaximum ? infinite : -infinite;
    for (const std::vector<Pair>& pairs : point.tensors) {
      const double own = updated(pairs, u);
      best = point.isMaximum ? std::min(best, own) : std::max(best, own);
    }
    for (const auto& [n, time] : point.faces) best = std::min(best, u[n] + time);
    return best;
  }

  static double updated(const std::vector<Pair>& pairs, const std::vector<double>& u) {
    std::vector<std::pair<double, double>> values;
    for (const Pair& pair : pairs) {
      double minimum = infinite;
      if (pair.side[0] >= 0) minimum = u[pair.side[0]] - pair.form;
      if (pair.side[1] >= 0) minimum = std::min(minimum, u[pair.side[1]] + pair.form);
      if (std::isfinite(minimum)) values.push_back({minimum, pair.weight});
    }
    std::sort(values.begin(), values.end());
    double best = infinite, a = 0, b = 0, c = -1;
    for (const auto& [m, w] : values) {
      const double x = m - values[0].first;
      if (a * x * x - 2 * b * x + c >= 0) break; // the solution lies before it
      a += w, b += w * x, c += w * x * x;
      best = values[0].first + (b + std::sqrt(std::max(0., b * b - a * c))) / a;
    }
    return best;
  }
};

} // namespace

std::vector<Difference> differencesOf(const std::array<double, 6>& components) {
  const Matrix d = full(components);
  const double tolerance = 1e-13 * (d[0][0] + d[1][1] + d[2][2]);
  const std::array<Step, 3> basis = reducedBasis(d);
  std::vector<Step> shorts;
  for (int n = 0; n < 27; ++n)
    if (const int x = n % 3 - 1, y = n / 3 % 3 - 1, z = n / 9 - 1; x || y || z)
      shorts.push_back(combined(basis, x, y, z));
  const auto obtuse = [&](const Step& a, const Step& b) { return dot(a, d, b) <= tolerance; };
  for (const Step& a : shorts)
    for (const Step& b : shorts) {
      if (!obtuse(a, b)) continue;
      for (const Step& c : shorts) {
        if (std::abs(determinant(a, b, c)) != 1 || !obtuse(a, c) || !obtuse(b, c)) continue;
        const Step last{-a[0] - b[0] - c[0], -a[1] - b[1] - c[1], -a[2] - b[2] - c[2]};
        if (!obtuse(a, last) || !obtuse(b, last) || !obtuse(c, last)) continue;
        const Step all[4] = {a, b, c, last};
        std::vector<Difference> found;
        for (int i = 0; i < 4; ++i)
          for (int j = i + 1; j < 4; ++j) {
            int k = 0;
            while (k == i || k == j) ++k;
            const int l = 6 - i - j - k;
            const Step &p = all[k], &q = all[l];
            const Step e{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
            if (const double w = -dot(all[i], d, all[j]); w > tolerance) found.push_back({e, w});
          }
        return found;
      }
    }
  std::abort(); // every positive definite matrix has one
}

std::array<double, 6> gridTensor(const Problem& p, std::int64_t n) {
  const Grid& g = p.grid;
  Matrix m = squaredVelocity(p, n);
  const double h[3] = {g.hx, g.hy, g.nz == 1 ? 1 : g.hz};
  const double factor = 1 / (1 + product(driftOf(p, n), inverted(m), driftOf(p, n)));
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] *= factor / (h[r] * h[c]);
  if (g.nz == 1) m[2][2] = m[0][0] + m[1][1];
  return {m[0][0], m[1][1], m[2][2], m[0][1], m[1][2], m[0][2]};
}

std::array<double, 3> gridForm(const Problem& p, std::int64_t n) {
  const Matrix inverse = inverted(squaredVelocity(p, n));
  const std::array<double, 3> v = driftOf(p, n);
  const double h[3] = {p.grid.hx, p.grid.hy, p.grid.hz};
  std::array<double, 3> form;
  for (int r = 0; r < 3; ++r)
    form[r] = -h[r] * (inverse[r][0] * v[0] + inverse[r][1] * v[1] + inverse[r][2] * v[2]);
  return form;
}

std::vector<double> tensorTimes(const Problem& problem, int tangents) {
  return Scheme(problem, tangents).solve();
}

} // namespace isochrone::reference
