// Claims about distance transforms of small images of every shape: they agree with brute force, for any
// number of threads and every instruction set.
#include "DistanceTransformChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

class DistanceTransform : public testing::TestWithParam<std::string> {
protected:
  const Case c = makeCase(GetParam());
};

/// The same sites with axes permuted and flipped.
struct Turned {
  std::array<int, 3> axis; ///< axis of the original for each axis of the new image
  std::array<bool, 3> back;

  Case make(const Case& c) const {
    const Grid& g = c.problem.grid;
    const std::array<std::int64_t, 3> n = {g.nx, g.ny, g.nz};
    const std::array<double, 3> h = {g.hx, g.hy, g.hz};
    const Grid turned{n[axis[0]], n[axis[1]], n[axis[2]], h[axis[0]], h[axis[1]], h[axis[2]]};
    return makeCase(c.name + " turned", turned, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      return c.sites[original(c, i, j, k)] != 0;
    });
  }
  /// Returns the index in the original of the point (i, j, k).
  std::int64_t original(const Case& c, std::int64_t i, std::int64_t j, std::int64_t k) const {
    const Grid& g = c.problem.grid;
    const std::int64_t n[3] = {g.nx, g.ny, g.nz}, at[3] = {i, j, k};
    std::int64_t was[3];
    for (int a = 0; a < 3; ++a) was[axis[a]] = back[a] ? n[axis[a]] - 1 - at[a] : at[a];
    return g.index(was[0], was[1], was[2]);
  }
};

} // namespace

TEST_P(DistanceTransform, AgreesWithBruteForce) { expectAllPairs(c); }

TEST_P(DistanceTransform, HasTheSameBytesForAnyThreadsAndInstructionSet) { expectSameBytesEverywhere(c); }

TEST_P(DistanceTransform, FollowsPermutedAndFlippedAxes) {
  const reference::Nearest nearest = reference::compareAllPairs(c.problem, Region::Outside);
  const Options options = optionsFor("double");
  const Result straight = solve(c, options);
  for (const Turned& turned : {Turned{{0, 1, 2}, {true, false, false}},
                               {{0, 1, 2}, {false, true, false}},
                               {{0, 1, 2}, {false, false, true}},
                               {{1, 0, 2}, {false, false, false}},
                               {{2, 1, 0}, {false, true, false}},
                               {{0, 2, 1}, {false, false, false}},
                               {{1, 2, 0}, {true, false, true}},
                               {{2, 0, 1}, {false, false, false}}}) {
    const Case t = turned.make(c);
    const Grid& g = t.problem.grid;
    expectEach(
        t, "axes " + testing::PrintToString(turned.axis) + " back " + testing::PrintToString(turned.back),
        solve(t, options).preciseDistance,
        [&](std::int64_t p) {
          return straight.preciseDistance[turned.original(c, p % g.nx, p / g.nx % g.ny, p / (g.nx * g.ny))];
        },
        [&](double a, double b, std::int64_t) { return nearest.equalSpacing ? a == b : near(a, b, 1e-12); });
  }
}

TEST_P(DistanceTransform, AMaximumDistanceRemovesOnlyFartherPoints) {
  for (const Region region : {Region::Outside, Region::Signed}) {
    const reference::Nearest nearest = reference::compareAllPairs(c.problem, region);
    Options options = optionsFor("double", region);
    std::vector<double> distances;
    for (const double d : Expectation(c, options, nearest).distance)
      if (std::isfinite(d) && d != 0) distances.push_back(std::abs(d));
    if (distances.empty()) distances.push_back(2);
    std::ranges::sort(distances);
    for (const double share : {0., 0.1, 0.5, 0.9, 1.}) {
      const double d = distances[std::size_t(share * double(distances.size() - 1))];
      // Exactly at a distance that occurs and just below it; if rounding may decide, slightly off.
      for (const double maximum : {nearest.equalSpacing ? d : d * (1 + 1e-9),
                                   nearest.equalSpacing ? std::nextafter(d, 0.) : d * (1 - 1e-9)})
        for (const char* wanted : {"float", "double squared site"}) {
          options = optionsFor(wanted, region), options.maximumDistance = maximum;
          const std::string what =
              nameOf(region) + ", " + wanted + ", at most " + testing::PrintToString(maximum);
          expectResult(c, options, solve(c, options), nearest, what);
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Images, DistanceTransform, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });
