// Claims about travel times on images of every shape: they agree with Dijkstra's algorithm to the last bit,
// for any number of threads and every instruction set.
#include "InstructionSets.h"
#include "RayTracingChecks.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

class RayTracing : public testing::TestWithParam<std::string> {
protected:
  const CaseMaker& maker = makerOf(GetParam());

  /// Returns `count` forward stars; the first one differs between cases.
  std::vector<Options> runs(std::size_t count) const {
    const std::vector<Options> all = starsFor(maker.grid);
    const std::size_t first = std::size_t(&maker - caseMakers().data());
    std::vector<Options> chosen;
    for (std::size_t i = 0; i < std::min(count, all.size()); ++i)
      chosen.push_back(all[(first + i) % all.size()]);
    return chosen;
  }
};

/// Returns a random image, including its shape.
CaseMaker randomMaker(std::uint64_t seed) {
  auto random = [at = seed << 20](int below) mutable { return int(noise(at++) * below); };
  CaseMaker maker;
  maker.name = "random " + std::to_string(seed);
  Grid& g = maker.grid;
  if (random(3) == 0)
    g.nx = 1 + random(80), g.ny = 1 + random(20), g.nz = 1 + random(20);
  else
    g.nx = 1 + random(140), g.ny = 1 + random(70);
  if (g.points() == 1) g.nx = 2;
  const double steps[] = {1, 1, 0.5, 0.3, 2.7};
  g.hx = steps[random(5)], g.hy = steps[random(5)], g.hz = steps[random(5)];
  const int kind = random(5);
  const SlownessModel models[] = {even, rough, blocks(1 + random(12)), gradient(0.02, 0.1, 0.05), lanes};
  maker.model = withHoles(random(3) == 0 ? 0.3 * noise(seed) : 0, models[kind]);
  for (int s = random(3); s >= 0; --s) {
    const bool onPoint = random(2) == 0;
    Source source{{noise(3 * seed + s) * double(g.nx - 1), noise(5 * seed + s) * double(g.ny - 1),
                   noise(7 * seed + s) * double(g.nz - 1)},
                  double(random(8)) - 4};
    if (onPoint)
      for (double& x : source.at) x = std::round(x);
    maker.sources.push_back(source);
  }
  return maker;
}

} // namespace

TEST_P(RayTracing, TimesEqualDijkstras) {
  for (const WeightRule rule : allRules) {
    int precise = int(rule);
    for (Options options : runs(2)) {
      options.rule = rule;
      options.doublePrecision = precise++ % 3 == 0;
      expectDijkstra(maker, options);
    }
  }
}

TEST_P(RayTracing, HasTheSameBytesForAnyThreadsAndInstructionSet) {
  for (const WeightRule rule : allRules)
    for (Options options : runs(1)) {
      options.rule = rule;
      options.doublePrecision = options.neighbours == StarKind::Full;
      const Case c = makeCase(maker, options);
      options.threads = 1;
      const Result one = solve(c.problem, options);
      for (const int threads : {2, 3, 7}) {
        options.threads = threads;
        expectSame(c, nameOf(options) + ", " + std::to_string(threads) + " threads",
                   solve(c.problem, options), one);
      }
      options.threads = 2;
      onEachInstructionSet([&](const char* isa) {
        expectSame(c, nameOf(options) + ", " + isa, solve(c.problem, options), one);
      });
    }
}

/// Large images with a single rule, in which edges read only their ends.
TEST(RayTracingTiles, ExchangeTimesAcrossEdgesAndCorners) {
  for (const CaseMaker& maker : acrossMakers())
    expectDijkstra(maker, onHost(WeightRule::Fast, StarKind::Coprime, {1, 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(Images, RayTracing, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(RayTracingRandom, ImagesOfAnyShapeEqualDijkstras) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const CaseMaker maker = randomMaker(seed);
    const std::vector<Options> all = starsFor(maker.grid);
    Options options = all[seed % all.size()];
    options.rule = allRules[seed / 2 % 3];
    options.doublePrecision = seed % 5 == 0;
    options.threads = 1 + int(seed % 4);
    expectDijkstra(maker, options);
    if (testing::Test::HasFailure()) break; // report only the first failure
  }
}
