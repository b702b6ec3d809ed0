// How far a solution may be from the truth: its difference from one with twice the steps.
#include "CurvaturePaths/CurvaturePaths.h"
#include "Error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Every second state of a problem, with the arrays that it views.
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
        walls[i + problem.grid.nx * j] = fine.walls[2 * i + g.nx * 2 * j];
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

} // namespace

std::vector<float> estimateError(const Problem& problem, const PlanarResult& plane, const Options& options,
                                 const Monitor& monitor) {
  const StateGrid& g = problem.grid;
  if (g.headings % 2 || g.headings < 8)
    throw Error("the error estimate needs an even number of headings, at least 8, got " +
                std::to_string(g.headings));
  const Coarse coarse(problem);
  Options all = options;
  all.stopAt.clear();
  const Result result = solveCurvaturePaths(coarse.problem, all, monitor);
  if (result.aborted) return {};
  const PlanarResult rough = reduceToPlane(coarse.problem, result, options.threads);

  const StateGrid& c = coarse.problem.grid;
  std::vector<float> error(g.planePoints(), std::numeric_limits<float>::infinity());
  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i) {
      double mean = 0; // of the coarse points around, those that are there
      int count = 0;
      for (const std::int64_t y : {j / 2, (j + 1) / 2})
        for (const std::int64_t x : {i / 2, (i + 1) / 2})
          if (x < c.nx && y < c.ny && std::isfinite(rough.travelTime[x + c.nx * y]))
            mean += rough.travelTime[x + c.nx * y], ++count;
      const double here = plane.travelTime[i + g.nx * j];
      if (count > 0 && std::isfinite(here)) error[i + g.nx * j] = float(std::abs(mean / count - here));
    }
  return error;
}

} // namespace isochrone::curvature
