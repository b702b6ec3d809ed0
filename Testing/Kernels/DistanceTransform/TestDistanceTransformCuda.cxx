// Claims that CUDA and the host give the same distances, by the public interface. Skipped without a device.
#include "DistanceTransformChecks.h"

#include <gtest/gtest.h>

#include <string>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

Result solveOn(Backend backend, const Case& c, Options options) {
  options.backend = backend;
  return solve(c, options);
}

/// Expects equal results with equal spacings, otherwise agreement to 4 units in the last place.
void expectHost(const Case& c, const Options& options, const std::string& what) {
  const Result host = solveOn(Backend::Host, c, options), cuda = solveOn(Backend::Cuda, c, options);
  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  if (c.name.find("nequal") == std::string::npos && c.name.find("Thousand") == std::string::npos &&
      c.name != "AlmostEqual")
    return expectSame(c, what, cuda, host);
  const auto compare = [&](const char* name, const auto& a, const auto& b, double maximum) {
    ASSERT_EQ(a.size(), b.size()) << name;
    if (a.empty()) return;
    expectEach(
        c, what + ": " + name, a, [&](std::int64_t p) { return b[p]; },
        [&](double x, double y, std::int64_t) { return near(x, y, maximum); });
  };
  compare("distance", cuda.distance, host.distance, 0x1p-23);
  compare("double distance", cuda.preciseDistance, host.preciseDistance, 0x1p-50);
  compare("squared distance", cuda.squaredDistance, host.squaredDistance, 0x1p-50);
}

class DistanceCuda : public testing::TestWithParam<std::string> {
protected:
  const Case c = makeCase(GetParam());

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

class DistanceCudaRuns : public testing::Test {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_P(DistanceCuda, AgreesWithTheHostForAnyOutputs) {
  for (const Region region : allRegions)
    for (const std::string& wanted : requests())
      expectHost(c, optionsFor(wanted, region), nameOf(region) + ", outputs " + wanted);
}

TEST_P(DistanceCuda, AgreesWithTheHostUpToAMaximumDistance) {
  for (const double maximum : {2.5, 20., 35.}) {
    Options options = optionsFor("double squared site", Region::Signed);
    options.maximumDistance = maximum;
    expectHost(c, options, "at most " + std::to_string(maximum));
  }
}

INSTANTIATE_TEST_SUITE_P(Images, DistanceCuda, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST_F(DistanceCudaRuns, LargeImagesAgreeWithTheHost) {
  const CaseMaker large[] = {{"Dense", {3001, 2003, 1}, randomSites(0.3)},
                             {"Middling", {2003, 3001, 1}, randomSites(0.001)},
                             {"Sparse", {3001, 2003, 1}, randomSites(0.00001)},
                             {"Corner", {2003, 3001, 1}, oneSite(2002, 3000)},
                             {"LongRows", {100003, 20, 1}, randomSites(0.00001)},
                             {"LongColumns", {20, 100003, 1}, randomSites(0.00001)},
                             {"Volume", {200, 210, 220}, randomSites(0.001)},
                             {"VolumeSparse", {200, 210, 220}, randomSites(0.000001)},
                             {"Shell", {200, 210, 220}, shell(100, 105, 110, 80)},
                             {"UnequalVolume", {100, 210, 120, 1, 0.13, 2.9}, randomSites(0.0001)}};
  for (const CaseMaker& maker : large) {
    const Case c = makeCase(maker.name, maker.grid, maker.sites);
    expectHost(c, optionsFor("float"), "float");
    expectHost(c, optionsFor("double squared site", Region::Signed), "signed");
  }
}

const Grid beamOf64Bits{2, 2, 24000};

/// Lines longer than the window use the stacks; squares beyond 29 bits use a wider type.
TEST_F(DistanceCudaRuns, LongLinesAgreeWithTheHost) {
  const CaseMaker long_[] = {{"Column", {9, 700, 1}, oneSite(8, 699)},
                             {"ColumnUnequal", {9, 700, 1, 0.7, 1.3, 1}, oneSite(8, 699)},
                             {"BeamY", {3, 700, 5}, oneSite(2, 650, 4)},
                             {"BeamYUnequal", {3, 700, 5, 1, 0.5, 2}, oneSite(2, 650, 4)},
                             {"BeamZ", {3, 5, 700}, oneSite(2, 4, 1)},
                             {"BeamZUnequal", {3, 5, 700, 1, 0.5, 2}, oneSite(2, 4, 1)},
                             {"RowOf64Bits", {24000, 3, 1}, oneSite(7, 1)},
                             {"ColumnOf64Bits", {2, 24000, 1}, oneSite(1, 23999)},
                             {"BeamXOf64Bits", {24000, 2, 2}, oneSite(7, 1)}};
  for (const CaseMaker& maker : long_) {
    const Case c = makeCase(maker.name, maker.grid, maker.sites);
    expectHost(c, optionsFor("float"), c.name + ", float");
    const bool isLong = maker.grid.points() > 20000; // both sides take 6 s more on the emulated device
    const Region region = isLong ? Region::Outside : Region::Signed;
    expectHost(c, optionsFor("double squared site", region), c.name + ", all results");
  }
  expectHost(makeCase("BeamZOf64Bits", beamOf64Bits, oneSite(1, 1, 2)), optionsFor("float"),
             "BeamZOf64Bits, float"); // merges stacks along z
}

/// A separate test: 24000 rows or planes of a few points take a minute on the emulated device.
TEST_F(DistanceCudaRuns, LargeBeamsAgreeWithTheHost) {
  for (const Case& c : {makeCase("BeamYOf64Bits", {2, 24000, 2}, oneSite(1, 23999, 1)),
                        makeCase("BeamZOf64Bits", beamOf64Bits, oneSite(1, 1, 2))}) {
    expectHost(c, optionsFor("float"), c.name + ", float");
    expectHost(c, optionsFor("double squared site", Region::Signed), c.name + ", signed");
  }
}

TEST_F(DistanceCudaRuns, GiveTheSameBitsEveryTime) {
  const Case c = makeCase("Sparse", {1500, 1700, 1}, randomSites(0.0001));
  const Options options = optionsFor("double squared site", Region::Both);
  const Result first = solveOn(Backend::Cuda, c, options);

  for (int i = 0; i < 3; ++i) expectSame(c, "again", solveOn(Backend::Cuda, c, options), first);
}

TEST_F(DistanceCudaRuns, AnAbortedTransformLeavesNothingAndTheNextOneWorks) {
  const Case c = makeCase("Everything");
  Options options = optionsFor("float");
  options.backend = Backend::Cuda;
  int calls = 0;

  const Result aborted = solveDistanceTransform(c.problem, options, {[&](double) { return ++calls < 2; }});
  const Result whole = solveDistanceTransform(c.problem, options, {});

  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.distance.empty());
  EXPECT_FALSE(whole.aborted);
  EXPECT_EQ(std::int64_t(whole.distance.size()), c.problem.grid.points());
}
