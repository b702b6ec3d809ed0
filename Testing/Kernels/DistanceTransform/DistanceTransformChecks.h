// DistanceTransformChecks.h - compares distance transforms with expected results, and reports the
// differences.
#pragma once

#include "DistanceTransformCases.h"
#include "InstructionSets.h"
#include "Reference/DistanceReference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <limits>
#include <string>
#include <vector>

namespace isochrone::distance {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Region allRegions[] = {Region::Outside, Region::Inside, Region::Both, Region::Signed};

inline std::string nameOf(Region region) {
  return std::vector<std::string>{"Outside", "Inside", "Both", "Signed"}[int(region)];
}

/// Returns options that request the outputs named in `wanted`: float or double distance, squared, site.
inline Options optionsFor(const std::string& wanted, Region region = Region::Outside) {
  Options options;
  options.backend = Backend::Host, options.region = region;
  const auto has = [&](const char* word) { return wanted.find(word) != std::string::npos; };
  options.doublePrecision = has("double");
  options.distance = has("float") || has("double");
  options.squaredDistance = has("squared"), options.nearestSite = has("site");
  return options;
}

/// Returns single outputs and all together: a solver may use a different code path for each.
inline const std::vector<std::string>& requests() {
  static const std::vector<std::string> all{
      "float", "double", "squared", "site", "float squared site", "double squared site"};
  return all;
}

/// Reports the first point whose value differs from the expected one, and the number of such points.
template <class T, class Expected, class Agree>
void expectEach(const Case& c, const std::string& what, const Values<T>& got, const Expected& expected,
                const Agree& agree) {
  const Grid& g = c.problem.grid;
  ASSERT_EQ(std::int64_t(got.size()), g.points()) << c.name << ", " << what << ": values";
  std::int64_t wrong = 0, first = 0;
  for (std::int64_t p = 0; p < g.points(); ++p)
    if (!agree(got[p], expected(p), p) && !wrong++) first = p;
  if (wrong)
    ADD_FAILURE() << std::setprecision(17) << c.name << " (" << g.nx << " x " << g.ny << " x " << g.nz
                  << "), " << what << ": " << wrong << " of " << g.points()
                  << " points are wrong; the first, (" << first % g.nx << ", " << first / g.nx % g.ny << ", "
                  << first / (g.nx * g.ny) << "), number " << first << (c.sites[first] ? ", a site" : "")
                  << ", has " << got[first] << " instead of " << expected(first);
}

inline bool near(double a, double b, double relative) {
  return a == b || std::abs(a - b) <= relative * std::abs(b);
}

/// Expected outputs for the options, per point.
struct Expectation {
  bool exact;
  std::vector<double> distance; ///< signed
  std::vector<double> squared;
  std::vector<std::int64_t> site;

