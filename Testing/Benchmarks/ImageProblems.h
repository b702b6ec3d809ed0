// ImageProblems.h - the images of the travel-time benchmark: the five examples of Jeong and Whitaker (2008)
// and white noise.
//
//   1   speed 1
//   2   three layers, speeds 1, 2, 3
//   3   correlated random speed, 0.1 to 1
//   4-N maze of N walls that nothing passes, with gaps at alternating ends
//   5-N the same with walls of speed 0.001
//   line  speed 1, seeds at the centre of every plane: their figure 9
//   noise  white noise, 0.1 to 1
//   tensor-R  metrics that are R times slower across a direction than along it; it turns from place to place
//   tensor-noise  the same with random directions, and R up to 10 at random
//   tilted-N  Vp growing to twice its value with epsilon N / 100 and half as much delta;
//             the axis turns from place to place
//   drift-N   speed 1 in a vortex of up to N percent of it, with its axis along z
//   periodic-CASE     a case with all axes periodic
//   rectilinear-CASE  with steps from 0.5 to 1.5
//   sector-CASE, globe-CASE  on radius, colatitude and longitude: 60 to 120 degrees both, or all around with
//                            both poles; radii from 3500 to 6400
#pragma once

#include "Error.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace isochrone::benchmark {

struct ImageCase {
  std::string name;
  image::Problem problem;
  std::vector<float> speed, drift;
  std::vector<float> epsilon, delta, axis; ///< of a tilted medium
  std::unique_ptr<grid::OrthogonalGrid> orthogonal;

  ImageCase() = default;
  ImageCase(ImageCase&&) = default; // keeps the memory that the problem views
};

/// Replaces values by the mean over 2 * radius + 1 neighbours along one axis, periodic.
inline void blurAlong(std::vector<float>& values, const image::Grid& g, int axis, int radius) {
  const std::int64_t n[3] = {g.nx, g.ny, g.nz}, stride[3] = {1, g.nx, g.nx * g.ny};
  const std::int64_t length = n[axis], step = stride[axis];
  std::vector<float> line(length);
  for (std::int64_t p = 0; p < g.points(); ++p) {
    if (p / step % length != 0) continue; // the first point of each line
    for (std::int64_t i = 0; i < length; ++i) line[i] = values[p + i * step];
    double sum = 0;
    for (std::int64_t i = -radius; i <= radius; ++i) sum += line[(i + length) % length];
    for (std::int64_t i = 0; i < length; ++i) {
      values[p + i * step] = float(sum / (2 * radius + 1));
      sum += line[(i + radius + 1) % length] - line[(i - radius + length) % length];
    }
  }
}

inline std::vector<float> uniformNoise(std::int64_t points) {
  std::mt19937_64 random(12345);
  std::vector<float> values(points);
  for (float& v : values) v = float(double(random() >> 11) * 0x1p-53);
  return values;
}

/// Returns noise blurred three times by 5 points along each axis, scaled to mean 0.55 and deviation 0.45,
/// clipped to [0.1, 1].
inline std::vector<float> correlatedSpeed(const image::Grid& g) {
  std::vector<float> values = uniformNoise(g.points());
  for (int pass = 0; pass < 3; ++pass)
    for (int axis = 0; axis < (g.nz > 1 ? 3 : 2); ++axis) blurAlong(values, g, axis, 2);
  double mean = 0, squares = 0;
  for (const float v : values) mean += v, squares += double(v) * v;
  mean /= double(values.size());
  const double deviation = std::sqrt(squares / double(values.size()) - mean * mean);
  for (float& v : values) v = float(std::clamp(0.55 + 0.45 * (v - mean) / deviation, 0.1, 1.));
  return values;
}

