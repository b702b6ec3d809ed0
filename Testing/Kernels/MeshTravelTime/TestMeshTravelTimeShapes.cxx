// Claims about the edges of a cell in single precision: they describe a cell in space with the same height.
#include "MeshTravelTime/Scheme/LocalSolver.h"
#include "MeshTravelTime/Scheme/RoundedShape.h"
#include "MeshTravelTimeMeshes.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

using Point = std::array<double, 3>;
using Points = std::vector<Point>; // three or four
using Real = long double;

std::array<double, 6> squaresOf(const Points& x) {
  std::array<double, 6> square;
  square.fill(1);
  for (int j = 1; j < int(x.size()); ++j)
    for (int i = 0; i < j; ++i) {
      double sum = 0;
      for (std::size_t a = 0; a < 3; ++a) sum += std::pow(x[std::size_t(i)][a] - x[std::size_t(j)][a], 2);
      square[std::size_t(edgeBetween(i, j))] = sum;
    }
  return square;
}

RoundedShape rounded(const Points& x) { return roundShape(squaresOf(x), int(x.size())); }

std::array<float, 6> nearestOf(const Points& x) {
  std::array<float, 6> nearest;
  const std::array<double, 6> exact = squaresOf(x);
  for (std::size_t e = 0; e < 6; ++e) nearest[e] = float(exact[e]);
  return nearest;
}

float edge(const RoundedShape& s, int i, int j) { return s.square[std::size_t(edgeBetween(i, j))]; }

/// Returns the determinant of the inner products of the edges from vertex `from` to the others.
Real gram(const std::array<float, 6>& square, int from, const std::vector<int>& to) {
  const auto at = [&](int i, int j) {
    return i == j ? Real(0) : Real(square[std::size_t(edgeBetween(i, j))]);
  };
  const auto g = [&](std::size_t i, std::size_t j) {
    return (at(from, to[i]) + at(from, to[j]) - at(to[i], to[j])) / 2;
  };
  if (to.size() == 2) return g(0, 0) * g(1, 1) - g(0, 1) * g(0, 1);
  return g(0, 0) * (g(1, 1) * g(2, 2) - g(1, 2) * g(1, 2)) -
         g(0, 1) * (g(0, 1) * g(2, 2) - g(1, 2) * g(0, 2)) +
         g(0, 2) * (g(0, 1) * g(1, 2) - g(1, 1) * g(0, 2));
}

/// Tolerance of the solver's sums in double.
constexpr Real digits = 1e-14L;

bool isInSpace(const std::array<float, 6>& square, int corners) {
  if (corners == 3) return gram(square, 0, {1, 2}) >= 0;
  return gram(square, 0, {1, 2, 3}) >= -digits && gram(square, 0, {1, 2}) >= 0 &&
         gram(square, 0, {1, 3}) >= 0 && gram(square, 0, {2, 3}) >= 0 && gram(square, 1, {2, 3}) >= 0;
}

/// Returns the height over vertices 0, 1 and, for a tetrahedron, 2; 0 if it is imaginary.
double heightOf(const std::array<float, 6>& square, int corners) {
  const Real part = corners == 3 ? gram(square, 0, {1, 2}) / Real(square[0])
                                 : gram(square, 0, {1, 2, 3}) / gram(square, 0, {1, 2});
  return double(std::sqrt(std::max(part, Real(0))));
}

/// Returns a point somewhere over the inside of a base with edges of 0.5 to 1, randomly rotated.
Points anyFlat(Dice& dice, int corners, double height) {
  const double apart = dice(0.5, 1), at = dice(0.1, 0.9);
  Points x{{0, 0, 0}, {apart, 0, 0}};
  if (corners == 3) {
    x.push_back({at * apart, height, 0});
  } else {
    x.push_back({dice(-0.2, 0.6), dice(0.5, 0.8), 0});
    const double b = dice(0.1, 0.4);
    x.push_back({at * (1 - b) * apart + b * x[2][0], b * x[2][1], height});
  }
  const double c = std::cos(dice(0, 6.28)), s = std::sqrt(1 - c * c);
  for (Point& p : x) p = {c * p[0] - s * p[2], p[1], s * p[0] + c * p[2]};
  return x;
}

