// RayProblems.h - the models of the ray-tracing benchmark.
//
//   gradient   velocity from 0.5 at the top to 4 at the bottom, as in the paper; its times are known
//   blocks     8 points an edge, velocities from 0.5 to 4 at random
//   noise      the same, point by point
//   maze       blanked walls that leave a winding lane of 20 points
#pragma once

#include "Error.h"
#include "Noise.h"
#include "RayTracing/RayTracing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace isochrone::benchmark {

struct RayCase {
  std::string name;
  rays::Problem problem;
  std::vector<float> slowness;

  RayCase(const std::string& called, const rays::Grid& grid, int sources) : name(called) {
    problem.grid = grid;
    for (int s = 0; s < sources; ++s) // along the top, the first one in the corner
      problem.sources.push_back({{grid.hx * std::floor(double(s) * double(grid.nx) / sources), 0, 0}, 0});
  }
  RayCase(RayCase&&) = default; // keeps the memory that the problem views
};

/// Returns the steps downwards, along the last axis.
inline std::int64_t depthOf(const rays::Grid& g, std::int64_t point) {
  return g.nz > 1 ? point / (g.nx * g.ny) : point / g.nx;
}
inline std::int64_t depthsOf(const rays::Grid& g) { return g.nz > 1 ? g.nz : g.ny; }

inline double velocityOf(const std::string& model, const rays::Grid& g, std::int64_t point) {
  const std::int64_t i = point % g.nx, j = point / g.nx % g.ny, k = point / (g.nx * g.ny),
                     down = depthOf(g, point);
  if (model == "gradient") return 0.5 + 3.5 * double(down) / double(depthsOf(g) - 1);
  if (model == "blocks") return 0.5 + 3.5 * noise(std::uint64_t(i / 8 + 1009 * (j / 8 + 1009 * (k / 8))));
  if (model == "noise") return 0.5 + 3.5 * noise(std::uint64_t(point));
  if (model != "maze") throw Error("unknown model '" + model + "'");
  const bool wall = down / 20 % 2 == 1, gap = down / 40 % 2 == 1 ? i < 20 : i >= g.nx - 20;
  return wall && !gap ? 0 : 2;
}

inline RayCase makeRayCase(const std::string& model, const rays::Grid& grid, int sources) {
  RayCase c(model, grid, sources);
  for (std::int64_t p = 0; p < grid.points(); ++p)
    c.slowness.push_back(float(1 / velocityOf(model, grid, p))); // +infinity for zero velocity
  c.problem.slowness = c.slowness;
  return c;
}

/// Moves the sources from the top to a square lattice over x and the depth, above the walls that they would
/// be in.
inline void spreadSources(RayCase& c) {
  const rays::Grid& g = c.problem.grid;
  const auto count = std::int64_t(c.problem.sources.size());
  const auto side = std::int64_t(std::ceil(std::sqrt(double(count))));
  for (std::int64_t s = 0; s < count; ++s) {
    const std::int64_t i = (2 * (s % side) + 1) * g.nx / (2 * side), row = g.points() / depthsOf(g);
    std::int64_t down = (2 * (s / side) + 1) * depthsOf(g) / (2 * side);
    while (velocityOf(c.name, g, down * row + i) == 0) --down;
    rays::Position& at = c.problem.sources[std::size_t(s)].at;
    at[0] = g.hx * double(i);
    (g.nz > 1 ? at[2] : at[1]) = (g.nz > 1 ? g.hz : g.hy) * double(down);
  }
}

struct RayErrors {
  double mean = 0, maximum = 0; ///< relative, over points later than a tenth of the latest time
};

/// Returns the errors of times from the corner in the gradient, against the closed form.
inline RayErrors errorsInGradient(const RayCase& c, const Values<float>& times) {
  const rays::Grid& g = c.problem.grid;
  const double slope = 3.5 / (double(depthsOf(g) - 1) * g.hx); // the spacings are equal
  const auto exact = [&](std::int64_t p) {
    const double x = double(p % g.nx), y = double(p / g.nx % g.ny), z = double(p / (g.nx * g.ny));
    const double squared = (x * x + y * y + z * z) * g.hx * g.hx;
    return std::acosh(1 + slope * slope * squared / (2 * 0.5 * velocityOf(c.name, g, p))) / slope;
  };
  double latest = 0;
  for (std::int64_t p = 0; p < g.points(); ++p) latest = std::max(latest, exact(p));
  RayErrors errors;
  std::int64_t count = 0;
  for (std::int64_t p = 0; p < g.points(); ++p)
    if (const double t = exact(p); t >= 0.1 * latest) {
      const double error = double(times[p]) / t - 1;
      errors.mean += error, ++count;
      errors.maximum = std::max(errors.maximum, error);
    }
  errors.mean /= double(count);
  return errors;
}

} // namespace isochrone::benchmark
