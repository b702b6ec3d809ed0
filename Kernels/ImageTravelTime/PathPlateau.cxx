#include "ImageTravelTime/PathPlateau.h"

#include <algorithm>
#include <unordered_map>

namespace isochrone::image {

std::vector<Corner> crossPlateau(const PathField& field, const Corner& from,
                                 const std::function<bool(const Corner&)>& mayEnd) {
  std::vector<Corner> found{from};
  std::unordered_map<std::int64_t, std::size_t> before{{from.point, 0}}; // index into `found`
  for (std::size_t n = 0; n < found.size(); ++n)
    for (const Corner& next : field.neighbours(Corner(found[n]))) {
      if (next.value > from.value || !before.try_emplace(next.point, n).second) continue;
      found.push_back(next);
      if (!(next.value < from.value) && !mayEnd(next)) continue;
      std::vector<Corner> way{next};
      for (std::size_t m = n; m > 0; m = before[found[m].point]) way.push_back(found[m]);
      std::reverse(way.begin(), way.end());
      return way;
    }
  return {};
}

} // namespace isochrone::image
