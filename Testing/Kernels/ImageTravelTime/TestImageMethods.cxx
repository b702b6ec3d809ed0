// Claims about the serial methods of the benchmark: they agree with the reference, and their update counts
// with the paper (Jeong, Whitaker 2008, Table 4).
#include "Benchmarks/FastSweeping.h"
#include "Benchmarks/GroupMarching.h"
#include "Benchmarks/HeapFastMarching.h"
#include "Benchmarks/ImageProblems.h"
#include "Benchmarks/NodeFim.h"
#include "Reference/ImageTravelTimeReference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

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
  double least = 0, largest = 0;
};

Errors errors(const Values<float>& values, const std::vector<double>& reference) {
  Errors e;
  for (std::size_t p = 0; p < values.size(); ++p) {
    EXPECT_EQ(std::isfinite(values[p]), std::isfinite(reference[p])) << "at point " << p;
    if (!std::isfinite(reference[p]) || !(reference[p] > 0)) continue;
    const double error = (values[p] - reference[p]) / reference[p];
    e.least = std::min(e.least, error), e.largest = std::max(e.largest, error);
  }
  return e;
}

class ImageMethods : public testing::TestWithParam<Example> {
protected:
  const ImageCase c = makeImageCase(GetParam().name, GetParam().size, GetParam().depth);
  const std::vector<double> reference = reference::march(c.problem);

  void expectEqual(const image::Result& result) {
    const Errors e = errors(result.travelTime, reference);
    EXPECT_GT(e.least, -1e-6);
    EXPECT_LT(e.largest, 1e-6);
  }
};

TEST_P(ImageMethods, HeapFastMarchingEqualsTheReference) { expectEqual(heapFastMarching(c.problem)); }
TEST_P(ImageMethods, FastSweepingEqualsTheReference) { expectEqual(fastSweeping(c.problem)); }
TEST_P(ImageMethods, NodeFimEqualsTheReference) { expectEqual(nodeFim(c.problem)); }

TEST_P(ImageMethods, GroupMarchingIsAtMostALittleLate) {
  const Errors e = errors(groupMarching(c.problem).travelTime, reference);

  EXPECT_GT(e.least, -1e-6);
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

} // namespace
