// How well a travel time solves the discrete equation F u = cost, measured in double with stencils made point
// by point.
#include "CurvaturePaths/Corrections.h"
#include "CurvaturePaths/HeadingStencils.h"
#include "CurvaturePaths/Walls.h"
#include "FirstException.h"

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

/// Where a turn costs next to nothing, a difference of travel times is rounding, and an equation that the
/// solver has met to the last bit is far off: from this residual on, what rounding can explain is left out.
/// The solver rounds times since the earliest start, and their sum with it; where that start is so large that
/// the sum blurs all arrivals, no more is left out than they last.
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

  /// F u at a state, by one stencil
  double operator()(const Stencil& stencil, std::int64_t i, std::int64_t j, int k, double u) const {
    double largest = 0;
    for (const auto& scheme : stencil.schemes) {
      double sum = 0;
      const Corrections::Factors factors = corrections.factors(i, j, k, scheme);
      for (std::size_t t = 0; t < scheme.size(); ++t) {
        const Term& term = scheme[t];
        double v = neighbour(i, j, k, term.offset, 1);
        if (term.symmetric) v = std::min(v, neighbour(i, j, k, term.offset, -1));
        const double below = std::max(0., u - v);
        sum += term.weight * factors[t] * below * below;
      }
      largest = std::max(largest, sum);
    }
    return std::sqrt(largest);
  }
};

} // namespace

double residual(const Problem& problem, const Solution& solution, int threads) {
  const std::span<const float> travelTime = solution.travelTime;
  const StateGrid& g = problem.grid;
  const bool varying =
      rangeOf(problem, problem.turningRadius).varies() || rangeOf(problem, problem.curvatureShift).varies();
  const Walls walls(g.nx, g.ny, problem.walls);
  const Evaluator evaluate{problem, travelTime, walls, Corrections(problem, solution.uncorrected, walls)};
  std::vector<char> seeds(g.points(), 0);
  double earliest = std::numeric_limits<double>::infinity();
  for (const Seed& seed : problem.seeds) {
    const Placement p = place(problem, seed.state);
    if (p.status != Placement::Status::Inside) continue;
    earliest = std::min(earliest, seed.startValue);
    for (int k = 0; k < g.headings; ++k)
      if (p.heading < 0 || p.heading == k) seeds[g.index(p.i, p.j, k)] = 1;
  }
  for (const BallState& b : solution.balls) seeds[b.state] = 1;
  double latest = earliest;
  for (const float u : travelTime)
    if (std::isfinite(u)) latest = std::max(latest, double(u));
  const double h = std::min(g.hx, g.hy);
  double worst = 0;
  const auto worstOf = [&](int k) {
    double worst = 0;
    Stencil stencil;
    if (!varying)
      stencil = makeStencil(problem, k, at(problem.turningRadius, g, 0), at(problem.curvatureShift, g, 0));
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i) {
        const std::int64_t index = g.index(i, j, k);
        const double u = travelTime[index];
        if (!std::isfinite(u) || seeds[index]) continue;
        if (varying)
          stencil = makeStencil(problem, k, at(problem.turningRadius, g, index),
                                at(problem.curvatureShift, g, index));
        const double cost = at(problem.cost, g, index);
        double error = std::abs(evaluate(stencil, i, j, k, u) / cost - 1);
        if (error > roundingMayBe) {
          const double slack =
              roundingOfTimes * std::max(u - earliest, std::min(std::abs(u), latest - earliest));
          error = std::max({0., evaluate(stencil, i, j, k, u - slack) / cost - 1,
                            1 - evaluate(stencil, i, j, k, u + slack) / cost});
        }
        worst = std::max(worst, error / std::max(1., (u - earliest) / (500 * h * cost)));
      }
    return worst;
  };
  FirstException failure;
#pragma omp parallel for schedule(dynamic) num_threads(chooseThreads(threads)) reduction(max : worst)
  for (int k = 0; k < g.headings; ++k) failure.guard([&] { worst = std::max(worst, worstOf(k)); });
  failure.rethrow();
  return worst;
}

} // namespace isochrone::curvature