/// Returns walls across x, each open at one end along y.
inline std::vector<float> mazeSpeed(const image::Grid& g, int walls, float wallSpeed) {
  std::vector<float> values(g.points(), 1.f);
  const std::int64_t thickness = std::max<std::int64_t>(1, g.nx / 128),
                     gap = std::max<std::int64_t>(2, g.nx / 32);
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const std::int64_t x = p % g.nx, y = p / g.nx % g.ny;
    for (int w = 0; w < walls; ++w) {
      const std::int64_t first = (w + 1) * g.nx / (walls + 1);
      const bool open = w % 2 == 0 ? y >= g.ny - gap : y < gap;
      if (x >= first && x < first + thickness && !open) values[p] = wallSpeed;
    }
  }
  return values;
}

/// Appends a metric tensor xx yy zz xy yz xz, or xx yy xy in the plane: slowness 1 along the unit vector d,
/// and `ratio` across it, that is ratio^2 Id + (1 - ratio^2) d d^T.
inline void appendMetric(std::vector<float>& metric, bool plane, double ratio, double angle, double rise) {
  const double d[3] = {std::cos(rise) * std::cos(angle), std::cos(rise) * std::sin(angle), std::sin(rise)};
  const auto at = [&](int a, int b) {
    return float((a == b ? ratio * ratio : 0) + (1 - ratio * ratio) * d[a] * d[b]);
  };
  if (plane)
    metric.insert(metric.end(), {at(0, 0), at(1, 1), at(0, 1)});
  else
    metric.insert(metric.end(), {at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(1, 2), at(0, 2)});
}

/// Returns metrics whose fast direction turns with x + y + z.
inline std::vector<float> turningMetric(const image::Grid& g, double ratio) {
  const bool plane = g.nz == 1;
  std::vector<float> metric;
  metric.reserve(g.points() * (plane ? 3 : 6));
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const double place = double(p % g.nx + p / g.nx % g.ny + p / (g.nx * g.ny)) / double(g.nx);
    appendMetric(metric, plane, ratio, 0.3 + 2 * place, plane ? 0 : 0.5 * std::sin(3 * place));
  }
  return metric;
}

/// Returns metrics with random directions and ratios from 1 to 10.
inline std::vector<float> randomMetric(const image::Grid& g) {
  constexpr double pi = 3.141592653589793;
  const bool plane = g.nz == 1;
  const std::vector<float> random = uniformNoise(3 * g.points());
  std::vector<float> metric;
  metric.reserve(g.points() * (plane ? 3 : 6));
  for (std::int64_t p = 0; p < g.points(); ++p)
    appendMetric(metric, plane, 1 + 9 * random[3 * p + 2], 2 * pi * random[3 * p],
                 plane ? 0 : pi * (random[3 * p + 1] - 0.5));
  return metric;
}

/// Returns the velocity of a vortex around the middle of the image, x y z at each point, x y in the plane.
inline std::vector<float> vortex(const image::Grid& g, double largest) {
  std::vector<float> drift;
  drift.reserve(std::size_t(g.points() * (g.nz == 1 ? 2 : 3)));
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const double x = 3 * (double(p % g.nx) / double(g.nx) - 0.5),
                 y = 3 * (double(p / g.nx % g.ny) / double(g.ny) - 0.5);
    const double size = largest * std::exp(0.5 - (x * x + y * y) / 2);
    drift.push_back(float(-size * y)), drift.push_back(float(size * x));
    if (g.nz > 1) drift.push_back(0);
  }
  return drift;
}

/// Makes the medium of a case tilted.
inline void addTilt(ImageCase& c, double epsilon) {
  const image::Grid& g = c.problem.grid;
  c.problem.speedType = image::SpeedType::TiltedTransverse;
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const double x = double(p % g.nx) / double(g.nx), y = double(p / g.nx % g.ny) / double(g.ny);
    c.speed.push_back(float(1 + y));
    const double angle = 1.5 * std::sin(4 * x + 2 * y);
    c.axis.push_back(float(std::sin(angle))), c.axis.push_back(float(std::cos(angle)));
    if (g.nz > 1) c.axis.push_back(float(0.5 * y));
  }
  c.epsilon = {float(epsilon)}, c.delta = {float(epsilon / 2)};
  c.problem.thomsen = {c.epsilon, c.delta, c.axis, {}};
}

