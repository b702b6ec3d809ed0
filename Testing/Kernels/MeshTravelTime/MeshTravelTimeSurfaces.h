// MeshTravelTimeSurfaces.h - surfaces of triangles for tests of exact distances.
#pragma once

#include "MeshTravelTimeChecks.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::mesh {

using Point = std::array<double, 3>;

inline std::int64_t addPoint(MeshCase& c, const Point& x) {
  c.points.insert(c.points.end(), x.begin(), x.end());
  return c.vertexCount() - 1;
}
inline void addTriangle(MeshCase& c, std::int64_t u, std::int64_t v, std::int64_t w) {
  c.cells.insert(c.cells.end(), {u, v, w, -1});
}
inline MeshCase exact(MeshCase c, std::vector<Seed> seeds = {{0}}) {
  c.problem.accuracy = Accuracy::Exact;
  c.problem.seeds = std::move(seeds);
  c.link();
  return c;
}

/// Returns a grid of rows x columns squares, two triangles each, at the points place(row, column).
/// @param closed  the last column meets the first one
inline MeshCase grid(int rows, int columns, bool closed, const std::function<Point(int, int)>& place) {
  MeshCase c;
  const int across = closed ? columns : columns + 1;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i < across; ++i) addPoint(c, place(j, i));
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const std::int64_t a = j * across + i, b = j * across + (i + 1) % across, d = a + across,
                         e = b + across;
      const bool turned = (i + j) % 2;
      addTriangle(c, a, b, turned ? d : e);
      addTriangle(c, turned ? b : a, e, d);
    }
  return exact(std::move(c));
}

/// Returns the surface of the unit cube with n x n squares per face.
inline MeshCase cubeSurface(int n) {
  MeshCase c;
  std::map<std::array<int, 3>, std::int64_t> known;
  const auto vertex = [&](const std::array<int, 3>& i) {
    const auto [at, isNew] = known.try_emplace(i, c.vertexCount());
    if (isNew) addPoint(c, {double(i[0]) / n, double(i[1]) / n, double(i[2]) / n});
    return at->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const int level : {0, n})
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const auto at = [&](int x, int y) {
            std::array<int, 3> corner{};
            corner[std::size_t(axis)] = level, corner[std::size_t((axis + 1) % 3)] = x,
            corner[std::size_t((axis + 2) % 3)] = y;
            return vertex(corner);
          };
          addTriangle(c, at(i, j), at(i + 1, j), at(i + 1, j + 1));
          addTriangle(c, at(i, j), at(i + 1, j + 1), at(i, j + 1));
        }
  return exact(std::move(c));
}

/// Returns a sphere of radius 1: a regular icosahedron, whose triangles were divided into four `levels`
/// times.
inline MeshCase icosphere(int levels) {
  MeshCase c;
  const double g = std::numbers::phi;
  const auto unit = [](Point x) {
    const double length = std::hypot(x[0], x[1], x[2]);
    for (double& a : x) a /= length;
    return x;
  };
  for (const Point& x : {Point{-1, g, 0},
                         {1, g, 0},
                         {-1, -g, 0},
                         {1, -g, 0},
                         {0, -1, g},
                         {0, 1, g},
                         {0, -1, -g},
                         {0, 1, -g},
                         {g, 0, -1},
                         {g, 0, 1},
                         {-g, 0, -1},
                         {-g, 0, 1}})
    addPoint(c, unit(x));
  for (const std::array<int, 3>& t : {std::array<int, 3>{0, 11, 5},
                                      {0, 5, 1},
                                      {0, 1, 7},
                                      {0, 7, 10},
                                      {0, 10, 11},
                                      {1, 5, 9},
                                      {5, 11, 4},
                                      {11, 10, 2},
                                      {10, 7, 6},
                                      {7, 1, 8},
                                      {3, 9, 4},
                                      {3, 4, 2},
                                      {3, 2, 6},
                                      {3, 6, 8},
                                      {3, 8, 9},
                                      {4, 9, 5},
                                      {2, 4, 11},
                                      {6, 2, 10},
                                      {8, 6, 7},
                                      {9, 8, 1}})
    addTriangle(c, t[0], t[1], t[2]);
  for (int level = 0; level < levels; ++level) {
    const std::vector<std::int64_t> old = std::exchange(c.cells, {});
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> middles;
    const auto middle = [&](std::int64_t v, std::int64_t w) {
      const auto [at, isNew] = middles.try_emplace(std::minmax(v, w), c.vertexCount());
      const Point a = c.at(v), b = c.at(w);
      if (isNew) addPoint(c, unit({a[0] + b[0], a[1] + b[1], a[2] + b[2]}));
      return at->second;
    };
    for (std::size_t t = 0; t < old.size(); t += 4) {
      const std::int64_t u = old[t], v = old[t + 1], w = old[t + 2], a = middle(u, v), b = middle(v, w),
                         d = middle(w, u);
      addTriangle(c, u, a, d), addTriangle(c, a, v, b), addTriangle(c, d, b, w), addTriangle(c, a, b, d);
    }
  }
  return exact(std::move(c));
}

/// Returns a sphere of circles of latitude, whose triangles are thin at the poles.
inline MeshCase latitudeSphere(int circles, int points) {
  MeshCase c;
  addPoint(c, {0, 0, 1});
  for (int j = 1; j < circles; ++j)
    for (int i = 0; i < points; ++i) {
      const double t = std::numbers::pi * j / circles, f = 2 * std::numbers::pi * i / points;
      addPoint(c, {std::sin(t) * std::cos(f), std::sin(t) * std::sin(f), std::cos(t)});
    }
  const std::int64_t last = addPoint(c, {0, 0, -1});
  const auto at = [&](int j, int i) { return 1 + std::int64_t(j - 1) * points + i % points; };
  for (int i = 0; i < points; ++i) {
    addTriangle(c, 0, at(1, i), at(1, i + 1));
    for (int j = 1; j + 1 < circles; ++j) {
      addTriangle(c, at(j, i), at(j + 1, i), at(j + 1, i + 1));
      addTriangle(c, at(j, i), at(j + 1, i + 1), at(j, i + 1));
    }
    addTriangle(c, last, at(circles - 1, i + 1), at(circles - 1, i));
  }
  return exact(std::move(c));
}

/// Returns a rough surface over a square: many vertices where paths bend, and many where they do not.
inline MeshCase roughSquare(int n, double height, std::uint64_t number) {
  Dice dice{number << 20};
  return grid(n, n, false, [&](int j, int i) {
    return Point{i + dice(-0.4, 0.4), j + dice(-0.4, 0.4), dice(-height, height)};
  });
}

/// Returns a torus with a rough surface.
inline MeshCase roughTorus(int rows, int columns, std::uint64_t number) {
  Dice dice{number << 20};
  MeshCase c = grid(rows, columns, true, [&](int j, int i) {
    const double f = 2 * std::numbers::pi * i / columns, t = 2 * std::numbers::pi * j / rows,
                 r = 1 + dice(-0.2, 0.2);
    return Point{(3 + r * std::cos(t)) * std::cos(f), (3 + r * std::cos(t)) * std::sin(f), r * std::sin(t)};
  });
  // The last row is the first one.
  for (std::int64_t& v : c.cells)
    if (v >= std::int64_t(rows) * columns) v -= std::int64_t(rows) * columns;
  c.points.resize(std::size_t(3 * rows * columns));
  c.link();
  return c;
}

inline double distanceBetween(const Point& a, const Point& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Solves from a vertex.
inline std::vector<float> distancesFrom(MeshCase& c, std::int64_t vertex) {
  c.problem.seeds = {{vertex}};
  const Result result = solve(c, onHost());
  return {result.travelTime.begin(), result.travelTime.end()};
}

/// Returns whether two distances agree to the last digits of single precision.
inline bool agree(double a, double b) {
  return a == b || std::abs(a - b) <= 1.3e-7 * std::max(std::abs(a), std::abs(b));
}

} // namespace isochrone::mesh
