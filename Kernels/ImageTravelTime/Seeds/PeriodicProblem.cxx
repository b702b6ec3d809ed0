#include "ImageTravelTime/Seeds/PeriodicProblem.h"

#include "Backend.h"
#include "Error.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Scheme/ThomsenStencil.h"
#include "ImageTravelTime/Scheme/TileData.h"
#include "ImageTravelTime/Validation.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace isochrone::image {

namespace {

constexpr std::int64_t blockPoints = 4096; ///< of a task

/// Returns whether there is a value for each point, and not one for all.
bool isPerPoint(std::span<const float> values, int components, std::int64_t points) {
  return points > 1 && std::int64_t(values.size()) == points * components;
}

/// Returns the size of the arrays of a problem and of a travel time, bytes per point.
std::size_t bytesPerPoint(const Problem& p) {
  const std::int64_t points = p.grid.points();
  std::size_t numbers = 1; // of the travel time
  if (!p.speed.empty()) numbers += std::size_t(componentsOf(p));
  if (!p.drift.empty()) numbers += std::size_t(driftComponents(p));
  for (const std::span<const float> values : {p.thomsen.epsilon, p.thomsen.delta, p.thomsen.shear})
    numbers += isPerPoint(values, 1, points);
  if (isPerPoint(p.thomsen.axis, driftComponents(p), points)) numbers += std::size_t(driftComponents(p));
  return numbers * sizeof(float) + (p.barriers.empty() ? 0 : sizeof(std::uint8_t)) +
         (p.seedRegions.empty() ? 0 : sizeof(std::int32_t));
}

/// The margins of a periodic image.
struct Margins {
  GridIndex before, behind;
};

/// Returns the margins of a periodic image: for paths, and as far as stencils reach.
/// @param byTiles  with tensors, the tiles of a device begin with the image, and none reads copies of its own
///                 points
/// @throws Error if stencils make a small image large
Margins marginsOf(const Problem& problem, const GridIndex& reach, bool byTiles) {
  const GridIndex size = problem.grid.sizes();
  const std::int64_t tile = problem.grid.nz == 1 ? PlaneTile::nx : SpaceTile::nx;
  Margins margins;
  double points = 1, all = 1; // with the margins that stencils need, and with all
  for (int a = 0; a < 3; ++a) {
    const auto repeated = [&](std::int64_t margin) { return (margin + size[a] - 1) / size[a] * size[a]; };
    std::int64_t &before = margins.before[a], &behind = margins.behind[a];
    before = behind = pathMargin + reach[a];
    const bool wraps = problem.periodic[a] && size[a] > 1;
    points *= double(wraps ? repeated(before) + before + behind : size[a]);
    if (byTiles && hasTensors(problem)) {
      before = (behind + tile - 1) / tile * tile;
      if (repeated(before) < reach[a] + tile) before += tile;
    }
    all *= double(wraps ? repeated(before) + before + behind : size[a]);
  }
  constexpr double few = 1 << 18, times = 64;
  if (hasTensors(problem) && points > std::max(few, times * double(problem.grid.points())))
    throw Error("stencils reach " + std::to_string(*std::ranges::max_element(reach)) +
                " points, so that with periodic axes " + std::to_string(problem.grid.points()) +
                " points become " + std::to_string(std::int64_t(points)) +
                ": make the image larger, its medium or its spacings less anisotropic, or no axis periodic");
  requireHostMemory(std::size_t(std::min(all * double(bytesPerPoint(problem)), 9e18)),
                    "the copies of an image with periodic axes");
  return margins;
}

/// Returns the image with its margins as a part of an endless image.
grid::PeriodicPart partOf(const Problem& problem, const GridIndex& reach, bool byTiles) {
  const auto [before, behind] = marginsOf(problem, reach, byTiles);
  return {problem.grid, problem.periodic, before, behind};
}

} // namespace

