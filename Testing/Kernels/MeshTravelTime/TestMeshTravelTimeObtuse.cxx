// Claims about obtuse angles of triangles: they no longer cost accuracy, and change nothing where triangles
// behind an edge are seen in another metric.
#include "MeshTravelTime/Scheme/Unfolding.h"
#include "MeshTravelTimeSurfaces.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

/// Errors relative to the exact distance, over all vertices but the seed.
struct Errors {
  double mean = 0, minimum = 0, maximum = 0;
};

Errors errorsOf(const MeshCase& c, const std::vector<double>& exactTimes) {
  const Result result = solve(c, onHost());
  Errors e;
  std::size_t count = 0;
  for (std::size_t v = 0; v < exactTimes.size(); ++v) {
    if (!(exactTimes[v] > 0)) continue;
    const double error = result.travelTime[v] / exactTimes[v] - 1;
    e.mean += error, e.minimum = std::min(e.minimum, error), e.maximum = std::max(e.maximum, error);
    ++count;
  }
  EXPECT_EQ(count, exactTimes.size() - 1);
  e.mean /= double(count);
  return e;
}

MeshCase fromVertex(MeshCase c, std::int64_t seed) {
  c.problem.accuracy = Accuracy::FirstOrder;
  c.problem.seeds = {{seed}};
  return c;
}

std::vector<double> exactTimesOf(MeshCase& c) {
  c.problem.accuracy = Accuracy::Exact;
  const Result result = solve(c, onHost());
  c.problem.accuracy = Accuracy::FirstOrder;
  return {result.travelTime.begin(), result.travelTime.end()};
}

std::int64_t obtuseAngles(const MeshCase& c) {
  std::int64_t count = 0;
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto at = [&](int j) { return c.at(c.cells[std::size_t(4 * t + (k + j) % 3)]); };
      const double a = distanceBetween(at(0), at(1)), b = distanceBetween(at(0), at(2)),
                   far = distanceBetween(at(1), at(2));
      count += far * far > (a * a + b * b) * (1 + 1e-6);
    }
  return count;
}

} // namespace

TEST(MeshObtuse, AnglesCostNoAccuracyOnSpheres) {
  // Half of the triangles of a sphere of circles of latitude are obtuse, none of the icosphere's.
  MeshCase sphere = fromVertex(latitudeSphere(32, 64), 1000), regular = fromVertex(icosphere(4), 0);
  EXPECT_GT(obtuseAngles(sphere), sphere.cellCount() * 2 / 5);
  EXPECT_EQ(obtuseAngles(regular), 0);
  const std::vector<double> exactTimes = exactTimesOf(sphere);
  const Errors with = errorsOf(sphere, exactTimes);
  sphere.problem.unfolds = false;
  const Errors without = errorsOf(sphere, exactTimes);
  const Errors acute = errorsOf(regular, exactTimesOf(regular));
  EXPECT_LT(with.mean, 0.5 * without.mean) << without.mean;
  EXPECT_LT(with.maximum, 0.25 * without.maximum) << without.maximum;
  EXPECT_LT(with.mean, acute.mean) << "of acute triangles";
  EXPECT_LT(with.maximum, acute.maximum) << "of acute triangles";
  EXPECT_GT(with.minimum, -0.02); // opposite to the seed, where waves meet
}

TEST(MeshObtuse, TimesOnAPlaneAreNeverEarlyAndEarlierThanBefore) {
  for (std::uint64_t number = 0; number < 5; ++number) {
    MeshCase c = fromVertex(roughSquare(25, 0, number), 300);
    const std::vector<double> exactTimes = exactTimesOf(c);
    const Errors with = errorsOf(c, exactTimes);
    c.problem.unfolds = false;
    const Errors without = errorsOf(c, exactTimes);
    EXPECT_GT(with.minimum, -1e-6);
    EXPECT_LT(with.mean, 0.85 * without.mean);
    EXPECT_LE(with.maximum, without.maximum);
  }
}

