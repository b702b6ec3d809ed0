#include "ImageTravelTime/Seeds/ClearSteps.h"

#include "Grid/Supercover.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"

namespace isochrone::image {

ClearSteps::ClearSteps(const Problem& p, execution::RoundPool& pool) : problem(p) {
  std::vector<std::uint8_t> barriers(std::size_t(p.grid.points()));
  pool.forEach(std::ssize(barriers), [&](std::int64_t n) { barriers[std::size_t(n)] = isBarrier(p, n); });
  distances = grid::distancesToBarriers(p.grid.sizes(), barriers);
}

bool ClearSteps::isClear(const GridIndex& from, const GridIndex& to) const {
  return image::isClear(problem, gridCoordinates(from), gridCoordinates(to));
}

} // namespace isochrone::image
