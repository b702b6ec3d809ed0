// Claims about the update from one tetrahedron: it is the minimum over the triangle for any shape and order
// of corners, it never increases when a time decreases, and no affected vertex is missed.
#include "MeshTravelTime/Scheme/LocalSolver.h"
#include "MeshTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

using Point = std::array<double, 3>;

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
double squared(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// A vertex x and the opposite triangle.
struct View {
  Point x, a, b, c;
  double ua, ub, uc;

  Opposite seen() const {
    return {ua,           ub, uc, squared(x, a), squared(x, b), squared(x, c), squared(a, b), squared(a, c),
            squared(b, c)};
  }
};

/// Returns the minimum of a convex function on [0, 1] by ternary search.
double minOn01(const auto& f) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double third = (high - low) / 3;
    (f(low + third) < f(high - third) ? high : low) += (f(low + third) < f(high - third) ? -third : third);
  }
  return std::min({f(0.), f(1.), f(0.5 * (low + high))});
}

/// Returns the minimum by search: first the position between c and the side a b, then the position on that
/// side.
double minBySearch(const View& v) {
  return minOn01([&](double s) {
    return minOn01([&](double t) {
      Point y;
      for (int i = 0; i < 3; ++i) y[i] = (1 - s) * v.c[i] + s * ((1 - t) * v.a[i] + t * v.b[i]);
      return (1 - s) * v.uc + s * ((1 - t) * v.ua + t * v.ub) + distance(v.x, y);
    });
  });
}

/// Returns simple shapes and times, or strongly anisotropic ones: stretched across one axis.
View randomView(Dice& dice) {
  const double stretch = std::pow(30., dice(0, 1)), lag = std::pow(2., dice(-6, 2));
  View v;
  for (Point* p : {&v.x, &v.a, &v.b, &v.c})
    for (int i = 0; i < 3; ++i) (*p)[i] = dice(-1, 1) * (i == 2 ? stretch : 1);
  for (double* u : {&v.ua, &v.ub, &v.uc}) *u = 5 + dice(-lag, lag);
  return v;
}

/// Returns the six lengths of a random tetrahedron as stored by the solver.
Tetrahedron randomTetrahedron(Dice& dice) {
  const View v = randomView(dice);
  const std::array<Point, 4> points{v.x, v.a, v.b, v.c};
  Tetrahedron t{{}, {0, 1, 2, 3}};
  for (int j = 1; j < 4; ++j)
    for (int i = 0; i < j; ++i) t.square[edgeBetween(i, j)] = float(squared(points[i], points[j]));
  return t;
}

constexpr double unbound = unreached;

} // namespace

TEST(MeshTravelTimeLocal, EdgesHaveTheNumbersOfThePaper) {
  const std::array<std::array<int, 3>, 6> table{
      {{0, 1, 0}, {0, 2, 1}, {1, 2, 2}, {0, 3, 3}, {1, 3, 4}, {2, 3, 5}}}; // 3, 5, 6, 9, 10, 12
  for (const auto& [i, j, edge] : table) {
    EXPECT_EQ(edgeBetween(i, j), edge);
    EXPECT_EQ(edgeBetween(j, i), edge);
  }
}

TEST(MeshTravelTimeLocal, EachVertexReadsTheOthersAndTheirEdges) {
  Tetrahedron t{{}, {7, 5, 4, 6}};
  for (int j = 1; j < 4; ++j)
    for (int i = 0; i < j; ++i) t.square[edgeBetween(i, j)] = float(10 * i + j); // "ij"
  const std::array<float, 8> times{0, 0, 0, 0, 400, 500, 600, 700};
  const auto edge = [](int i, int j) { return 10 * std::min(i, j) + std::max(i, j); };
  for (int k = 0; k < 4; ++k) {
    const Opposite o = opposite(t, k, times.data());
    std::vector<int> other;
    for (int i = 0; i < 4; ++i)
      if (i != k) other.push_back(i);
    EXPECT_EQ(o.ua, 100 * t.vertex[other[0]]);
    EXPECT_EQ(o.ub, 100 * t.vertex[other[1]]);
    EXPECT_EQ(o.uc, 100 * t.vertex[other[2]]);
    EXPECT_EQ(o.la, edge(k, other[0]));
    EXPECT_EQ(o.lb, edge(k, other[1]));
    EXPECT_EQ(o.lc, edge(k, other[2]));
    EXPECT_EQ(o.ab, edge(other[0], other[1]));
    EXPECT_EQ(o.ac, edge(other[0], other[2]));
    EXPECT_EQ(o.bc, edge(other[1], other[2]));
  }
}

