// RayTracingTiltedCases.h - tilted transversely isotropic media for the tests of ray tracing.
#pragma once

#include "RayTracingChecks.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::rays {

struct Rock {
  double speed, epsilon, delta, shear;
  Position axis; ///< of any length; in the plane x and y
};

/// Mesaverde mudshale, Taylor sandstone, Green River shale of Thomsen's table 1, and media without Vs.
inline const std::vector<Rock>& rocks() {
  static const std::vector<Rock> list{{4.53, 0.034, 0.211, 0.62, {}}, {3.37, 0.11, -0.035, 0.54, {}},
                                      {4.17, 0.195, -0.22, 0.6, {}},  {2, 0.24, 0.1, 0, {}},
                                      {2, 0.1, 0.3, 0, {}},           {1, 0.6, -0.2, 0.3, {}}};
  return list;
}

/// A case with the memory of its medium.
struct TiltedCase : Case {
  explicit TiltedCase(Case&& medium) : Case(std::move(medium)) {}
  std::vector<Rock> rocks;
  std::vector<float> epsilon, delta, shear, axis;
};

/// Returns a problem with a rock for each element; a speed of 0 is blanked.
template <class At>
TiltedCase tiltedCase(const Grid& g, const Options& options, const Position& source, At&& at) {
  const Grid elements = elementsOf(g, options.rule);
  const SlownessModel slowness = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double speed = at(double(i), double(j), double(k)).speed;
    return speed > 0 ? 1 / speed : blanked;
  };
  TiltedCase c(makeCase({"tilted", g, slowness, {{source}}, {}}, options));
  for (std::int64_t n = 0; n < elements.points(); ++n) {
    const GridIndex i = elements.indices(n);
    const Rock r = at(double(i[0]), double(i[1]), double(i[2]));
    c.rocks.push_back(r);
    c.epsilon.push_back(float(r.epsilon)), c.delta.push_back(float(r.delta));
    c.shear.push_back(float(r.shear));
    for (int a = 0; a < (g.nz == 1 ? 2 : 3); ++a) c.axis.push_back(float(r.axis[a]));
  }
  c.problem.tilted = true;
  c.problem.thomsen = {c.epsilon, c.delta, c.axis, c.shear};
  return c;
}

inline Rock varying(const Grid& g, double i, double j, double k) {
  const double x = i / double(g.nx), y = j / double(g.ny), z = k / double(g.nz);
  const double tilt = 2 * x + y, out = g.nz == 1 ? 0 : 1.2 * z;
  return {1 + 0.5 * y,
          0.24 + 0.1 * x,
          0.1 - 0.2 * y,
          0.4,
          {std::cos(tilt) * std::cos(out), std::sin(tilt) * std::cos(out), std::sin(out)}};
}

inline Rock noisy(std::uint64_t n, bool plane) {
  const auto random = [&](std::uint64_t m) { return noise(8 * n + m); };
  return {random(0) < 0.07 ? 0 : 1 + random(1),
          0.5 * random(2) - 0.1,
          0.5 * random(3) - 0.1,
          0.6 * random(4),
          {random(5) - 0.5, random(6) - 0.5, plane ? 0 : random(7) - 0.5}};
}

/// A rough medium with holes in an image that the tile kernels solve, and two sources.
struct NamedTilted {
  const char* name;
  Grid grid;
  Options options;
  std::array<bool, 3> periodic{};
};

inline TiltedCase roughCase(const NamedTilted& named) {
  const bool flat = named.grid.nz == 1;
  TiltedCase c =
      tiltedCase(named.grid, named.options, {3, 3, flat ? 0. : 2.}, [&](double i, double j, double k) {
        return noisy(numberOf(std::int64_t(i), std::int64_t(j), std::int64_t(k)), flat);
      });
  const Position h = named.grid.spacing();
  c.problem.sources.push_back({{3.4 * h[0], 2.8 * h[1], flat ? 0 : 2.1 * h[2]}, 0.25});
  c.problem.periodic = named.periodic;
  return c;
}

/// Returns images for the tile kernels: each weight rule, in the plane and in space, in either precision;
/// larger than a tile or smaller, with and without periodic axes, with separate sources.
inline const std::vector<NamedTilted>& tiltedForKernels() {
  using enum WeightRule;
  using enum StarKind;
  static const std::vector<NamedTilted> all = [] {
    const Grid plane{27, 18, 1, 1, 0.7, 1}, space{9, 10, 6, 1, 0.7, 1.4};
    const auto separate = [](Options options) {
      options.separateSources = true;
      return options;
    };
    return std::vector<NamedTilted>{
        {"PlaneFast", plane, onHost(Fast, Coprime, {3, 3, 3})},
        {"PlaneAccurate", plane, separate(onHost(Accurate, Coprime, {6, 6, 6}))},
        {"PlaneCells", plane, onHost(Cells, Full, {2, 3, 1})},
        {"PlaneFastDouble", plane, separate(onHost(Fast, Full, {2, 2, 2}, true))},
        {"PlaneAccurateDouble", plane, onHost(Accurate, Balanced24, {1, 1, 1}, true)},
        {"PlaneCellsDouble", plane, onHost(Cells, Coprime, {3, 3, 3}, true)},
        {"PlanePeriodic", {19, 17, 1}, onHost(Accurate, Coprime, {3, 3, 3}), {true, true, false}},
        {"Small", {6, 6, 1}, onHost(Fast, Coprime, {8, 8, 8})},
        {"SpaceFast", space, onHost(Fast, Coprime, {2, 2, 2})},
        {"SpaceAccurate", space, onHost(Accurate, Coprime, {1, 2, 1})},
        {"SpaceCells", space, onHost(Cells, Coprime, {1, 1, 1})},
        {"SpaceFastDouble", space, onHost(Fast, Coprime, {1, 1, 1}, true)},
        {"SpaceAccurateDouble", space, onHost(Accurate, Full, {1, 1, 1}, true)},
        {"SpaceCellsDouble", space, onHost(Cells, Coprime, {1, 1, 1}, true)},
        {"SpacePeriodic", {7, 8, 6}, onHost(Fast, Coprime, {1, 1, 1}), {true, false, true}}};
  }();
  return all;
}

} // namespace isochrone::rays
