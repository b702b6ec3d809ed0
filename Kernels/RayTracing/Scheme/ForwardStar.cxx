// The forward star: the neighbours of a point, and how well their directions cover the angles.
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"

#include "Error.h"
#include "Grid/Vector3.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <tuple>

namespace isochrone::rays {

namespace {

using grid::cross, grid::difference, grid::dot, grid::Vector3;

/// Returns the spacings relative to the minimum one. Where spacings are multiples of one another, squared
/// lengths are then exact, and equal lengths compare equal.
Vector3 relativeSpacing(const Grid& g) {
  const double minimum =
      std::min({g.nx > 1 ? g.hx : INFINITY, g.ny > 1 ? g.hy : INFINITY, g.nz > 1 ? g.hz : INFINITY});
  return {g.hx / minimum, g.hy / minimum, g.hz / minimum};
}

double squaredLength(const Offset& o, const Vector3& h) {
  const Vector3 v{o[0] * h[0], o[1] * h[1], o[2] * h[2]};
  return dot(v, v);
}

int divisor(const Offset& o) { return std::gcd(std::gcd(std::abs(o[0]), std::abs(o[1])), std::abs(o[2])); }

std::vector<Offset> within(const std::array<int, 3>& r, bool coprime) {
  std::vector<Offset> offsets;
  for (int z = -r[2]; z <= r[2]; ++z)
    for (int y = -r[1]; y <= r[1]; ++y)
      for (int x = -r[0]; x <= r[0]; ++x) {
        const int d = divisor({x, y, z});
        if (d == 1 || (d > 1 && !coprime)) offsets.push_back({x, y, z});
      }
  return offsets;
}

/// Returns one short vector near each multiple of an angle, in the plane of two axes.
std::vector<Offset> balanced(StarKind kind, const std::array<int, 3>& axes) {
  using Steps = std::pair<int, int>;
  const std::vector<Steps> few{{1, 0}, {4, 1}, {7, 4}, {1, 1}};
  const std::vector<Steps> many{{1, 0}, {7, 1}, {4, 1}, {5, 2}, {7, 4}, {4, 3}, {1, 1}};
  std::set<Offset> offsets;
  for (const auto& [a, b] : kind == StarKind::Balanced24 ? few : many)
    for (const auto& [x, y] : {Steps{a, b}, {b, a}})
      for (const int sx : {1, -1})
        for (const int sy : {1, -1}) {
          Offset o{};
          o[axes[0]] = sx * x;
          o[axes[1]] = sy * y;
          offsets.insert(o);
        }
  return {offsets.begin(), offsets.end()};
}

/// Returns the minimum distance from the origin to a facet of the convex hull of the unit directions. The
/// star is symmetric in each axis, so that no facet crosses a coordinate plane and one octant suffices.
double minFacetDistance(const std::vector<Offset>& offsets, const Vector3& h, int dimensions) {
  std::vector<Vector3> directions;
  for (const Offset& o : offsets) {
    if (o[0] < 0 || o[1] < 0 || o[2] < 0 || divisor(o) > 1) continue;
    const double length = std::sqrt(squaredLength(o, h));
    directions.push_back({o[0] * h[0] / length, o[1] * h[1] / length, o[2] * h[2] / length});
  }
  const std::size_t n = directions.size();
  double minimum = 1;
  const auto consider = [&](Vector3 normal) {
    const double length = std::sqrt(dot(normal, normal));
    if (length < 1e-14) return;
    for (double& c : normal) c = std::abs(c) / length; // the maximum over the directions in all octants
    double distance = 0;
    for (const Vector3& d : directions) distance = std::max(distance, dot(normal, d));
    minimum = std::min(minimum, distance);
  };
  if (dimensions == 2)
    for (std::size_t a = 0; a < n; ++a) // bisectors of all pairs; adjacent pairs give the minimum
      for (std::size_t b = 0; b < a; ++b) {
        const Vector3 &u = directions[a], &v = directions[b];
        consider({u[0] + v[0], u[1] + v[1], u[2] + v[2]});
      }
  if (dimensions == 3)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        for (std::size_t c = 0; c < b; ++c) {
          const Vector3 &u = directions[a], &v = directions[b], &w = directions[c];
          consider(cross(difference(v, u), difference(w, u)));
        }
  return minimum;
}

} // namespace

int reachOf(const ForwardStar& star) {
  int reach = 0;
  for (const Offset& o : star.offsets)
    for (const int steps : o) reach = std::max(reach, std::abs(steps));
  return reach;
}

ForwardStar makeForwardStar(const Grid& grid, StarKind kind, const std::array<int, 3>& radius) {
  const std::array<int, 3> axes = axisOrder(grid);
  const int dimensions = dimensionsOf(grid);
  ForwardStar t;
  if (kind == StarKind::Balanced24 || kind == StarKind::Balanced48) {
    if (dimensions != 2)
      fail("balanced templates lie in a plane: 2 axes must have more than one point, got ", dimensions,
           "; choose the coprime template");
    t.offsets = balanced(kind, axes);
  } else {
    const int maximum = dimensions < 3 ? 8 : 4;
    std::array<int, 3> reach{};
    for (int i = 0; i < dimensions; ++i) {
      const int a = axes[i];
      if (radius[a] < 1 || radius[a] > maximum)
        fail("the radius must be between 1 and ", maximum, dimensions < 3 ? " in the plane" : " in space",
             ", got ", radius[a], " along the ", std::array{"first", "second", "third"}[i],
             " axis with several points");
      reach[a] = radius[a];
    }
    t.offsets = within(reach, kind == StarKind::Coprime);
  }
  const Vector3 h = relativeSpacing(grid);
  std::sort(t.offsets.begin(), t.offsets.end(), [&](const Offset& a, const Offset& b) {
    return std::tuple(squaredLength(a, h), a[2], a[1], a[0]) <
           std::tuple(squaredLength(b, h), b[2], b[1], b[0]);
  });
  t.worstAngularError = 1 / minFacetDistance(t.offsets, h, dimensions) - 1;
  return t;
}

} // namespace isochrone::rays