TEST(MeshTravelTimeLocal, IsTheMinimumOverTheTriangle) {
  Dice dice{1};
  int inside = 0;
  for (int i = 0; i < 1500; ++i) {
    const View v = randomView(dice);
    const double got = update(v.seen(), unbound), expected = minBySearch(v);
    ASSERT_NEAR(got, expected, 1e-8 * expected) << "view " << i;
    const PlaneWave wave = planeWave(v.seen());
    inside += wave.a >= 0 && wave.b >= 0 && wave.c >= 0;
  }
  EXPECT_GT(inside, 150); // some minima are not on edges
  EXPECT_LT(inside, 1300);
}

TEST(MeshTravelTimeLocal, HasKnownValues) {
  const View flat{{0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}, 2, 2, 2};
  EXPECT_DOUBLE_EQ(update(flat.seen(), unbound), 3); // straight down
  View tilted = flat;                                // a front that travels along 0.6 x + 0.8 z
  tilted.ua = 0.6, tilted.ub = tilted.uc = -0.6;
  EXPECT_DOUBLE_EQ(update(tilted.seen(), unbound), 0.8);
  View late = flat;
  late.ub = late.uc = 100;
  EXPECT_DOUBLE_EQ(update(late.seen(), unbound), 2 + std::sqrt(2)); // along the edge
}

TEST(MeshTravelTimeLocal, IsTheMinimumOverDegenerateTriangles) {
  Dice dice{2};
  for (int kind = 0; kind < 6; ++kind)
    for (int i = 0; i < 200; ++i) {
      View v = randomView(dice);
      for (Point* p : {&v.x, &v.a, &v.b, &v.c}) // so that the squares are exact
        for (double& at : *p) at = std::round(8 * at) / 8;
      if (kind == 0) // the vertex lies in the plane of the triangle
        v.x[2] = v.a[2] = v.b[2] = v.c[2] = 0;
      if (kind == 1) v.a = v.b; // an edge of length zero
      if (kind == 2)            // collinear corners
        for (int axis = 0; axis < 3; ++axis) v.c[axis] = 0.25 * v.a[axis] + 0.75 * v.b[axis];
      if (kind == 3) v.a = v.b = v.c; // a point
      if (kind == 4) v.x = v.b;       // the vertex on a corner
      if (kind == 5)                  // the vertex on an edge
        for (int axis = 0; axis < 3; ++axis) v.x[axis] = 0.5 * v.a[axis] + 0.5 * v.b[axis];
      if (kind == 1) v.ub = v.ua;
      if (kind == 3) v.ub = v.uc = v.ua;
      const double got = update(v.seen(), unbound), expected = minBySearch(v);
      ASSERT_NEAR(got, expected, 2e-6 * expected) << "kind " << kind << ", view " << i;
    }
}

TEST(MeshTravelTimeLocal, IgnoresUnreachedCorners) {
  Dice dice{3};
  for (int i = 0; i < 2000; ++i) {
    const View v = randomView(dice);
    const Opposite o = v.seen();
    const double edge = fromEdge(o.ub, o.uc, o.lb, o.lc, o.bc);
    Opposite without = o;
    without.ua = unreached;
    EXPECT_EQ(update(without, unbound), edge);
    without.ub = unreached;
    EXPECT_EQ(update(without, unbound), o.uc + std::sqrt(o.lc));
    without.uc = unreached;
    EXPECT_GE(update(without, unbound), double(unreached));
  }
}

TEST(MeshTravelTimeLocal, ABoundSkipsOnlyLargerValues) {
  Dice dice{4};
  for (int i = 0; i < 20000; ++i) {
    const View v = randomView(dice);
    const double all = update(v.seen(), unbound), bound = all + dice(-0.5, 0.5);
    ASSERT_EQ(std::min(update(v.seen(), bound), bound), std::min(all, bound)) << "view " << i;
  }
}

TEST(MeshTravelTimeLocal, APlaneWaveIsNeverLaterThanTheUpdate) {
  Dice dice{5};
  for (int i = 0; i < 20000; ++i) {
    const View v = randomView(dice);
    ASSERT_LE(planeWave(v.seen()).time, update(v.seen(), unbound) * (1 + 1e-12)) << "view " << i;
  }
}

