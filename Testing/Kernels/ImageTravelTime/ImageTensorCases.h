// ImageTensorCases.h - images of tensors for the tests of the solver.
#pragma once

#include "ImageTravelTimeCases.h"

#include <numbers>

namespace isochrone::image {

/// Returns squared speeds: 1 along a direction, 1 / ratio^2 across it, in VTK's order.
inline std::array<double, 6> fastAlong(const Position& v, double ratio) {
  const double across = 1 / (ratio * ratio), more = 1 - across;
  return {across + more * v[0] * v[0], across + more * v[1] * v[1], across + more * v[2] * v[2],
          more * v[0] * v[1],          more * v[1] * v[2],          more * v[0] * v[2]};
}

/// Returns the unit vector with an angle in the plane and a height out of it.
inline Position direction(double angle, double height) {
  return {std::cos(angle) * std::cos(height), std::sin(angle) * std::cos(height), std::sin(height)};
}

/// Writes the tensor of a point; in the plane xx yy xy.
inline void setTensor(Case& c, std::int64_t point, const std::array<double, 6>& m) {
  const bool plane = c.problem.grid.nz == 1;
  if (plane)
    for (int n = 0; n < 3; ++n) c.speed[3 * point + n] = float(m[std::array{0, 1, 3}[n]]);
  else
    for (int n = 0; n < 6; ++n) c.speed[6 * point + n] = float(m[n]);
}

/// Returns a problem with the tensors at(i, j, k) and a seed in the middle.
template <class At>
Case tensorCase(const Grid& grid, At&& at) {
  Case c;
  c.problem.grid = grid;
  c.problem.speedType = SpeedType::SquaredVelocityTensor;
  c.speed.resize(grid.points() * (grid.nz == 1 ? 3 : 6));
  for (std::int64_t k = 0, n = 0; k < grid.nz; ++k)
    for (std::int64_t j = 0; j < grid.ny; ++j)
      for (std::int64_t i = 0; i < grid.nx; ++i, ++n) setTensor(c, n, at(double(i), double(j), double(k)));
  c.problem.speed = c.speed;
  c.problem.seeds = {
      {{double(grid.nx / 2) * grid.hx, double(grid.ny / 2) * grid.hy, double(grid.nz / 2) * grid.hz}, 0}};
  return c;
}

/// Returns a constant tensor field.
inline Case constantTensors(const Grid& grid, double angle, double height, double ratio) {
  return tensorCase(grid, [&](double, double, double) { return fastAlong(direction(angle, height), ratio); });
}

/// Returns the time along the straight line with the tensor of the first point, a squared speed.
inline double metricDistance(const Problem& p, const Position& offset) {
  const auto& t = p.speed;
  if (p.grid.nz == 1) {
    const double det = double(t[0]) * t[1] - double(t[2]) * t[2];
    return std::sqrt(
        (t[1] * offset[0] * offset[0] - 2 * t[2] * offset[0] * offset[1] + t[0] * offset[1] * offset[1]) /
        det);
  }
  const double a = t[0], b = t[1], c = t[2], d = t[3], e = t[4], f = t[5];
  const double det = a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f);
  const double xx = b * c - e * e, yy = a * c - f * f, zz = a * b - d * d, xy = e * f - c * d,
               yz = d * f - a * e, xz = d * e - b * f;
  return std::sqrt(
      (xx * offset[0] * offset[0] + yy * offset[1] * offset[1] + zz * offset[2] * offset[2] +
       2 * (xy * offset[0] * offset[1] + yz * offset[1] * offset[2] + xz * offset[0] * offset[2])) /
      det);
}

inline const std::vector<std::string>& tensorCaseNames() {
  static const std::vector<std::string> names{
      "Plane",       "Space",  "PlaneUnequal", "SpaceUnequal", "PlaneNoise", "SpaceNoise", "PlaneRubble",
      "SpaceRubble", "Metric", "SeveralSeeds", "TwentyToOne",  "Line",       "LastPoint",  "PlaneLastPoint"};
  return names;
}