  Expectation(const Case& c, const Options& options, const reference::Nearest& nearest)
      : exact(nearest.equalSpacing), site(nearest.site) {
    const Grid& g = c.problem.grid;
    const double unit = g.nx > 1 ? g.hx : g.ny > 1 ? g.hy : g.hz;
    for (std::int64_t p = 0; p < g.points(); ++p) {
      const bool found = nearest.site[p] >= 0;
      double d = infinite, d2 = infinite;
      if (found && exact)
        d = std::sqrt(double(nearest.steps[p])) * unit, d2 = double(nearest.steps[p]) * (unit * unit);
      else if (found)
        d = double(std::sqrt(nearest.squared[p])), d2 = double(nearest.squared[p]);
      if (options.maximumDistance > 0 && d > options.maximumDistance) d = d2 = infinite, site[p] = -1;
      distance.push_back(options.region == Region::Signed && c.sites[p] ? -d : d);
      squared.push_back(d2);
    }
  }
};

/// Expects exactly the requested outputs; with equal spacings they must be exact.
inline void expectResult(const Case& c, const Options& options, const Result& result,
                         const reference::Nearest& nearest, const std::string& what) {
  const Expectation expected(c, options, nearest);
  const auto distance = [&](std::int64_t p) { return expected.distance[p]; };
  if (options.distance && !options.doublePrecision)
    expectEach(c, what + ": distance", result.distance, distance, [&](float a, double b, std::int64_t) {
      return expected.exact ? a == float(b) : near(a, b, 0x1p-24 + 1e-12);
    });
  else
    EXPECT_TRUE(result.distance.empty()) << what;
  if (options.distance && options.doublePrecision)
    expectEach(c, what + ": double distance", result.preciseDistance, distance,
               [&](double a, double b, std::int64_t) { return expected.exact ? a == b : near(a, b, 1e-12); });
  else
    EXPECT_TRUE(result.preciseDistance.empty()) << what;
  const bool oneStep = c.problem.grid.hx == 1 && c.problem.grid.hy == 1 && c.problem.grid.hz == 1;
  if (options.squaredDistance)
    expectEach(
        c, what + ": squared distance", result.squaredDistance,
        [&](std::int64_t p) { return expected.squared[p]; },
        [&](double a, double b, std::int64_t) {
          return oneStep ? a == b : near(a, b, expected.exact ? 1e-15 : 1e-12);
        });
  else
    EXPECT_TRUE(result.squaredDistance.empty()) << what;
  if (options.nearestSite)
    expectEach(
        c, what + ": nearest site", result.nearestSite, [&](std::int64_t p) { return expected.site[p]; },
        [&](std::int64_t a, std::int64_t b, std::int64_t p) {
          if (expected.exact || a == b) return a == b;
          if (a < 0 || a >= c.problem.grid.points() || b < 0) return false;
          return !c.sites[a] == !c.sites[b] && // equally near up to rounding
                 near(double(reference::squaredDistance(c.problem.grid, p, a)), expected.squared[p], 1e-12);
        });
  else
    EXPECT_TRUE(result.nearestSite.empty()) << what;
}

/// Expects the same bytes in all arrays of both results.
inline void expectSame(const Case& c, const std::string& what, const Result& got, const Result& other) {
  const auto compare = [&](const char* name, const auto& a, const auto& b) {
    ASSERT_EQ(a.size(), b.size()) << c.name << ", " << what << ": " << name;
    if (a.empty()) return;
    expectEach(
        c, what + ": " + name, a, [&](std::int64_t p) { return b[p]; },
        [](auto x, auto y, std::int64_t) {
          return x == y && std::signbit(double(x)) == std::signbit(double(y));
        });
  };
  compare("distance", got.distance, other.distance);
  compare("double distance", got.preciseDistance, other.preciseDistance);
  compare("squared distance", got.squaredDistance, other.squaredDistance);
  compare("nearest site", got.nearestSite, other.nearestSite);
}

inline Result solve(const Case& c, const Options& options) {
  return solveDistanceTransform(c.problem, options, {});
}

/// Expects agreement with brute force for every set of outputs, in every region.
inline void expectAllPairs(const Case& c, const std::vector<std::string>& outputs = requests()) {
  for (const Region region : allRegions) {
    const reference::Nearest nearest = reference::compareAllPairs(c.problem, region);
    for (const std::string& wanted : outputs) {
      const Options options = optionsFor(wanted, region);
      expectResult(c, options, solve(c, options), nearest, nameOf(region) + ", outputs " + wanted);
    }
  }
}

/// Expects the same bytes for 1, 2 and 7 threads and every instruction set of this processor.
inline void expectSameBytesEverywhere(const Case& c) {
  for (const Region region : {Region::Outside, Region::Signed})
    for (const char* wanted : {"float", "double squared site"}) {
      Options options = optionsFor(wanted, region);
      options.threads = 1;
      const Result one = solve(c, options);
      for (const int threads : {2, 7}) {
        options.threads = threads;
        expectSame(c, nameOf(region) + ", " + std::to_string(threads) + " threads", solve(c, options), one);
      }
      onEachInstructionSet(
          [&](const char* isa) { expectSame(c, nameOf(region) + ", " + isa, solve(c, options), one); });
    }
}

} // namespace isochrone::distance
