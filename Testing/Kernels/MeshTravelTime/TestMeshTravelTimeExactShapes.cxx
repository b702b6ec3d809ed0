// Claims about exact distances on surfaces whose distances have a closed form, and on degenerate triangles.
#include "MeshTravelTimeSurfaces.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

void expectFormula(MeshCase& c, std::int64_t from, const std::function<double(std::int64_t)>& formula,
                   const std::string& name) {
  std::vector<double> expected;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) expected.push_back(formula(v));
  expectEach(c, name, distancesFrom(c, from), expected,
             [](double a, double b) { return agree(a, b) || std::abs(a - b) < 1e-7; });
}

/// Mean and maximum difference from the great circles.
std::pair<double, double> sphereErrors(MeshCase c) {
  const std::vector<float> got = distancesFrom(c, 0);
  double mean = 0, maximum = 0;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    const double error = std::abs(got[std::size_t(v)] - 2 * std::asin(distanceBetween(c.at(v), c.at(0)) / 2));
    mean += error / double(c.vertexCount()), maximum = std::max(maximum, error);
  }
  return {mean, maximum};
}

} // namespace

TEST(MeshExactShapes, FromACornerOfACube) {
  for (const int n : {1, 2, 7, 20}) {
    MeshCase c = cubeSurface(n);
    std::int64_t corner = 0;
    while (c.at(corner) != Point{0, 0, 0}) ++corner;
    expectFormula(
        c, corner,
        [&](std::int64_t v) {
          Point x = c.at(v);
          std::ranges::sort(x);
          if (x[0] == 0) return std::hypot(x[1], x[2]); // on a face of the corner
          return std::min(std::hypot(1 + x[0], x[1]), std::hypot(1 + x[1], x[0]));
        },
        "cube " + std::to_string(n));
  }
}

TEST(MeshExactShapes, OnAPlane) {
  for (const double jitter : {0., 0.35}) {
    Dice dice{1};
    MeshCase c = grid(25, 25, false, [&](int j, int i) {
      const bool inside = i > 0 && j > 0 && i < 25 && j < 25;
      return Point{i + inside * dice(-jitter, jitter), j + inside * dice(-jitter, jitter), 0};
    });
    expectFormula(
        c, 300, [&](std::int64_t v) { return distanceBetween(c.at(v), c.at(300)); }, "plane");
  }
}

TEST(MeshExactShapes, OnACylinder) {
  const int around = 40, up = 15;
  const double step = 2 * std::sin(std::numbers::pi / around);
  MeshCase c = grid(up, around, true, [&](int j, int i) {
    const double f = 2 * std::numbers::pi * i / around;
    return Point{std::cos(f), std::sin(f), 0.2 * j};
  });
  expectFormula(
      c, 7 * around,
      [&](std::int64_t v) {
        const auto i = double(v % around);
        return std::hypot(std::min(i, around - i) * step, 0.2 * (double(v / around) - 7));
      },
      "cylinder");
}

TEST(MeshExactShapes, OnAFoldedStrip) {
  // Each column of squares is tilted, but the strip is developable: the pieces of a bellows.
  MeshCase c = grid(6, 30, false, [&](int j, int i) {
    return Point{i * 0.6, double(j), i % 2 ? 0.8 : 0}; // 1 from column to column
  });
  expectFormula(
      c, 62, [&](std::int64_t v) { return std::hypot(double(v % 31), double(v / 31 - 2)); }, "bellows");
}

TEST(MeshExactShapes, AroundACone) {
  // The cone over a closed curve of the unit sphere, of any angle at its apex: a saddle if it exceeds 2 pi.
  for (const double wave : {0., 0.4, 1.}) {
    const int around = 48, rings = 10;
    const auto direction = [&](int i) {
      const double f = 2 * std::numbers::pi * i / around, z = 0.3 + wave * std::sin(3 * f);
      const double length = std::hypot(1, z);
      return Point{std::cos(f) / length, std::sin(f) / length, z / length};
    };
    std::vector<double> angle{0};
    for (int i = 0; i < around; ++i)
      angle.push_back(angle.back() + 2 * std::asin(distanceBetween(direction(i), direction(i + 1)) / 2));
    MeshCase c = grid(rings, around, true, [&](int j, int i) {
      Point x = direction(i);
      for (double& a : x) a *= j;
      return x;
    });
    for (std::int64_t& v : c.cells) // the first ring is the apex
      if (v < around && v > 0) v = 0;
    c.link();
    EXPECT_EQ(angle.back() > 2 * std::numbers::pi, wave > 0) << angle.back();
    const std::int64_t from = 5 * around + 11;
    expectFormula(
        c, from,
        [&](std::int64_t v) {
          if (v > 0 && v < around) return HUGE_VAL; // has no triangle
          const double r = double(v / around), s = 5;
          double between = std::abs(angle[std::size_t(v % around)] - angle[11]);
          between = std::min(between, angle.back() - between);
          if (between >= std::numbers::pi) return r + s;
          return std::sqrt(r * r + s * s - 2 * r * s * std::cos(between));
        },
        "cone of " + std::to_string(angle.back()));
  }
}

