// RayTracingChecks.h - compares travel times with expected ones, and reports the differences.
#pragma once

#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Seeds/Starts.h"
#include "RayTracingCases.h"
#include "Reference/DijkstraReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <string>
#include <vector>

namespace isochrone::rays {

constexpr WeightRule allRules[] = {WeightRule::Accurate, WeightRule::Fast, WeightRule::Cells};

inline std::string nameOf(WeightRule rule) {
  return std::vector<std::string>{"Accurate", "Fast", "Cells"}[int(rule)];
}
inline std::string nameOf(const Options& o) {
  const std::string kinds[] = {"Coprime", "Full", "Balanced24", "Balanced48"};
  return nameOf(o.rule) + ", " + kinds[int(o.neighbours)] + " " + testing::PrintToString(o.radius) +
         (o.doublePrecision ? ", double" : "");
}

inline Options onHost(WeightRule rule, StarKind kind = StarKind::Coprime,
                      const std::array<int, 3>& radius = {3, 3, 3}, bool precise = false) {
  Options options;
  options.backend = Backend::Host;
  options.rule = rule, options.neighbours = kind, options.radius = radius, options.doublePrecision = precise;
  return options;
}

/// Returns forward stars that fit the grid: all kinds, and unequal radii.
inline std::vector<Options> starsFor(const Grid& g) {
  using enum StarKind;
  const auto rule = WeightRule::Accurate;
  const int axes = dimensionsOf(g);
  if (axes == 3)
    return {onHost(rule, Coprime, {1, 1, 1}), onHost(rule, Coprime, {3, 3, 3}),
            onHost(rule, Full, {2, 2, 2}),    onHost(rule, Coprime, {4, 2, 1}),
            onHost(rule, Full, {1, 3, 2}),    onHost(rule, Coprime, {2, 2, 2})};
  if (axes == 1) return {onHost(rule, Coprime, {1, 1, 1}), onHost(rule, Full, {8, 8, 8})};
  return {onHost(rule, Coprime, {3, 3, 3}), onHost(rule, Full, {2, 2, 2}),
          onHost(rule, Coprime, {6, 6, 6}), onHost(rule, Coprime, {1, 1, 1}),
          onHost(rule, Balanced48),         onHost(rule, Full, {3, 5, 4}),
          onHost(rule, Balanced24),         onHost(rule, Coprime, {8, 7, 8}),
          onHost(rule, Full, {8, 8, 8}),    onHost(rule, Coprime, {2, 8, 4})};
}

inline Result solve(const Problem& problem, const Options& options) {
  return solveRayTracing(problem, options, {});
}

/// Reports the first point whose time differs from the expected one, and the number of such points.
template <class Times, class Expected, class Agree>
void expectEach(const Case& c, const std::string& what, const Times& got, const Expected& expected,
                const Agree& agree) {
  const Grid& g = c.problem.grid;
  ASSERT_EQ(std::int64_t(got.size()), g.points()) << c.name << ", " << what << ": values";
  std::int64_t wrong = 0, first = 0;
  for (std::int64_t p = 0; p < g.points(); ++p)
    if (!agree(got[p], expected[p]) && !wrong++) first = p;
  if (wrong)
    ADD_FAILURE() << std::setprecision(17) << c.name << " (" << g.nx << " x " << g.ny << " x " << g.nz
                  << "), " << what << ": " << wrong << " of " << g.points()
                  << " points are wrong; the first, (" << first % g.nx << ", " << first / g.nx % g.ny << ", "
                  << first / (g.nx * g.ny) << "), number " << first << ", has " << got[first]
                  << " instead of " << expected[first];
}

/// Returns a comparison relative to the time, or to the time since `from`. Infinities are equal.
inline auto within(double relative, double from = 0) {
  return
      [=](double a, double b) { return a == b || std::abs(a - b) <= relative * std::max(std::abs(b), from); };
}
inline bool equal(double a, double b) { return a == b; }

/// Runs Dijkstra's algorithm with the solver's own weights; the results must agree to the last bit.
template <class Real>
std::vector<Real> withOwnWeights(const Problem& problem, const Options& options) {
  const EdgeWeights<Real> edges(problem, options);
  std::vector<std::int32_t> sources(problem.sources.size());
  std::iota(sources.begin(), sources.end(), 0);
  reference::Starts starts;
  for (const auto& start : startsOf<Real>(problem, options, sources))
    starts.emplace_back(start.point, start.time);
  std::vector<Offset> offsets;
  for (int o = 0; o < edges.count(); ++o) offsets.push_back(edges.terms(o).offset);
  return reference::minTimes<Real>(
      problem.grid, offsets, starts,
      [&](std::int64_t from, std::int64_t, std::size_t o) { return edges.weight(from, int(o)); });
}

/// Expects the times of Dijkstra's algorithm. In single precision every bit follows from the definition. In
/// double the last bits of the weights are the solver's, and the definition's are close.
inline void expectDijkstra(const CaseMaker& maker, const Options& options) {
  const Case c = makeCase(maker, options);
  const Result result = solve(c.problem, options);
  ASSERT_EQ(result.fields.size(), 1u);
  const Field& field = result.fields[0];
  if (options.doublePrecision) {
    expectEach(c, nameOf(options), field.preciseTravelTime, withOwnWeights<double>(c.problem, options),
               equal);
    expectEach(c, nameOf(options) + ", defined weights", field.preciseTravelTime,
               reference::dijkstra<double>(c.problem, options),
               within(1e-12, 5)); // start times are between -4 and 4
    EXPECT_TRUE(field.travelTime.empty());
  } else {
    expectEach(c, nameOf(options), field.travelTime, reference::dijkstra<float>(c.problem, options), equal);
    EXPECT_TRUE(field.preciseTravelTime.empty());
  }
}

/// Expects the same bits in all arrays of both results.
inline void expectSame(const Case& c, const std::string& what, const Result& got, const Result& other) {
  ASSERT_EQ(got.fields.size(), other.fields.size()) << c.name << ", " << what;
  for (std::size_t f = 0; f < got.fields.size(); ++f) {
    const auto compare = [&](const char* name, const auto& a, const auto& b) {
      ASSERT_EQ(a.size(), b.size()) << c.name << ", " << what << ": " << name;
      if (!a.empty()) expectEach(c, what + ", field " + std::to_string(f) + ": " + name, a, b, equal);
    };
    const Field &a = got.fields[f], &b = other.fields[f];
    compare("times", a.travelTime, b.travelTime);
    compare("precise times", a.preciseTravelTime, b.preciseTravelTime);
    compare("predecessors", a.predecessor, b.predecessor);
    compare("sources", a.source, b.source);
  }
}

} // namespace isochrone::rays
