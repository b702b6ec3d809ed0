// SurfaceCases.h - level sets and surfaces for tests.
#pragma once

#include "Noise.h"
#include "Surface/Surface.h"

#include <cmath>
#include <functional>
#include <vector>

namespace isochrone::surface {

/// A level set and its values.
struct Case {
  std::vector<double> values;
  LevelSet levelSet;

  Case(const ImageGrid& grid, const std::function<double(const Position&)>& value) {
    for (std::int64_t i = 0; i < grid.points(); ++i) {
      const GridIndex at = grid.indices(i);
      values.push_back(value({double(at[0]) * grid.hx, double(at[1]) * grid.hy, double(at[2]) * grid.hz}));
    }
    levelSet.grid = grid;
    levelSet.doubles = values;
  }
  Case(const Case&) = delete;
};

/// The signed distance to a sphere, in a plane a circle; positive inside.
inline std::function<double(const Position&)> ball(const Position& centre, double radius) {
  return [=](const Position& p) {
    return radius - std::hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]);
  };
}

/// The signed distance to a torus around the third axis; positive inside.
inline std::function<double(const Position&)> torus(const Position& centre, double large, double small) {
  return [=](const Position& p) {
    return small - std::hypot(std::hypot(p[0] - centre[0], p[1] - centre[1]) - large, p[2] - centre[2]);
  };
}

/// Squared distances and nearest pieces of all points, in the order of the points.
struct Distances {
  std::vector<double> square;
  std::vector<std::int32_t> piece;

  Distances(const ImageGrid& grid, std::span<const Piece> pieces, double maximum = 0, int threads = 1)
      : square(std::size_t(grid.points()), -1), piece(square.size(), -2) {
    findSquaredDistances(grid, {{0, 0, 0}, grid.sizes()}, pieces, maximum, threads, {},
                         [&](const PointBlock& block) {
                           block.forEach([&](const GridIndex& at, double s, std::int32_t p) {
                             const auto to = std::size_t(grid.index(at));
                             square[to] = s, piece[to] = p;
                           });
                         });
  }
};

inline Position positionOf(const ImageGrid& grid, std::int64_t point) {
  const GridIndex at = grid.indices(point);
  return {double(at[0]) * grid.hx, double(at[1]) * grid.hy, double(at[2]) * grid.hz};
}

} // namespace isochrone::surface
