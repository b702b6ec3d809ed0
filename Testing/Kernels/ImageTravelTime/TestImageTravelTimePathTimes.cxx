// Claims that paths through images take their travel time.
#include "ImageTravelTimePathCases.h"

using namespace isochrone;
using namespace isochrone::image;

namespace {

Position seedIn(const Grid& g) { return g.nz == 1 ? Position{31.3, 40.7, 0} : Position{20.3, 31.6, 25.2}; }

constexpr double gradientLength = 2. / 63; ///< speeds from 1 to 3 along x

double linearSpeed(const Position& at) { return 1 + gradientLength * at[0]; }
double linearTime(const Position& a, const Position& b) {
  const double d = away(a, b);
  return std::acosh(1 + gradientLength * gradientLength * d * d / (2 * linearSpeed(a) * linearSpeed(b))) /
         gradientLength;
}
double waves(const Position& at) {
  return 2 + 0.5 * std::sin(0.11 * at[0] + 0.05 * at[1]) * std::cos(0.09 * at[1] - 0.04 * at[2]) +
         0.3 * std::sin(0.07 * at[2] + 0.06 * at[0] + 1);
}

/// Expects the time along each path to exceed the given one by at most 1 %, and to be hardly below it.
void expectTimes(const Case& c, std::span<const float> u,
                 const std::function<double(const Position&)>& expected) {
  const std::vector<Position> tips = randomTips(c.problem.grid, 300);
  const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    ASSERT_EQ(paths[t].status, PathStatus::Complete);
    const double time = expected(tips[t]);
    EXPECT_LE(paths[t].energy, 1.01 * time) << "tip " << t << ", length " << paths[t].length;
    EXPECT_GE(paths[t].energy, (1 - 1e-3) * time) << "tip " << t << ", length " << paths[t].length;
    EXPECT_LE(paths[t].energy, 1.01 * paths[t].travelTime.back()) << "tip " << t;
  }
}

} // namespace

TEST(ImagePathTimes, AreExactToOnePercentAtConstantSpeed) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Position seed = seedIn(g);
    const Case c = speedCase(g, seed, [](const Position&) { return 2; });
    expectTimes(c, travelTimeOf(c.problem), [&](const Position& tip) { return away(tip, seed) / 2; });
  }
}

TEST(ImagePathTimes, AreExactToOnePercentInALinearGradient) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Position seed = seedIn(g);
    const Case c = speedCase(g, seed, linearSpeed);
    expectTimes(c, travelTimeOf(c.problem), [&](const Position& tip) { return linearTime(tip, seed); });
  }
}

TEST(ImagePathTimes, AreExactToOnePercentForAccurateSchemes) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Position seed = seedIn(g);
    const Case c = speedCase(g, seed, linearSpeed);
    Values<float> exact(g.points());
    for (std::int64_t n = 0; n < g.points(); ++n)
      exact[n] =
          float(linearTime({double(n % g.nx), double(n / g.nx % g.ny), double(n / (g.nx * g.ny))}, seed));
    expectTimes(c, exact, [&](const Position& tip) { return linearTime(tip, seed); });
  }
}

TEST(ImagePathTimes, AreBelowTheTravelTimeByItsErrorOnSmoothSpeeds) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Case c = speedCase(g, seedIn(g), waves);
    const Grid half{2 * g.nx - 1, 2 * g.ny - 1, g.nz == 1 ? 1 : 2 * g.nz - 1, 0.5, 0.5, 0.5};
    const Values<float> u = travelTimeOf(c.problem),
                        fine = travelTimeOf(speedCase(half, seedIn(g), waves).problem);
    std::vector<Position> tips;
    for (int t = 0; t < 200; ++t)
      tips.push_back({std::floor(noise(3 * t) * double(g.nx)), std::floor(noise(3 * t + 1) * double(g.ny)),
                      std::floor(noise(3 * t + 2) * double(g.nz))});
    const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
    double below = 0, refined = 0;
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const auto i = std::int64_t(tips[t][0]), j = std::int64_t(tips[t][1]), k = std::int64_t(tips[t][2]);
      const double value = u[g.index(i, j, k)], better = fine[half.index(2 * i, 2 * j, 2 * k)];
      EXPECT_EQ(paths[t].travelTime.back(), value);
      EXPECT_LE(paths[t].energy, 1.01 * value);
      EXPECT_LE(paths[t].energy, 1.01 * better);
      below += value - paths[t].energy, refined += value - better;
    }
    // Halving the spacing nearly halves the error.
    EXPECT_GT(below, 1.2 * refined);
    EXPECT_LT(below, 2.5 * refined);
  }
}

TEST(ImagePathTimes, AreAtMostOnePercentAboveTheTimeOfAccurateSchemes) {
  Options options;
  options.backend = Backend::Host;
  options.order = 2;
  for (const Grid& g : {plane(128), cube(64)})
    for (const auto& speed : {linearSpeed, waves})
      for (const SourceFactoring factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
        const Case c = speedCase(g, seedIn(g), speed);
        options.factoring = factoring;
        if (speed == waves && factoring == SourceFactoring::Multiplicative) continue; // error of 1 %
        const Values<float> u = solveImageTravelTime(c.problem, options, {}).travelTime;
        const std::vector<Position> tips = randomTips(g, 200);
        double sum = 0;
        for (const Path& path : extractPaths(c.problem, u, tips, 0)) {
          const double ratio = path.energy / path.travelTime.back();
          EXPECT_LE(ratio, 1.01) << "length " << path.length;
          EXPECT_GE(ratio, 0.985) << "length "
                                  << path.length; // the value is too large, not the path too short
          sum += ratio / double(tips.size());
        }
        EXPECT_NEAR(sum, 1, 0.001);
      }
}

TEST(ImagePathTimes, AreTheSumOfSlownessAlongThePath) {
  const Case c = speedCase(cube(64), seedIn(cube(64)), waves);
  for (const Path& path : pathsTo(c.problem, randomTips(c.problem.grid, 20))) {
    double sum = 0;
    for (std::size_t s = 1; s < path.size(); ++s) {
      const Position a = pointOf(path, s - 1), b = pointOf(path, s);
      for (const double share : {0.25, 0.75})
        sum +=
            away(a, b) / 2 /
            waves({a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])});
    }
    EXPECT_NEAR(path.energy, sum, 2e-3 * sum + 0.02);
  }
}

TEST(ImagePathTimes, AreCloseToTheTravelTimeOnRoughSpeedsToo) {
  for (const char* name :
       {"Layers", "Noise", "Plane", "Maze", "NoSpeedHoles", "Diagonal", "UnequalSpacing"}) {
    const Case c = makeCase(name);
    double sum = 0;
    int count = 0;
    for (const Path& path : pathsTo(c.problem, randomTips(c.problem.grid, 400))) {
      if (path.status != PathStatus::Complete || path.length < 6 * smallestSpacing(c.problem.grid)) continue;
      const double ratio = path.energy / (path.travelTime.back() - path.travelTime.front());
      EXPECT_LE(ratio, 1.3) << name;
      sum += ratio, ++count;
    }
    EXPECT_LE(sum / count, 1.02) << name;
  }
}
