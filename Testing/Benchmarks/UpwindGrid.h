// UpwindGrid.h - shared by the serial methods of the benchmark: the image with a closed border, and the
// upwind update of a point.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "Values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace isochrone::benchmark {

/// A grid for a problem with a speed array, spacing 1, and seeds on points. The border makes bounds checks
/// unnecessary.
class UpwindGrid {
public:
  using Point = std::uint32_t;
  static constexpr float infinite = std::numeric_limits<float>::infinity();

  const image::Grid image;
  const int axes;           ///< 2 or 3
  const Point step[3];      ///< to the next point on each axis
  Values<float> time;       ///< start values at the seeds, +infinity elsewhere
  std::vector<Point> seeds; ///< seeds outside barriers

  explicit UpwindGrid(const image::Problem& problem)
      : image(problem.grid),
        axes(image.nz > 1 ? 3 : 2), step{1, Point(image.nx + 2), Point((image.nx + 2) * (image.ny + 2))},
        time(std::size_t(step[2]) * (axes == 3 ? image.nz + 2 : 1), infinite),
        slowness(time.size(), infinite) {
    eachRow([&](Point to, std::int64_t from) {
      for (std::int64_t x = 0; x < image.nx; ++x) slowness[to + x] = 1 / problem.speed[from + x];
    });
    for (const image::Seed& seed : problem.seeds) {
      const Point p = at(std::int64_t(seed.at[0]), std::int64_t(seed.at[1]), std::int64_t(seed.at[2]));
      if (blocked(p)) continue;
      time[p] = std::min(time[p], float(seed.startValue));
      seeds.push_back(p);
    }
  }

  Point at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return Point(x + 1 + step[1] * (y + 1) + (axes == 3 ? step[2] * (z + 1) : 0));
  }
  bool blocked(Point p) const { return slowness[p] == infinite; }
  float minSlowness() const { return *std::min_element(slowness.begin(), slowness.end()); }

  /// Calls `visit` with the neighbours outside barriers.
  void eachNeighbour(Point p, const auto& visit) const {
    for (int axis = 0; axis < axes; ++axis)
      for (const Point neighbour : {p - step[axis], p + step[axis]})
        if (!blocked(neighbour)) visit(neighbour);
  }

  /// Returns the travel time from the neighbours' values.
  float update(Point p) {
    ++updates;
    const auto minimum = [&](Point s) { return std::min(time[p - s], time[p + s]); };
    return solve(minimum(step[0]), minimum(step[1]), axes == 3 ? minimum(step[2]) : infinite, slowness[p]);
  }

  /// @param rounds       sweeps over the image, or rounds over the method's list of points
  /// @param methodBytes  memory of the method in addition to the grid
  image::Result result(int rounds, std::size_t methodBytes) const {
    image::Result r;
    r.travelTime.resize(image.points());
    eachRow([&](Point from, std::int64_t to) {
      std::copy_n(time.begin() + from, image.nx, r.travelTime.begin() + to);
    });
    r.rounds = rounds;
    r.updatesPerPoint = double(updates) / double(image.points());
    r.workBytes = methodBytes + bytes(time) + bytes(slowness);
    return r;
  }

  static std::size_t bytes(const auto& values) { return values.capacity() * sizeof(values[0]); }

private:
  std::int64_t updates = 0; ///< equations solved
  Values<float> slowness;   ///< +infinity in barriers and on the border

  void eachRow(const auto& visit) const {
    for (std::int64_t z = 0; z < image.nz; ++z)
      for (std::int64_t y = 0; y < image.ny; ++y) visit(at(0, y, z), image.index(0, y, z));
  }

  static float solve(float x, float y, float z, float slowness) {
    const float low = std::min(x, y), high = std::max(x, y);
    const float a = std::min(low, z), b = std::max(low, std::min(high, z)), c = std::max(high, z);
    const float d1 = b - a, d2 = c - a, s = slowness * slowness;
    if (!(d1 * d1 < s)) return a + slowness;
    if (!(d2 * d2 + (d2 - d1) * (d2 - d1) < s)) return a + (d1 + std::sqrt(2 * s - d1 * d1)) / 2;
    return a + (d1 + d2 + std::sqrt(3 * s - (d1 * d1 + d2 * d2 + (d2 - d1) * (d2 - d1)))) / 3;
  }
};

} // namespace isochrone::benchmark
