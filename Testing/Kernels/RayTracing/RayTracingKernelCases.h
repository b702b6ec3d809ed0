// RayTracingKernelCases.h - small images for ray tracing by kernels, and a simple solver for comparison.
#pragma once

#include "Noise.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Seeds/Starts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace isochrone::rays {

/// A problem that owns its slowness.
struct Case {
  std::string name;
  Grid grid;
  Options options;
  std::vector<Source> sources;
  std::vector<double> slowness, startTimes;
  std::vector<float> floatSlowness, floatStartTimes;

  Problem problem() const {
    Problem p;
    p.grid = grid, p.sources = sources;
    if (options.doublePrecision)
      p.preciseSlowness = slowness, p.preciseStartTimes = startTimes;
    else
      p.slowness = floatSlowness, p.startTimes = floatStartTimes;
    return p;
  }
};

/// Returns the slowness of the element at steps (x, y, z).
using SlownessModel = std::function<double(std::int64_t, std::int64_t, std::int64_t)>;

inline double infinite = std::numeric_limits<double>::infinity();
inline double random(std::int64_t x, std::int64_t y, std::int64_t z) {
  return noise(std::uint64_t(x + 1009 * (y + 1013 * z)));
}
inline double constant(std::int64_t, std::int64_t, std::int64_t) { return 1.25; }
inline double rough(std::int64_t x, std::int64_t y, std::int64_t z) { return 0.25 + 2 * random(x, y, z); }
inline double gradient(std::int64_t x, std::int64_t y, std::int64_t z) {
  return 1 / (0.5 + 0.03 * double(y) + 0.01 * double(x) + 0.02 * double(z));
}
/// Returns a model with one point in ten blanked.
inline double holes(std::int64_t x, std::int64_t y, std::int64_t z) {
  return (x > 1 || y > 1 || z > 1) && random(x + 7, y, z) < 0.1 ? infinite : rough(x, y, z);
}
/// Returns walls one point thick with gaps at alternate ends.
inline double maze(std::int64_t x, std::int64_t y, std::int64_t) {
  return y % 10 == 9 && (y / 10 % 2 ? x > 3 : x < 90) ? infinite : 1;
}

/// Returns a model with times beyond the range of float.
inline double huge(std::int64_t x, std::int64_t y, std::int64_t z) { return 1e200 * rough(x, y, z); }
inline double tiny(std::int64_t x, std::int64_t y, std::int64_t z) { return 1e-200 * rough(x, y, z); }

/// Returns a slowness so small that float holds a single digit: seven times the smallest positive number.
inline double faint(std::int64_t, std::int64_t, std::int64_t) { return 1e-44; }

inline Case makeCase(const std::string& name, const Grid& grid, const Options& options,
                     const SlownessModel& model, const std::vector<Source>& sources) {
  Case c{name, grid, options, sources, {}, {}, {}, {}};
  const GridIndex n = elementsOf(grid, options.rule).sizes();
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x) c.slowness.push_back(model(x, y, z));
  c.floatSlowness.assign(c.slowness.begin(), c.slowness.end());
  return c;
}

inline Options optionsOf(WeightRule rule, const std::array<int, 3>& radius, StarKind kind = StarKind::Coprime,
                         bool doublePrecision = false) {
  Options options;
  options.rule = rule, options.radius = radius, options.neighbours = kind;
  options.doublePrecision = doublePrecision;
  return options;
}

