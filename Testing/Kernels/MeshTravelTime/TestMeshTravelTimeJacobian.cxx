// Claims about the derivatives of the mesh travel times of single tips, row by row.
#include "MeshSensitivityCases.h"

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

constexpr const char* jacobianCases[] = {"Everything",       "Isotropic",         "TenToOne",
                                         "Tensors",          "TensorsOfVertices", "SpeedsAtRandom",
                                         "SpeedsOfVertices", "Conductivities",    "Holes",
                                         "SeedsInCells",     "Triangles",         "TrianglesInSpace"};

/// Returns tips at vertices and in cells.
std::vector<Tip> placesIn(const MeshCase& c) {
  std::vector<Tip> tips;
  for (std::int64_t v = 7; v < c.vertexCount(); v += 150) tips.push_back({v});
  for (std::int64_t t = 5; t < c.cellCount(); t += 900) tips.push_back({-1, t, c.middle(t)});
  return tips;
}

/// Returns the numbers that define the speed.
std::vector<double> mediumOf(const MeshCase& c) {
  const Problem& p = c.problem;
  if (p.speedType == SpeedType::Tensor) return c.tensor;
  if (!c.speed.empty()) return c.speed;
  const std::vector<double> numbers = p.speedType == SpeedType::Constant
                                          ? std::vector<double>{p.constantSpeed}
                                          : std::vector<double>(p.velocities.begin(), p.velocities.end());
  std::vector<double> all;
  for (std::int64_t t = 0; t < c.cellCount(); ++t) all.insert(all.end(), numbers.begin(), numbers.end());
  return all;
}

/// Returns the derivatives with respect to the slowness of each element, from those of what defines the
/// speed.
std::vector<double> perSlowness(const MeshCase& c, const Sensitivities& s) {
  const SpeedType type = c.problem.speedType;
  const bool isotropic = type == SpeedType::Constant || type == SpeedType::Scalar;
  const bool squared = type == SpeedType::Tensor || type == SpeedType::Conductivities;
  const std::vector<double> medium = mediumOf(c);
  std::vector<double> all(medium.size() / std::size_t(s.components), 0);
  for (std::size_t i = 0; i < medium.size(); ++i)
    all[i / std::size_t(s.components)] -= (squared ? 2 : isotropic ? medium[i] : 1) * medium[i] * s.medium[i];
  return all;
}

} // namespace

TEST(MeshTravelTimeJacobian, RowsAreTheDerivativesOfSingleTipsAndAddUpToTheirSum) {
  for (const char* name : jacobianCases)
    for (const double radius : {0., 0.3}) {
      MeshCase c = meshMakerOf(name).make();
      c.problem.ballRadius = radius;
      const Values<float> times = solve(c, onHost()).travelTime;
      const std::vector<Tip> tips = placesIn(c);
      const Jacobian all = differentiateEach(c.problem, times, tips, onOneThread);
      ASSERT_EQ(all.matrix.row.size(), tips.size() + 1);
      std::vector<WeightedTip> weighted;
      for (std::size_t t = 0; t < tips.size(); ++t) weighted.push_back({tips[t], double(t % 7) - 2});
      std::vector<double> sum = perSlowness(c, differentiate(c.problem, times, weighted, onOneThread));
      const double scale = largest(sum);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const Sensitivities single =
            differentiate(c.problem, times, std::vector<WeightedTip>{{tips[t], 1}}, onOneThread);
        std::vector<double> rest = perSlowness(c, single);
        ASSERT_EQ(all.ofVertices, single.ofVertices);
        const double most = largest(rest);
        for (std::int64_t n = all.matrix.row[t]; n < all.matrix.row[t + 1]; ++n) {
          const auto i = std::size_t(n), element = std::size_t(all.matrix.element[i]);
          EXPECT_GT(all.matrix.weight[i], 0);
          EXPECT_TRUE(n == all.matrix.row[t] || all.matrix.element[i] > all.matrix.element[i - 1]);
          rest[element] -= all.matrix.weight[i];
          sum[element] -= weighted[t].weight * all.matrix.weight[i];
        }
        EXPECT_LE(largest(rest), 1e-12 * most) << name << ", tip " << t;
      }
      EXPECT_LE(largest(sum), 1e-11 * scale) << name;
    }
}

