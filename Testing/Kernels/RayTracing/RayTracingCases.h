// RayTracingCases.h - images for the tests of ray tracing: many shapes and special cases.
#pragma once

#include "Noise.h"
#include "RayTracing/RayTracing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace isochrone::rays {

constexpr double blanked = std::numeric_limits<double>::infinity();

/// Returns the slowness of a point or cell (i, j, k).
using SlownessModel = std::function<double(std::int64_t, std::int64_t, std::int64_t)>;

/// A problem with the memory of its spans.
struct Case {
  std::string name;
  Problem problem;
  std::vector<float> slowness, startTimes;
  std::vector<double> preciseSlowness, preciseStartTimes;

  Case() = default;
  Case(Case&&) = default; // keeps the memory that the problem views
};

struct CaseMaker {
  std::string name;
  Grid grid;
  SlownessModel model;
  std::vector<Source> sources; ///< in grid steps
  SlownessModel startTimes;    ///< optional
};

/// Returns a case with the elements and the precision of the options. Nothing within two steps of a source is
/// blanked.
inline Case makeCase(const CaseMaker& maker, const Options& options) {
  Case c;
  c.name = maker.name;
  const Grid& g = c.problem.grid = maker.grid;
  const auto cells = [&](std::int64_t n) {
    return options.rule == WeightRule::Cells ? std::max<std::int64_t>(n - 1, 1) : n;
  };
  const auto nearSource = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return std::ranges::any_of(maker.sources, [&](const Source& s) {
      return std::abs(double(i) - s.at[0]) <= 2 && std::abs(double(j) - s.at[1]) <= 2 &&
             std::abs(double(k) - s.at[2]) <= 2;
    });
  };
  for (std::int64_t k = 0; k < cells(g.nz); ++k)
    for (std::int64_t j = 0; j < cells(g.ny); ++j)
      for (std::int64_t i = 0; i < cells(g.nx); ++i) {
        const double s = maker.model(i, j, k);
        c.preciseSlowness.push_back(s == blanked && nearSource(i, j, k) ? 1 : s);
      }
  if (maker.startTimes)
    for (std::int64_t p = 0; p < g.points(); ++p)
      c.preciseStartTimes.push_back(maker.startTimes(p % g.nx, p / g.nx % g.ny, p / (g.nx * g.ny)));
  if (options.doublePrecision) {
    c.problem.preciseSlowness = c.preciseSlowness, c.problem.preciseStartTimes = c.preciseStartTimes;
  } else {
    c.slowness.assign(c.preciseSlowness.begin(), c.preciseSlowness.end());
    c.startTimes.assign(c.preciseStartTimes.begin(), c.preciseStartTimes.end());
    c.problem.slowness = c.slowness, c.problem.startTimes = c.startTimes;
  }
  for (Source s : maker.sources) {
    s.at = {s.at[0] * g.hx, s.at[1] * g.hy, s.at[2] * g.hz};
    c.problem.sources.push_back(s);
  }
  return c;
}

inline double even(std::int64_t, std::int64_t, std::int64_t) { return 0.7; }
inline std::uint64_t numberOf(std::int64_t i, std::int64_t j, std::int64_t k) {
  return std::uint64_t(i + 100003 * (j + 100003 * k));
}
/// Returns random velocities from 0.5 to 4 per element.
inline double rough(std::int64_t i, std::int64_t j, std::int64_t k) {
  return 1 / (0.5 + 3.5 * noise(numberOf(i, j, k)));
}
inline SlownessModel blocks(std::int64_t edge) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) { return rough(i / edge, j / edge, k / edge); };
}
inline SlownessModel gradient(double along, double down, double in) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return 1 / (0.5 + along * double(i) + down * double(j) + in * double(k));
  };
}
/// Returns the model with a share of `share` blanked elements.
inline SlownessModel withHoles(double share, const SlownessModel& model) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return noise(77 + numberOf(i, j, k)) < share ? blanked : model(i, j, k);
  };
}
/// Returns walls across x or y every `period` elements, with gaps of `gap` elements at alternate ends.
inline SlownessModel walls(int axis, std::int64_t period, std::int64_t gap, std::int64_t width,
                           const SlownessModel& model) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::int64_t across = axis == 0 ? i : j, along = axis == 0 ? j : i;
    if (across % period != period - 1) return model(i, j, k);
    const bool open = across / period % 2 ? along < gap : along >= width - gap;
    return open ? model(i, j, k) : blanked;
  };
}
/// Returns fast lanes two elements wide that wind through slow surroundings, so that waves return to earlier
/// places.
inline double lanes(std::int64_t i, std::int64_t j, std::int64_t) {
  const bool row = j % 12 < 2, turn = j / 12 % 2 ? i < 2 : i >= 120;
  return row || turn ? 0.02 : 1;
}

/// Returns the block of an element from -1 to 1, for three blocks per axis: 64 points along x, `rows` along
/// the others.
inline int blockOf(std::int64_t i, std::int64_t rows) { return int(i / rows) - 1; }

