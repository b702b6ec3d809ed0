// DistanceTransformGrids.h - images with periodic axes, and rectilinear grids.
#pragma once

#include "DistanceTransformChecks.h"

#include <array>
#include <memory>

namespace isochrone::distance {

using Axes = std::array<bool, 3>;

inline Case withAxes(Case c, const Axes& periodic) {
  c.problem.periodic = periodic;
  return c;
}

inline const std::vector<Axes>& allAxes() {
  static const std::vector<Axes> all{{true, true, true},  {true, false, false}, {false, true, false},
                                     {true, true, false}, {false, false, true}, {true, false, true},
                                     {false, true, true}};
  return all;
}

/// Returns the squared distance between two points of an image with periodic axes, in steps.
inline std::int64_t squaredSteps(const Problem& p, std::int64_t a, std::int64_t b) {
  const GridIndex from = p.grid.indices(a), to = p.grid.indices(b), n = p.grid.sizes();
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t steps = std::abs(from[axis] - to[axis]);
    if (p.periodic[axis]) steps = std::min(steps, n[axis] - steps);
    sum += steps * steps;
  }
  return sum;
}

using Coordinates = grid::OrthogonalGrid::Coordinates;

struct RectilinearCase {
  Case sites;
  Coordinates at;
  std::unique_ptr<grid::OrthogonalGrid> grid;

  RectilinearCase(Case c, Coordinates coordinates)
      : sites(std::move(c)), at(coordinates), grid(std::make_unique<grid::OrthogonalGrid>(coordinates)) {
    sites.problem.rectilinear = grid.get();
  }

  /// Returns the squared distance of two points.
  long double square(std::int64_t p, std::int64_t q) const {
    const GridIndex a = sites.problem.grid.indices(p), b = sites.problem.grid.indices(q);
    long double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const long double d = (long double)at[axis][std::size_t(a[axis])] - at[axis][std::size_t(b[axis])];
      sum += d * d;
    }
    return sum;
  }
  bool isSite(std::int64_t p) const { return sites.sites[std::size_t(p)] != 0; }
};

/// Returns coordinates with steps from `least` to 1, far from 0.
inline std::vector<double> unevenCoordinates(std::int64_t count, std::uint64_t seed, double least) {
  std::vector<double> at{100 + double(seed)};
  while (std::int64_t(at.size()) < count)
    at.push_back(at.back() + std::pow(least, noise(seed * 1000 + at.size())));
  return at;
}

inline RectilinearCase unevenCase(const Grid& grid, const Sites& isSite, double least = 0.01,
                                  std::uint64_t seed = 1) {
  return {makeCase("uneven", grid, isSite),
          {unevenCoordinates(grid.nx, seed, least), unevenCoordinates(grid.ny, seed + 1, least),
           unevenCoordinates(grid.nz, seed + 2, least)}};
}

/// Returns the square of the distance between two points, on any grid.
inline double squareBetween(const Problem& p, std::int64_t a, std::int64_t b) {
  const GridIndex from = p.grid.indices(a), to = p.grid.indices(b), n = p.grid.sizes();
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double steps = double(std::abs(from[axis] - to[axis]));
    if (p.periodic[axis]) steps = std::min(steps, double(n[axis]) - steps);
    double length = steps * p.grid.spacing()[axis];
    if (p.rectilinear)
      length = p.rectilinear->coordinate(axis, double(from[axis])) -
               p.rectilinear->coordinate(axis, double(to[axis]));
    sum += length * length;
  }
  return sum;
}

/// Expects the host's bits where distances are integers. Otherwise expects distances that agree to 4 units in
/// the last place, and sites at the expected distance up to rounding.
inline void expectHostOnGrid(const Case& c, const std::string& what, const Options& options,
                             const Result& got, const Result& host) {
  const auto& h = c.problem.grid.spacing();
  const auto& n = c.problem.grid.sizes();
  double spacing = 0;
  bool integers = !c.problem.rectilinear;
  for (int a = 0; a < 3; ++a) {
    if (n[a] > 1 && spacing > 0) integers = integers && h[a] == spacing;
    if (n[a] > 1) spacing = h[a];
  }
  const std::string name = what + ", " + nameOf(options.region);
  if (integers) return expectSame(c, name, got, host);
  const auto compare = [&](const char* array, const auto& a, const auto& b, double maximum) {
    ASSERT_EQ(a.size(), b.size()) << array;
    if (!a.empty())
      expectEach(
          c, name + ": " + array, a, [&](std::int64_t p) { return b[std::size_t(p)]; },
          [&](double x, double y, std::int64_t) { return near(x, y, maximum); });
  };
  compare("distance", got.distance, host.distance, 0x1p-23);
  compare("double distance", got.preciseDistance, host.preciseDistance, 0x1p-50);
  compare("squared distance", got.squaredDistance, host.squaredDistance, 0x1p-50);
  ASSERT_EQ(got.nearestSite.size(), host.nearestSite.size());
  if (!got.nearestSite.empty())
    expectEach(
        c, name + ": nearest site", got.nearestSite,
        [&](std::int64_t p) { return host.nearestSite[std::size_t(p)]; },
        [&](std::int64_t a, std::int64_t b, std::int64_t p) {
          if (a == b || a < 0 || b < 0) return a == b;
          return !c.sites[std::size_t(a)] == !c.sites[std::size_t(b)] &&
                 near(squareBetween(c.problem, p, a), squareBetween(c.problem, p, b), 1e-12);
        });
}

} // namespace isochrone::distance
