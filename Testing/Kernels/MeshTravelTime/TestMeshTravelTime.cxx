// Claims about travel times on meshes of every shape: they agree with the definition for every type of speed,
// and for several seeds they are the minimum.
#include "MeshTravelTimeChecks.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

class MeshTravelTime : public testing::TestWithParam<std::string> {
protected:
  const MeshCaseMaker& maker = meshMakerOf(GetParam());
  MeshCase make() const {
    MeshCase c = maker.make();
    c.name = maker.name;
    return c;
  }
};

} // namespace

TEST_P(MeshTravelTime, IsTheFixedPointOfTheReference) {
  const MeshCase c = make();
  const Result result = solve(c, onHost(2));
  expectReference(c, result);
  EXPECT_FALSE(result.aborted);
}

TEST_P(MeshTravelTime, HasTheBitsOfTheSimplestOrderOfWork) {
  const MeshCase c = make();
  const std::vector<float> expected = plainFixedPoint(c.problem);
  for (const Method method : {Method::Band, Method::PlainFim})
    for (const int threads : {1, 3})
      expectEach(c, "method " + std::to_string(int(method)) + ", " + std::to_string(threads) + " threads",
                 solve(c, onHost(threads, method)).travelTime, expected, equal);
}

/// Tetrahedra only: the mean of three equal numbers may differ from that number.
TEST(MeshTravelTimeSpeeds, AgreeWithEachOther) {
  const double f = 0.7;
  const MeshCase mesh = cubes(7, 6, 5, 0.1, 0.25);
  const auto again = [&](SpeedType type) {
    MeshCase c = withFibres(cubes(7, 6, 5, 0.1, 0.25), f, f);
    c.problem.speedType = type;
    return c;
  };
  MeshCase constant = again(SpeedType::Constant);
  constant.problem.constantSpeed = f;
  const Result expected = solve(constant, onHost());
  const auto expectSame = [&](const MeshCase& c, const char* what) {
    expectEach(c, what, solve(c, onHost()).travelTime, expected.travelTime, equal);
  };
  for (const bool ofVertices : {false, true}) {
    MeshCase scalar = again(SpeedType::Scalar);
    scalar.speed.assign(std::size_t(ofVertices ? mesh.vertexCount() : mesh.cellCount()), f);
    scalar.problem.speed.ofVertices = ofVertices;
    scalar.link();
    expectSame(scalar, "scalar");
    MeshCase tensor = again(SpeedType::Tensor);
    tensor.problem.tensor.ofVertices = ofVertices;
    for (std::size_t i = 0; i < scalar.speed.size(); ++i)
      for (const double x : {f * f, f * f, f * f, 0., 0., 0.}) tensor.tensor.push_back(x);
    tensor.link();
    expectSame(tensor, "tensor");
  }
  expectSame(again(SpeedType::Fibres), "fibres");
  MeshCase sheets = again(SpeedType::Fibres);
  for (std::int64_t t = 0; t < mesh.cellCount(); ++t)
    for (const double x : {0.1, 0.2, -2.}) sheets.sheet.push_back(x);
  sheets.link();
  expectSame(sheets, "sheets");
  MeshCase factor = again(SpeedType::Fibres); // a speed per cell times constant velocities
  factor.speed.assign(std::size_t(mesh.cellCount()), f);
  factor.problem.velocities = {1, 1, 1};
  factor.link();
  expectSame(factor, "velocities times a speed");
  MeshCase velocities = again(SpeedType::Fibres);
  velocities.problem.speed.components = 2;
  velocities.speed.assign(std::size_t(2 * mesh.cellCount()), f);
  velocities.link();
  expectSame(velocities, "velocities of cells");
  MeshCase conductivities = again(SpeedType::Conductivities);
  conductivities.problem.velocities = {f * f, f * f, 1};
  expectSame(conductivities, "conductivities");
}

