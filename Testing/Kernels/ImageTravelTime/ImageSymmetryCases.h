// ImageSymmetryCases.h - problems, and the same problems mirrored, rotated and in other units.
#pragma once

#include "ImageTensorCases.h"

#include <algorithm>
#include <array>

namespace isochrone::image {

/// Axis a of the image is axis `from[a]` of another one, reversed if `flip[a]`.
struct Symmetry {
  std::string name;
  std::array<int, 3> from{0, 1, 2};
  std::array<bool, 3> flip{};
};

/// Returns symmetries of an image in the plane or in space that generate all others.
inline std::vector<Symmetry> symmetries(bool plane) {
  std::vector<Symmetry> all{{"mirrored along x", {0, 1, 2}, {true, false, false}},
                            {"mirrored along y", {0, 1, 2}, {false, true, false}},
                            {"turned by 180 degrees", {0, 1, 2}, {true, true, false}},
                            {"transposed", {1, 0, 2}, {}},
                            {"a quarter turn", {1, 0, 2}, {true, false, false}}};
  if (!plane)
    all.insert(all.end(), {{"mirrored along z", {0, 1, 2}, {false, false, true}},
                           {"through the centre", {0, 1, 2}, {true, true, true}},
                           {"axes x and z exchanged", {2, 1, 0}, {}},
                           {"axes in another order", {1, 2, 0}, {}},
                           {"a quarter turn about x", {0, 2, 1}, {false, true, false}}});
  return all;
}

/// A case, and the index of each of its points in the original.
struct Transformed {
  Case c;
  std::vector<std::int64_t> point;
};

inline Transformed transformed(const Case& c, const Symmetry& s) {
  const Grid& g = c.problem.grid;
  const std::array<std::int64_t, 3> n{g.nx, g.ny, g.nz};
  const std::array<double, 3> h{g.hx, g.hy, g.hz};
  Transformed t{c, {}};
  Grid& to = t.c.problem.grid;
  to = {n[s.from[0]], n[s.from[1]], n[s.from[2]], h[s.from[0]], h[s.from[1]], h[s.from[2]]};
  const bool tensors = c.problem.speedType == SpeedType::MetricTensor ||
                       c.problem.speedType == SpeedType::SquaredVelocityTensor;
  const bool plane = g.nz == 1;
  const std::size_t components = !tensors ? 1 : plane ? 3 : 6;
  static constexpr int component[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; // xx yy zz xy yz xz
  static constexpr int inPlane[6] = {0, 1, -1, 2, -1, -1};
  for (std::int64_t k = 0, p = 0; k < to.nz; ++k)
    for (std::int64_t j = 0; j < to.ny; ++j)
      for (std::int64_t i = 0; i < to.nx; ++i, ++p) {
        const std::array<std::int64_t, 3> at{i, j, k};
        std::array<std::int64_t, 3> source;
        for (int a = 0; a < 3; ++a) source[s.from[a]] = s.flip[a] ? n[s.from[a]] - 1 - at[a] : at[a];
        const std::int64_t q = g.index(source[0], source[1], source[2]);
        t.point.push_back(q);
        if (!c.barriers.empty()) t.c.barriers[p] = c.barriers[q];
        if (!c.regions.empty()) t.c.regions[p] = c.regions[q];
        if (c.speed.empty()) continue;
        if (!tensors) {
          t.c.speed[p] = c.speed[q];
          continue;
        }
        for (int a = 0; a < (plane ? 2 : 3); ++a)
          for (int b = a; b < (plane ? 2 : 3); ++b) {
            const int here = component[a][b], there = component[s.from[a]][s.from[b]];
            const float sign = s.flip[a] != s.flip[b] ? -1.f : 1.f;
            t.c.speed[components * p + (plane ? inPlane[here] : here)] =
                sign * c.speed[components * q + (plane ? inPlane[there] : there)];
          }
      }
  for (std::size_t m = 0; m < c.problem.seeds.size(); ++m)
    for (int a = 0; a < 3; ++a) {
      const int from = s.from[a];
      const double x = c.problem.seeds[m].at[from];
      t.c.problem.seeds[m].at[a] = s.flip[a] ? double(n[from] - 1) * h[from] - x : x;
    }
  t.c.problem.speed = t.c.speed, t.c.problem.barriers = t.c.barriers, t.c.problem.seedRegions = t.c.regions;
  return t;
}

/// Returns the maximum difference of two times of a point, relative to the time from the first arrival to the
/// last; infinite if only one is reached.
inline double difference(std::span<const float> u, std::span<const float> v,
                         const std::vector<std::int64_t>& point, double scale = 1) {
  float first = std::numeric_limits<float>::infinity(), last = -first;
  double maximum = 0;
  for (std::size_t p = 0; p < v.size(); ++p) {
    const float a = u[point[p]], b = v[p];
    if (std::isfinite(a) != std::isfinite(b)) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(a)) continue;
    first = std::min(first, a), last = std::max(last, a);
    maximum = std::max(maximum, std::abs(double(b) - scale * double(a)));
  }
  return maximum == 0 ? 0 : maximum / (scale * (double(last) - first));
}

/// Returns seed positions in the image: on a point, between points, and at the borders.
inline std::vector<std::pair<std::string, std::vector<Position>>> symmetrySeeds(const Grid& g) {
  const std::array<double, 3> n{double(g.nx - 1), double(g.ny - 1), double(g.nz - 1)};
  const auto at = [&](double x, double y, double z) {
    return Position{x * g.hx, y * g.hy, g.nz == 1 ? 0. : z * g.hz};
  };
  return {{"on a point", {at(5, 7, 4)}},
          {"on the last point", {at(n[0], n[1], n[2])}},
          {"on the last point of an axis", {at(n[0], 3, 2)}},
          {"between points", {at(5.37, 6.21, 4.44)}},
          {"in the middle of a cell", {at(5.5, 6.5, 4.5)}},
          {"on an edge", {at(5.5, 6, 4)}},
          {"near a point", {at(5.02, 6.97, 4.01)}},
          {"in the last cell", {at(n[0] - 0.3, n[1] - 0.8, n[2] - 0.45)}},
          {"beyond the border", {at(-0.3, 4.2, n[2])}},
          {"two seeds", {at(2.25, 3.5, 1), at(n[0] - 1, n[1] - 2.3, n[2] - 0.5)}}};
}

inline const std::vector<std::string>& symmetryCaseNames() {
  static const std::vector<std::string> names{
      "Plane",        "PlaneUnequal",        "PlaneFlat", "PlaneGradient", "PlaneRough",    "PlaneMaze",
      "PlaneTensors", "PlaneTurningTensors", "Space",     "SpaceUnequal",  "SpaceGradient", "SpaceRough",
      "SpaceTensors", "SpaceTurningTensors"};
  return names;
}

/// Returns a case: constant speed, smooth speed, noise, walls, a constant tensor, varying tensors.
inline Case symmetryCase(const std::string& name) {
  const bool plane = name.starts_with("Plane");
  Grid g = plane ? Grid{34, 29, 1, 1, 1, 1} : Grid{11, 13, 10, 1, 1, 1};
  if (name.ends_with("Unequal") || name.ends_with("Gradient") || name.ends_with("Tensors"))
    g.hx = 0.7, g.hy = 1.3, g.hz = 0.9;
  if (name.ends_with("Flat")) g.hy = 3;
  if (name.ends_with("TurningTensors"))
    return tensorCase(g, [&](double i, double j, double k) {
      const double x = i / double(g.nx), y = j / double(g.ny), z = k / double(g.nz);
      return fastAlong(direction(0.3 + 0.8 * x + 0.5 * y + 0.4 * z, plane ? 0 : 0.5 * std::sin(2 * (y - z))),
                       3);
    });
  if (name.ends_with("Tensors")) return constantTensors(g, 0.7, plane ? 0 : 0.4, 2);
  Case c;
  c.problem.grid = g;
  c.speed.assign(g.points(), 1.f);
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const double x = double(p % g.nx) / double(g.nx), y = double(p / g.nx % g.ny) / double(g.ny),
                 z = double(p / (g.nx * g.ny)) / double(g.nz);
    if (name.ends_with("Gradient")) c.speed[p] = float(1 + 0.8 * x + 0.4 * y * y + 0.5 * z);
    if (name.ends_with("Rough")) c.speed[p] = float(0.3 + 0.7 * noise(p));
    if (name.ends_with("Maze") && p % g.nx % 9 == 8 && (p / g.nx + p % 2 * 6) % 29 > 3) c.speed[p] = 0;
  }
  c.problem.speed = c.speed;
  c.problem.seeds = {{}};
  return c;
}

} // namespace isochrone::image
