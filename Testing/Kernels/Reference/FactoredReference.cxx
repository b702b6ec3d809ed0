#include "Reference/FactoredReference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::reference {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

using Vector = std::array<double, 3>;

/// A neighbour in the equation: sum of (factor * (v - value) / h)^2 over the axes, from `bound` on.
struct Term {
  int axis;
  double value, bound, factor = 1;
};

struct Source {
  Vector at;
  double start, slowness, radius;
};

class Sweeps {
public:
  Sweeps(const image::Problem& p, std::span<const double> slownesses, std::span<const double> radius,
         bool multiplicative)
      : isMultiplicative(multiplicative),
        s(slownesses), h{p.grid.hx, p.grid.hy, p.grid.hz}, n{p.grid.nx, p.grid.ny, p.grid.nz},
        u(s.size(), infinite) {
    std::size_t point = 0;
    for (const image::Seed& seed : p.seeds)
      if (!seed.isRegion) start(seed, radius.empty() ? 0 : radius[point++]);
    for (std::size_t q = 0; q < p.seedRegions.size(); ++q)
      if (p.seedRegions[q] >= 0 && s[q] < infinite)
        u[q] = std::min(u[q], p.seeds[std::size_t(p.seedRegions[q])].startValue);
  }

  std::vector<double> run() {
    for (bool changes = true; changes;) {
      changes = false;
      for (int order = 0; order < 8; ++order)
        for (std::int64_t c = 0; c < std::int64_t(u.size()); ++c) {
          std::array<std::int64_t, 3> at{c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
          for (int a = 0; a < 3; ++a)
            if (order >> a & 1) at[a] = n[a] - 1 - at[a];
          const auto q = std::size_t(index(at));
          const double v = update(at, q);
          if (v < u[q]) u[q] = v, changes = true;
        }
    }
    return u;
  }

private:
  bool isMultiplicative;
  std::span<const double> s;
  Vector h;
  std::array<std::int64_t, 3> n;
  std::vector<double> u;
  std::vector<Source> sources;

  std::int64_t index(const std::array<std::int64_t, 3>& at) const {
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
  }

  Vector away(const std::array<std::int64_t, 3>& at, const Vector& from) const {
    return {double(at[0]) * h[0] - from[0], double(at[1]) * h[1] - from[1], double(at[2]) * h[2] - from[2]};
  }

  void start(const image::Seed& seed, double radius) {
    Vector at = seed.at;
    if (n[2] == 1) at[2] = 0;
    for (std::size_t a = 0; a < 3; ++a) // a seed within a millionth of a step of a point is on it
      if (const double q = at[a] / h[a]; std::abs(q - std::round(q)) < 1e-6) at[a] = std::round(q) * h[a];
    double sum = 0, nearest = infinite;
    int equal = 0;
    for (std::int64_t q = 0; q < std::int64_t(u.size()); ++q) {
      const Vector d = away({q % n[0], q / n[0] % n[1], q / (n[0] * n[1])}, at);
      const double r = std::hypot(d[0], d[1], d[2]);
      const bool corner = std::abs(d[0]) < (1 - 1e-6) * h[0] && std::abs(d[1]) < (1 - 1e-6) * h[1] &&
                          std::abs(d[2]) < (1 - 1e-6) * h[2];
      if (corner && s[std::size_t(q)] < infinite)
        u[std::size_t(q)] = std::min(u[std::size_t(q)], seed.startValue + r * s[std::size_t(q)]);
      if (s[std::size_t(q)] == infinite || r > nearest * (1 + 1e-6)) continue;
      if (r < nearest * (1 - 1e-6)) sum = 0, equal = 0, nearest = r;
      sum += s[std::size_t(q)], ++equal;
    }
    if (radius > 0 || isMultiplicative)
      sources.push_back({at, seed.startValue, sum / equal, radius * (1 - 1e-5)});
  }

  /// Returns the source of a point; null: none. With multiplicative factoring it is the one that arrives
  /// first at the middle of the tile, of 8^3 points, or of 16^2 in the plane.
  const Source* sourceOf(const std::array<std::int64_t, 3>& at) const {
    const Source* source = nullptr;
    double earliest = infinite;
    for (const Source& each : sources) {
      Vector d = away(at, each.at);
      if (!isMultiplicative) {
        if (std::hypot(d[0], d[1], d[2]) < each.radius) return &each;
        continue;
      }
      const std::int64_t size = n[2] == 1 ? 16 : 8;
      for (std::size_t a = 0; a < 3; ++a)
        if (a < 2 || n[2] > 1) d[a] += h[a] * (double(size - 1) / 2 - double(at[a] % size));
      const double arrival = each.start + each.slowness * std::hypot(d[0], d[1], d[2]);
      if (arrival < earliest) earliest = arrival, source = &each;
    }
    return source;
  }

  double update(const std::array<std::int64_t, 3>& at, std::size_t q) const {
    if (s[q] == infinite) return infinite;
    const Source* const source = sourceOf(at);
    const Vector d = source ? away(at, source->at) : Vector{};
    const double r = std::hypot(d[0], d[1], d[2]);
    std::vector<Term> terms;
    double sideTime = infinite;
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {-1, 1}) {
        auto next = at;
        next[std::size_t(axis)] += side;
        if (next[std::size_t(axis)] < 0 || next[std::size_t(axis)] >= n[std::size_t(axis)]) continue;
        const double time = u[std::size_t(index(next))];
        if (time == infinite) continue;
        Term term{axis, time, time};
        if (source && r > 0 && !factor(term, *source, d, r, side, s[q])) continue;
        if (isMultiplicative && !terms.empty() && terms.back().axis == axis) { // the earlier side
          if (time < sideTime) terms.back() = term;
        } else {
          terms.push_back(term);
        }
        sideTime = time;
      }
    double best = infinite;
    for (const Term& last : terms) best = std::min(best, std::max(last.bound, root(terms, last.bound, s[q])));
    return best;
  }

