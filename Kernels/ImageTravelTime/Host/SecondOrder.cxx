#include "ImageTravelTime/Host/SecondOrder.h"

#include "ImageTravelTime/Host/CausalOrder.h"
#include "ImageTravelTime/Seeds/FactoringSeeds.h"

#include <array>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

class Refinement {
public:
  Refinement(const SolverInput& input, std::span<float> u)
      : problem(input.problem), seeds(input), first(u.begin(), u.end()), value(u),
        order(problem.grid, first) {}

  void keep(std::int64_t point) { first[point] = -std::numeric_limits<float>::infinity(); }

  bool run(execution::RoundPool& pool, const Monitor& monitor) {
    return order.run(pool, monitor, [this](std::int64_t p) { refine(p); });
  }

private:
  const Problem& problem;
  const FactoringSeeds seeds;
  std::vector<float> first; ///< first order times
  std::span<float> value;
  CausalOrder order;

  void refine(std::int64_t p) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const Position h = problem.grid.spacing();
    const GridIndex at = problem.grid.indices(p);
    const FactoredQuantity quantity = seeds.at(at);
    const double s = slownessAt(problem, p);
    std::array<Difference, 3> threePoints, twoPoints;
    for (int a = 0; a < 3; ++a) {
      const UpstreamNeighbour up = order.upstream(p, a, at[a]);
      grid::Offset offset{};
      offset[a] = up.near < 0 ? 1 : -up.sign;
      const double weight = 1 / (h[a] * s * h[a] * s);
      threePoints[a] = twoPoints[a] = quantity.without(offset, weight);
      if (up.near < 0) continue;
      twoPoints[a] = quantity.difference(offset, weight, value[up.near], none);
      threePoints[a] = quantity.difference(offset, weight, value[up.near], up.far < 0 ? none : value[up.far]);
    }
    value[p] = float(refinedValue(threePoints, twoPoints, value[p], quantity.isFactored()));
  }
};

} // namespace

bool refineToSecondOrder(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime) {
  Refinement refinement(input, travelTime);
  for (const SeedPoint& seed : input.starts)
    if (std::abs(travelTime[seed.point] - float(seed.value)) <= 1e-6f * std::abs(travelTime[seed.point]))
      refinement.keep(seed.point);
  return refinement.run(input.pool, monitor);
}

} // namespace isochrone::image
