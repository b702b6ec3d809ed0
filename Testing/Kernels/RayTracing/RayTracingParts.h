// RayTracingParts.h - a problem divided into parts that are solved at the same time.
#pragma once

#include "PartsInProcess.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracingCases.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::rays {

/// The part of a problem within a box, with the memory of its spans.
struct ProblemPart {
  Problem problem;
  std::vector<float> slowness, startTimes, epsilon, delta, shear, axis;
  std::vector<double> preciseSlowness, preciseStartTimes;

  ProblemPart(const Problem& whole, const Options& options, const grid::GridPart& part, const grid::Box& box)
      : problem(whole) {
    const Grid &g = whole.grid, all = elementsOf(g, options.rule);
    Grid& own = problem.grid;
    own.nx = box.size(0), own.ny = box.size(1), own.nz = box.size(2);
    const GridIndex n = elementsOf(own, options.rule).sizes();
    const grid::Box elements{box.low, {box.low[0] + n[0], box.low[1] + n[1], box.low[2] + n[2]}};
    crop<float>(whole.slowness, all, elements, slowness);
    crop<double>(whole.preciseSlowness, all, elements, preciseSlowness);
    crop<float>(whole.thomsen.epsilon, all, elements, epsilon);
    crop<float>(whole.thomsen.delta, all, elements, delta);
    crop<float>(whole.thomsen.shear, all, elements, shear);
    crop<float>(whole.thomsen.axis, all, elements, axis, g.nz == 1 ? 2 : 3);
    problem.thomsen = {epsilon, delta, axis, shear};
    crop<float>(whole.startTimes, g, box, startTimes);
    crop<double>(whole.preciseStartTimes, g, box, preciseStartTimes);
    problem.slowness = slowness, problem.preciseSlowness = preciseSlowness;
    problem.startTimes = startTimes, problem.preciseStartTimes = preciseStartTimes;
    problem.part = part;
  }
  ProblemPart(const ProblemPart&) = delete; // the problem views the arrays

private:
  template <class T>
  static void crop(std::span<const T> values, const Grid& grid, const grid::Box& box, std::vector<T>& to,
                   std::size_t components = 1) {
    if (values.empty()) return;
    grid::forEachPoint(box, [&](const GridIndex& p) {
      for (std::size_t c = 0; c < components; ++c)
        to.push_back(values[components * std::size_t(grid.index(p)) + c]);
    });
  }
};

/// A problem solved in parts, and the rays of its fields.
struct PartedSolution {
  Result result; ///< of the whole image
  std::int64_t bytesTold = 0;
  std::vector<Result> parts;
  std::vector<std::vector<Ray>> rays; ///< per part, of all receivers, field by field
  std::vector<RayMatrix> matrices;    ///< per part, of these rays
};

inline PartedSolution solveInParts(const Problem& whole, const Options& options, std::vector<grid::Box> own,
                                   const std::vector<Position>& receivers = {}) {
  const Grid& g = whole.grid;
  const std::int64_t margin = std::max(2, reachOf(makeForwardStar(g, options.neighbours, options.radius)));
  grid::PartsInProcess parts(own, g.sizes(), margin);
  PartedSolution solution;
  solution.parts.resize(own.size()), solution.rays.resize(own.size()), solution.matrices.resize(own.size());
  parts.run([&](int p) {
    const ProblemPart local(whole, options, parts.part(p),
                            grid::grown(own[std::size_t(p)], margin, g.sizes()));
    Result& result = solution.parts[std::size_t(p)] = solveRayTracing(local.problem, options, {});
    for (std::size_t f = 0; f < result.fields.size() && !receivers.empty(); ++f) {
      std::vector<std::int32_t> sources;
      for (std::int32_t s = 0; s < std::int32_t(whole.sources.size()); ++s)
        if (!options.separateSources || s == std::int32_t(f)) sources.push_back(s);
      for (Ray& ray : traceRays(local.problem, options, result.fields[f], sources, receivers))
        solution.rays[std::size_t(p)].push_back(std::move(ray));
    }
    if (!receivers.empty())
      solution.matrices[std::size_t(p)] = rayMatrix(local.problem, options, solution.rays[std::size_t(p)]);
  });
  solution.result.fields.resize(solution.parts[0].fields.size());
  for (std::size_t f = 0; f < solution.result.fields.size(); ++f) {
    const auto join = [&](auto Field::*array) {
      auto& all = solution.result.fields[f].*array;
      for (std::size_t p = 0; p < own.size(); ++p) {
        const auto& values = solution.parts[p].fields[f].*array;
        if (values.empty()) return;
        all.resize(std::size_t(g.points()));
        const grid::Box box = grid::grown(own[p], margin, g.sizes());
        const Grid part{box.size(0), box.size(1), box.size(2)};
        grid::forEachPoint(own[p], [&](const GridIndex& at) {
          all[std::size_t(g.index(at))] =
              values[std::size_t(part.index(at[0] - box.low[0], at[1] - box.low[1], at[2] - box.low[2]))];
        });
      }
    };
    join(&Field::travelTime);
    join(&Field::preciseTravelTime);
    join(&Field::predecessor);
    join(&Field::source);
  }
  solution.result.roundingRisk = solution.parts[0].roundingRisk;
  solution.result.exchanges = solution.parts[0].exchanges;
  for (const Result& part : solution.parts) solution.bytesTold += part.bytesTold;
  return solution;
}

} // namespace isochrone::rays
