// ImageOrthogonalCases.h - rectilinear and spherical grids for the tests of the solver.
#pragma once

#include "Error.h"
#include "ImageHostSolves.h"
#include "Noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace isochrone::image {

using grid::OrthogonalGrid;
using Axes = OrthogonalGrid::Coordinates;

/// Returns n coordinates from `first` to `last` in equal steps.
inline std::vector<double> evenly(double first, double last, std::int64_t n) {
  std::vector<double> at;
  for (std::int64_t i = 0; i < n; ++i)
    at.push_back(n > 1 ? first + (last - first) * double(i) / double(n - 1) : first);
  return at;
}

/// Returns n coordinates from `first` to `last` in steps that differ by up to `ratio`.
inline std::vector<double> unevenly(double first, double last, std::int64_t n, double ratio,
                                    std::uint64_t salt) {
  if (n == 1) return {first};
  std::vector<double> at{0};
  for (std::int64_t i = 1; i < n; ++i)
    at.push_back(at.back() + std::pow(ratio, noise(salt + std::uint64_t(i))));
  for (double& x : at) x = first + (last - first) * x / at[std::size_t(n - 1)];
  return at;
}

/// A problem with its memory.
struct OrthogonalCase {
  std::unique_ptr<OrthogonalGrid> grid;
  Problem problem;
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> regions;

  explicit OrthogonalCase(const Axes& axes, const OrthogonalGrid::Roles& roles = OrthogonalGrid::cartesian)
      : grid(std::make_unique<OrthogonalGrid>(axes, roles)) {
    problem.grid = grid->points();
    problem.orthogonal = grid.get();
  }

  std::size_t size() const { return std::size_t(problem.grid.points()); }
  /// Returns the coordinates of a point, degrees for angles.
  Position at(std::size_t n) const {
    const auto [i, j, k] = problem.grid.indices(std::int64_t(n));
    return grid->position({double(i), double(j), double(k)});
  }
  grid::Vector3 place(std::size_t n) const {
    const auto [i, j, k] = problem.grid.indices(std::int64_t(n));
    return grid->embedded({double(i), double(j), double(k)});
  }
  void addSeed(const Position& coordinates, double start = 0) {
    problem.seeds.push_back({grid->steps(coordinates), start});
  }
  template <class F>
  void setSpeed(F&& f) {
    speed.resize(size());
    for (std::size_t n = 0; n < size(); ++n) speed[n] = float(f(at(n)));
    problem.speed = speed;
  }
};

inline Axes unevenAxes(std::int64_t nx, std::int64_t ny, std::int64_t nz, double ratio, std::uint64_t salt) {
  return {unevenly(0, 3, nx, ratio, salt), unevenly(-1, 2, ny, ratio, salt + 1000),
          unevenly(5, 9, nz, ratio, salt + 2000)};
}

/// A grid with uneven steps, speeds that vary by 4:1, and barriers.
inline OrthogonalCase roughCase(const Axes& axes, std::uint64_t salt,
                                const OrthogonalGrid::Roles& roles = OrthogonalGrid::cartesian) {
  OrthogonalCase c(axes, roles);
  std::size_t n = 0;
  c.setSpeed(
      [&](const Position&) { return noise(salt + n++) < 0.1 ? 0 : std::pow(4, noise(salt + 5000 + n)); });
  const auto seed = std::size_t(noise(salt) * double(c.size()));
  c.speed[seed] = 1;
  c.problem.seeds = {{{}, 0}};
  const auto [i, j, k] = c.problem.grid.indices(std::int64_t(seed));
  c.problem.seeds[0].at = {double(i), double(j), double(k)};
  return c;
}

inline double lengthOf(const grid::Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

/// Returns the distance in space of every point from the only seed.
inline std::vector<double> chords(const OrthogonalCase& c) {
  std::vector<double> distances;
  const grid::Vector3 seed = c.grid->embedded(c.problem.seeds[0].at);
  for (std::size_t n = 0; n < c.size(); ++n)
    distances.push_back(lengthOf(grid::difference(c.place(n), seed)));
  return distances;
}

/// Returns the maximum difference from the distances, as a share of the largest one.
inline double errorOf(const OrthogonalCase& c, const Options& options) {
  const Result result = solve(c.problem, options);
  const std::vector<double> expected = chords(c);
  double error = 0;
  for (std::size_t n = 0; n < expected.size(); ++n)
    error = std::max(error, std::abs(double(result.travelTime[n]) - expected[n]));
  return error / *std::ranges::max_element(expected);
}

/// Returns the message of the error that a call throws; empty if it throws none.
inline std::string messageOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

} // namespace isochrone::image
