#include "ImageTravelTime/Seeds/SecondOrderScheme.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

SecondOrderScheme::SecondOrderScheme(const SolverInput& input, std::span<const float> firstOrder)
    : problem(input.problem), seeds(input), first(firstOrder.begin(), firstOrder.end()),
      upstream(problem.grid, first) {
  for (const SeedPoint& seed : input.starts)
    if (std::abs(firstOrder[seed.point] - float(seed.value)) <= 1e-6f * std::abs(firstOrder[seed.point]))
      first[seed.point] = -std::numeric_limits<float>::infinity();
}

SecondOrderPoint SecondOrderScheme::solve(std::int64_t p, std::span<const float> value) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  const Position h = problem.grid.spacing();
  const GridIndex at = problem.grid.indices(p);
  const FactoredQuantity quantity = seeds.at(at);
  const double s = slownessAt(problem, p);
  SecondOrderPoint result;
  const auto difference = [&](int a, bool usesFar) {
    const UpstreamNeighbour& up = result.upstream[a];
    grid::Offset offset{};
    offset[a] = up.near < 0 ? 1 : -up.sign;
    const double weight = 1 / (h[a] * s * h[a] * s);
    if (up.near < 0) return quantity.without(offset, weight);
    return quantity.difference(offset, weight, value[up.near], usesFar && up.far >= 0 ? value[up.far] : none);
  };
  std::array<Difference, 3> threePoints, twoPoints;
  for (int a = 0; a < 3; ++a) {
    result.upstream[a] = upstream(p, a, at[a]);
    threePoints[a] = difference(a, true);
  }
  const auto overTwoPoints = [&] {
    for (int a = 0; a < 3; ++a) twoPoints[a] = difference(a, false);
    return std::span<const Difference>(twoPoints);
  };
  const RefinedValue refined = refinedValue(threePoints, overTwoPoints, first[p], quantity.isFactored());
  result.value = refined.value;
  result.isRefined = !refined.terms.empty();
  std::ranges::copy(refined.terms, result.terms.begin());
  if (quantity.isFactored()) result.seed = quantity.seedNumber();
  return result;
}

} // namespace isochrone::image
