#include "ImageTravelTime/Seeds/ClearSteps.h"

#include "Grid/Supercover.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"

#include <cstdlib>

namespace isochrone::image {

ClearSteps::ClearSteps(const Problem& p, execution::RoundPool& pool) : problem(p) {
  std::vector<std::uint8_t> barriers(std::size_t(p.grid.points()));
  pool.forEach(std::ssize(barriers), [&](std::int64_t n) { barriers[std::size_t(n)] = isBarrier(p, n); });
  distances = grid::distancesToBarriers(p.grid.sizes(), barriers);
}

std::int64_t ClearSteps::seen(std::int64_t point, const GridIndex& at, const grid::Offset& offset,
                              int steps) const {
  const GridIndex sizes = problem.grid.sizes();
  GridIndex to;
  int length = 0;
  for (int a = 0; a < 3; ++a) {
    to[a] = at[a] + steps * offset[std::size_t(a)];
    if (to[a] < 0 || to[a] >= sizes[a]) return -1;
    length += std::abs(steps * offset[std::size_t(a)]);
  }
  if (!distances.empty() && distances[std::size_t(point)] <= length &&
      !isClear(problem, gridCoordinates(at), gridCoordinates(to)))
    return -1;
  return problem.grid.index(to);
}

} // namespace isochrone::image