/// Returns a case with directions that vary over the image, ratio 10:1.
inline Case makeTensorCase(const std::string& name) {
  constexpr double pi = std::numbers::pi;
  const bool plane = name.starts_with("Plane") || name == "TwentyToOne";
  Grid g = plane ? Grid{45, 37, 1, 1, 1, 1} : Grid{15, 13, 12, 1, 1, 1};
  if (name == "Line") g = {1, 40, 1, 1, 0.5, 1};
  if (name.ends_with("Unequal")) g.hy = 0.4, g.hz = 1.6;
  const double ratio = name == "TwentyToOne" ? 20 : 10;
  std::uint64_t count = 0;
  Case c = tensorCase(g, [&](double i, double j, double k) {
    if (name.ends_with("Noise")) {
      const double angle = 2 * pi * noise(3 * count), height = pi * (noise(3 * count + 1) - 0.5);
      return fastAlong(direction(angle, plane ? 0 : height), 1 + 9 * noise(3 * count++ + 2));
    }
    const double x = i / double(g.nx), y = j / double(g.ny), z = k / double(g.nz);
    return fastAlong(direction(0.3 + 2 * x + 1.5 * y + z, plane ? 0 : std::sin(3 * (y - z + 0.2))), ratio);
  });
  c.name = name;
  if (name.ends_with("Rubble")) {
    c.barriers.assign(g.points(), 0);
    for (std::int64_t n = 0; n < g.points(); ++n) c.barriers[n] = noise(n + 77) < 0.12;
    c.barriers[g.index(g.nx / 2, g.ny / 2, g.nz / 2)] = 0;
    for (int component = 0; component < (plane ? 3 : 6); ++component) c.speed[component] = 0; // point 0
  }
  if (name == "Metric") c.problem.speedType = SpeedType::MetricTensor;
  if (name == "SeveralSeeds") c.problem.seeds = {{{2, 3, 4}, -3}, {{12, 9, 2}, 1.5}, {{6, 10, 11}, 0}};
  if (name.ends_with("LastPoint"))
    c.problem.seeds = {{{double(g.nx - 1) * g.hx, double(g.ny - 1) * g.hy, double(g.nz - 1) * g.hz}, 0}};
  c.problem.speed = c.speed, c.problem.barriers = c.barriers;
  return c;
}

/// Returns number k of a row of random numbers from 0 to 1.
inline double drawn(int row, int k) { return noise(std::uint64_t(row) * 100003 + std::uint64_t(k)); }

/// A random problem with one to three seeds, up to 10:1, smooth or rough, some with barriers.
/// @param onPoints  whether seeds lie on points
inline Case randomTensorCase(int number, bool onPoints) {
  const auto draw = [&](int k) { return drawn(number, k); };
  Grid g{9 + int(8 * draw(1)), 8 + int(8 * draw(2)), 1, 1, 0.5 + draw(4), 1};
  if (number % 2)
    g = {5 + int(3 * draw(1)), 5 + int(3 * draw(2)), 4 + int(4 * draw(3)), 1, 0.6 + draw(4), 0.6 + draw(5)};
  const bool rough = number % 5 == 1;
  const double ratio = 1 + 9 * draw(6), turn = 3 * draw(7);
  int count = 100;
  Case c = tensorCase(g, [&](double i, double j, double k) {
    double angle = turn + (number % 3 == 0 ? 0.02 : 0.1) * (i + 1.5 * j),
           height = g.nz == 1 ? 0 : 0.5 * std::sin(0.1 * (j - k) + 0.37);
    if (rough) angle += 2 * draw(count++);
    std::array<double, 6> m = fastAlong(direction(angle, height), ratio * (1 + 0.3 * draw(count++)));
    const double speed = 1 + 0.5 * draw(count++);
    for (double& x : m) x *= speed;
    return m;
  });
  if (number % 4 == 1) {
    c.barriers.assign(std::size_t(g.points()), 0);
    for (std::size_t n = 0; n < c.barriers.size(); ++n) c.barriers[n] = draw(int(20000 + n)) < 0.1;
  }
  c.problem.seeds.clear();
  for (int i = 0; i < 1 + number % 3; ++i) {
    Seed seed;
    for (int a = 0; a < 3; ++a) {
      double q = draw(20 + 3 * i + a) * double(g.sizes()[a] - 1);
      if (onPoints || draw(40 + 3 * i + a) < 0.4) q = std::round(q);
      seed.at[a] = q * g.spacing()[a];
    }
    seed.startValue = 0.4 * draw(80 + i) - 0.2;
    const std::int64_t at = place(c.problem, seed.at).point;
    if (!c.barriers.empty()) c.barriers[std::size_t(at)] = 0;
    c.problem.seeds.push_back(seed);
  }
  if (number % 5 == 2) c.problem.speedType = SpeedType::MetricTensor;
  c.problem.speed = c.speed, c.problem.barriers = c.barriers;
  return c;
}

} // namespace isochrone::image