TEST(MeshExactShapes, SphereConvergesWithSecondOrder) {
  // The lengths are those of the polyhedron, which differs from the sphere by the square of the edges.
  for (const bool latitudes : {false, true}) {
    std::vector<std::pair<double, double>> errors;
    for (const int level : {2, 3, 4})
      errors.push_back(sphereErrors(latitudes ? latitudeSphere(4 << level, 8 << level) : icosphere(level)));
    for (std::size_t i = 1; i < errors.size(); ++i) {
      const double meanOrder = std::log2(errors[i - 1].first / errors[i].first),
                   maximumOrder = std::log2(errors[i - 1].second / errors[i].second);
      EXPECT_GT(meanOrder, 1.9) << latitudes << i;
      EXPECT_GT(maximumOrder, 1.8) << latitudes << i;
    }
    RecordProperty(latitudes ? "latitudes" : "icosphere", std::to_string(errors.back().first));
    EXPECT_LT(errors.back().second, latitudes ? 2e-3 : 4e-3);
  }
}

TEST(MeshExactShapes, PathsPassTrianglesWithoutArea) {
  // Triangles with all vertices on a line join two halves of a plane; a vertex lies within the edge between.
  MeshCase c;
  for (const Point& x : {Point{0, 0, 0}, {4, 0, 0}, {2, 0, 0}, {1, 3, 0}, {3, 3, 0}, {2, -2, 0}})
    addPoint(c, x);
  addTriangle(c, 0, 1, 5); // below, with the whole edge
  addTriangle(c, 0, 2, 1); // no area
  addTriangle(c, 0, 2, 3), addTriangle(c, 2, 4, 3), addTriangle(c, 2, 1, 4);
  MeshCase e = exact(std::move(c));
  for (std::int64_t from = 0; from < 6; ++from)
    expectFormula(
        e, from, [&](std::int64_t v) { return distanceBetween(e.at(v), e.at(from)); },
        "from " + std::to_string(from));
}

TEST(MeshExactShapes, CoincidentVerticesJoinedByATriangleCostNothing) {
  MeshCase c = grid(4, 4, false, [](int j, int i) { return Point{double(i), double(j), 0}; });
  MeshCase d = beside(std::move(c),
                      grid(4, 4, false,
                           [](int j, int i) {
                             return Point{double(i), double(j), 0};
                           }),
                      4);
  // 25 more vertices from x = 4 on. Join vertex 14 with vertex 25 + 10, which lies at the same place.
  d.cells.insert(d.cells.end(), {14, 35, 35, -1});
  d = exact(std::move(d));
  expectFormula(
      d, 12,
      [&](std::int64_t v) {
        return v < 25 ? distanceBetween(d.at(v), d.at(12))
                      : distanceBetween(d.at(14), d.at(12)) + distanceBetween(d.at(v), d.at(14));
      },
      "link");
}

TEST(MeshExactShapes, NeedlesAndCapsKeepTheirDigits) {
  // The same plane, divided by very thin triangles: the rows are 1e-6 high in turn.
  MeshCase c = grid(20, 20, false, [](int j, int i) {
    return Point{i + (i % 3 == 1 ? -0.999999 : 0.), j + (j % 2 ? -0.999999 : 0.), 0};
  });
  for (const std::int64_t from : {0, 137, 220})
    expectFormula(
        c, from, [&](std::int64_t v) { return distanceBetween(c.at(v), c.at(from)); }, "thin");
}

TEST(MeshExactShapes, EqualWaysDoNotMultiply) {
  // Squares in a row, each of two equal sheets that share their ends: 2^40 shortest paths.
  MeshCase c;
  for (int i = 0; i <= 40; ++i)
    for (int j = 0; j < 2; ++j) addPoint(c, {double(i), double(j), 0});
  for (int i = 0; i < 40; ++i)
    for (const double z : {1., -1.}) {
      const std::int64_t a = 2 * i, low = addPoint(c, {i + 0.5, 0, z}), high = addPoint(c, {i + 0.5, 1, z});
      addTriangle(c, a, low, high), addTriangle(c, a, high, a + 1);
      addTriangle(c, low, a + 2, a + 3), addTriangle(c, low, a + 3, high);
    }
  MeshCase e = exact(std::move(c));
  const double step = 2 * std::hypot(0.5, 1);
  expectFormula(
      e, 0,
      [&](std::int64_t v) {
        const double along = v < 82 ? step * double(v / 2) : step * (double((v - 82) / 4) + 0.5);
        return std::hypot(along, v % 2);
      },
      "ladder");
  const std::vector<Tip> tips{{81}};
  const std::vector<float> times = distancesFrom(e, 0);
  const std::vector<Path> paths = extractPaths(e.problem, times, tips, 1);
  EXPECT_NEAR(paths[0].length, std::hypot(40 * step, 1), 1e-9);
}