/// Returns images larger than a tile along their long axes, or much smaller, with sources on and off the
/// points.
inline std::vector<Case> allCases() {
  using enum WeightRule;
  using enum StarKind;
  const Grid plane{99, 50, 1, 0.5, 0.7, 1}, small{9, 5, 1}, volume{21, 17, 9, 1, 0.8, 1.1},
      standing{1, 70, 45, 1, 1, 0.9}, deep{20, 1, 80}, line{150, 1, 1, 0.3, 1, 1};
  const std::vector<Source> corner{{{0, 0, 0}, 0}}, inside{{{20.3, 17.1, 0}, 0.5}},
      two{{{0, 0, 0}, 1}, {{40.25, 34.1, 0}, -2}}, within{{{11.5, 8.3, 6.2}, 0}};
  Options separate = optionsOf(Accurate, {3, 3, 3});
  separate.separateSources = true;
  std::vector<Source> many;
  for (int s = 0; s < 19; ++s) many.push_back({{2.5 * s, 1.5 * s, 0}, 0.1 * s});

  std::vector<Case> cases{
      makeCase("ConstantFast", plane, optionsOf(Fast, {6, 6, 6}), constant, inside),
      makeCase("GradientAccurate", plane, optionsOf(Accurate, {6, 6, 6}), gradient, corner),
      makeCase("GradientFastFull", plane, optionsOf(Fast, {4, 4, 4}, Full), gradient, inside),
      makeCase("RoughFastDouble", plane, optionsOf(Fast, {8, 8, 8}, Coprime, true), rough, two),
      makeCase("RoughAccurate", plane, optionsOf(Accurate, {1, 5, 1}), rough, two),
      makeCase("RoughCells", plane, optionsOf(Cells, {5, 2, 1}), rough, inside),
      makeCase("EverythingFast", plane, optionsOf(Fast, {5, 5, 5}), holes, corner),
      makeCase("HolesFastFull", plane, optionsOf(Fast, {5, 8, 8}, Full), holes, corner),
      makeCase("HolesAccurate", plane, optionsOf(Accurate, {4, 4, 4}), holes, corner),
      makeCase("HolesCellsDouble", plane, optionsOf(Cells, {3, 3, 3}, Coprime, true), holes, corner),
      makeCase("MazeFast", plane, optionsOf(Fast, {3, 3, 3}), maze, corner),
      makeCase("MazeCells", plane, optionsOf(Cells, {3, 3, 3}), maze, corner),
      makeCase("BalancedFew", plane, optionsOf(Fast, {1, 1, 1}, Balanced24), rough, corner),
      makeCase("BalancedMany", plane, optionsOf(Accurate, {1, 1, 1}, Balanced48), gradient, inside),
      makeCase("SmallFast", small, optionsOf(Fast, {8, 8, 8}, Full), rough, corner),
      makeCase("SmallCells", small, optionsOf(Cells, {8, 8, 8}), rough, corner),
      makeCase("VolumeFast", volume, optionsOf(Fast, {3, 3, 3}), gradient, within),
      makeCase("VolumeAccurate", volume, optionsOf(Accurate, {2, 2, 2}), rough, within),
      makeCase("VolumeCells", volume, optionsOf(Cells, {2, 1, 2}, Full), rough, corner),
      makeCase("EverythingInSpace", volume, optionsOf(Fast, {2, 3, 4}), holes, corner),
      makeCase("VolumeHolesDouble", volume, optionsOf(Accurate, {2, 2, 2}, Full, true), holes, corner),
      makeCase("VolumeFastDouble", volume, optionsOf(Fast, {4, 4, 4}, Coprime, true), rough, within),
      makeCase("PlaneHolesDouble", {70, 40, 1}, optionsOf(Accurate, {2, 2, 2}, Full, true), holes, corner),
      makeCase("HugeDouble", small, optionsOf(Fast, {2, 2, 2}, Coprime, true), huge, {{{4, 2, 0}, -1e205}}),
      makeCase("TinyDouble", {30, 25, 1}, optionsOf(Accurate, {2, 2, 2}, Coprime, true), tiny, corner),
      makeCase("FaintAccurate", {30, 25, 1, 1e14, 1e14, 1}, optionsOf(Accurate, {6, 6, 6}), faint, corner),
      makeCase("VolumeCellsDouble", {19, 11, 9}, optionsOf(Cells, {2, 2, 2}, Coprime, true), holes, corner),
      makeCase("StandingAccurate", standing, optionsOf(Accurate, {9, 4, 3}), rough, corner),
      makeCase("DeepCells", deep, optionsOf(Cells, {4, 9, 4}), holes, corner),
      makeCase("LineFast", line, optionsOf(Fast, {2, 2, 2}, Full), rough, {{{7.5, 0, 0}, 0}}),
      makeCase("SeparateSources", {70, 40, 1, 0.8, 0.8, 1}, separate, rough, many)};
  Case starts = makeCase("StartTimes", plane, optionsOf(Fast, {3, 3, 3}), rough, corner);
  for (std::int64_t i = 0; i < plane.points(); ++i)
    starts.startTimes.push_back(i / plane.nx == 30 ? 20 + 5 * noise(std::uint64_t(i)) : infinite);
  starts.floatStartTimes.assign(starts.startTimes.begin(), starts.startTimes.end());
  cases.push_back(starts);
  return cases;
}

