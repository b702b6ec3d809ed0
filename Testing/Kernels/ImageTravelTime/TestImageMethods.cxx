// Claims about the serial methods of the benchmark: they agree with the reference, and their update counts
// with the paper (Jeong, Whitaker 2008, Table 4).
#include "Benchmarks/BlockFim.h"
#include "Benchmarks/FastSweeping.h"
#include "Benchmarks/GroupMarching.h"
#include "Benchmarks/HeapFastMarching.h"
#include "Benchmarks/ImageProblems.h"
#include "Benchmarks/NodeFim.h"
#include "Execution/HostDevice.h"
#include "ImageTravelTime/Tiles/TileSolver.h"
#include "ImageTravelTimeCases.h"
#include "Reference/ImageTravelTimeReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Example {
  const char* name;
  int size, depth;
};

void PrintTo(const Example& e, std::ostream* out) { *out << e.name << " " << e.size << " " << e.depth; }

/// Minimum and maximum of (value - reference) / reference over all reached points.
struct Errors {
  double minimum = 0, largest = 0;
};

Errors errors(const Values<float>& values, const std::vector<double>& reference) {
  Errors e;
  for (std::size_t p = 0; p < values.size(); ++p) {
    EXPECT_EQ(std::isfinite(values[p]), std::isfinite(reference[p])) << "at point " << p;
    if (!std::isfinite(reference[p]) || !(reference[p] > 0)) continue;
    const double error = (values[p] - reference[p]) / reference[p];
    e.minimum = std::min(e.minimum, error), e.largest = std::max(e.largest, error);
  }
  return e;
}

class ImageMethods : public testing::TestWithParam<Example> {
protected:
  const ImageCase c = makeImageCase(GetParam().name, GetParam().size, GetParam().depth);
  const std::vector<double> reference = reference::march(c.problem);

  void expectEqual(const image::Result& result) {
    const Errors e = errors(result.travelTime, reference);
    EXPECT_GT(e.minimum, -1e-6);
    EXPECT_LT(e.largest, 1e-6);
  }
};

TEST_P(ImageMethods, HeapFastMarchingEqualsTheReference) { expectEqual(heapFastMarching(c.problem)); }
TEST_P(ImageMethods, FastSweepingEqualsTheReference) { expectEqual(fastSweeping(c.problem)); }
TEST_P(ImageMethods, NodeFimEqualsTheReference) { expectEqual(nodeFim(c.problem)); }

TEST_P(ImageMethods, GroupMarchingIsAtMostALittleLate) {
  const Errors e = errors(groupMarching(c.problem).travelTime, reference);

  EXPECT_GT(e.minimum, -1e-6);
  EXPECT_LT(e.largest, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Examples, ImageMethods,
                         testing::Values(Example{"1", 31, 31}, Example{"2", 31, 31}, Example{"3", 31, 31},
                                         Example{"4-4", 40, 20}, Example{"4-16", 64, 5},
                                         Example{"5-4", 40, 20}, Example{"5-16", 64, 5},
                                         Example{"noise", 31, 31}, Example{"line", 40, 7},
                                         Example{"1", 101, 1}, Example{"noise", 101, 1}));

TEST(ImageMethodsCounts, ConstantSpeedNeedsThePapersUpdates) {
  const ImageCase c = makeImageCase("1", 64, 64);

  EXPECT_EQ(fastSweeping(c.problem).rounds, 9);
  EXPECT_NEAR(heapFastMarching(c.problem).updatesPerPoint, 2.9, 0.1);
  EXPECT_NEAR(nodeFim(c.problem).updatesPerPoint, 4.9, 0.1);
  EXPECT_NEAR(groupMarching(c.problem).updatesPerPoint, 5.8, 1.); // the paper skips some second updates
}

TEST(ImageMethodsCounts, SixteenWallsNeedThePapersSweeps) {
  EXPECT_EQ(fastSweeping(makeImageCase("4-16", 128, 2).problem).rounds, 34);
}

template <class Shape>
image::Result blockFim(const image::Problem& problem, int passes, int threads = 1) {
  execution::HostDevice device{threads};
  const image::Options options;
  image::Result result;
  fim::solve<Shape>(device, image::SolverInput(problem, options), passes, result);
  return result;
}

TEST(BlockFim, ReachesTheFixedPointWithAnyNumberOfPasses) {
  for (const char* name : {"Noise", "PermeableMaze", "UnequalSpacing", "NoSpeedHoles", "SeveralSeeds",
                           "PlaneUnequal", "Diagonal", "OnePoint"}) {
    const image::Case c = image::makeCase(name);
    const std::vector<double> expected = reference::march(c.problem);
    const double earliest = *std::min_element(expected.begin(), expected.end());
    const auto agrees = [&]<class Shape>(Shape) {
      for (const int passes : {1, 3, 10}) {
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(passes) + " passes");
        const auto values = blockFim<Shape>(c.problem, passes).travelTime;
        ASSERT_EQ(values.size(), expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n) {
          ASSERT_EQ(std::isinf(values[n]), std::isinf(expected[n])) << n;
          if (std::isinf(expected[n])) continue;
          ASSERT_LE(std::abs(values[n] - expected[n]),
                    5e-7 * std::max(std::abs(expected[n]), expected[n] - earliest))
              << n;
        }
      }
    };
    if (c.problem.grid.nz == 1)
      agrees(image::Box<8, 8, 1>{});
    else
      agrees(image::Box<8, 8, 4>{}), agrees(image::Box<4, 4, 4>{});
  }
}

TEST(BlockFim, GivesTheSameBitsForAnyThreadCount) {
  const image::Case c = image::makeCase("Noise");
  using Shape = image::Box<4, 4, 4>;

  EXPECT_EQ(blockFim<Shape>(c.problem, 3, 3).travelTime, blockFim<Shape>(c.problem, 3).travelTime);
}

TEST(BlockFim, FinishesATileInOneRoundOfManyPasses) {
  const image::Case c = image::makeCase("Constant");
  using Shape = image::Box<4, 4, 4>;
  // From corner to corner a tile of 4^3 nodes takes 10 Jacobi passes; after 11 the last one changes nothing.
  const image::Result few = blockFim<Shape>(c.problem, 5), enough = blockFim<Shape>(c.problem, 11),
                      more = blockFim<Shape>(c.problem, 20);

  EXPECT_GT(few.rounds, enough.rounds);
  EXPECT_EQ(enough.rounds, more.rounds);
  EXPECT_LT(enough.updatesPerPoint, more.updatesPerPoint); // including unnecessary ones
}

TEST(BlockFim, TakesTwiceTheUpdatesOfTheBandBehindSlowWalls) {
  const image::Case c = image::makeCase("PermeableMaze");
  using Shape = image::Box<4, 4, 4>;
  execution::HostDevice device{1};
  const image::Options options;
  image::Result band;
  image::relaxTiles<Shape>(device, image::SolverInput(c.problem, options), {12, 2}, {}, band);

  EXPECT_LT(band.updatesPerPoint, 0.5 * blockFim<Shape>(c.problem, 12).updatesPerPoint);
}

} // namespace
