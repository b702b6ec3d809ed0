// The direction and the speed of waves in cells.
#include "MeshTravelTime/Paths/CellDescent.h"
#include "Workers.h"

#include <cmath>
#include <limits>

namespace isochrone::mesh {

namespace {

using grid::difference;
using grid::dot;
using grid::Vector3;

/// Removes the component normal to the plane of a triangle.
void projectToPlane(const Problem& p, std::int64_t cell, Vector3& v) {
  const auto corner = verticesOf(p, cell);
  const Position first = pointAt(p, corner[0]);
  const Vector3 n =
      grid::cross(difference(pointAt(p, corner[1]), first), difference(pointAt(p, corner[2]), first));
  const double outward = dot(v, n) / dot(n, n);
  for (int i = 0; i < 3; ++i) v[i] -= outward * n[i];
}

} // namespace

ConductionField conduction(const Problem& p, std::span<const float> travelTime, int threads,
                           const Monitor& monitor) {
  ConductionField field;
  const std::int64_t cells = p.cellCount();
  field.direction.resize(std::size_t(3 * cells));
  field.speed.resize(std::size_t(cells));
  const auto fill = [&](std::int64_t c, int) {
    float* to = field.direction.data() + 3 * c;
    to[0] = to[1] = to[2] = 0;
    field.speed[c] = std::numeric_limits<float>::quiet_NaN();
    CellTimes times;
    Descent down;
    grid::Symmetric3 metric;
    if (!timesOf(p, travelTime, c, times) || !gradientOf(times, down)) return;
    if (metricAt(p, c, metric) != Passage::Open) return;
    Vector3 wave{}; // along M grad u, the distance of a wave in one unit of time
    for (int k = 0; k < times.corners; ++k) {
      const Position x = pointAt(p, verticesOf(p, c)[std::size_t(k)]);
      for (int i = 0; i < 3; ++i) wave[i] -= down.rates[k] * x[i];
    }
    Vector3 gradient = grid::times(metric, wave); // divided by the slope
    if (times.corners == 3) projectToPlane(p, c, gradient);
    const double length = std::sqrt(dot(wave, wave));
    for (int i = 0; i < 3; ++i) to[i] = float(wave[i] / length);
    field.speed[c] = float(1 / (down.slope * std::sqrt(dot(gradient, gradient))));
  };
  if (!Workers(chooseThreads(threads, 20 * double(cells)), monitor).runInBlocks(cells, fill)) return {};
  return field;
}

} // namespace isochrone::mesh
