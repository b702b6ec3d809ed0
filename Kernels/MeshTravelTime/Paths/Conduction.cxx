// The direction and the speed of waves in cells.
#include "MeshTravelTime/Paths/CellDescent.h"
#include "Workers.h"

#include <cmath>
#include <limits>

namespace isochrone::mesh {

namespace {

using grid::Vector3;

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Removes the component normal to the plane of a triangle.
void projectToPlane(const Problem& p, std::int64_t cell, Vector3& v) {
  const Position o = pointAt(p, p.cells[std::size_t(4 * cell)]),
                 x = pointAt(p, p.cells[std::size_t(4 * cell + 1)]),
                 y = pointAt(p, p.cells[std::size_t(4 * cell + 2)]);
  const Vector3 a{x[0] - o[0], x[1] - o[1], x[2] - o[2]}, b{y[0] - o[0], y[1] - o[1], y[2] - o[2]};
  const Vector3 n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double out = dot(v, n) / dot(n, n);
  for (int i = 0; i < 3; ++i) v[i] -= out * n[i];
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
    Vector3 way{}; // along M grad u, the distance of a wave in one unit of time
    for (int k = 0; k < times.corners; ++k) {
      const Position x = pointAt(p, p.cells[std::size_t(4 * c + k)]);
      for (int i = 0; i < 3; ++i) way[i] -= down.rates[k] * x[i];
    }
    Vector3 gradient = grid::times(metric, way); // divided by the slope
    if (times.corners == 3) projectToPlane(p, c, gradient);
    const double length = std::sqrt(dot(way, way));
    for (int i = 0; i < 3; ++i) to[i] = float(way[i] / length);
    field.speed[c] = float(1 / (down.slope * std::sqrt(dot(gradient, gradient))));
  };
  if (!Workers(chooseThreads(threads), monitor).runInBlocks(cells, fill)) return {};
  return field;
}

} // namespace isochrone::mesh