/// Returns a model in which the middle block is fast, and so are the blocks that differ from it along `axes`
/// axes; the others are slow, and all points start early. The middle starts late. Its waves reach the fast
/// blocks only across a common edge or corner, when everything else has converged.
inline SlownessModel onlyAcross(int axes, std::int64_t rows, double fast, double slow) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    const int off = std::abs(blockOf(i, 64)) + std::abs(blockOf(j, rows)) + std::abs(blockOf(k, rows));
    return off == 0 || off == axes ? fast : slow;
  };
}

inline const std::vector<CaseMaker>& caseMakers() {
  using I = std::int64_t;
  const std::vector<Source> corner{{{0, 0, 0}}};
  static const std::vector<CaseMaker> makers{
      // Combine all difficulties; the sanitizers run these.
      {"Everything",
       {131, 67, 1, 0.3, 0.5, 1},
       withHoles(0.1, rough),
       {{{3, 4, 0}, 0.25}, {{100.3, 33.7, 0}, -2}, {{64, 31.5, 0}, 1}},
       [](I i, I j, I) { return i == 128 && j % 3 == 0 ? 4 + 0.1 * double(j) : blanked; }},
      {"EverythingVolume",
       {67, 19, 18, 0.5, 1, 1.3},
       withHoles(0.05, rough),
       {{{3, 4, 0}, 0.25}, {{63.5, 15, 16.2}, -2}, {{30, 18, 15}, 1}},
       [](I i, I j, I k) { return i == 66 && j == k ? 3 + 0.1 * double(j) : blanked; }},
      // Smooth models.
      {"Even", {129, 65, 1}, even, {{{64, 32, 0}}}, {}},
      {"EvenFromCorner", {130, 67, 1}, even, corner, {}},
      {"Gradient", {193, 70, 1, 0.1, 0.1, 1}, gradient(0, 0.05, 0), corner, {}},
      {"GradientBack", {150, 97, 1}, gradient(0.01, 0.02, 0), {{{149, 96, 0}}}, {}},
      {"Dome",
       {160, 100, 1},
       [](I i, I j, I) { return 0.2 + 1e-4 * double((i - 70) * (i - 70) + (j - 90) * (j - 90)); },
       {{{130, 10, 0}}},
       {}},
      // Rough models, where waves arrive from all sides.
      {"Noise", {140, 75, 1}, rough, {{{17, 60, 0}}}, {}},
      {"Blocks", {136, 80, 1}, blocks(8), {{{60, 5, 0}}}, {}},
      {"Checkerboard",
       {100, 70, 1},
       [](I i, I j, I) { return (i / 3 + j / 3) % 2 ? 1. : 0.001; },
       {{{99, 0, 0}}},
       {}},
      {"Lanes", {131, 100, 1}, lanes, corner, {}},
      {"LanesBack", {131, 100, 1}, lanes, {{{60, 99, 0}}}, {}},
      {"FastRow", {200, 40, 1}, [](I, I j, I) { return j == 33 ? 0.05 : 1.; }, {{{0, 32, 0}}}, {}},
      {"FastColumn", {70, 140, 1}, [](I i, I, I) { return i == 63 ? 0.05 : 1.; }, {{{64, 139, 0}}}, {}},
      {"SlowRow", {90, 70, 1}, [](I, I j, I) { return j == 32 ? 20. : 0.5; }, {{{45, 10, 0}}}, {}},
      // Blanked points.
      {"Holes", {135, 71, 1}, withHoles(0.2, rough), {{{70, 35, 0}}}, {}},
      {"Islands", {140, 66, 1}, withHoles(0.45, even), {{{66, 33, 0}}}, {}},
      {"WallsAlongX", {133, 90, 1}, walls(1, 6, 4, 132, even), corner, {}},
      {"WallsAlongY", {100, 131, 1}, walls(0, 6, 4, 130, even), corner, {}},
      {"NarrowWalls", {70, 68, 1}, walls(1, 3, 3, 69, rough), {{{69, 67, 0}}}, {}},
      {"BlankedRow", {70, 40, 1}, [](I, I j, I) { return j == 20 ? blanked : 1; }, {{{35, 10, 0}}}, {}},
      {"GapAtTileCorner",
       {140, 70, 1},
       [](I i, I j, I) {
         return (i == 64 && (j < 30 || j > 33)) || (j == 32 && i > 70) ? blanked : 1 + 0.01 * double(i);
       },
       {{{20, 60, 0}}},
       {}},
      // Sizes near those of tiles and vectors, and smaller than forward stars.
      {"Plane63", {63, 31, 1}, rough, {{{62, 30, 0}}}, {}},
      {"Plane64", {64, 32, 1}, rough, {{{0, 31, 0}}}, {}},
      {"Plane65", {65, 33, 1}, rough, {{{64, 0, 0}}}, {}},
      {"Plane127", {127, 63, 1}, rough, {{{63, 31, 0}}}, {}},
      {"Plane128", {128, 64, 1}, rough, {{{64, 32, 0}}}, {}},
      {"Plane129", {129, 65, 1}, rough, {{{128, 64, 0}}}, {}},
      {"Plane15", {15, 17, 1}, rough, {{{7, 8, 0}}}, {}},
      {"Plane5", {5, 4, 1}, rough, corner, {}},
      {"Plane2", {2, 2, 1}, rough, {{{0.25, 0.5, 0}}}, {}},
      {"Row", {300, 1, 1}, rough, {{{70.25, 0, 0}}}, {}},
      {"Column", {1, 200, 1}, rough, {{{0, 199, 0}}}, {}},
      {"Depth", {1, 1, 90}, withHoles(0.02, rough), {{{0, 0, 40.5}}}, {}},
      {"Two", {2, 1, 1}, even, corner, {}},
      {"TwoRows", {200, 2, 1}, rough, {{{100, 1, 0}}}, {}},
      {"TwoColumns", {2, 150, 1}, rough, {{{1, 75, 0}}}, {}},
      {"FlatY", {131, 1, 37, 0.4, 9, 0.5}, rough, {{{70, 0, 20.5}}}, {}},
      {"FlatX", {1, 70, 37, 1e6, 0.4, 0.5}, rough, {{{0, 66.1, 36}}}, {}},
      // In space.
      {"EvenVolume", {65, 17, 16}, even, {{{32, 8, 8}}}, {}},
      {"GradientVolume", {70, 18, 17, 0.1, 0.1, 0.1}, gradient(0, 0, 0.1), corner, {}},
      {"NoiseVolume", {66, 33, 17}, rough, {{{65, 0, 16}}}, {}},
      {"BlocksVolume", {70, 20, 18}, blocks(8), {{{35, 19, 17}}}, {}},
      {"HolesVolume", {67, 18, 19}, withHoles(0.15, rough), {{{33, 9, 9}}}, {}},
      {"WallsInSpace", {66, 36, 9}, walls(1, 6, 4, 65, even), corner, {}},
      {"LanesInSpace", {131, 37, 5}, lanes, corner, {}},
      {"Volume63", {63, 15, 15}, rough, {{{62, 14, 14}}}, {}},
      {"Volume64", {64, 16, 16}, rough, {{{63, 0, 15}}}, {}},
      {"Beam", {129, 5, 3}, rough, {{{64, 2, 1}}}, {}},
      {"BeamY", {5, 70, 3}, rough, {{{2.5, 35.5, 1.5}}}, {}},
      {"BeamZ", {3, 5, 70}, rough, {{{2, 0, 69}}}, {}},
      {"Volume2", {2, 2, 2}, rough, {{{0.25, 0.5, 0.125}}}, {}},
      {"Volume3", {3, 2, 4}, rough, corner, {}},
      // Several sources, late ones and ones without effect, and waves from an interface.
      {"Sources",
       {150, 80, 1},
       rough,
       {{{0, 0, 0}}, {{149, 79, 0}}, {{64, 32, 0}, 3}, {{63, 31, 0}, 100}, {{75.5, 40.5, 0}, -1}},
       {}},
      {"SameSourceTwice", {70, 35, 1}, rough, {{{20, 20, 0}, 1}, {{20, 20, 0}, 0.5}}, {}},
      {"Interface",
       {140, 70, 1},
       blocks(5),
       {},
       [](I i, I j, I) { return j == 40 + i % 9 ? 0.01 * double(i) - 0.3 : blanked; }},
      {"EveryPointStarts", {70, 40, 1}, rough, {}, [](I i, I j, I k) { return 10 * rough(j, i, k); }},
      // Units.
      {"SmallUnits", {66, 40, 1, 1e-6, 1e-6, 1}, rough, {{{33, 20, 0}}}, {}},
      {"LargeUnits", {66, 40, 1, 1e7, 2e7, 1}, rough, {{{33, 20, 0}}}, {}},
      {"Thin", {90, 60, 1, 1, 20, 1}, rough, {{{10, 20, 0}}}, {}},
  };
  return makers;
}

