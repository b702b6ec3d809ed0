// MeshSensitivityCases.h - tips, and central differences of the reference, for tests of derivatives.
#pragma once

#include "MeshTravelTimeChecks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace isochrone::mesh {

/// Returns tips at a fifth of the vertices, with weights of both signs.
inline std::vector<WeightedTip> someTips(const MeshCase& c) {
  std::vector<WeightedTip> tips;
  for (std::int64_t v = 2; v < c.vertexCount(); v += 5)
    tips.push_back({{v}, noise(900 + std::uint64_t(v)) - 0.3});
  return tips;
}

inline const SensitivityOptions onOneThread{Backend::Host, 1};

inline Sensitivities sensitivities(const MeshCase& c, std::span<const WeightedTip> tips, int threads = 1) {
  return differentiate(c.problem, solve(c, onHost()).travelTime, tips, {Backend::Host, threads});
}

/// Returns J by the reference in double.
inline double objective(const MeshCase& c, std::span<const WeightedTip> tips) {
  const std::vector<double> times = reference::meshTravelTimes(c.problem);
  double sum = 0;
  for (const WeightedTip& tip : tips) {
    if (tip.at.vertex >= 0) sum += tip.weight * times[std::size_t(tip.at.vertex)];
    for (std::size_t k = 0; tip.at.vertex < 0 && k < 4; ++k) // in the middle of a cell
      sum += tip.weight / 4 * times[std::size_t(c.cells[std::size_t(4 * tip.at.cell) + k])];
  }
  return sum;
}

inline double largest(std::span<const double> values) {
  double most = 0;
  for (const double d : values) most = std::max(most, std::abs(d));
  return most;
}

/// Compares derivatives with central differences of the reference. A derivative may deviate by 1 % of itself,
/// or 1e-4 of the largest one. A difference that has a kink within its step, 1e-6, is counted and left out:
/// the two one-sided differences then deviate from each other by as much. Prints the numbers of both, and the
/// deviations of the others, in units of what is allowed.
/// @param move  move(i, by) changes number i of the given case
inline void expectDifferences(MeshCase& c, std::span<const WeightedTip> tips, std::span<const double> exact,
                              const std::string& name, const std::function<void(std::size_t, double)>& move) {
  constexpr double step = 1e-6;
  const double before = objective(c, tips), most = largest(exact);
  ASSERT_GT(most, 0) << name;
  std::vector<double> deviations;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    move(i, step);
    const double later = (objective(c, tips) - before) / step;
    move(i, -2 * step);
    const double earlier = (before - objective(c, tips)) / step;
    move(i, step);
    const double allowed = 0.01 * std::abs(exact[i]) + 1e-4 * most;
    if (std::abs(later - earlier) > allowed) continue;
    EXPECT_NEAR(exact[i], (later + earlier) / 2, allowed) << name << ", number " << i;
    deviations.push_back(std::abs(exact[i] - (later + earlier) / 2) / allowed);
  }
  const std::size_t kinks = exact.size() - deviations.size();
  EXPECT_LE(kinks, exact.size() / 100) << name;
  ASSERT_FALSE(deviations.empty()) << name;
  std::ranges::sort(deviations);
  const auto tail = [&](std::size_t part) { return deviations[(deviations.size() - 1) * part / 100]; };
  std::cout << name << ": " << deviations.size() << " compared, " << kinks
            << " left out; deviation / allowed: median " << tail(50) << ", 99 % " << tail(99) << ", largest "
            << tail(100) << "\n";
}

} // namespace isochrone::mesh
