// Claims that CUDA and the host give the same distances to a surface. Skipped without a device.
#include "DistanceTransform/DistanceTransform.h"
#include "Surface/SurfaceCases.h"

#include <gtest/gtest.h>

namespace isochrone::distance {
namespace {

class SurfaceCuda : public testing::Test {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }

  static void expectHost(const surface::Case& c, double maximum) {
    const surface::Surface s = surface::extractLevelSet(c.levelSet, 1);
    std::int64_t count = 0;
    const Values<std::uint8_t> inside = surface::insideOf(c.levelSet, 1, count);
    Problem problem;
    problem.grid = c.levelSet.grid;
    problem.sites = inside;
    problem.surface = &s;
    Options options;
    options.region = Region::Signed;
    options.maximumDistance = maximum;
    options.doublePrecision = options.squaredDistance = options.nearestSite = true;
    options.backend = Backend::Host;
    const Result host = solveDistanceTransform(problem, options, {});
    options.backend = Backend::Cuda;
    const Result cuda = solveDistanceTransform(problem, options, {});
    EXPECT_EQ(cuda.ranOn.backend, Backend::Cuda);
    EXPECT_EQ(cuda.preciseDistance, host.preciseDistance);
    EXPECT_EQ(cuda.squaredDistance, host.squaredDistance);
    EXPECT_EQ(cuda.nearestSite, host.nearestSite);
  }
};

TEST_F(SurfaceCuda, AgreesWithTheHostInVolumes) {
  const surface::Case c({19, 17, 16, 1, 1.5, 0.8}, surface::ball({8.1, 12, 6}, 4.3));
  for (const double maximum : {0., 2.}) expectHost(c, maximum);
}

TEST_F(SurfaceCuda, AgreesWithTheHostInPlanes) {
  expectHost(surface::Case({37, 29, 1, 1, 1, 1}, surface::ball({17.1, 14.7, 0}, 9.3)), 0);
}

TEST_F(SurfaceCuda, WithoutASurfaceNothingIsReached) {
  expectHost(surface::Case({9, 8, 7, 1, 1, 1}, [](const Position&) { return 1.; }), 0);
}

} // namespace
} // namespace isochrone::distance