/// Compares with the same formula in long double, over triangles with a sine of at least 1e-4 and
/// single-precision lengths.
TEST(MeshTravelTimeLocal, ThinTrianglesKeepAllDigits) {
  using Real = long double;
  Dice dice{9};
  int seen = 0;
  for (int i = 0; i < 60000; ++i) {
    const double sine = std::pow(10, dice(-3.9, -1)), far = dice(0.3, 1.5), at = dice(0.01, 0.9) * far;
    const double slope = dice(-0.7, 0.7), across = dice(-0.7, 0.7), wide = at * sine;
    const View v{{dice(0, far), dice(-1, 2) * wide, std::pow(10, dice(-3.5, 0))},
                 {0, 0, 0},
                 {far, 0, 0},
                 {at, wide, 0},
                 1,
                 1 + slope * far,
                 1 + slope * at + across * wide};
    const auto single = [](double x) { return double(float(x)); };
    const Opposite s = v.seen();
    const Opposite o{single(s.ua), single(s.ub), single(s.uc), single(s.la), single(s.lb),
                     single(s.lc), single(s.ab), single(s.ac), single(s.bc)};
    const Real g11 = o.ac, g22 = o.bc, g12 = (g11 + g22 - o.ab) / 2, area = g11 * g22 - g12 * g12;
    const Real p1 = (Real(o.lc) + o.ac - o.la) / 2, p2 = (Real(o.lc) + o.bc - o.lb) / 2;
    const Real d1 = Real(o.ua) - o.uc, d2 = Real(o.ub) - o.uc;
    const Real w1 = (g22 * p1 - g12 * p2) / area, w2 = (g11 * p2 - g12 * p1) / area;
    const Real height = o.lc - (w1 * p1 + w2 * p2);
    const Real rest = 1 - (g22 * d1 * d1 - 2 * g12 * d1 * d2 + g11 * d2 * d2) / area;
    const Real steepest = (std::abs(g22 * d1) + std::abs(g12 * d2)) * (std::abs(d1) + std::abs(d2)) / area;
    if (!(height > 1e-8L && rest > 1e-3L && steepest < 1e5L && area > 1e-7L * g11 * g22)) continue;
    if (std::abs(w1) + std::abs(w2) > 10) continue;
    const Real time = o.uc + w1 * d1 + w2 * d2 + std::sqrt(height * rest);
    if (time < std::min({o.ua, o.ub, o.uc})) continue;
    ASSERT_NEAR(planeWave(o).time, double(time), 1e-9) << "view " << i << ", sine " << sine;
    ++seen;
  }
  EXPECT_GT(seen, 1000);
}

/// Equal except for digits beyond single precision; in very thin triangles the last bit differs in about one
/// of 100 000.
TEST(MeshTravelTimeLocal, TheOrderOfCornersHasNoEffect) {
  Dice dice{6};
  int different = 0;
  for (int i = 0; i < 100000; ++i) {
    const View v = randomView(dice);
    const double time = update(v.seen(), unbound);
    for (const View& other :
         {View{v.x, v.b, v.c, v.a, v.ub, v.uc, v.ua}, View{v.x, v.b, v.a, v.c, v.ub, v.ua, v.uc}}) {
      const double again = update(other.seen(), unbound);
      ASSERT_NEAR(again, time, 2e-7 * time) << "view " << i;
      different += float(again) != float(time);
    }
  }
  EXPECT_LE(different, 2);
}

TEST(MeshTravelTimeLocal, NeverIncreasesWhenATimeDecreases) {
  Dice dice{7};
  for (int i = 0; i < 300000; ++i) {
    const Tetrahedron t = randomTetrahedron(dice);
    std::array<float, 4> times;
    for (float& u : times) u = float(dice(2, 4));
    const float before = float(update(opposite(t, 0, times.data()), unbound));
    float& one = times[1 + dice.below(3)];
    one = i % 2 ? std::nextafter(one, 0.f) : one - float(std::pow(2., dice(-20, 0)));
    ASSERT_LE(float(update(opposite(t, 0, times.data()), unbound)), before) << "tetrahedron " << i;
  }
}

TEST(MeshTravelTimeLocal, ActivatesEveryVertexThatItLowers) {
  Dice dice{8};
  int earlier = 0, later = 0, asleep = 0;
  for (int i = 0; i < 400000; ++i) {
    const Tetrahedron t = randomTetrahedron(dice);
    std::array<float, 4> times;
    const double spread = std::pow(2., dice(-4, 3));
    for (float& u : times) u = float(4 + dice(-spread, spread));
    const int j = int(dice.below(4)), k = (j + 1 + int(dice.below(3))) % 4;
    const float before = float(update(opposite(t, j, times.data()), unbound));
    times[k] -= float(std::pow(2., dice(-10, 1)));
    const float after = float(update(opposite(t, j, times.data()), unbound));
    // The other vertex was updated from the earlier values, and possibly lowered from elsewhere.
    times[j] = i % 2 ? before : std::min(before, times[j]);
    const bool wakes = mayLower(t, k, j, times[k], times[j]);
    if (after < times[j]) {
      ASSERT_TRUE(wakes) << "tetrahedron " << i;
      (times[k] < times[j] ? earlier : later)++;
    }
    asleep += !wakes;
  }
  EXPECT_GT(earlier, 1000);
  EXPECT_GT(later, 100); // the special case: the minimum has a later vertex
  EXPECT_GT(asleep, 1000);
}
