#include "ImageTravelTime/Tensors/TensorRefinement.h"

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Seeds/ClearSteps.h"
#include "ImageTravelTime/Seeds/FactoringSeeds.h"
#include "ImageTravelTime/Tensors/TimeOrder.h"

#include <cmath>
#include <limits>
#include <vector>

namespace isochrone::image {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

class Refinement {
public:
  /// @param firstOrder  travel times, -infinity at points that keep their values
  Refinement(const SolverInput& input, std::vector<float> firstOrder, std::span<float> u)
      : problem(input.problem), order(input.options.order), seeds(input), first(std::move(firstOrder)),
        value(u), steps(input.problem, input.pool), visits(first, input.pool) {}

  bool run(const Monitor& monitor) {
    return visits.run(monitor, [this](std::int64_t p) { refine(p); });
  }

private:
  const Problem& problem;
  const int order;
  const FactoringSeeds seeds;
  const FactoringView factoring = seeds.view();
  const std::vector<float> first; ///< first order times
  std::span<float> value;
  const ClearSteps steps;
  TimeOrder visits;

  /// The neighbours of a point along an offset.
  struct Side {
    std::int64_t near = -1, far = -1; ///< -1: not earlier, or not seen
  };

  /// Returns the earlier neighbours along an offset.
  Side sideAlong(std::int64_t p, const GridIndex& at, const grid::Offset& offset) const {
    constexpr float alike = 4e-7f; // two sides, up to the rounding of the times
    Side side;
    side.near = steps.seen(p, at, offset, 1);
    if (side.near < 0 || !(first[side.near] < first[p] - alike * std::abs(first[p]))) return {};
    if (order == 2) side.far = steps.seen(p, at, offset, 2);
    if (side.far >= 0 && !(first[side.far] <= first[side.near])) side.far = -1;
    return side;
  }

  /// Returns whether the first of two sides is earlier, or equally early with an earlier farther point.
  bool isEarlier(const Side& a, const Side& b) const {
    constexpr float alike = 4e-7f;
    if (a.near < 0 || b.near < 0) return b.near < 0;
    const float apart = first[a.near] - first[b.near];
    if (std::abs(apart) > alike * std::max(std::abs(first[a.near]), std::abs(first[b.near])))
      return apart < 0;
    const auto farTime = [&](const Side& side) { return side.far < 0 ? infinite : first[side.far]; };
    return farTime(a) <= farTime(b);
  }

  double timeOf(std::int64_t point) {
    if (point < 0) return infinite;
    visits.waitFor(point);
    return value[point];
  }

  void refine(std::int64_t p) {
    const GridIndex at = problem.grid.indices(p);
    const double x[3] = {double(at[0]), double(at[1]), double(at[2])};
    const FactoredQuantity quantity = factoring.at(x);
    const TensorStencil stencil = stencilAt(problem, p);
    Difference threePoints[maxTerms], twoPoints[maxTerms];
    for (int k = 0; k < stencil.count; ++k) {
      const auto& [up, weight] = stencil.term[k];
      const grid::Offset down{-up[0], -up[1], -up[2]};
      const Side above = sideAlong(p, at, up), below = sideAlong(p, at, down);
      const bool takesAbove = isEarlier(above, below);
      const Side& side = takesAbove ? above : below;
      const grid::Offset& offset = takesAbove ? up : down;
      threePoints[k] = twoPoints[k] = quantity.without(offset, weight);
      if (side.near < 0) continue;
      const double near = timeOf(side.near);
      twoPoints[k] = quantity.difference(offset, weight, near, infinite);
      threePoints[k] = quantity.difference(offset, weight, near, timeOf(side.far));
    }
    const auto overTwoPoints = [&] { return static_cast<const Difference*>(twoPoints); };
    const RefinedValue refined =
        refinedValue(threePoints, stencil.count, overTwoPoints, value[p], quantity.isFactored());
    value[p] = float(std::min(refined.value, viaFaces(p, at, stencil)));
  }

  /// Returns the minimum time of the straight steps from the neighbours on the axes, at a point that does not
  /// see all points of its stencil; otherwise infinity. A step takes the mean of the times with the tensors
  /// of its ends, so that it is of second order, too.
  double viaFaces(std::int64_t p, const GridIndex& at, const TensorStencil& stencil) {
    bool seesAll = true;
    for (const TensorTerm& term : stencil)
      for (const int sign : {1, -1}) seesAll = seesAll && steps.seen(p, at, term.offset, sign) >= 0;
    if (seesAll) return infinite;
    double minimum = infinite;
    for (int a = 0; a < 3; ++a)
      for (const int sign : {1, -1}) {
        grid::Offset offset{};
        offset[a] = sign;
        const std::int64_t near = steps.seen(p, at, offset, 1);
        if (near < 0 || !(first[near] < first[p])) continue;
        Position along{};
        along[a] = problem.grid.spacing()[a];
        const double step = (timeAlong(problem, p, along) + timeAlong(problem, near, along)) / 2;
        minimum = std::min(minimum, timeOf(near) + step);
      }
    return minimum;
  }
};

} // namespace

bool refineTensors(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime) {
  std::vector<float> first(travelTime.begin(), travelTime.end());
  for (const SeedPoint& seed : input.starts)
    if (std::abs(travelTime[seed.point] - float(seed.value)) <= 1e-6f * std::abs(travelTime[seed.point]))
      first[std::size_t(seed.point)] = -infinite;
  return Refinement(input, std::move(first), travelTime).run(monitor);
}

} // namespace isochrone::image