TEST(MeshObtuse, TheTimeBetweenTwoApexesIsTheLineAcross) {
  // A kite: a and b are 2 apart, x and c are 0.3 and 0.5 from the middle of the edge.
  const LineAcross line = unfold({4, 1.09, 1.09, 1.25, 1.25});
  EXPECT_NEAR(line.square, 0.64, 1e-14);
  EXPECT_NEAR(line.atA, 0.5, 1e-14);
  // x above a quarter of the edge: the line crosses the edge at (0.5 * 0.5 + 1 * 0.3) / 0.8 from a.
  const LineAcross oblique = unfold({4, 0.25 + 0.09, 2.25 + 0.09, 1.25, 1.25});
  EXPECT_NEAR(oblique.square, 0.25 + 0.64, 1e-14);
  EXPECT_NEAR(oblique.atA, 1 - (0.5 * 0.5 + 1 * 0.3) / 0.8 / 2, 1e-14);
  // The same from the other end.
  const LineAcross back = unfold({4, 2.25 + 0.09, 0.25 + 0.09, 1.25, 1.25});
  EXPECT_EQ(back.square, oblique.square);
  EXPECT_NEAR(back.atA, 1 - oblique.atA, 1e-15);
}

TEST(MeshObtuse, TheTimeOfAKiteIsExact) {
  // The seed sees the other apex across the long edge.
  MeshCase c;
  for (const Point& x : {Point{0, -0.3, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0.4, 0.3}}) addPoint(c, x);
  addTriangle(c, 0, 1, 2), addTriangle(c, 1, 2, 3);
  const MeshCase kite = fromVertex(exact(std::move(c)), 0);
  EXPECT_NEAR(solve(kite, onHost()).travelTime[3], 0.8, 1e-7);
  // Also the path: across the middle of the edge.
  const Result result = solve(kite, onHost());
  const std::vector<Tip> tips{{3}};
  const Path path = extractPaths(kite.problem, result.travelTime, tips, 1)[0];
  ASSERT_EQ(path.status, PathStatus::Complete);
  ASSERT_EQ(path.size(), 3u);
  EXPECT_NEAR(path.x[1], 0, 1e-12);
  EXPECT_NEAR(path.y[1], 0, 1e-12);
  EXPECT_NEAR(path.energy, 0.8, 1e-12);
}

TEST(MeshObtuse, TrianglesOfOtherSpeedsAreNotUnfolded) {
  MeshCase c = withSpeed(fromVertex(roughSquare(15, 0.1, 3), 100), false,
                         [](std::int64_t t, auto&) { return 1 + 0.01 * double(t % 7); });
  const Values<float> with = solve(c, onHost()).travelTime;
  c.problem.unfolds = false;
  expectEach(c, "speeds", with, solve(c, onHost()).travelTime, equal);
}

TEST(MeshObtuse, BarriersAreNotUnfolded) {
  MeshCase c;
  for (const Point& x : {Point{0, -0.3, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0.5, 0}}) addPoint(c, x);
  addTriangle(c, 0, 1, 2), addTriangle(c, 1, 2, 3);
  MeshCase kite = fromVertex(exact(std::move(c)), 0);
  kite.hidden = {0, 1};
  kite.link();
  EXPECT_EQ(solve(kite, onHost()).travelTime[3], std::numeric_limits<float>::infinity());
}

TEST(MeshObtuse, AreCountedWhereAMeshIsShared) {
  MeshCase c = fromVertex(roughSquare(10, 0.2, 4), 0);
  const std::int64_t angles = obtuseAngles(c);
  EXPECT_EQ(solve(c, onHost()).obtuseAngles, 0);
  c.problem.sharing.exchange = [](auto, auto, auto) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_EQ(solve(c, onHost()).obtuseAngles, angles);
  EXPECT_GT(angles, 0);
}

TEST(MeshObtuse, EveryTipHasAPathNearItsTime) {
  for (const bool rough : {false, true}) {
    MeshCase c = rough ? fromVertex(roughSquare(30, 0.5, 4), 0) : fromVertex(latitudeSphere(20, 60), 333);
    const Result result = solve(c, onHost());
    const std::vector<Path> paths = extractPaths(c.problem, result.travelTime, everyVertex(c), 1);
    double late = 0;
    for (std::size_t v = 0; v < paths.size(); ++v) {
      ASSERT_EQ(paths[v].status, PathStatus::Complete) << v;
      late = std::max(late, paths[v].energy - result.travelTime[v]);
    }
    EXPECT_LT(late, 0.06 * latest(result.travelTime, 0)) << rough;
  }
}