TEST(MeshTravelTimeSpeeds, OfSinglePrecisionArraysGiveTheSameBits) {
  MeshCase c = withFibres(cubes(7, 6, 5, 0.1, 0.25), 3, 1);
  for (std::vector<double>* all : {&c.points, &c.fibre})
    for (double& x : *all) x = float(x);
  const std::vector<float> points(c.points.begin(), c.points.end()), fibre(c.fibre.begin(), c.fibre.end());
  const Result expected = solve(c, onHost());
  c.problem.points.precise = {}, c.problem.points.single = points;
  c.problem.fibre.precise = {}, c.problem.fibre.single = fibre;
  expectEach(c, "single", solve(c, onHost()).travelTime, expected.travelTime, equal);
}

/// Where fronts meet, both contribute to an update: times are slightly below the minimum of the single seeds,
/// and never above it.
TEST(MeshTravelTimeSeeds, TogetherGiveTheMinimumOfEachAlone) {
  MeshCase c = withFibres(cubes(9, 9, 9, 0.1, 0.2), 3, 1);
  const std::vector<Seed> seeds{
      {0}, {999, -1, {}, -0.25}, {455, -1, {}, 0.2}, {-1, 2000, c.middle(2000), 0.1}};
  c = withSeeds(std::move(c), seeds);
  const Values<float> together = solve(c, onHost()).travelTime;
  std::vector<float> first(together.size(), 1e9f);
  for (const Seed& seed : seeds) {
    c.problem.seeds = {seed};
    const Values<float> alone = solve(c, onHost()).travelTime;
    for (std::size_t v = 0; v < alone.size(); ++v) first[v] = std::min(first[v], alone[v]);
  }
  int clear = 0;
  for (std::size_t v = 0; v < together.size(); ++v) {
    ASSERT_LE(together[v], first[v]) << "vertex " << v;
    ASSERT_GT(together[v], first[v] - 0.1) << "vertex " << v; // one edge
    clear += together[v] == first[v];
  }
  EXPECT_GT(clear, 400); // of 1000
}

TEST(MeshTravelTimeSeeds, OnOneVertexStartWithTheEarlier) {
  MeshCase c = withSeeds(cubes(4, 4, 4, 0.25, 0.2), {{7, -1, {}, 0.5}, {7, -1, {}, 0.25}, {7, -1, {}, 2}});
  const Values<float> times = solve(c, onHost()).travelTime;
  EXPECT_EQ(times[7], 0.25f);
  c.problem.seeds = {{7, -1, {}, 0.25}};
  expectEach(c, "earlier", times, solve(c, onHost()).travelTime, equal);
}

TEST(MeshTravelTimeSeeds, StartTimesShiftAllTimes) {
  MeshCase c = withFibres(cubes(6, 6, 6, 0.1, 0.2), 3, 1);
  const Values<float> expected = solve(c, onHost()).travelTime;
  for (const double start : {-3., 0.125, 1e4}) {
    c.problem.seeds[0].startTime = c.problem.timeOrigin = start;
    const Values<float> times = solve(c, onHost()).travelTime;
    for (std::size_t v = 0; v < times.size(); ++v)
      ASSERT_EQ(times[v], float(start + double(expected[v]))) << "start " << start << ", vertex " << v;
  }
}

TEST(MeshTravelTimeUnits, PowersOfTwoOfLengthAndSpeedScaleEveryBit) {
  const Values<float> expected = solve(withFibres(cubes(6, 6, 6, 0.1, 0.2), 3, 1), onHost()).travelTime;
  for (const int exponent : {-40, -1, 1, 50}) {
    const double by = std::ldexp(1., exponent);
    const MeshCase longer = scaled(withFibres(cubes(6, 6, 6, 0.1, 0.2), 3, 1), by);
    const MeshCase faster = withFibres(cubes(6, 6, 6, 0.1, 0.2), 3 * by, by);
    const Values<float> slow = solve(longer, onHost()).travelTime, fast = solve(faster, onHost()).travelTime;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      ASSERT_EQ(slow[v], float(by * expected[v])) << "2^" << exponent << ", vertex " << v;
      ASSERT_EQ(fast[v], float(expected[v] / by)) << "2^" << exponent << ", vertex " << v;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTravelTime, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });
