// Measures how well a travel time solves the discrete equation F u = cost, in double, with stencils built
// point by point.
#include "CurvaturePaths/Scheme/Corrections.h"
#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

double at(const Field& field, const StateGrid& grid, std::int64_t index) {
  if (field.values.empty()) return field.constant;
  return field
      .values[std::int64_t(field.values.size()) > grid.planePoints() ? index : index % grid.planePoints()];
}

/// Where a turn costs almost nothing, differences of travel times are rounding, and an equation solved to the
/// last bit has a large residual. From this residual on, the part that rounding explains is left out. The
/// solver rounds times since the earliest start, and their sum with that start. Where that start is so large
/// that the sum blurs all arrivals, the allowance is relative to the time span of the arrivals.
constexpr double roundingMayBe = 1e-3, roundingOfTimes = 8 * 0x1p-24;

struct Evaluator {
  const Problem& problem;
  std::span<const float> travelTime;
  const Walls& walls;
  Corrections corrections;

  double neighbour(std::int64_t i, std::int64_t j, int k, const Offset& e, int sign) const {
    const StateGrid& g = problem.grid;
    const std::int64_t x = i + sign * e[0], y = j + sign * e[1];
    const int n = g.headings, h = (((k + sign * e[2]) % n) + n) % n;
    if (x < 0 || y < 0 || x >= g.nx || y >= g.ny || !walls.free(i, j, sign * e[0], sign * e[1]))
      return std::numeric_limits<double>::infinity();
    return travelTime[g.index(x, y, h)];
  }

  /// Returns F u at a state, by one stencil.
  double operator()(const Stencil& stencil, std::int64_t i, std::int64_t j, int k, double u,
                    double cost) const {
    double largest = 0;
    for (const auto& scheme : stencil.schemes) {
      double sum = 0;
      const Corrections::Factors factors = corrections.factors(i, j, k, scheme);
      for (std::size_t t = 0; t < scheme.size(); ++t) {
        const Term& term = scheme[t];
        double v = neighbour(i, j, k, term.offset, 1);
        if (term.symmetric) v = std::min(v, neighbour(i, j, k, term.offset, -1));
        const double below = limited(std::max(0., u - v), limitOf(problem, term.offset, cost));
        sum += term.weight * factors[t] * below * below;
      }
      largest = std::max(largest, sum);
    }
    return std::sqrt(largest);
  }
};

} // namespace

double residual(const Problem& problem, const Solution& solution, int threads, const Monitor& monitor) {
  const std::span<const float> travelTime = solution.travelTime;
  const StateGrid& g = problem.grid;
  const auto discretisation = discretisationOf(problem, solution);
  const Walls& walls = discretisation->walls;
  const HeadingStencils& stencils = discretisation->stencils();
  const Evaluator evaluate{problem, travelTime, walls, Corrections(problem, solution.uncorrected, walls)};
  std::vector<char> seeds(g.points(), 0);
  double earliest = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < problem.seeds.size(); ++s) {
    const Placement& p = discretisation->seeds[s];
    if (p.status != Placement::Status::Inside) continue;
    earliest = std::min(earliest, problem.seeds[s].startValue);
    for (int k = 0; k < g.headings; ++k)
      if (p.heading < 0 || p.heading == k) seeds[g.index(p.i, p.j, k)] = 1;
  }
  for (const BallState& b : solution.balls) seeds[b.state] = 1;
  double latest = earliest;
  for (const float u : travelTime)
    if (std::isfinite(u)) latest = std::max(latest, double(u));
  const double h = std::min(g.hx, g.hy);
  const auto stencilAt = [&](int k, std::int64_t index) {
    return makeStencil(problem, k, at(problem.turningRadius, g, index), at(problem.curvatureShift, g, index));
  };
  const auto check = [&](std::int64_t i, std::int64_t j, int k, double& worst) {
    const std::int64_t index = g.index(i, j, k);
    const double u = travelTime[index];
    if (!std::isfinite(u) || seeds[index]) return;
    const Stencil varying = stencils.varying ? stencilAt(k, index) : Stencil{};
    const Stencil& stencil = stencils.varying ? varying : stencils.uniform[k];
    const double cost = at(problem.cost, g, index);
    double error = std::abs(evaluate(stencil, i, j, k, u, cost) / cost - 1);
    if (error > roundingMayBe) {
      const double slack = roundingOfTimes * std::max(u - earliest, std::min(std::abs(u), latest - earliest));
      error = std::max({0., evaluate(stencil, i, j, k, u - slack, cost) / cost - 1,
                        1 - evaluate(stencil, i, j, k, u + slack, cost) / cost});
    }
    worst = std::max(worst, error / std::max(1., (u - earliest) / (500 * h * cost)));
  };
  threads = chooseThreads(threads);
  std::vector<double> worst(threads, 0); // maximum per thread
  const bool done = Workers(threads, monitor).run(g.ny * g.headings, [&](std::int64_t row, int thread) {
    double worstOfRow = 0;
    for (std::int64_t i = 0; i < g.nx; ++i) check(i, row % g.ny, int(row / g.ny), worstOfRow);
    worst[thread] = std::max(worst[thread], worstOfRow);
  });
  return done ? *std::max_element(worst.begin(), worst.end()) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace isochrone::curvature