TEST(MeshTravelTimeJacobian, WeightsTimesSlownessAddUpToTheTime) {
  for (const char* name : jacobianCases) {
    const MeshCase c = meshMakerOf(name).make();
    const Values<float> times = solve(c, onHost()).travelTime;
    std::vector<Tip> tips;
    for (std::int64_t v = 0; v < c.vertexCount(); v += 11) tips.push_back({v});
    const Jacobian all = differentiateEach(c.problem, times, tips, onOneThread);
    const SpeedType type = c.problem.speedType;
    const bool isotropic = type == SpeedType::Constant || type == SpeedType::Scalar;
    const std::vector<double> medium = mediumOf(c);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      if (all.seed[t] < 0) {
        EXPECT_EQ(all.matrix.row[t], all.matrix.row[t + 1]);
        EXPECT_FALSE(std::isfinite(times[std::size_t(tips[t].vertex)]));
        continue;
      }
      double sum = 0;
      for (std::int64_t n = all.matrix.row[t]; n < all.matrix.row[t + 1]; ++n)
        sum += all.matrix.weight[std::size_t(n)] /
               (isotropic ? medium[std::size_t(all.matrix.element[std::size_t(n)])] : 1);
      const double time = times[std::size_t(tips[t].vertex)];
      if (c.problem.seeds.size() == 1) {
        sum += c.problem.seeds[0].startTime;
      } else {                    // the mean of the start times, in the shares of the seeds
        if (t % 10 > 0) continue; // to save time
        const Sensitivities s =
            differentiate(c.problem, times, std::vector<WeightedTip>{{tips[t], 1}}, onOneThread);
        for (std::size_t i = 0; i < s.startTime.size(); ++i)
          sum += s.startTime[i] * c.problem.seeds[i].startTime;
      }
      EXPECT_NEAR(sum, time, 1e-6 * (1 + std::abs(time))) << name;
    }
  }
}

TEST(MeshTravelTimeJacobian, AgreesWithDifferencesOfFactorsOfTensors) {
  MeshCase c = withTensors(cubes(2, 3, 2, 1, 0.2), 0.5, 2, true);
  const std::vector<WeightedTip> tips{{{c.vertexCount() - 1}, 1}};
  const Jacobian row =
      differentiateEach(c.problem, solve(c, onHost()).travelTime, std::vector<Tip>{tips[0].at}, onOneThread);
  std::vector<double> factors(std::size_t(c.vertexCount()), 0);
  for (std::size_t n = 0; n < row.matrix.element.size(); ++n)
    factors[std::size_t(row.matrix.element[n])] = row.matrix.weight[n];
  const std::vector<double> before = c.tensor;
  double factor = 1;
  expectDifferences(c, tips, factors, "factors of tensors at vertices", [&](std::size_t v, double by) {
    factor += by;
    for (std::size_t i = 6 * v; i < 6 * v + 6; ++i) c.tensor[i] = before[i] / (factor * factor);
  });
}

TEST(MeshTravelTimeJacobian, HasTheSameBitsForAnyThreadCount) {
  for (const char* name : {"Everything", "TrianglesInSpace"}) {
    const MeshCase c = meshMakerOf(name).make();
    const Values<float> times = solve(c, onHost()).travelTime;
    const Jacobian one = differentiateEach(c.problem, times, placesIn(c), onOneThread);
    for (const int threads : {2, 5}) {
      const Jacobian more = differentiateEach(c.problem, times, placesIn(c), {Backend::Host, threads});
      EXPECT_EQ(one.matrix.row, more.matrix.row);
      EXPECT_EQ(one.matrix.element, more.matrix.element);
      EXPECT_EQ(one.matrix.weight, more.matrix.weight);
      EXPECT_EQ(one.seed, more.seed);
      EXPECT_EQ(one.lostWeight, more.lostWeight);
    }
  }
}
