// CurvatureParts.h - a problem whose states are divided among threads of this process.
#pragma once

#include "CurvatureCases.h"
#include "PartsInProcess.h"

#include <utility>
#include <vector>

namespace isochrone::curvature {

using grid::Boxes;

/// Calls work(p, problem) for each part of a plane on a thread of its own.
template <class Work>
void inParts(const Problem& whole, const Boxes& own, std::int64_t margin, Work&& work) {
  grid::PartsInProcess parts(own, {whole.grid.nx, whole.grid.ny, 1}, margin);
  parts.run([&](int p) {
    Problem problem = whole;
    problem.part = parts.part(p);
    problem.margin = margin;
    work(p, problem);
  });
}

/// Copies the states that a part computes from its window to the whole plane.
inline void joinStates(const Problem& part, std::span<const float> values, std::span<float> whole) {
  const grid::Box window = windowOf(part);
  StateGrid local = part.grid;
  local.nx = window.size(0), local.ny = window.size(1);
  grid::forEachPoint(part.part.own, [&](const GridIndex& at) {
    for (int k = 0; k < local.headings; ++k)
      whole[part.grid.index(at[0] + window.low[0], at[1] + window.low[1], k)] =
          values[local.index(at[0], at[1], k)];
  });
}

/// A problem solved in parts, and results that follow from the solution.
struct PartedSolution {
  std::vector<float> travelTime, uncorrected; ///< of the whole plane
  std::vector<Result> parts;
  double updatesPerPoint = 0;
  std::int64_t bytesSent = 0;

  PlanarResult plane;                   ///< of the whole plane
  std::vector<std::vector<Path>> paths; ///< per part, of all tips
  std::vector<double> residuals;        ///< per part
};

/// Copies the own points of a part from its window to the whole plane.
inline void joinPlane(const Problem& part, const PlanarResult& values, PlanarResult& whole) {
  const grid::Box window = windowOf(part);
  grid::forEachPoint(part.part.own, [&](const GridIndex& at) {
    const auto to = std::size_t(at[0] + window.low[0] + part.grid.nx * (at[1] + window.low[1])),
               from = std::size_t(at[0] + window.size(0) * at[1]);
    whole.travelTime[to] = values.travelTime[from];
    whole.heading[to] = values.heading[from];
    whole.seed[to] = values.seed[from];
  });
}

/// @param tips  with tips, also reduces to the plane, extracts their paths and evaluates the residual
inline PartedSolution solveInParts(const Problem& whole, const Options& options, const Boxes& own,
                                   std::span<const State> tips = {}) {
  PartedSolution solution;
  const auto points = std::size_t(whole.grid.planePoints());
  solution.parts.resize(own.size()), solution.paths.resize(own.size()), solution.residuals.resize(own.size());
  solution.travelTime.resize(std::size_t(whole.grid.points()));
  if (whole.accuracy == Accuracy::SecondOrder) solution.uncorrected.resize(solution.travelTime.size());
  PlanarResult& plane = solution.plane;
  plane.travelTime.resize(points), plane.heading.resize(points), plane.seed.resize(points);
  inParts(whole, own, marginOf(whole), [&](int p, const Problem& problem) {
    Result& result = solution.parts[std::size_t(p)] = solveCurvaturePaths(problem, options, {});
    joinStates(problem, result.travelTime, solution.travelTime);
    if (!result.uncorrected.empty()) joinStates(problem, result.uncorrected, solution.uncorrected);
    if (tips.empty()) return;
    joinPlane(problem, reduceToPlane(problem, result, 1), plane);
    solution.paths[std::size_t(p)] = extractPaths(problem, result, tips, 1);
    solution.residuals[std::size_t(p)] = residual(problem, result, 1);
  });
  for (std::size_t p = 0; p < own.size(); ++p) {
    solution.updatesPerPoint +=
        solution.parts[p].updatesPerPoint * double(own[p].points()) / double(whole.grid.planePoints());
    solution.bytesSent += solution.parts[p].bytesSent;
  }
  return solution;
}

} // namespace isochrone::curvature
