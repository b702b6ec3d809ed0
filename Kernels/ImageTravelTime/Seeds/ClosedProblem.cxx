#include "ImageTravelTime/Seeds/ClosedProblem.h"

#include "Backend.h"
#include "ImageTravelTime/Validation.h"

namespace isochrone::image {

ClosedProblem::ClosedProblem(const Problem& problem)
    : given((requireOrthogonal(problem), problem.grid.sizes())),
      axis(problem.orthogonal->axisOf(grid::AxisRole::Longitude)), closed(problem.orthogonal->closed()),
      inner(problem) {
  inner.orthogonal = &closed;
  inner.grid = closed.points();
  const std::size_t perPoint = sizeof(float) * (problem.speed.empty() ? 1 : 2) + // and a travel time
                               sizeof(std::uint8_t) * !problem.barriers.empty() +
                               sizeof(std::int32_t) * !problem.seedRegions.empty();
  requireHostMemory(std::size_t(inner.grid.points()) * perPoint,
                    "the copies of a spherical grid that goes around");
  speed = extend(problem.speed), barriers = extend(problem.barriers), regions = extend(problem.seedRegions);
  inner.speed = speed, inner.barriers = barriers, inner.seedRegions = regions;
  for (Seed& seed : inner.seeds) seed.at = closed.inFirstTurn(seed.at);
  inner.pointName = [problem, this](std::int64_t i, std::int64_t j, std::int64_t k) {
    return nameOf(problem, inGrid(inner.grid.index(i, j, k)));
  };
}

std::int64_t ClosedProblem::inGrid(std::int64_t point) const {
  GridIndex at = inner.grid.indices(point);
  at[std::size_t(axis)] %= given[std::size_t(axis)];
  return Grid{given[0], given[1], given[2]}.index(at);
}

} // namespace isochrone::image