std::optional<GridIndex> stencilReach(const Problem& problem, int threads, const Monitor& monitor) {
  requirePeriodic(problem);
  if (!hasTensors(problem)) return GridIndex{};
  if (problem.reach != GridIndex{}) return problem.reach;
  threads = chooseThreads(threads, 300 * double(problem.grid.points()));
  std::vector<GridIndex> reach(std::size_t(threads), GridIndex{1, 1, 1}); // per thread
  const auto addBlock = [&](std::int64_t block, int thread) {
    GridIndex& mine = reach[std::size_t(thread)];
    const auto add = [&](const grid::Offset& offset) {
      for (int a = 0; a < 3; ++a) mine[a] = std::max<std::int64_t>(mine[a], std::abs(offset[a]));
    };
    const std::int64_t begin = block * blockPoints,
                       end = std::min(begin + blockPoints, problem.grid.points());
    for (std::int64_t p = begin; p < end; ++p) {
      if (isBarrier(problem, p)) continue;
      if (p > begin && !isBarrier(problem, p - 1) && sameMedium(problem, p, p - 1)) continue;
      if (isTilted(problem))
        for (const ThomsenPiece& piece : thomsenScheme(problem, p).pieces)
          std::for_each(piece.offset.begin(), piece.offset.begin() + piece.count, add);
      else
        for (const TensorTerm& term : stencilAt(problem, p)) add(term.offset);
    }
  };
  const std::int64_t blocks = (problem.grid.points() + blockPoints - 1) / blockPoints;
  if (!Workers(threads, monitor).run(blocks, 0, 0, addBlock)) return {};
  for (const GridIndex& of : reach)
    for (int a = 0; a < 3; ++a) reach[0][a] = std::max(reach[0][a], of[a]);
  return reach[0];
}

PeriodicProblem::PeriodicProblem(const Problem& given, const GridIndex& reach, bool byTiles)
    : periodic(partOf(given, reach, byTiles)), speed(periodic.extend(given.speed, componentsOf(given))),
      drift(periodic.extend(given.drift, driftComponents(given))), barriers(periodic.extend(given.barriers)),
      regions(periodic.extend(given.seedRegions)), inParts(given) {
  inParts.periodic = {};
  inParts.grid = periodic.grid(), inParts.part = periodic.part();
  const auto extendParameter = [&](std::span<const float>& values, int components,
                                   std::vector<float>& extended) {
    if (!isPerPoint(values, components, given.grid.points())) return;
    extended = periodic.extend(values, components);
    values = extended;
  };
  extendParameter(inParts.thomsen.epsilon, 1, epsilon);
  extendParameter(inParts.thomsen.delta, 1, delta);
  extendParameter(inParts.thomsen.axis, driftComponents(given), axis);
  extendParameter(inParts.thomsen.shear, 1, shear);
  inParts.speed = speed, inParts.drift = drift, inParts.barriers = barriers, inParts.seedRegions = regions;
  inParts.pointName = [given, part = periodic](std::int64_t i, std::int64_t j, std::int64_t k) {
    return nameOf(given, given.grid.index(part.inImage({i, j, k})));
  };
  // The seeds, then their copies in the margin, in the same order each time; those outside lie nowhere.
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  inParts.distinctSeeds = int(given.seeds.size());
  std::vector<std::vector<Position>> copies;
  std::size_t most = 1;
  for (const Seed& seed : given.seeds) {
    copies.push_back(seed.isRegion ? std::vector<Position>{seed.at} : periodic.copies(seed.at));
    most = std::max(most, copies.back().size());
  }
  inParts.seeds.clear();
  for (std::size_t c = 0; c < most; ++c)
    for (std::size_t s = 0; s < given.seeds.size(); ++s) {
      Seed seed = given.seeds[s];
      if (c > 0) seed.isRegion = false;
      seed.at = c < copies[s].size() ? copies[s][c] : Position{nowhere, nowhere, nowhere};
      inParts.seeds.push_back(seed);
    }
}

void PeriodicProblem::toImage(Position& at) const {
  const Position h = inParts.grid.spacing();
  for (int a = 0; a < 3; ++a) at[a] -= double(periodic.first()[a]) * h[a];
}

} // namespace isochrone::image