/// Returns the squares in the order of the caller's vertices.
std::array<float, 6> asNamed(const RoundedShape& s) {
  std::array<float, 6> named{};
  for (int j = 1; j < 4; ++j)
    for (int i = 0; i < j; ++i)
      named[std::size_t(edgeBetween(s.vertex[std::size_t(i)], s.vertex[std::size_t(j)]))] = edge(s, i, j);
  return named;
}

} // namespace

TEST(MeshTravelTimeShapes, RegularCellsKeepTheNearestNumbersAndTheirOrder) {
  Dice dice{1};
  for (const int corners : {3, 4})
    for (int i = 0; i < 1000; ++i) {
      const Points x = anyFlat(dice, corners, dice(0.1, 1));
      const RoundedShape s = rounded(x);
      ASSERT_EQ(s.square, nearestOf(x)) << "cell " << i;
      ASSERT_EQ(s.vertex, (std::array<std::uint8_t, 4>{0, 1, 2, 3}));
    }
}

/// Edges from 0.2 to 1. The nearest numbers would have a larger error, or describe no cell in space.
TEST(MeshTravelTimeShapes, FlatCellsKeepTheirHeight) {
  struct Row {
    double height, triangle, tetrahedron, nearest;
  };
  for (const auto& [height, triangle, tetrahedron, nearest] :
       {Row{0.1, 1e-7, 1e-7, 1e-7}, Row{0.01, 5e-7, 5e-7, 7e-7}, Row{3e-3, 6e-7, 3e-7, 2e-6},
        Row{1e-3, 2e-6, 6e-7, 7e-6}, Row{1e-4, 2e-5, 6e-6, 9e-5}, Row{1e-5, 7e-5, 4e-5, 1e-4},
        Row{1e-7, 8e-5, 5e-5, 1e-4}, Row{0, 8e-5, 5e-5, 1e-4}})
    for (const int corners : {3, 4}) {
      Dice dice{2};
      double worst = 0, worstNearest = 0;
      int imaginary = 0;
      for (int i = 0; i < 2000; ++i) {
        const Points x = anyFlat(dice, corners, height);
        const RoundedShape s = rounded(x);
        ASSERT_TRUE(isInSpace(s.square, corners)) << "height " << height << ", cell " << i;
        worst = std::max(worst, std::abs(heightOf(asNamed(s), corners) - height));
        const std::array<float, 6> plain = nearestOf(x);
        worstNearest = std::max(worstNearest, std::abs(heightOf(plain, corners) - height));
        imaginary += !isInSpace(plain, corners);
      }
      EXPECT_LT(worst, corners == 3 ? triangle : tetrahedron) << corners << " corners, height " << height;
      EXPECT_GT(worstNearest, 0.75 * nearest) << corners << " corners, height " << height;
      if (height < 2e-5) EXPECT_GT(imaginary, 900) << corners << " corners, height " << height;
    }
}

TEST(MeshTravelTimeShapes, TheOrderOfVerticesHasNoEffect) {
  Dice dice{3};
  for (const int corners : {3, 4})
    for (int i = 0; i < 300; ++i) {
      Points x = anyFlat(dice, corners, std::pow(10, dice(-9, -2)));
      if (i % 2) { // a short edge
        x[0] = x[1];
        for (double& at : x[0]) at += dice(-1, 1) * std::pow(10, dice(-9, -3));
      }
      const std::array<float, 6> first = asNamed(rounded(x));
      std::array<std::size_t, 4> order{0, 1, 2, 3};
      while (std::next_permutation(order.begin(), order.begin() + corners)) {
        Points y;
        for (int k = 0; k < corners; ++k) y.push_back(x[order[std::size_t(k)]]);
        const std::array<float, 6> again = asNamed(rounded(y));
        for (int b = 1; b < corners; ++b)
          for (int a = 0; a < b; ++a)
            ASSERT_EQ(again[std::size_t(edgeBetween(a, b))],
                      first[std::size_t(edgeBetween(int(order[std::size_t(a)]), int(order[std::size_t(b)])))])
                << corners << " corners, cell " << i;
      }
    }
}

