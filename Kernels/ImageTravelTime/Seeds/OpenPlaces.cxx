#include "ImageTravelTime/Seeds/OpenPlaces.h"

#include "ImageTravelTime/Scheme/Medium.h"

namespace isochrone::image {

std::vector<std::vector<GridIndex>> openPlaces(const Problem& problem) {
  if (!problem.orthogonal) return {};
  std::vector<std::vector<GridIndex>> places = problem.orthogonal->places();
  for (std::vector<GridIndex>& place : places)
    std::erase_if(place, [&](const GridIndex& p) { return isBarrier(problem, problem.grid.index(p)); });
  std::erase_if(places, [](const std::vector<GridIndex>& place) { return place.size() < 2; });
  return places;
}

} // namespace isochrone::image