/// The grids of a case, by the prefix of its name.
inline constexpr std::string_view gridKinds[] = {"periodic", "rectilinear", "sector", "globe"};

/// Returns the kind of the grid of a case; empty: an image.
inline std::string_view gridKindOf(std::string_view name) {
  for (const std::string_view kind : gridKinds)
    if (name.starts_with(kind) && name.substr(kind.size()).starts_with('-')) return kind;
  return {};
}

/// Gives a case another grid, of as many points.
inline void changeGrid(ImageCase& c, std::string_view kind) {
  const GridIndex size = c.problem.grid.sizes();
  if (kind == "periodic") {
    c.problem.periodic = {true, true, true};
    return;
  }
  const bool spherical = kind != "rectilinear";
  const double ends[3][2] = {{3500, 6400}, {60, 120}, {60, 120}},
               whole[3][2] = {{3500, 6400}, {0, 180}, {0, 360}};
  grid::OrthogonalGrid::Coordinates axes;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto [low, high] = kind == "globe" ? whole[a] : ends[a];
    double at = 0;
    for (std::int64_t i = 0; i < size[a]; ++i, at += 1 + 0.5 * std::sin(double(i)))
      axes[a].push_back(
          spherical ? std::lerp(low, high, double(i) / double(std::max<std::int64_t>(size[a] - 1, 1))) : at);
  }
  c.orthogonal = std::make_unique<grid::OrthogonalGrid>(axes, spherical ? grid::OrthogonalGrid::spherical
                                                                        : grid::OrthogonalGrid::cartesian);
  c.problem.orthogonal = c.orthogonal.get();
  c.problem.grid = c.orthogonal->points();
}

/// Returns an image of `size` points along x and y and `depth` along z; planar if `depth` is 1.
inline ImageCase makeImageCase(const std::string& name, int size, int depth) {
  if (const std::string_view kind = gridKindOf(name); !kind.empty()) {
    ImageCase c = makeImageCase(name.substr(kind.size() + 1), size, depth);
    c.name = name;
    changeGrid(c, kind);
    return c;
  }
  ImageCase c;
  c.name = name;
  image::Grid& g = c.problem.grid;
  g = {size, size, depth, 1, 1, 1};
  const bool maze = name.starts_with("4-") || name.starts_with("5-");
  if (name == "1" || name == "line") {
    c.speed.assign(g.points(), 1.f);
  } else if (name == "2") {
    c.speed.resize(g.points());
    for (std::int64_t p = 0; p < g.points(); ++p) c.speed[p] = float(1 + p / g.nx % g.ny * 3 / g.ny);
  } else if (name == "3") {
    c.speed = correlatedSpeed(g);
  } else if (maze) {
    c.speed = mazeSpeed(g, std::atoi(name.c_str() + 2), name[0] == '4' ? 0.f : 0.001f);
  } else if (name == "noise") {
    c.speed = uniformNoise(g.points());
    for (float& v : c.speed) v = 0.1f + 0.9f * v;
  } else if (name.starts_with("tensor-")) {
    c.problem.speedType = image::SpeedType::MetricTensor;
    c.speed = name == "tensor-noise" ? randomMetric(g) : turningMetric(g, std::atof(name.c_str() + 7));
  } else if (name.starts_with("tilted-")) {
    addTilt(c, std::atof(name.c_str() + 7) / 100);
  } else if (name.starts_with("drift-")) {
    c.drift = vortex(g, std::atof(name.c_str() + 6) / 100);
  } else {
    throw Error("unknown example '" + name + "'");
  }
  const double middle = size / 2;
  if (maze || name == "line")
    for (int z = 0; z < depth; ++z)
      c.problem.seeds.push_back({{maze ? 0 : middle, maze ? 0 : middle, double(z)}, 0});
  else
    c.problem.seeds = {{{middle, middle, double(depth / 2)}, 0}};
  if (!c.drift.empty()) c.problem.seeds[0].at = {0.2 * size, 0.3 * size, double(depth / 2)};
  c.problem.speed = c.speed, c.problem.drift = c.drift;
  return c;
}

} // namespace isochrone::benchmark
