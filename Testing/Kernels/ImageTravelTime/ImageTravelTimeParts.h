// ImageTravelTimeParts.h - a problem divided into parts that are solved at the same time.
#pragma once

#include "ImageTravelTimeCases.h"
#include "PartsInProcess.h"

#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace isochrone::image {

/// The part of a problem within a box, with the memory of its spans.
struct ProblemPart {
  Problem problem;
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> regions;
};

template <class T>
std::vector<T> cropped(std::span<const T> values, const Grid& grid, const grid::Box& box) {
  std::vector<T> part;
  if (!values.empty())
    grid::forEachPoint(box, [&](const GridIndex& p) { part.push_back(values[std::size_t(grid.index(p))]); });
  return part;
}

inline Position relativeTo(const GridIndex& first, const Grid& g, const Position& at) {
  return {at[0] - double(first[0]) * g.hx, at[1] - double(first[1]) * g.hy, at[2] - double(first[2]) * g.hz};
}

inline ProblemPart problemPart(const Problem& whole, const grid::GridPart& part, const grid::Box& box) {
  const Grid& g = whole.grid;
  ProblemPart made{whole, cropped(whole.speed, g, box), cropped(whole.barriers, g, box),
                   cropped(whole.seedRegions, g, box)};
  Problem& p = made.problem;
  p.grid.nx = box.size(0), p.grid.ny = box.size(1), p.grid.nz = box.size(2);
  for (Seed& seed : p.seeds) seed.at = relativeTo(part.first, g, seed.at);
  p.part = part;
  return made;
}

/// A problem solved in parts.
struct PartedSolution {
  Result result; ///< of the whole image; of the first part what has no value per point
  std::int64_t bytesTold = 0;
  std::vector<Result> parts;
  std::vector<std::vector<Path>> paths; ///< per part, of all tips; relative to the whole image
};

inline PartedSolution solveInParts(const Problem& whole, const Options& options, std::vector<grid::Box> own,
                                   std::int64_t margin = 2, std::vector<Position> tips = {}) {
  const Grid& g = whole.grid;
  grid::PartsInProcess parts(own, g.sizes(), margin);
  PartedSolution solution;
  solution.parts.resize(own.size());
  solution.paths.resize(own.size());
  parts.run([&](int p) {
    const grid::Box box = grid::grown(own[std::size_t(p)], margin, g.sizes());
    ProblemPart local = problemPart(whole, parts.part(p), box);
    local.problem.speed = local.speed, local.problem.barriers = local.barriers;
    local.problem.seedRegions = local.regions;
    Options request = options;
    request.threads = 1;
    for (Position& tip : request.stopAt) tip = relativeTo(parts.part(p).first, g, tip);
    Result& result = solution.parts[std::size_t(p)] = solveImageTravelTime(local.problem, request, {});
    const GridIndex& first = parts.part(p).first;
    std::vector<Position> localTips;
    for (const Position& tip : tips) localTips.push_back(relativeTo(first, g, tip));
    auto& paths = solution.paths[std::size_t(p)] =
        extractPaths(local.problem, result.travelTime, localTips, 1);
    for (Path& path : paths) {
      for (double& x : path.x) x += double(first[0]) * g.hx;
      for (double& y : path.y) y += double(first[1]) * g.hy;
      for (double& z : path.z) z += double(first[2]) * g.hz;
    }
  });
  const auto join = [&](auto Result::*array) {
    auto& all = solution.result.*array;
    all.resize(std::size_t(g.points()));
    for (std::size_t p = 0; p < own.size(); ++p) {
      const auto& values = solution.parts[p].*array;
      const grid::Box box = grid::grown(own[p], margin, g.sizes());
      if (values.empty()) continue;
      const Grid part{box.size(0), box.size(1), box.size(2)};
      grid::forEachPoint(own[p], [&](const GridIndex& at) {
        all[std::size_t(g.index(at))] =
            values[std::size_t(part.index(at[0] - box.low[0], at[1] - box.low[1], at[2] - box.low[2]))];
      });
    }
  };
  solution.result.seeds = solution.parts[0].seeds;
  solution.result.ballRadius = solution.parts[0].ballRadius;
  solution.result.exchanges = solution.parts[0].exchanges;
  for (const Result& part : solution.parts) solution.bytesTold += part.bytesTold;
  join(&Result::travelTime);
  if (options.seedIds) join(&Result::seed);
  if (options.updateCounts) join(&Result::updates);
  return solution;
}

/// Returns the number of floats between two positive or infinite values.
inline std::int64_t floatsBetween(float a, float b) {
  return std::abs(std::int64_t(std::bit_cast<std::int32_t>(a)) - std::bit_cast<std::int32_t>(b));
}

} // namespace isochrone::image
