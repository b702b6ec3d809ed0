#include "CurvaturePaths/States.h"

#include <vtkPolyData.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::filters {

States statesOf(vtkPolyData* points, const ImageFrame& frame) {
  constexpr double radiansPerDegree = std::numbers::pi / 180;
  const auto headings = valuesOr(points, arrays::heading,
                                 [](std::int64_t) { return std::numeric_limits<double>::quiet_NaN(); });
  const auto anyHeading = valuesOr(points, arrays::anyHeading, [](std::int64_t) { return 0.0; });
  States out{placesOf(points, frame), {}};
  for (std::size_t p = 0; p < out.size(); ++p) {
    const auto [x, y, z] = out.positions[p];
    const bool free = anyHeading[p] != 0 || !std::isfinite(headings[p]);
    out.states.push_back({x, y, free ? 0 : headings[p] * radiansPerDegree, free});
  }
  return out;
}

} // namespace isochrone::filters