  /// The difference of u - T along an axis, plus the derivative of T, is (v - value) / h with value = time of
  /// the neighbour + T - T(neighbour) - h dT/ds. With T = r, that of (u - start) / T times T, plus this ratio
  /// times the derivative of T, is factor * (v - value) / h with factor = 1 + h dT/ds / T. Returns whether it
  /// is positive.
  bool factor(Term& term, const Source& source, const Vector& d, double r, int side, double slowness) const {
    const auto a = std::size_t(term.axis);
    Vector there = d;
    there[a] += side * h[a];
    const double beyond = std::hypot(there[0], there[1], there[2]), time = term.value;
    const double along = -side * d[a]; // positive: the neighbour lies towards the plane through the seed
    if (isMultiplicative) {
      term.factor = 1 + h[a] * along / (r * r);
      if (term.factor < 1e-6) return false;
      const double ratio = beyond > 1e-6 ? (time - source.start) / beyond : source.slowness;
      term.value = source.start + ratio * r / term.factor;
    } else {
      term.value += source.slowness * (r - beyond - h[a] * along / r);
    }
    if (!(along > 0 && beyond > 0.999 * r && beyond < source.radius)) return true;
    double steps = 0;
    for (std::size_t b = 0; b < 3; ++b) steps = std::max(steps, std::abs(d[b]) / h[b]);
    const bool isFar = r * r - d[a] * d[a] > 0.999 * h[a] * h[a],
               isSteady = steps > 0.999 && 0.9 * r * r > d[a] * d[a] &&
                          slowness * slowness * r * r > 0.998 * std::pow(source.slowness * d[a], 2);
    if (isFar || isSteady)
      term.bound = std::min(time, std::max(term.value, source.start + source.slowness * r / 2));
    return true;
  }

  /// Returns the solution with the terms up to a bound: the minimum over all choices of axes.
  double root(const std::vector<Term>& terms, double bound, double slowness) const {
    Vector value{infinite, infinite, infinite}, factor{};
    for (const Term& term : terms)
      if (const auto a = std::size_t(term.axis); term.bound <= bound && term.value < value[a])
        value[a] = term.value, factor[a] = term.factor;
    double best = infinite;
    for (int choice = 1; choice < 8; ++choice) {
      double a = 0, b = 0, c = -slowness * slowness, low = infinite, high = -infinite;
      for (std::size_t k = 0; k < 3; ++k)
        if (choice >> k & 1) low = std::min(low, value[k]), high = std::max(high, value[k]);
      if (high == infinite) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!(choice >> k & 1)) continue;
        const double w = factor[k] * factor[k] / (h[k] * h[k]), m = value[k] - low;
        a += w, b += w * m, c += w * m * m;
      }
      const double square = b * b - a * c;
      if (square < 0) continue;
      const double v = low + (b + std::sqrt(square)) / a;
      if (v >= high) best = std::min(best, v);
    }
    return best;
  }
};

} // namespace

std::vector<double> sweepFactored(const image::Problem& problem, std::span<const double> slowness,
                                  std::span<const double> radius, bool isMultiplicative) {
  return Sweeps(problem, slowness, radius, isMultiplicative).run();
}

} // namespace isochrone::reference