/// The same bits, even for flat cells, whose squares are found by search.
TEST(MeshTravelTimeShapes, ShortEdgesDoNotLean) {
  Dice dice{4};
  for (const int corners : {3, 4})
    for (int i = 0; i < 2000; ++i) {
      Points x = anyFlat(dice, corners, std::pow(10, dice(-9, 0)));
      const double apart = std::pow(10, dice(-6, -4));
      const Point direction{dice(-1, 1), dice(-1, 1), dice(-1, 1)};
      for (std::size_t a = 0; a < 3; ++a) x[1][a] = x[0][a] + apart * direction[a];
      const RoundedShape s = rounded(x);
      ASSERT_TRUE(isInSpace(s.square, corners)) << corners << " corners, cell " << i;
      const std::array<float, 6> named = asNamed(s);
      for (int k = 2; k < corners; ++k)
        ASSERT_EQ(named[std::size_t(edgeBetween(0, k))], named[std::size_t(edgeBetween(1, k))])
            << corners << " corners, cell " << i;
      const double l = std::sqrt(squaresOf(x)[0]);
      for (int k = 2; k < corners; ++k) {
        const auto e = std::size_t(edgeBetween(0, k));
        ASSERT_NEAR(std::sqrt(named[e]), std::sqrt(squaresOf(x)[e]), l / 2 + 1e-7);
      }
    }
}

TEST(MeshTravelTimeShapes, NearlyCoincidentEndsAreOnePoint) {
  for (const int corners : {3, 4}) {
    Dice dice{5};
    Points x = anyFlat(dice, corners, 0.3);
    x[0] = x[1];
    x[0][0] += 1e-8;
    EXPECT_EQ(asNamed(rounded(x))[0], 0);
    x[0][0] += 1e-5;
    EXPECT_NEAR(std::sqrt(asNamed(rounded(x))[0]), 1e-5, 2e-8);
  }
}

/// Cells that are as short but upright, or longer, or without length, have none.
TEST(MeshTravelTimeShapes, StraightenedCellsHaveAShortEdgeThatLeans) {
  const auto isSo = [](const Points& x) { return isStraightened(rounded(x), squaresOf(x), int(x.size())); };
  for (const double apart : {0.01, 0.002, 0.}) {
    EXPECT_EQ(isSo({{0, 0, 0}, {apart, 0, 0}, {1, 0.1, 0}, {0.8, 0.6, 0.5}}), apart == 0.002) << apart;
    EXPECT_EQ(isSo({{0, 0, 0}, {apart, 0, 0}, {1, 0.1, 0}}), apart == 0.002) << apart;
    EXPECT_FALSE(isSo({{0, 0, 0}, {0, 0, apart}, {1, 0.1, 0}, {0.2, 0.9, 0}})) << apart;
  }
  EXPECT_FALSE(isSo({{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.4, 0.4, 1e-9}})); // flat only
}

TEST(MeshTravelTimeShapes, PointsAndLinesStayDegenerate) {
  const RoundedShape point = rounded({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  for (const float s : point.square) EXPECT_EQ(s, 0);
  for (const int corners : {3, 4}) { // at distances representable in single precision
    Points line{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    if (corners == 4) line.push_back({7, 0, 0});
    EXPECT_EQ(edge(rounded(line), 0, 1), 1);
    EXPECT_TRUE(isInSpace(rounded(line).square, corners));
  }
}
