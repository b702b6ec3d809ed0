// RayTracingTori.h - images with periodic axes for the tests of ray tracing, on the host and by kernels.
#pragma once

#include "RayTracing/Scheme/Axes.h"
#include "RayTracingChecks.h"

#include <cmath>
#include <string>
#include <vector>

namespace isochrone::rays {

using Axes = std::array<bool, 3>;

/// A rough image with holes, a source between the last and the first points, and another one.
inline Case torus(const Grid& grid, const Axes& periodic, const Options& options,
                  bool withInterface = false) {
  const auto end = [](std::int64_t n) { return n > 1 ? double(n) - 0.75 : 0; };
  CaseMaker maker{"torus",
                  grid,
                  withHoles(0.06, rough),
                  {{{0, 1, grid.nz > 1 ? 2. : 0.}, 0}, {{double(grid.nx / 2), double(grid.ny - 1), 0}, 0.5}},
                  {}};
  if (withInterface)
    maker.startTimes = [](std::int64_t i, std::int64_t j, std::int64_t) {
      return i == 1 && j % 3 == 0 ? 1. : blanked;
    };
  Case c = makeCase(maker, options);
  c.problem.periodic = periodic;
  Source& first = c.problem.sources[0];
  if (periodic[0] && options.rule != WeightRule::Cells) first.at[0] = end(grid.nx) * grid.hx;
  // No hole beside the sources, also across the borders.
  const Grid elements = elementsOf(grid, options.rule);
  const GridIndex n = elements.sizes();
  for (const Source& source : c.problem.sources)
    for (int step = 0; step < 125; ++step) {
      GridIndex at;
      const int by[3] = {step % 5 - 2, step / 5 % 5 - 2, step / 25 - 2};
      for (int a = 0; a < 3; ++a)
        at[a] = (std::llround(source.at[a] / grid.spacing()[a]) + by[a] + 4 * n[a]) % n[a];
      const auto e = std::size_t(elements.index(at));
      if (!c.slowness.empty() && std::isinf(c.slowness[e])) c.slowness[e] = 1;
      if (std::isinf(c.preciseSlowness[e])) c.preciseSlowness[e] = 1;
    }
  return c;
}

struct Named {
  const char* name;
  Grid grid;
  Axes periodic;
  Options options;
};

/// Returns images for the tile kernels: each weight rule, in the plane and in space, in either precision;
/// smaller than a tile or than the reach of edges, with one point on an axis, with sizes on and off whole
/// tiles.
inline const std::vector<Named>& toriForKernels() {
  using enum WeightRule;
  using enum StarKind;
  static const std::vector<Named> all{
      {"PlaneAccurate",
       {40, 31, 1, 0.5, 0.25, 1},
       {true, false, false},
       onHost(Accurate, Coprime, {6, 6, 6})},
      {"PlaneBalanced", {33, 47, 1}, {true, true, true}, onHost(Accurate, Balanced48)},
      {"PlaneAccurateDouble", {17, 24, 1}, {false, true, false}, onHost(Accurate, Coprime, {2, 8, 1}, true)},
      {"PlaneFast", {32, 24, 1}, {true, true, false}, onHost(Fast, Full, {8, 8, 8})},
      {"PlaneFastDouble", {35, 27, 1}, {true, true, false}, onHost(Fast, Coprime, {3, 3, 3}, true)},
      {"PlaneCells", {34, 21, 1}, {false, true, false}, onHost(Cells, Coprime, {5, 2, 1})},
      {"PlaneCellsDouble",
       {34, 21, 1, 1, 0.5, 1},
       {true, true, false},
       onHost(Cells, Coprime, {4, 3, 1}, true)},
      {"Small", {6, 5, 1}, {true, true, false}, onHost(Accurate, Coprime, {8, 8, 1})},
      {"SmallCells", {6, 4, 1}, {true, true, false}, onHost(Cells, Coprime, {8, 8, 1})},
      {"Smallest", {2, 2, 1}, {true, true, false}, onHost(Fast, Full, {8, 8, 1})},
      {"Line", {41, 1, 1}, {true, true, true}, onHost(Accurate, Coprime, {1, 1, 1})},
      {"Standing", {1, 26, 19, 1, 1, 0.9}, {true, false, true}, onHost(Accurate, Coprime, {9, 4, 3})},
      {"Deep", {20, 1, 33}, {true, true, false}, onHost(Cells, Coprime, {4, 9, 4})},
      {"SpaceAccurate", {17, 12, 14}, {true, true, true}, onHost(Accurate, Coprime, {2, 2, 2})},
      {"SpaceAccurateDouble", {9, 11, 13}, {true, false, true}, onHost(Accurate, Full, {1, 3, 2}, true)},
      {"SpaceFast", {13, 11, 9}, {true, true, true}, onHost(Fast, Coprime, {4, 4, 4})},
      {"SpaceFastDouble",
       {12, 14, 17, 1, 1, 2},
       {false, false, true},
       onHost(Fast, Coprime, {2, 2, 2}, true)},
      {"SpaceCells", {12, 14, 9}, {true, false, true}, onHost(Cells, Full, {2, 2, 2})},
      {"SpaceCellsDouble", {9, 8, 10}, {true, true, true}, onHost(Cells, Coprime, {2, 2, 2}, true)},
      {"SmallSpace", {3, 2, 5}, {true, true, true}, onHost(Accurate, Coprime, {4, 4, 4})}};
  return all;
}

} // namespace isochrone::rays