inline std::vector<std::string> caseNames() {
  std::vector<std::string> names;
  for (const Case& c : allCases()) names.push_back(c.name);
  return names;
}

inline Case makeCase(const std::string& name) {
  for (const Case& c : allCases())
    if (c.name == name) return c;
  throw std::invalid_argument(name);
}

/// Returns the sources of each run.
inline std::vector<std::vector<std::int32_t>> sourcesOfRuns(const Case& c) {
  std::vector<std::int32_t> all(c.sources.size());
  std::iota(all.begin(), all.end(), 0);
  if (!c.options.separateSources) return {all};
  std::vector<std::vector<std::int32_t>> runs;
  for (const std::int32_t s : all) runs.push_back({s});
  return runs;
}

/// Sweeps over all points in both directions, with weights computed per edge, until nothing changes.
template <class Real>
std::vector<Real> sweepRun(const Case& c, const EdgeWeights<Real>& edges,
                           const std::vector<std::int32_t>& sources) {
  std::vector<Real> times(c.grid.points(), std::numeric_limits<Real>::infinity());
  for (const auto& start : startsOf<Real>(c.problem(), c.options, sources))
    times[start.point] = std::min(times[start.point], start.time);
  const std::int64_t n = std::int64_t(times.size());
  for (bool changed = true, forth = true; changed; forth = !forth) {
    changed = false;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t point = forth ? i : n - 1 - i;
      for (int o = 0; o < edges.count(); ++o) {
        const std::int64_t from = edges.neighbour(point, o);
        if (from < 0 || !(times[from] < times[point])) continue;
        const Real time = times[from] + edges.weight(point, o);
        if (time < times[point]) times[point] = time, changed = true;
      }
    }
  }
  return times;
}

inline Result sweepAll(const Case& c) {
  Result result;
  const Problem problem = c.problem();
  for (const auto& sources : sourcesOfRuns(c)) {
    Field& field = result.fields.emplace_back();
    if (c.options.doublePrecision) {
      const auto times = sweepRun<double>(c, EdgeWeights<double>(problem, c.options), sources);
      field.preciseTravelTime.assign(times.begin(), times.end());
    } else {
      const auto times = sweepRun<float>(c, EdgeWeights<float>(problem, c.options), sources);
      field.travelTime.assign(times.begin(), times.end());
    }
  }
  return result;
}

/// Expects the first offset whose neighbour is earlier and gives exactly the time of the point as its
/// predecessor. A point without one is a start, or unreached.
template <class Real>
void expectEarlierNeighbours(const Case& c, const Field& field, const std::vector<std::int32_t>& sources) {
  const Problem problem = c.problem();
  const EdgeWeights<Real> edges(problem, c.options);
  const auto& times = timesOf<Real>(field);
  ASSERT_EQ(field.predecessor.size(), times.size());
  const auto starts = startsOf<Real>(problem, c.options, sources);
  const auto offers = [&](std::int64_t point, int offset) {
    const std::int64_t from = edges.neighbour(point, offset);
    return from >= 0 && std::isfinite(times[point]) && times[from] < times[point] &&
           times[from] + edges.weight(point, offset) == times[point];
  };
  for (std::int64_t p = 0; p < std::int64_t(times.size()); ++p) {
    int first = 0;
    while (first < edges.count() && !offers(p, first)) ++first;
    if (first < edges.count()) {
      ASSERT_EQ(field.predecessor[p], first) << "point " << p;
      continue;
    }
    ASSERT_EQ(field.predecessor[p], noOffset) << "point " << p;
    const bool isStart = std::any_of(starts.begin(), starts.end(), [&](const Start<Real>& start) {
      return start.point == p && start.time == times[p];
    });
    ASSERT_TRUE(isStart || !std::isfinite(times[p])) << "point " << p;
  }
}

inline void expectSame(const Result& a, const Result& b) {
  ASSERT_EQ(a.fields.size(), b.fields.size());
  const auto compare = [](const auto& x, const auto& y, std::size_t field) {
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], y[i]) << "point " << i << ", field " << field;
  };
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    compare(a.fields[f].travelTime, b.fields[f].travelTime, f);
    compare(a.fields[f].preciseTravelTime, b.fields[f].preciseTravelTime, f);
    compare(a.fields[f].predecessor, b.fields[f].predecessor, f);
    compare(a.fields[f].source, b.fields[f].source, f);
  }
}

} // namespace isochrone::rays
