#include "ImageTravelTime/Paths/LocalMinima.h"

#include <algorithm>
#include <queue>
#include <unordered_set>
#include <utility>

namespace isochrone::image {

std::vector<Corner> leaveMinimum(const PathField& field, const Corner& from,
                                 const std::function<bool(const Corner&)>& mayEnd) {
  struct Step {
    Corner to;
    std::size_t before; ///< the step that led there
  };
  std::vector<Step> steps{{from, 0}};
  std::unordered_set<std::int64_t> seen{from.point};
  using Entry = std::pair<double, std::size_t>; // value, step; equal values in the order of the steps
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  front.push({from.value, 0});
  while (!front.empty()) {
    const std::size_t n = front.top().second;
    front.pop();
    const Corner here = steps[n].to;
    if (n > 0 && (here.value < from.value || mayEnd(here))) {
      std::vector<Corner> route;
      for (std::size_t m = n; m > 0; m = steps[m].before) route.push_back(steps[m].to);
      std::reverse(route.begin(), route.end());
      return route;
    }
    for (const Corner& next : field.neighbours(here)) {
      if (!std::isfinite(next.value) || !seen.insert(next.point).second) continue;
      front.push({next.value, steps.size()});
      steps.push_back({next, n});
    }
  }
  return {};
}

} // namespace isochrone::image
