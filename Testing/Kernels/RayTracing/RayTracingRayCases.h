// RayTracingRayCases.h - images for the tests of rays.
#pragma once

#include "Noise.h"
#include "RayTracing/RayTracing.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace isochrone::rays {

/// Returns the slowness of the point or, with WeightRule::Cells, of the cell (i, j, k).
using Slowness = std::function<double(std::int64_t, std::int64_t, std::int64_t)>;

/// A problem with the memory of its spans.
struct RayCase {
  std::string name;
  Problem problem;
  Options options;
  std::vector<float> slowness;
  std::vector<double> precise;

  RayCase() = default;
  RayCase(RayCase&&) = default; // keeps the memory that the problem views
};

inline RayCase makeRayCase(const std::string& name, const Grid& grid, const Options& options,
                           const Slowness& slowness) {
  RayCase c;
  c.name = name;
  c.problem.grid = grid;
  c.options = options;
  c.options.threads = 2;
  const std::int64_t less = options.rule == WeightRule::Cells ? 1 : 0;
  const auto along = [&](std::int64_t n) { return n > 1 ? n - less : n; };
  for (std::int64_t k = 0; k < along(grid.nz); ++k)
    for (std::int64_t j = 0; j < along(grid.ny); ++j)
      for (std::int64_t i = 0; i < along(grid.nx); ++i)
        if (options.doublePrecision)
          c.precise.push_back(slowness(i, j, k));
        else
          c.slowness.push_back(float(slowness(i, j, k)));
  c.problem.slowness = c.slowness;
  c.problem.preciseSlowness = c.precise;
  return c;
}

/// Returns values from 0.5 to 2, with about one element in eight blanked, but none near (6, 6).
inline double roughSlowness(std::int64_t i, std::int64_t j, std::int64_t k) {
  const std::uint64_t n = std::uint64_t(i + 1009 * (j + 1013 * k));
  const bool about = std::abs(i - 6) < 4 && std::abs(j - 6) < 4;
  return !about && noise(7 * n) < 0.12 ? std::numeric_limits<double>::infinity()
                                       : 0.5 + 1.5 * noise(7 * n + 3);
}

inline double smoothSlowness(std::int64_t i, std::int64_t j, std::int64_t k) {
  return 1 + 0.4 * std::sin(0.31 * double(i)) * std::cos(0.23 * double(j) + 0.17 * double(k));
}

inline double valueAt(const Field& field, std::int64_t point) {
  return field.travelTime.empty() ? field.preciseTravelTime[point] : double(field.travelTime[point]);
}

inline Result solve(const RayCase& c) { return solveRayTracing(c.problem, c.options, {}); }

inline std::vector<std::int32_t> allSources(const RayCase& c) {
  std::vector<std::int32_t> all;
  for (std::size_t s = 0; s < c.problem.sources.size(); ++s) all.push_back(std::int32_t(s));
  return all;
}

inline std::vector<Ray> trace(const RayCase& c, const Field& field, const std::vector<Position>& receivers) {
  return traceRays(c.problem, c.options, field, allSources(c), receivers);
}

inline Position placeOf(const Grid& g, std::int64_t point) {
  return {g.hx * double(point % g.nx), g.hy * double(point / g.nx % g.ny),
          g.hz * double(point / (g.nx * g.ny))};
}

/// Returns every `step`-th point of the grid.
inline std::vector<Position> everyPoint(const Grid& g, std::int64_t step) {
  std::vector<Position> places;
  for (std::int64_t p = 0; p < g.points(); p += step) places.push_back(placeOf(g, p));
  return places;
}

/// Returns cases for all rules and both precisions, in the plane and in space, rough with holes, with sources
/// off the grid.
inline std::vector<RayCase> roughCases() {
  std::vector<RayCase> cases;
  for (const auto rule : {WeightRule::Accurate, WeightRule::Fast, WeightRule::Cells})
    for (const bool precise : {false, true})
      for (const bool space : {false, true}) {
        Options options;
        options.rule = rule;
        options.doublePrecision = precise;
        options.radius = space ? std::array{2, 2, 2} : std::array{4, 3, 1};
        options.neighbours = space || precise ? StarKind::Coprime : StarKind::Full;
        const Grid grid = space ? Grid{11, 9, 8, 1, 1.5, 0.7} : Grid{41, 33, 1, 1, 0.8, 1};
        RayCase c = makeRayCase(std::string(space ? "space" : "plane") + (precise ? ", double" : ", float") +
                                    ", rule " + std::to_string(int(rule)),
                                grid, options, roughSlowness);
        c.problem.sources = {{placeOf(grid, grid.index(5, 5, 0)), 0.25}, {{6.3, 5.2, space ? 2.6 : 0}, 0.5}};
        cases.push_back(std::move(c));
      }
  return cases;
}

} // namespace isochrone::rays
