// Distances to the pieces of a surface.
#include "Error.h"
#include "InstructionSets.h"
#include "Median.h"
#include "Reference/SurfaceReference.h"
#include "Surface/Surface.h"
#include "Surface/SurfaceCases.h"

#include <gtest/gtest.h>

#include <limits>

namespace isochrone::surface {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Random pieces in a box: triangles of all sizes, segments and points.
std::vector<Piece> randomPieces(int count, const Position& size, std::uint64_t seed) {
  std::vector<Piece> pieces;
  auto draw = [n = seed * 1000003]() mutable { return noise(n++); };
  for (int i = 0; i < count; ++i) {
    const double extent = std::pow(10, -3 + 4 * draw());
    Piece p;
    for (int a = 0; a < 3; ++a) p[0][a] = (1.4 * draw() - 0.2) * size[a];
    for (int c = 1; c < 3; ++c)
      for (int a = 0; a < 3; ++a) p[std::size_t(c)][a] = p[0][a] + extent * (draw() - 0.5);
    const double kind = draw();
    if (kind < 0.2) p[2] = p[1];
    if (kind < 0.1) p[1] = p[0];
    if (kind < 0.05) p[2] = p[0];
    if (kind > 0.95)
      for (int a = 0; a < 3; ++a) p[2][a] = p[0][a] + 0.7 * (p[1][a] - p[0][a]); // without an area
    pieces.push_back(p);
  }
  return pieces;
}

/// Requires that all distances, and the pieces that they are attributed to, agree with the reference.
void expectReference(const ImageGrid& g, const std::vector<Piece>& pieces, const Distances& d) {
  for (std::int64_t i = 0; i < g.points(); ++i) {
    const Position p = positionOf(g, i);
    const double expected = reference::distanceTo(pieces, p), got = std::sqrt(d.square[std::size_t(i)]);
    EXPECT_NEAR(got, expected, 1e-13 * (1 + expected) * g.hx) << "point " << i;
    EXPECT_NEAR(reference::distanceTo(pieces[std::size_t(d.piece[std::size_t(i)])], p), expected,
                1e-13 * (1 + expected) * g.hx);
  }
}

TEST(SurfaceDistances, OfATriangleAreThoseToItsFaceEdgesAndCorners) {
  const ImageGrid g{7, 7, 5, 1, 1, 1};
  const std::vector<Piece> triangle{{{{2, 2, 2}, {4, 2, 2}, {2, 4, 2}}}};
  const Distances d(g, triangle);
  const auto square = [&](int i, int j, int k) { return d.square[std::size_t(g.index(i, j, k))]; };
  EXPECT_EQ(square(2, 2, 4), 4); // a corner
  EXPECT_EQ(square(3, 2, 0), 4); // an edge
  EXPECT_EQ(square(0, 0, 2), 8); // a corner
  EXPECT_EQ(square(3, 0, 2), 4); // an edge, from outside
  EXPECT_EQ(square(4, 4, 2), 2); // the long edge
  EXPECT_EQ(square(6, 2, 3), 5); // a corner
}

TEST(SurfaceDistances, OfRandomPiecesAgreeWithTheReference) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const ImageGrid g = seed % 2 ? ImageGrid{19, 11, 13, 1, 1, 1} : ImageGrid{9, 17, 12, 0.7, 1.3, 0.4};
    const auto pieces = randomPieces(seed < 3 ? 7 : 300, {g.hx * 19, g.hy * 17, g.hz * 13}, seed);
    expectReference(g, pieces, Distances(g, pieces));
  }
}

TEST(SurfaceDistances, InPlanesAndLinesAgreeWithTheReference) {
  for (const ImageGrid& g :
       {ImageGrid{37, 29, 1, 1, 1, 1}, ImageGrid{1, 23, 31, 1, 0.5, 1}, ImageGrid{19, 1, 17, 2, 1, 1},
        ImageGrid{150, 1, 1, 1, 1, 1}, ImageGrid{1, 1, 1, 1, 1, 1}}) {
    const auto pieces = randomPieces(60, {20, 20, 20}, 5);
    expectReference(g, pieces, Distances(g, pieces));
  }
}

TEST(SurfaceDistances, OfLevelSetsAgreeWithTheReference) {
  const Case sphere({19, 17, 16, 1, 1, 1}, ball({8.1, 7.7, 7.2}, 4.3)),
      circle({60, 50, 1, 1, 1, 1}, ball({28.1, 24.7, 0}, 16.3)),
      thin({24, 11, 22, 1, 3, 0.2}, ball({11.1, 15, 2}, 4.3));
  for (const Case* c : {&sphere, &circle, &thin}) {
    const Surface s = extractLevelSet(c->levelSet, 1);
    expectReference(c->levelSet.grid, s.pieces, Distances(c->levelSet.grid, s.pieces));
  }
}

