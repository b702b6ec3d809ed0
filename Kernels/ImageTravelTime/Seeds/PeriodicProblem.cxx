#include "ImageTravelTime/Seeds/PeriodicProblem.h"

#include "Backend.h"
#include "Error.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Scheme/ThomsenStencil.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace isochrone::image {

namespace {

/// Returns the maximum offsets of the stencils.
GridIndex reachOf(const Problem& problem) {
  if (!hasTensors(problem)) return {};
  const auto reachIn = [&](std::int64_t begin, std::int64_t end, int) {
    GridIndex reach{1, 1, 1};
    const auto add = [&](const grid::Offset& offset) {
      for (int a = 0; a < 3; ++a) reach[a] = std::max<std::int64_t>(reach[a], std::abs(offset[a]));
    };
    for (std::int64_t p = begin; p < end; ++p) {
      if (isBarrier(problem, p)) continue;
      if (p > begin && !isBarrier(problem, p - 1) && sameMedium(problem, p, p - 1)) continue;
      if (isTilted(problem))
        for (const ThomsenPiece& piece : thomsenScheme(problem, p).pieces)
          std::for_each(piece.offset.begin(), piece.offset.begin() + piece.count, add);
      else
        for (const TensorTerm& term : stencilAt(problem, p)) add(term.offset);
    }
    return reach;
  };
  execution::RoundPool pool(chooseThreads(0, 300 * double(problem.grid.points())));
  return pool.reduce(problem.grid.points(), GridIndex{1, 1, 1}, reachIn,
                     [](GridIndex& all, const GridIndex& part) {
                       for (int a = 0; a < 3; ++a) all[a] = std::max(all[a], part[a]);
                     });
}

/// Returns the margin of a periodic image: for paths, and as far as stencils reach.
/// @throws Error if it makes a small image large
GridIndex marginOf(const Problem& problem) {
  requirePeriodic(problem);
  const GridIndex reach = reachOf(problem), size = problem.grid.sizes();
  GridIndex margin;
  double points = 1; // with the margin
  for (int a = 0; a < 3; ++a) {
    margin[a] = pathMargin + reach[a];
    const bool wraps = problem.periodic[a] && size[a] > 1;
    points *= wraps ? std::ceil(double(margin[a]) / double(size[a])) * double(size[a]) + 2 * double(margin[a])
                    : double(size[a]);
  }
  constexpr double few = 1 << 18, times = 64;
  if (hasTensors(problem) && points > std::max(few, times * double(problem.grid.points())))
    throw Error("stencils reach " + std::to_string(*std::ranges::max_element(reach)) +
                " points, so that with periodic axes " + std::to_string(problem.grid.points()) +
                " points become " + std::to_string(std::int64_t(points)) +
                ": make the image larger, its medium or its spacings less anisotropic, or no axis periodic");
  requireHostMemory(std::size_t(points) * std::size_t(componentsOf(problem)) * sizeof(float),
                    "the copies of an image with periodic axes");
  return margin;
}

} // namespace

PeriodicProblem::PeriodicProblem(const Problem& given)
    : periodic(given.grid, given.periodic, marginOf(given)),
      speed(periodic.extend(given.speed, componentsOf(given))),
      drift(periodic.extend(given.drift, driftComponents(given))), barriers(periodic.extend(given.barriers)),
      regions(periodic.extend(given.seedRegions)), inParts(given) {
  inParts.periodic = {};
  inParts.grid = periodic.grid(), inParts.part = periodic.part();
  const auto extendParameter = [&](std::span<const float>& values, int components,
                                   std::vector<float>& extended) {
    const std::int64_t points = given.grid.points();
    if (points == 1 || std::int64_t(values.size()) != points * components) return; // one value for all points
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