/// Returns images in which tiles touch in an edge or a corner.
inline std::vector<CaseMaker> acrossMakers() {
  using I = std::int64_t;
  return {{"AcrossCorners",
           {192, 192, 1},
           [](I i, I j, I) { return onlyAcross(2, 64, 1, 1000)(i, j, 64); },
           {{{70, 75, 0}, 1}},
           [](I i, I j, I) { return onlyAcross(2, 64, blanked, 0)(i, j, 64); }},
          {"AcrossEdgesInSpace",
           {192, 48, 48},
           onlyAcross(2, 16, 1, 1000),
           {{{80, 25, 23}, 1}},
           onlyAcross(2, 16, blanked, 0)},
          {"AcrossCornersInSpace",
           {192, 48, 48},
           onlyAcross(3, 16, 1, 1000),
           {{{80, 25, 23}, 1}},
           onlyAcross(3, 16, blanked, 0)}};
}

inline const std::vector<std::string>& caseNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CaseMaker& maker : caseMakers()) all.push_back(maker.name);
    return all;
  }();
  return names;
}

inline const CaseMaker& makerOf(const std::string& name) {
  const auto maker = std::ranges::find(caseMakers(), name, &CaseMaker::name);
  if (maker == caseMakers().end()) throw std::out_of_range("no case is called " + name);
  return *maker;
}

} // namespace isochrone::rays