// From the centre all pieces of a sphere are equally near, and blocks around it keep all of them.
TEST(SurfaceDistances, AtTheCentreOfASphereAreExact) {
  const Case c({33, 33, 33, 1, 1, 1}, ball({16, 16, 16}, 11));
  const Surface s = extractLevelSet(c.levelSet, 1);
  const ImageGrid& g = c.levelSet.grid;
  const Distances d(g, s.pieces);
  for (int k = 14; k <= 18; ++k)
    for (int j = 14; j <= 18; ++j)
      for (int i = 14; i <= 18; ++i) {
        const std::int64_t point = g.index(i, j, k);
        EXPECT_NEAR(std::sqrt(d.square[std::size_t(point)]),
                    reference::distanceTo(s.pieces, positionOf(g, point)), 1e-13);
      }
}

TEST(SurfaceDistances, WithinAMaximumAreTheSame) {
  const Case c({40, 33, 20, 1, 1, 1}, ball({18.2, 16, 9}, 7));
  const Surface s = extractLevelSet(c.levelSet, 1);
  const Distances all(c.levelSet.grid, s.pieces), some(c.levelSet.grid, s.pieces, 4);
  for (std::size_t i = 0; i < all.square.size(); ++i) {
    if (all.square[i] <= 16) {
      EXPECT_EQ(some.square[i], all.square[i]);
      EXPECT_EQ(some.piece[i], all.piece[i]);
    } else {
      EXPECT_TRUE(some.square[i] == infinity || some.square[i] == all.square[i]);
    }
  }
}

TEST(SurfaceDistances, AreTheSameBitsForAnyThreadsInstructionsAndOrder) {
  const Case c({45, 38, 27, 1, 1, 1}, torus({22, 18, 13}, 12, 5));
  const Surface s = extractLevelSet(c.levelSet, 1);
  const Distances expected(c.levelSet.grid, s.pieces);
  for (const int threads : {2, 5}) {
    const Distances d(c.levelSet.grid, s.pieces, 0, threads);
    EXPECT_EQ(d.square, expected.square);
    EXPECT_EQ(d.piece, expected.piece);
  }
  onEachInstructionSet([&](const char* isa) {
    const Distances d(c.levelSet.grid, s.pieces);
    EXPECT_EQ(d.square, expected.square) << isa;
    EXPECT_EQ(d.piece, expected.piece) << isa;
  });
  const std::vector<Piece> opposite(s.pieces.rbegin(), s.pieces.rend());
  EXPECT_EQ(Distances(c.levelSet.grid, opposite).square, expected.square);
}

TEST(SurfaceDistances, OfPartsAreThoseOfTheWhole) {
  const Case c({45, 38, 27, 1, 1, 1}, torus({22, 18, 13}, 12, 5));
  const Surface s = extractLevelSet(c.levelSet, 1);
  const ImageGrid& g = c.levelSet.grid;
  const Distances expected(g, s.pieces);
  const grid::Box part{{13, 7, 3}, {40, 26, 21}};
  std::int64_t count = 0;
  findSquaredDistances(g, part, s.pieces, 0, 1, {}, [&](const PointBlock& b) {
    b.forEach([&](const GridIndex& at, double square, std::int32_t piece) {
      EXPECT_TRUE(part.contains(at));
      EXPECT_EQ(square, expected.square[std::size_t(g.index(at))]);
      EXPECT_EQ(piece, expected.piece[std::size_t(g.index(at))]);
      ++count;
    });
  });
  EXPECT_EQ(count, part.points());
}

TEST(SurfaceDistances, ScaleWithTheUnit) {
  const Case c({25, 18, 17, 1, 1, 1}, ball({12, 9, 8}, 6));
  const Surface s = extractLevelSet(c.levelSet, 1);
  const Distances expected(c.levelSet.grid, s.pieces);
  for (const int power : {-400, -40, 40, 400}) {
    const double unit = std::exp2(power);
    ImageGrid g = c.levelSet.grid;
    g.hx = g.hy = g.hz = unit;
    std::vector<Piece> pieces = s.pieces;
    for (Piece& piece : pieces)
      for (Position& corner : piece)
        for (double& x : corner) x *= unit;
    const Distances d(g, pieces);
    for (std::size_t i = 0; i < d.square.size(); ++i)
      EXPECT_EQ(d.square[i], expected.square[i] * unit * unit);
    EXPECT_EQ(d.piece, expected.piece);
    const Foot foot = nearestFoot(pieces, {3 * unit, 2 * unit, 5 * unit});
    EXPECT_EQ(foot.distance, nearestFoot(s.pieces, {3, 2, 5}).distance * unit);
  }
}

