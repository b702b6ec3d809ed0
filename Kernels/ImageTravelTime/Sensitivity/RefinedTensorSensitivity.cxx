#include "ImageTravelTime/Sensitivity/RefinedTensorSensitivity.h"

#include "Adjoint/LevelRounds.h"
#include "Execution/HostDevice.h"
#include "Execution/ReportedLoop.h"
#include "ImageTravelTime/Sensitivity/PointUses.h"
#include "ImageTravelTime/Sensitivity/RefinedTensorDependences.h"

#include <algorithm>
#include <map>

namespace isochrone::image {

namespace {

/// Sums over the points of a block.
struct Sums {
  double rounding = 0;
  std::map<std::int32_t, double> perStartValue; ///< by seed
  std::map<std::int32_t, grid::Symmetric3> perSeedMetric;
  std::vector<std::int64_t> faces; ///< points that are reached straight
};

} // namespace

std::optional<RefinedMasses> passRefined(const RefinedTensorDependences& dependences,
                                         std::span<const PointMass> masses, execution::RoundPool& pool,
                                         const Monitor& monitor) {
  // 1. Evaluate the points that masses reach.
  const std::size_t points = dependences.firstOrder().size();
  RefinedMasses passed{{}, Values<double>(points, 0), {}, TimeRanks(dependences.firstOrder(), pool)};
  std::vector<adjoint::StateWeight> weights;
  std::vector<OrderedPass<1>::Tip> tips;
  for (const PointMass& m : masses)
    weights.push_back({int(m.point), 0, m.mass}), tips.push_back({m.point, {m.mass}});
  const adjoint::TipMasses first = adjoint::massesOf(weights);
  if (first.tips.empty()) return passed;
  passed.dependence.resize(points);
  RefinedTensorDependence* const found = passed.dependence.data();
  {
    execution::HostDevice device(pool);
    adjoint::LevelRounds<execution::HostDevice> rounds(device, points, first);
    if (!rounds.find(EvaluatedUses{&dependences, found}, monitor.part(0, 0.9))) return std::nullopt;
  }

  // 2. Pass the masses on.
  const auto visit = [&](std::int64_t point, const OrderedPass<1>::Mass& mass) {
    passed.mass[std::size_t(point)] = mass[0];
    if (found[point].isStart) passed.kept.push_back({point, mass[0]});
  };
  if (!OrderedPass<1>(passed.ranks).run(tips, PointUses{found}, visit, monitor.part(0.9, 0.1)))
    return std::nullopt;
  std::ranges::sort(passed.kept, {}, &PointMass::point);
  return passed;
}

std::optional<std::vector<PointMass>> addRefinedTensors(const SolverInput& input,
                                                        const TensorDependences& dependences,
                                                        std::span<const float> travelTime,
                                                        std::span<const PointMass> masses,
                                                        const Monitor& monitor, Sensitivities& result) {
  const RefinedTensorDependences refined(input, dependences, travelTime);
  const std::optional<RefinedMasses> passed = passRefined(refined, masses, input.pool, monitor.part(0, 0.9));
  if (!passed) return std::nullopt;
  const auto massOf = [&](std::int64_t p) { return passed->mass[std::size_t(p)]; };

  // In blocks of fixed size, so that the bits do not depend on the threads.
  const auto components = std::size_t(componentsOf(input.problem));
  const auto derivativesOf = [&](std::int64_t p) { return &result.speed[std::size_t(p) * components]; };
  constexpr std::int64_t block = 1 << 12;
  const std::int64_t points = std::ssize(passed->mass), blocks = (points + block - 1) / block;
  std::vector<Sums> parts(static_cast<std::size_t>(blocks));
  const auto addBlock = [&](std::int64_t b) {
    Sums& sums = parts[std::size_t(b)];
    for (std::int64_t p = b * block; p < std::min(points, (b + 1) * block); ++p) {
      const double mass = massOf(p);
      if (mass == 0) continue;
      const RefinedTensorDependence& d = passed->dependence[std::size_t(p)];
      if (d.isStart) continue;
      dependences.addPerComponent(p, d.perMetric, mass, derivativesOf(p));
      sums.rounding += mass * d.rounding;
      if (d.seed >= 0) {
        sums.perStartValue[d.seed] += mass * d.perStartValue;
        grid::add(sums.perSeedMetric[d.seed], mass, d.perSeedMetric);
      }
      if (d.face >= 0) sums.faces.push_back(p);
    }
  };
  if (!execution::forEachReported(blocks, input.pool, monitor.part(0.9, 0.1), addBlock, 64))
    return std::nullopt;
  std::map<std::int32_t, grid::Symmetric3> perSeedMetric;
  for (const Sums& part : parts) {
    result.objective += part.rounding;
    for (const auto& [seed, sum] : part.perStartValue) result.startValue[std::size_t(seed)] += sum;
    for (const auto& [seed, sum] : part.perSeedMetric) grid::add(perSeedMetric[seed], 1, sum);
    for (const std::int64_t p : part.faces) {
      const RefinedTensorDependence& d = passed->dependence[std::size_t(p)];
      const std::int64_t neighbour = d.used[0].point;
      dependences.addPerComponent(neighbour, d.faceMetric(), massOf(p), derivativesOf(neighbour));
    }
  }
  for (const auto& [seed, sum] : perSeedMetric) dependences.addAtSeed(seed, sum, result.speed);
  return passed->kept;
}

} // namespace isochrone::image
