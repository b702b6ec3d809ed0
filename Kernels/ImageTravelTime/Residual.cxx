// How well a travel time solves the upwind scheme, measured by one more update in double.
#include "FirstException.h"
#include "ImageTravelTime/Gradient.h"
#include "ImageTravelTime/Seeding.h"
#include "ImageTravelTime/TensorUpwind.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isochrone::image {

namespace {

/// The update of spec A.2: least v with sum w (v - m)^2 = s^2 over the axes with m < v, where m is the
/// earlier neighbour and w = 1 / h^2.
double updated(const Grid& grid, const Upwind& upwind, double slowness) {
  struct Axis {
    double value, weight;
  };
  Axis axes[3] = {{upwind.value[0], 1 / (grid.hx * grid.hx)},
                  {upwind.value[1], 1 / (grid.hy * grid.hy)},
                  {upwind.value[2], 1 / (grid.hz * grid.hz)}};
  std::sort(axes, axes + 3, [](const Axis& a, const Axis& b) { return a.value < b.value; });
  const double least = axes[0].value;
  if (!std::isfinite(least)) return least;
  double sum = 0, first = 0, second = -slowness * slowness; // of w, w m and w m^2 - s^2, m from the least
  for (const Axis& axis : axes) {
    const double m = axis.value - least;
    // The sum of squares at v = m says whether v lies beyond m, without a root.
    if (!(m * (sum * m - 2 * first) + second < 0)) break;
    sum += axis.weight, first += axis.weight * m, second += axis.weight * m * m;
  }
  return least + (first + std::sqrt(std::max(0., first * first - sum * second))) / sum;
}

} // namespace

double residual(const Problem& problem, std::span<const float> travelTime, int threads) {
  requireTravelTime(problem.grid, travelTime);
  const std::int64_t points = problem.grid.points();
  double earliest = std::numeric_limits<double>::infinity(), worst = 0;
#pragma omp parallel for schedule(static) num_threads(chooseThreads(threads)) reduction(min : earliest)
  for (std::int64_t p = 0; p < points; ++p) earliest = std::min(earliest, double(travelTime[p]));
  const auto check = [&](std::int64_t p, double& worst) {
    const double u = travelTime[p];
    if (!std::isfinite(u) || isBarrier(problem, p)) return;
    const double v =
        hasTensors(problem)
            ? tensorUpdate(tensorUpwind(problem, travelTime, p), travelTime)
            : updated(problem.grid, upwindNeighbours(problem.grid, travelTime, p), slownessAt(problem, p));
    // Start values may be negative: the time since the earliest counts too.
    if (v < u) worst = std::max(worst, (u - v) / std::max(std::abs(u), u - earliest));
  };
  FirstException failure;
#pragma omp parallel for schedule(static) num_threads(chooseThreads(threads)) reduction(max : worst)
  for (std::int64_t p = 0; p < points; ++p) failure.guard([&] { check(p, worst); });
  failure.rethrow();
  return worst;
}

} // namespace isochrone::image