TEST(SurfaceDistances, WithoutPiecesAreInfinite) {
  const Distances d({20, 11, 9, 1, 1, 1}, {});
  for (std::size_t i = 0; i < d.square.size(); ++i) {
    EXPECT_EQ(d.square[i], infinity);
    EXPECT_EQ(d.piece[i], -1);
  }
}

TEST(SurfaceDistances, ToAFarSurfaceAreExact) {
  const ImageGrid g{17, 9, 9, 1, 1, 1};
  const std::vector<Piece> far{{{{1e6, 0, 0}, {1e6, 8, 0}, {1e6, 0, 8}}}};
  const Distances d(g, far);
  EXPECT_EQ(d.square[std::size_t(g.index(3, 1, 1))], (1e6 - 3) * (1e6 - 3));
}

TEST(SurfaceDistances, StopWhenTheMonitorRequestsIt) {
  const Case c({45, 38, 27, 1, 1, 1}, ball({22, 18, 13}, 9));
  const Surface s = extractLevelSet(c.levelSet, 1);
  const bool completed = findSquaredDistances(c.levelSet.grid, {{0, 0, 0}, c.levelSet.grid.sizes()}, s.pieces,
                                              0, 1, {[](double) { return false; }}, [](const PointBlock&) {});
  EXPECT_FALSE(completed);
}

TEST(Feet, LieOnThePieceAtTheDistance) {
  const auto pieces = randomPieces(200, {10, 10, 10}, 3);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Position p{10 * noise(3 * i), 10 * noise(3 * i + 1), 10 * noise(3 * i + 2)};
    const Foot foot = footOn(pieces[i], p);
    EXPECT_NEAR(foot.distance, reference::distanceTo(pieces[i], p), 1e-12);
    EXPECT_NEAR(std::hypot(foot.at[0] - p[0], foot.at[1] - p[1], foot.at[2] - p[2]), foot.distance, 1e-10);
    double sum = 0;
    for (const double w : foot.weights) {
      EXPECT_GE(w, 0);
      sum += w;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

/// Returns the median and maximum error of the distances, in spacings, of a level set of exact distances.
struct Errors {
  double median, maximum;
};
Errors errorsOf(const Case& c) {
  const Distances d(c.levelSet.grid, extractLevelSet(c.levelSet, 1).pieces);
  std::vector<double> errors;
  for (std::size_t i = 0; i < d.square.size(); ++i)
    errors.push_back(std::abs(std::sqrt(d.square[i]) - std::abs(c.values[i])));
  return {median(errors), *std::ranges::max_element(errors)};
}

TEST(SurfaceAccuracy, SphereAndTorusOfRadius20AreBelowAHundredthOfTheSpacing) {
  Case sphere({51, 51, 51, 1, 1, 1}, ball({25.3, 24.8, 25.1}, 20)),
      ring({103, 103, 45, 1, 1, 1}, torus({51.2, 50.9, 22.3}, 28, 20));
  for (Case* c : {&sphere, &ring})
    for (const Interpolation interpolation : {Interpolation::Linear, Interpolation::Cubic}) {
      c->levelSet.interpolation = interpolation;
      const Errors e = errorsOf(*c);
      EXPECT_LT(e.median, 0.01 / (interpolation == Interpolation::Cubic ? 2 : 1));
      RecordProperty("median", std::to_string(e.median));
      RecordProperty("maximum", std::to_string(e.maximum));
    }
}

TEST(SurfaceAccuracy, ErrorIsOfSecondOrderInTheSpacing) {
  std::vector<double> errors;
  for (const int n : {1, 2, 4}) {
    const double h = 1. / n;
    const Case c({24 * n + 1, 24 * n + 1, 24 * n + 1, h, h, h}, ball({12.1, 11.9, 12.2}, 8.3));
    errors.push_back(errorsOf(c).median);
  }
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double order = std::log2(errors[i - 1] / errors[i]);
    EXPECT_GT(order, 1.9);
    EXPECT_LT(order, 2.1);
  }
}

} // namespace
} // namespace isochrone::surface
