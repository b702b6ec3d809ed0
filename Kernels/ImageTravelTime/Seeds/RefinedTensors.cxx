#include "ImageTravelTime/Seeds/RefinedTensors.h"

#include <algorithm>

namespace isochrone::image {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float alike = 4e-7f; // two times, up to their rounding

} // namespace

RefinedTensors::RefinedTensors(const SolverInput& input, std::span<const float> firstOrder)
    : problem(input.problem), order(input.options.order), seeds(input),
      first(firstOrder.begin(), firstOrder.end()), steps(input.problem, input.pool) {
  for (const SeedPoint& seed : input.starts)
    if (float& time = first[std::size_t(seed.point)];
        std::abs(time - float(seed.value)) <= 1e-6f * std::abs(time))
      time = -infinite;
}

/// Returns the earlier neighbours along an offset.
auto RefinedTensors::sideAlong(std::int64_t p, const GridIndex& at, const grid::Offset& offset) const
    -> Side {
  const float own = first[std::size_t(p)];
  Side side{offset};
  side.near = steps.seen(p, at, offset, 1);
  if (side.near < 0 || !(first[std::size_t(side.near)] < own - alike * std::abs(own))) return {offset};
  if (order == 2) side.far = steps.seen(p, at, offset, 2);
  if (side.far >= 0 && !(first[std::size_t(side.far)] <= first[std::size_t(side.near)])) side.far = -1;
  return side;
}

/// Returns whether the first of two sides is earlier, or equally early with an earlier farther point.
bool RefinedTensors::isEarlier(const Side& a, const Side& b) const {
  if (a.near < 0 || b.near < 0) return b.near < 0;
  const float ofA = first[std::size_t(a.near)], ofB = first[std::size_t(b.near)];
  if (std::abs(ofA - ofB) > alike * std::max(std::abs(ofA), std::abs(ofB))) return ofA < ofB;
  const auto farTime = [&](const Side& side) {
    return side.far < 0 ? infinite : first[std::size_t(side.far)];
  };
  return farTime(a) <= farTime(b);
}

auto RefinedTensors::sideOf(std::int64_t p, const GridIndex& at, const grid::Offset& up) const -> Side {
  const Side above = sideAlong(p, at, up), below = sideAlong(p, at, {-up[0], -up[1], -up[2]});
  return isEarlier(above, below) ? above : below;
}

bool RefinedTensors::seesAll(std::int64_t p, const GridIndex& at, const TensorStencil& stencil) const {
  for (const TensorTerm& term : stencil)
    for (const int sign : {-1, 1})
      if (steps.seen(p, at, term.offset, sign) < 0) return false;
  return true;
}

} // namespace isochrone::image
