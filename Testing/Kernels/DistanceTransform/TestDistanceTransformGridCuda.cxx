// Claims that CUDA and the host give the same distances with periodic axes and on rectilinear grids, by the
// public interface. Skipped without a device.
#include "DistanceTransformChecks.h"
#include "DistanceTransformGrids.h"

#include <gtest/gtest.h>

#include <string>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

Result solveOn(Backend backend, const Case& c, Options options) {
  options.backend = backend;
  return solve(c, options);
}

void expectHost(const Case& c, const Options& options) {
  const Result cuda = solveOn(Backend::Cuda, c, options);
  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  expectHostOnGrid(c, c.name, options, cuda, solveOn(Backend::Host, c, options));
}

/// Expects the host's results with and without nearest sites, which are different kernels.
void expectHostForAllOutputs(const Case& c, Region region = Region::Signed) {
  expectHost(c, optionsFor("float", region));
  expectHost(c, optionsFor("double squared site", region));
}

Case periodic(const std::string& name, const Grid& grid, const Sites& sites,
              const Axes& axes = {true, true, true}) {
  return withAxes(makeCase(name, grid, sites), axes);
}

class DistanceGridCuda : public testing::Test {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_F(DistanceGridCuda, PeriodicImagesAgreeWithTheHost) {
  for (const Axes& axes : allAxes()) {
    expectHostForAllOutputs(periodic("plane", {75, 70, 1}, randomSites(0.01), axes));
    expectHostForAllOutputs(periodic("volume", {35, 23, 37}, randomSites(0.01), axes), Region::Outside);
    expectHost(periodic("unequal", {40, 39, 1, 1, 0.7, 1}, randomSites(0.02), axes),
               optionsFor("double site"));
  }
  expectHostForAllOutputs(periodic("unequal volume", {35, 23, 37, 1, 0.7, 3}, randomSites(0.01)));
}

TEST_F(DistanceGridCuda, PeriodicLinesShorterThanAWindowAgreeWithTheHost) {
  for (const std::int64_t n : {2, 3, 5, 31, 33})
    for (const Grid& grid : {Grid{n, 9, 1}, Grid{9, n, 1}, Grid{3, 4, n}, Grid{4, n, 2, 1, 2, 1}})
      expectHost(periodic("short", grid, randomSites(0.1, std::uint64_t(n))), optionsFor("squared site"));
}

TEST_F(DistanceGridCuda,
       PeriodicLinesThatNeedStacksAgreeWithTheHost) { // several bands, and a maximum distance
  const Grid grids[] = {{9, 350, 1},          {3, 300, 5},         {3, 5, 300}, {9, 350, 1, 1, 1.3, 1},
                        {3, 300, 5, 1, 2, 3}, {3, 5, 300, 1, 2, 3}};
  for (const Grid& grid : grids) {
    const Case c = periodic("long", grid, randomSites(0.001));
    expectHostForAllOutputs(c);
    Options near = optionsFor("double site");
    near.maximumDistance = 40;
    expectHost(c, near);
  }
}

TEST_F(DistanceGridCuda, PeriodicLinesOf64BitsAgreeWithTheHost) { // 3 * 7800 squared exceeds 2^29
  expectHostForAllOutputs(periodic("along x", {7800, 2, 1}, oneSite(7, 1)), Region::Outside);
  expectHostForAllOutputs(periodic("along y", {2, 7800, 1}, oneSite(1, 7799)), Region::Outside);
  expectHostForAllOutputs(periodic("volume", {2, 7800, 2}, oneSite(1, 7799, 1)), Region::Outside);
  expectHost(periodic("bands along z", {7800, 2, 34}, oneSite(7, 1, 3)), optionsFor("float"));
}

TEST_F(DistanceGridCuda, RectilinearGridsAgreeWithTheHost) {
  for (const double least : {1., 0.3, 1e-6})
    for (const Grid& grid : {Grid{75, 70, 1}, Grid{33, 130, 1}, Grid{23, 21, 37}, Grid{90, 1, 1}}) {
      expectHostForAllOutputs(unevenCase(grid, randomSites(0.01), least).sites);
      Options near = optionsFor("double squared site");
      near.maximumDistance = 4;
      expectHost(unevenCase(grid, randomSites(0.01), least).sites, near);
    }
}

TEST_F(DistanceGridCuda, RectilinearLinesThatNeedStacksAgreeWithTheHost) { // several bands
  for (const Grid& grid : {Grid{9, 350, 1}, Grid{3, 300, 5}, Grid{3, 5, 300}})
    expectHostForAllOutputs(unevenCase(grid, randomSites(0.001), 0.3).sites);
}

TEST_F(DistanceGridCuda, AnAbortedSolveLeavesNothing) {
  for (const bool uneven : {false, true}) {
    const RectilinearCase grid = unevenCase({30, 20, 10}, randomSites(0.01));
    const Case image = periodic("image", {30, 20, 10}, randomSites(0.01));
    Options options = optionsFor("float");
    options.backend = Backend::Cuda;
    int calls = 0;
    const Result result = solveDistanceTransform(uneven ? grid.sites.problem : image.problem, options,
                                                 {[&](double) { return ++calls < 2; }});
    EXPECT_TRUE(result.aborted && result.distance.empty());
  }
}
