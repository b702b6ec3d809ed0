// Claims about symmetry: a mirrored or rotated problem, or one in other units, has the same travel times.
// Also claims about source factoring: at constant speed the times are the distances.
#include "ImageSymmetryCases.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

struct Scheme {
  SourceFactoring factoring;
  int order;
};

const Scheme schemes[] = {{SourceFactoring::Off, 1},
                          {SourceFactoring::Off, 2},
                          {SourceFactoring::Additive, 1},
                          {SourceFactoring::Additive, 2},
                          {SourceFactoring::Multiplicative, 1},
                          {SourceFactoring::Multiplicative, 2}};

Values<float> solve(const Problem& problem, const Scheme& scheme) {
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  options.factoring = scheme.factoring, options.order = scheme.order;
  return solveImageTravelTime(problem, options, {}).travelTime;
}

bool hasTensors(const Case& c) { return c.problem.speedType == SpeedType::SquaredVelocityTensor; }

bool fits(const Case& c, const Scheme& scheme) {
  return !hasTensors(c) || (scheme.factoring != SourceFactoring::Multiplicative && scheme.order == 1);
}

/// Returns the allowed difference relative to the time from the first arrival to the last: rounding, except
/// for the cases in DESIGN.md.
double bound(const Case& c, const Scheme& scheme, const std::string& name) {
  const bool multiplicative = scheme.factoring == SourceFactoring::Multiplicative;
  if (multiplicative && c.problem.seeds.size() > 1)
    return 0.25;                                 // a tile uses one seed, and tiles are not symmetric
  if (multiplicative && name.ends_with("Rough")) // uses the side of the earlier neighbour
    return scheme.order == 1 ? 5e-3 : 0.1;
  if (scheme.order == 2) return 0.03; // if two sides are equally early up to rounding
  return hasTensors(c) && scheme.factoring == SourceFactoring::Additive ? 2e-5 : 3e-6;
}

std::string describe(const Scheme& scheme, const std::string& seed) {
  return "factoring " + std::to_string(int(scheme.factoring)) + ", order " + std::to_string(scheme.order) +
         ", seed " + seed + ": ";
}

class ImageSymmetry : public testing::TestWithParam<std::string> {
protected:
  /// Calls f(case, scheme, words).
  template <class F>
  void forAll(F&& f) const {
    const Case base = symmetryCase(GetParam());
    for (const auto& [name, seeds] : symmetrySeeds(base.problem.grid)) {
      Case c = base;
      c.problem.seeds.clear();
      for (const Position& at : seeds) c.problem.seeds.push_back({at, 0});
      c.problem.speed = c.speed;
      for (const Scheme& scheme : schemes)
        if (fits(c, scheme)) f(c, scheme, describe(scheme, name));
    }
  }
};

} // namespace

TEST_P(ImageSymmetry, HoldsForMirroredRotatedAndTransposedImages) {
  forAll([this](const Case& c, const Scheme& scheme, const std::string& words) {
    const Values<float> u = solve(c.problem, scheme);
    for (const Symmetry& symmetry : symmetries(c.problem.grid.nz == 1)) {
      const Transformed t = transformed(c, symmetry);
      EXPECT_LE(difference(u, solve(t.c.problem, scheme), t.point), bound(c, scheme, GetParam()))
          << words << symmetry.name;
    }
  });
}

TEST_P(ImageSymmetry, HoldsInOtherUnitsOfLengthAndTime) {
  forAll([this](const Case& c, const Scheme& scheme, const std::string& words) {
    const Values<float> u = solve(c.problem, scheme);
    std::vector<std::int64_t> same(u.size());
    for (std::size_t p = 0; p < same.size(); ++p) same[p] = std::int64_t(p);
    for (const double length : {3., 1e6})
      for (const float speed : {0.3f}) {
        Case scaled = c;
        Grid& g = scaled.problem.grid;
        g.hx *= length, g.hy *= length, g.hz *= length;
        for (Seed& seed : scaled.problem.seeds)
          for (double& x : seed.at) x *= length;
        for (float& f : scaled.speed) f *= hasTensors(c) ? speed * speed : speed;
        scaled.problem.speed = scaled.speed;
        EXPECT_LE(difference(u, solve(scaled.problem, scheme), same, length / speed),
                  bound(c, scheme, GetParam()))
            << words << "length " << length << " speed " << speed;
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Images, ImageSymmetry, testing::ValuesIn(symmetryCaseNames()),
                         [](const auto& info) { return info.param; });

namespace {

/// Returns the maximum difference from the distance, relative to the maximum distance.
double inexactness(const Problem& p, const Values<float>& u) {
  const Grid& g = p.grid;
  const Position& seed = p.seeds[0].at;
  double maximum = 0, farthest = 0;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const double d = std::hypot(double(n % g.nx) * g.hx - seed[0], double(n / g.nx % g.ny) * g.hy - seed[1],
                                double(n / (g.nx * g.ny)) * g.hz - seed[2]);
    maximum = std::max(maximum, std::abs(u[n] - d)), farthest = std::max(farthest, d);
  }
  return maximum / farthest;
}

} // namespace

TEST(ImageFactoring, IsExactAtConstantSpeedForAnySeedAndSpacing) {
  for (const Grid& g : {Grid{31, 29, 1, 1, 1, 1}, Grid{31, 29, 1, 1, 3, 1}, Grid{31, 29, 1, 5.5, 1, 1},
                        Grid{13, 15, 11, 1, 1, 1}, Grid{13, 15, 11, 0.7, 0.9, 1.3}, Grid{13, 15, 11, 1, 3, 1},
                        Grid{13, 15, 11, 5, 1, 2}})
    for (const auto& [name, seeds] : symmetrySeeds(g)) {
      if (seeds.size() > 1) continue;
      Problem p;
      p.grid = g;
      p.seeds = {{seeds[0], 0}};
      for (const Scheme& scheme : schemes) {
        if (scheme.factoring == SourceFactoring::Off) continue;
        // Beyond the border a seed has no corners on one side.
        const double maximum = name == "beyond the border" && scheme.order == 1 ? 1.5e-2 : 2e-6;
        EXPECT_LE(inexactness(p, solve(p, scheme)), maximum)
            << describe(scheme, name) << "spacing " << g.hx << ' ' << g.hy << ' ' << g.hz;
      }
    }
}

TEST(ImageFactoring, LosesLittleForSpacingRatiosAboveSix) {
  for (const double ratio : {10., 100., 1e4})
    for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      Problem p;
      p.grid = {31, 301, 1, ratio, 1, 1};
      p.seeds = {{{15.37 * ratio, 150.21, 0}, 0}};
      EXPECT_LE(inexactness(p, solve(p, {factoring, 1})), 8e-3) << ratio;
    }
}
