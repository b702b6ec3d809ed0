#include "Reference/SecondOrderReference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace isochrone::reference {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

using Vector = std::array<double, 3>;
using Index = std::array<std::int64_t, 3>;

/// The term (slope * v + offset)^2 of the equation, world units.
struct Term {
  double slope = 0, offset = 0, latest = -infinite;
};

/// Returns the larger solution of the sum of the terms = slowness^2 if it is not before their times, or NaN.
double solutionOf(const std::array<Term, 3>& terms, double slowness) {
  double a = 0, b = 0, c = -slowness * slowness, latest = -infinite;
  for (const Term& t : terms) {
    a += t.slope * t.slope, b += t.slope * t.offset, c += t.offset * t.offset;
    latest = std::max(latest, t.latest);
  }
  const double v = (-b + std::sqrt(b * b - a * c)) / a;
  return a > 0 && v >= latest ? v : std::nan("");
}

class Refinement {
public:
  Refinement(const image::Problem& p, std::span<const double> slownesses, std::span<const double> first,
             std::span<const float> times, std::span<const double> radii, bool multiplicative)
      : problem(p), isMultiplicative(multiplicative), s(slownesses), t(times.begin(), times.end()),
        radius(radii), h{p.grid.hx, p.grid.hy, p.grid.hz}, n{p.grid.nx, p.grid.ny, p.grid.nz},
        u(first.begin(), first.end()) {
    for (const image::Seed& seed : p.seeds) seedSlowness.push_back(slownessNear(seed.at));
  }

  std::vector<double> run(std::span<const std::uint8_t> kept) {
    std::vector<std::int64_t> order(t.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t q = 0; q < t.size(); ++q)
      if (kept[q]) t[q] = -infinite;
    std::ranges::stable_sort(order, {}, [this](std::int64_t q) { return t[std::size_t(q)]; });
    for (const std::int64_t q : order)
      if (std::isfinite(t[std::size_t(q)])) refineAt({q % n[0], q / n[0] % n[1], q / (n[0] * n[1])});
    return u;
  }

private:
  const image::Problem& problem;
  bool isMultiplicative;
  std::span<const double> s;
  std::vector<double> t;
  std::span<const double> radius;
  Vector h;
  Index n;
  std::vector<double> u, seedSlowness;

  std::size_t indexOf(const Index& at) const { return std::size_t(at[0] + n[0] * (at[1] + n[1] * at[2])); }

  Vector away(const Index& at, std::size_t seed) const {
    Vector d;
    for (std::size_t a = 0; a < 3; ++a) d[a] = double(at[a]) * h[a] - problem.seeds[seed].at[a];
    return d;
  }
  static double length(const Vector& d) { return std::hypot(d[0], d[1], d[2]); }

  /// Returns the mean slowness of the points that are nearest to a position.
  double slownessNear(const Position& at) const {
    double nearest = infinite, sum = 0;
    int equal = 0;
    for (std::int64_t q = 0; q < std::int64_t(s.size()); ++q) {
      const double r = std::hypot(double(q % n[0]) * h[0] - at[0], double(q / n[0] % n[1]) * h[1] - at[1],
                                  double(q / (n[0] * n[1])) * h[2] - at[2]);
      if (r > nearest * (1 + 1e-6)) continue;
      if (r < nearest * (1 - 1e-6)) nearest = r, sum = 0, equal = 0;
      sum += s[std::size_t(q)], ++equal;
    }
    return sum / equal;
  }

  /// Returns the number of the seed from which a point is factored; -1: none.
  int sourceOf(const Index& at) const {
    int source = -1;
    double earliest = infinite;
    for (std::size_t i = 0; i < radius.size(); ++i) {
      if (radius[i] == 0 && !isMultiplicative) continue;
      const double arrival = problem.seeds[i].startValue + seedSlowness[i] * length(away(at, i));
      if (arrival < earliest) earliest = arrival, source = int(i);
    }
    if (source < 0) return -1;
    const double r = length(away(at, std::size_t(source)));
    const bool isInside = isMultiplicative || r < radius[std::size_t(source)] * (1 - 1e-5);
    return r > 0 && isInside ? source : -1;
  }

  /// Returns the side of an axis, +1 or -1, on which the upstream neighbours lie, and their number.
  std::pair<int, int> sideOf(const Index& at, std::size_t axis) const {
    const double own = t[indexOf(at)], rounding = 4e-7;
    double times[2], farTimes[2];
    for (const int up : {0, 1}) {
      Index near = at, far = at;
      near[axis] += up ? 1 : -1, far[axis] += up ? 2 : -2;
      times[up] = near[axis] < 0 || near[axis] >= n[axis] ? infinite : t[indexOf(near)];
      if (!(times[up] < own - rounding * std::abs(own))) times[up] = infinite;
      farTimes[up] = infinite;
      if (times[up] < infinite && far[axis] >= 0 && far[axis] < n[axis] && t[indexOf(far)] <= times[up])
        farTimes[up] = t[indexOf(far)];
    }
    if (times[0] == infinite && times[1] == infinite) return {0, 0};
    const bool alike =
        std::abs(times[0] - times[1]) <= rounding * std::max(std::abs(times[0]), std::abs(times[1]));
    const bool up = alike && times[0] < infinite ? farTimes[1] < farTimes[0] : times[1] < times[0];
    return {up ? 1 : -1, farTimes[up] < infinite ? 2 : 1};
  }

  /// Returns the difference along an axis over some upstream points, of u or of u minus the straight time,
  /// whose derivative is then added.
  Term termOf(const Index& at, std::size_t axis, int side, int points, int source) const {
    double own = points == 2 ? 1.5 : 1;
    const double others[] = {points == 2 ? -2. : -1., 0.5};
    if (source >= 0 && isMultiplicative) return ratioTermOf(at, axis, side, points, std::size_t(source));
    Term term;
    double s0 = 0;
    if (source >= 0) {
      s0 = seedSlowness[std::size_t(source)];
      const Vector d = away(at, std::size_t(source));
      term.offset = -(points > 0 ? side : -1) * s0 * d[axis] / length(d);
      if (points > 0) term.offset -= own * s0 * length(d) / h[axis];
    }
    if (points == 0) return term;
    term.slope = own / h[axis];
    for (int k = 0; k < points; ++k) {
      Index there = at;
      there[axis] += side * (k + 1);
      const double time = u[indexOf(there)];
      const double straight = source >= 0 ? s0 * length(away(there, std::size_t(source))) : 0;
      term.offset += others[k] * (time - straight) / h[axis];
      term.latest = std::max(term.latest, time);
    }
    return term;
  }

  /// The same of the ratio (u - start) / r times r, plus this ratio times the derivative of r.
  Term ratioTermOf(const Index& at, std::size_t axis, int side, int points, std::size_t source) const {
    const Vector d = away(at, source);
    const double r = length(d), start = problem.seeds[source].startValue;
    const double others[] = {points == 2 ? -2. : -1., 0.5}, own = points == 0 ? 0 : points == 2 ? 1.5 : 1;
    Term term;
    term.slope = own / h[axis] - (points > 0 ? side : -1) * d[axis] / (r * r);
    term.offset = -term.slope * start;
    for (int k = 0; k < points; ++k) {
      Index there = at;
      there[axis] += side * (k + 1);
      const double time = u[indexOf(there)], distance = length(away(there, source));
      term.offset +=
          others[k] * r / h[axis] * (distance > 1e-9 * r ? (time - start) / distance : seedSlowness[source]);
      term.latest = std::max(term.latest, time);
    }
    return term;
  }

  void refineAt(const Index& at) {
    const std::size_t q = indexOf(at);
    const int source = sourceOf(at);
    std::array<Term, 3> three, two;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto [side, points] = sideOf(at, a);
      three[a] = termOf(at, a, side, points, source);
      two[a] = termOf(at, a, side, std::min(points, 1), source);
    }
    double v = solutionOf(three, s[q]);
    if (std::isnan(v)) v = solutionOf(two, s[q]);
    for (int drop = 0; std::isnan(v) && source < 0 && drop < 2; ++drop) {
      *std::ranges::max_element(three, {}, &Term::latest) = {};
      v = solutionOf(three, s[q]);
    }
    if (!std::isnan(v)) u[q] = v;
  }
};

} // namespace

std::vector<double> refine(const image::Problem& problem, std::span<const double> slowness,
                           std::span<const double> first, std::span<const float> sides,
                           std::span<const std::uint8_t> kept, std::span<const double> radius,
                           bool isMultiplicative) {
  return Refinement(problem, slowness, first, sides, radius, isMultiplicative).run(kept);
}

} // namespace isochrone::reference
