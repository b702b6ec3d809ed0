// How far a solution may be from the truth: its difference from one with twice the steps.
#include "CurvaturePaths/CurvaturePaths.h"
#include "Error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Every second state of a problem, with the arrays that it views. Its pixels are walls if one of the four
/// that they stand for is: a wall of one pixel must not get lost.
struct Coarse {
  Problem problem;
  std::array<std::vector<float>, 3> fields;
  std::vector<std::uint8_t> walls;

  explicit Coarse(const Problem& fine) : problem(fine) {
    const StateGrid& g = fine.grid;
    problem.grid = {(g.nx + 1) / 2, (g.ny + 1) / 2, g.headings / 2, 2 * g.hx, 2 * g.hy};
    problem.pointName = {};
    pick(fine, fine.cost, problem.cost, fields[0]);
    pick(fine, fine.turningRadius, problem.turningRadius, fields[1]);
    pick(fine, fine.curvatureShift, problem.curvatureShift, fields[2]);
    if (fine.walls.empty()) return;
    walls.resize(problem.grid.planePoints());
    for (std::int64_t j = 0; j < problem.grid.ny; ++j)
      for (std::int64_t i = 0; i < problem.grid.nx; ++i)
        for (const std::int64_t y : {2 * j, std::min(2 * j + 1, g.ny - 1)})
          for (const std::int64_t x : {2 * i, std::min(2 * i + 1, g.nx - 1)})
            walls[i + problem.grid.nx * j] |= fine.walls[x + g.nx * y] != 0;
    problem.walls = walls;
  }

private:
  void pick(const Problem& fine, const Field& from, Field& to, std::vector<float>& values) const {
    if (from.values.empty()) return;
    const StateGrid &f = fine.grid, &c = problem.grid;
    const bool perState = std::int64_t(from.values.size()) > f.planePoints();
    for (int k = 0; k < (perState ? c.headings : 1); ++k)
      for (std::int64_t j = 0; j < c.ny; ++j)
        for (std::int64_t i = 0; i < c.nx; ++i) values.push_back(from.values[f.index(2 * i, 2 * j, 2 * k)]);
    to.values = values;
  }
};

bool hasUsableSeed(const Problem& problem) {
  return std::any_of(problem.seeds.begin(), problem.seeds.end(), [&](const Seed& seed) {
    return place(problem, seed.state).status == Placement::Status::Inside;
  });
}

/// Empty if the monitor said stop.
std::vector<float> planarTimes(const Problem& problem, Route route, const Options& options,
                               const Monitor& monitor) {
  if (route == Route::RoundTrip) {
    const RoundTrip trip = solveRoundTrip(problem, options, monitor);
    if (trip.aborted) return {};
    return reduceToPlane(problem, trip, options.threads).travelTime;
  }
  const Result result = solveCurvaturePaths(problem, options, monitor);
  if (result.aborted) return {};
  return reduceToPlane(problem, result, options.threads).travelTime;
}

} // namespace

std::vector<float> estimateError(const Problem& problem, Route route, const PlanarResult& plane,
                                 const Options& options, const Monitor& monitor) {
  const StateGrid& g = problem.grid;
  const int multiple = route == Route::RoundTrip ? 4 : 2;
  if (g.headings % multiple || g.headings < 8)
    throw Error("the error estimate solves with half the headings, which takes a multiple of " +
                std::to_string(multiple) + ", at least 8, got " + std::to_string(g.headings));
  const Coarse coarse(problem);
  const StateGrid& c = coarse.problem.grid;
  std::vector<float> error(g.planePoints(), std::numeric_limits<float>::infinity());
  if (!hasUsableSeed(coarse.problem)) return error;
  Options all = options;
  all.stopAt.clear();
  const std::vector<float> rough = planarTimes(coarse.problem, route, all, monitor);
  if (rough.empty()) return {};

  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i) {
      double mean = 0; // of the coarse points around, those that are there
      int count = 0;
      for (const std::int64_t y : {j / 2, (j + 1) / 2})
        for (const std::int64_t x : {i / 2, (i + 1) / 2})
          if (x < c.nx && y < c.ny && std::isfinite(rough[x + c.nx * y]))
            mean += rough[x + c.nx * y], ++count;
      const double here = plane.travelTime[i + g.nx * j];
      if (count > 0 && std::isfinite(here)) error[i + g.nx * j] = float(std::abs(mean / count - here));
    }
  return error;
}

} // namespace isochrone::curvature
