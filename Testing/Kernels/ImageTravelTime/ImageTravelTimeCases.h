// ImageTravelTimeCases.h - images for the tests of the solver.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "Noise.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace isochrone::image {

/// A problem with the memory of its spans.
struct Case {
  std::string name;
  Problem problem;
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> regions;
};

inline const std::vector<std::string>& caseNames() {
  static const std::vector<std::string> names{
      "Constant",      "NoArray",        "Layers",        "Noise",        "Slowness", "Maze",
      "PermeableMaze", "UnequalSpacing", "Plane",         "PlaneUnequal", "Line",     "OnePoint",
      "SeveralSeeds",  "OffGrid",        "Regions",       "NoSpeedHoles", "Diagonal", "TinyUnits",
      "HugeUnits",     "LastPoint",      "MazeFromTheEnd"};
  return names;
}

inline Case makeCase(const std::string& name) {
  Case c;
  c.name = name;
  Problem& p = c.problem;
  Grid& g = p.grid;
  g = {37, 29, 21, 1, 1, 1};
  if (name == "Plane" || name == "PlaneUnequal" || name == "Diagonal") g = {83, 61, 1, 1, 1, 1};
  if (name == "Line") g = {200, 1, 1, 0.5, 1, 1};
  if (name == "OnePoint") g = {1, 1, 1, 1, 1, 1};
  if (name == "UnequalSpacing") g.hy = 1.7, g.hz = 0.4;
  if (name == "PlaneUnequal") g.hy = 0.3;
  if (name == "TinyUnits") g.hx = g.hy = g.hz = 1e-15;
  if (name == "HugeUnits") g.hx = g.hy = g.hz = 1e12;

  const bool rough = name == "Noise" || name == "Slowness" || name == "UnequalSpacing" || name == "Plane" ||
                     name == "PlaneUnequal" || name == "Line" || name == "SeveralSeeds" ||
                     name == "OffGrid" || name == "Regions" || name == "NoSpeedHoles" ||
                     name == "TinyUnits" || name == "HugeUnits";
  c.speed.assign(g.points(), 1.f);
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const std::int64_t i = n % g.nx, j = n / g.nx % g.ny;
    float& f = c.speed[n];
    if (rough) f = float(0.1 + 0.9 * noise(n));
    if (name == "Layers") f = float(1 + j * 3 / g.ny);
    if (name == "Maze" || name == "PermeableMaze" || name == "MazeFromTheEnd") {
      const bool wall = i % 6 == 4, gap = i / 6 % 2 ? j >= g.ny - 3 : j < 3;
      if (wall && !gap) f = name == "PermeableMaze" ? 0.001f : 0.f;
    }
    if (name == "NoSpeedHoles" && noise(n + 7919) < 0.2)
      f = noise(n) < 0.5 ? 0.f : std::numeric_limits<float>::quiet_NaN();
    if (name == "Slowness") f = 1 / f;
    if (name == "TinyUnits") f *= 1e9f;
  }
  if (name == "Slowness") p.speedType = SpeedType::Slowness;
  if (name == "NoArray") c.speed.clear(), p.constantSpeed = 2.5;
  if (name == "Diagonal") { // touching corners, which the front must not pass
    c.barriers.assign(g.points(), 0);
    for (std::int64_t d = 0; d < g.ny; ++d) c.barriers[g.index(d + 3, d, 0)] = 1;
  }

  p.seeds = {{{double(g.nx / 2) * g.hx, double(g.ny / 2) * g.hy, double(g.nz / 2) * g.hz}, 0}};
  if (name == "Maze" || name == "PermeableMaze" || name == "Diagonal") p.seeds[0].at = {0, 20, 0};
  if (name == "LastPoint") // of each axis, and of the image
    p.seeds = {{{36, 28, 20}, 0}, {{36, 11.4, 3}, 2}}, c.speed[g.index(35, 27, 20)] = 1000;
  if (name == "MazeFromTheEnd") p.seeds[0].at = {36, 28, 20};
  if (name == "SeveralSeeds")
    p.seeds = {{{3, 4, 5}, -2.5}, {{30, 20, 3}, 1}, {{30, 20, 4}, 50}, {{10, 25, 20}, -3}};
  if (name == "OffGrid") p.seeds = {{{3.3, 4.5, 5.9}, 1}, {{30.2, 20, 3}, -1}};
  if (name == "Regions") {
    p.seeds = {{{}, 0, true}, {{}, 2, true}};
    c.regions.assign(g.points(), -1);
    for (std::int64_t n = 0; n < g.points(); ++n) {
      if (n % g.nx == 0) c.regions[n] = 0;
      if (n % g.nx > 30 && n / g.nx % g.ny > 20) c.regions[n] = 1;
    }
  }
  p.speed = c.speed, p.barriers = c.barriers, p.seedRegions = c.regions;
  return c;
}

/// A cube with speed 1 + gradient * z and a seed at `at`, in grid steps.
struct Cube {
  std::int64_t n;
  double gradient;
  Position at;
  std::vector<float> speed;
  Problem problem;

  Cube(std::int64_t size, double gradientOfSpeed, const Position& seed)
      : n(size), gradient(gradientOfSpeed), at(seed) {
    problem.grid = {n, n, n, 1, 1, 1};
    speed.resize(problem.grid.points());
    for (std::size_t p = 0; p < speed.size(); ++p)
      speed[p] = float(1 + gradient * double(std::int64_t(p) / (n * n)));
    problem.speed = speed;
    problem.seeds = {{at, 0}};
  }

  /// Returns the exact time: |x - seed| at constant speed; acosh(1 + g^2 |x - seed|^2 / (2 f f_seed)) / g in
  /// a gradient g.
  double exact(std::int64_t p) const {
    const double x = double(p % n) - at[0], y = double(p / n % n) - at[1], z = double(p / (n * n)) - at[2];
    const double squared = x * x + y * y + z * z, g = gradient;
    if (g == 0) return std::sqrt(squared);
    return std::acosh(1 + g * g * squared / (2 * (1 + g * at[2]) * (1 + g * (at[2] + z)))) / g;
  }

  /// Returns the mean relative error over all points except the seed's.
  double meanError(std::span<const float> travelTime) const {
    double sum = 0;
    for (std::int64_t p = 0; p < problem.grid.points(); ++p)
      if (const double t = exact(p); t > 0) sum += std::abs(travelTime[p] - t) / t;
    return sum / double(problem.grid.points());
  }
};

/// Returns a cube whose speed varies by 3:1 from end to end.
inline Cube gradientCube(std::int64_t n) {
  return {n, 2. / double(n), {double(n / 2), double(n / 2), double(n / 2)}};
}

/// Returns a line of `points` points with speed 1.
inline Case makeLine(std::int64_t points) {
  Case c;
  c.name = "Line";
  c.speed.assign(points, 1.f);
  c.problem.grid = {points, 1, 1, 1, 1, 1};
  c.problem.seeds = {{}};
  c.problem.speed = c.speed;
  return c;
}

} // namespace isochrone::image
