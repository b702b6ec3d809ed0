// The surface of a level set.
#include "Error.h"
#include "Surface/Surface.h"
#include "Surface/SurfaceCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace isochrone::surface {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Random values from -1 to 1, of which some are exactly 0.
std::function<double(const Position&)> rough(std::uint64_t seed) {
  return [seed](const Position& p) {
    const auto at = std::uint64_t(p[0] + 100 * p[1] + 10000 * p[2]);
    return std::round(8 * (2 * noise(seed + 7919 * at) - 1)) / 8;
  };
}

TEST(LevelSet, LineIsHalvedWhereItsValuesChangeSign) {
  const Case line({5, 1, 1, 0.5, 1, 1}, [](const Position& p) { return p[0] - 0.625; });

  const Surface s = extractLevelSet(line.levelSet, 1);

  ASSERT_EQ(s.pieces.size(), 1u);
  EXPECT_EQ(s.pieces[0], (Piece{{{0.625, 0, 0}, {0.625, 0, 0}, {0.625, 0, 0}}}));
}

TEST(LevelSet, SquareHasOneSegmentBetweenThePointsOfItsEdges) {
  // Values -1 3 at the lower edge, -1 1 at the upper one.
  const Case square({2, 2, 1, 1, 2, 1}, [](const Position& p) { return p[0] == 0 ? -1 : p[1] == 0 ? 3 : 1; });

  const Surface s = extractLevelSet(square.levelSet, 1);

  ASSERT_EQ(s.pieces.size(), 1u);
  std::set<Position> ends(s.pieces[0].begin(), s.pieces[0].end());
  EXPECT_EQ(ends, (std::set<Position>{{0.25, 0, 0}, {0.5, 2, 0}}));
}

TEST(LevelSet, SaddleSeparatesTheCornersThatItsMiddleSeparates) {
  const auto segmentsOf = [](double a, double b, double c, double d) { // at 00, 10, 11, 01
    const Case square({2, 2, 1, 1, 1, 1}, [=](const Position& p) {
      return p[1] == 0 ? (p[0] == 0 ? a : b) : (p[0] == 0 ? d : c);
    });
    std::set<std::set<Position>> segments;
    for (const Piece& piece : extractLevelSet(square.levelSet, 1).pieces)
      segments.insert({piece.begin(), piece.end()});
    return segments;
  };

  // The middle is positive: the negative corners 10 and 01 are cut off; then the opposite.
  EXPECT_EQ(segmentsOf(3, -1, 3, -1),
            (std::set<std::set<Position>>{{{0.75, 0, 0}, {1, 0.25, 0}}, {{0, 0.75, 0}, {0.25, 1, 0}}}));
  EXPECT_EQ(segmentsOf(1, -3, 1, -3),
            (std::set<std::set<Position>>{{{0.25, 0, 0}, {0, 0.25, 0}}, {{1, 0.75, 0}, {0.75, 1, 0}}}));
}

TEST(LevelSet, PlaneInACubeIsExact) {
  const Case cube({3, 3, 3, 1, 1, 1}, [](const Position& p) { return p[0] + 2 * p[1] + 3 * p[2] - 5.3; });

  const Surface s = extractLevelSet(cube.levelSet, 1);

  double area = 0;
  for (const Piece& t : s.pieces) {
    for (const Position& p : t) EXPECT_NEAR(p[0] + 2 * p[1] + 3 * p[2], 5.3, 1e-14);
    const Position a{t[1][0] - t[0][0], t[1][1] - t[0][1], t[1][2] - t[0][2]},
        b{t[2][0] - t[0][0], t[2][1] - t[0][1], t[2][2] - t[0][2]};
    area += std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]) / 2;
  }
  // The area projected along the third axis is what of the plane lies between heights 0 and 2: the square
  // 2 x 2 without x + 2 y > 5.3, and without nothing below, times sqrt(14) / 3.
  const double cut = (2 + 4 - 5.3) * (2 + 4 - 5.3) / 2 / 2, projected = 4 - cut;
  EXPECT_NEAR(area, projected * std::sqrt(14.) / 3, 1e-12);
}

// Every edge of the grid whose ends differ carries a corner of the surface, and no other edge is touched
// away from its ends.
TEST(LevelSet, CrossesExactlyTheEdgesWhoseEndsDiffer) {
  for (const Interpolation interpolation : {Interpolation::Linear, Interpolation::Cubic})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      // With cubic interpolation a zero may extend along half of an edge.
      const double shift = interpolation == Interpolation::Cubic ? 0.01 : 0;
      Case c({6, 5, 4, 1, 1, 1}, [&, f = rough(seed)](const Position& p) { return f(p) + shift; });
      c.levelSet.interpolation = interpolation;
      const Surface s = extractLevelSet(c.levelSet, 1);
      const ImageGrid& g = c.levelSet.grid;
      std::set<std::pair<std::int64_t, int>> touched;
      for (const Piece& piece : s.pieces)
        for (const Position& p : piece) {
          std::vector<int> between;
          for (int a = 0; a < 3; ++a)
            if (p[a] != std::floor(p[a])) between.push_back(a);
          if (between.size() != 1) continue;
          touched.insert({g.index(std::int64_t(p[0]), std::int64_t(p[1]), std::int64_t(p[2])), between[0]});
        }
      for (std::int64_t i = 0; i < g.points(); ++i)
        for (int a = 0; a < 3; ++a) {
          if (g.indices(i)[a] + 1 == g.sizes()[a]) continue;
          const double v = c.values[std::size_t(i)], w = c.values[std::size_t(i + g.strides()[a])];
          const bool between = (v < 0) != (w < 0) && v != 0 && w != 0;
          EXPECT_EQ(touched.count({i, a}), between ? 1u : 0u)
              << "seed " << seed << " point " << i << " axis " << a;
        }
    }
}

// Away from the border of the image every edge of a triangle belongs to an even number of triangles.
TEST(LevelSet, HasNoHolesInsideTheImage) {
  for (const Interpolation interpolation : {Interpolation::Linear, Interpolation::Cubic})
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      Case c({7, 6, 5, 1, 1, 1}, [&, f = rough(seed)](const Position& p) {
        const bool border = p[0] == 0 || p[1] == 0 || p[2] == 0 || p[0] == 6 || p[1] == 5 || p[2] == 4;
        return border ? -1. : f(p);
      });
      c.levelSet.interpolation = interpolation;
      EXPECT_TRUE(isClosed(extractLevelSet(c.levelSet, 1).pieces)) << "seed " << seed;
    }
}

TEST(LevelSet, EnclosesThePointsInside) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case c({7, 6, 5, 1, 1, 1}, [&, f = rough(seed)](const Position& p) {
      const bool border = p[0] == 0 || p[1] == 0 || p[2] == 0 || p[0] == 6 || p[1] == 5 || p[2] == 4;
      const double value = f(p);
      return border ? -1. : value == 0 ? 0.01 : value; // no point on the surface
    });
    const Surface s = extractLevelSet(c.levelSet, 1);
    const ImageGrid& g = c.levelSet.grid;
    const Values<std::uint8_t> enclosed = enclosedBy(g, {{0, 0, 0}, g.sizes()}, s.pieces, 1);
    for (std::int64_t i = 0; i < g.points(); ++i)
      EXPECT_EQ(enclosed[std::size_t(i)] != 0, c.values[std::size_t(i)] >= 0)
          << "seed " << seed << " point " << i;
  }
}

TEST(LevelSet, CurveEnclosesThePointsInside) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Case c({9, 8, 1, 1, 1, 1}, [&, f = rough(seed)](const Position& p) {
      const bool border = p[0] == 0 || p[1] == 0 || p[0] == 8 || p[1] == 7;
      const double value = f(p);
      return border ? -1. : value == 0 ? 0.01 : value;
    });
    const Surface s = extractLevelSet(c.levelSet, 1);
    EXPECT_TRUE(isClosed(s.pieces));
    const ImageGrid& g = c.levelSet.grid;
    const Values<std::uint8_t> enclosed = enclosedBy(g, {{0, 0, 0}, g.sizes()}, s.pieces, 1);
    for (std::int64_t i = 0; i < g.points(); ++i)
      EXPECT_EQ(enclosed[std::size_t(i)] != 0, c.values[std::size_t(i)] >= 0)
          << "seed " << seed << " point " << i;
  }
}

TEST(LevelSet, MirroredValuesHaveTheMirroredSurface) {
  const auto value = ball({10.3, 9.2, 8.7}, 6.1);
  for (const Interpolation interpolation : {Interpolation::Linear, Interpolation::Cubic}) {
    Case c({21, 20, 19, 1, 1, 1}, value), mirrored({21, 20, 19, 1, 1, 1}, [&](const Position&p) {
      return value({20 - p[0], p[1], p[2]});
    });
    c.levelSet.interpolation = mirrored.levelSet.interpolation = interpolation;
    const ImageGrid& g = c.levelSet.grid;
    const Distances one(g, extractLevelSet(c.levelSet, 1).pieces),
        other(g, extractLevelSet(mirrored.levelSet, 1).pieces);
    int different = 0; // where two diagonals of a quadrilateral are equally long
    for (std::int64_t i = 0; i < g.points(); ++i) {
      GridIndex at = g.indices(i);
      at[0] = 20 - at[0];
      const double difference =
          std::abs(std::sqrt(one.square[std::size_t(i)]) - std::sqrt(other.square[std::size_t(g.index(at))]));
      EXPECT_LT(difference, 1e-4);
      different += difference > 1e-12;
    }
    EXPECT_LE(different, g.points() / 500);
  }
}

TEST(LevelSet, PointsWithoutAValueHaveNoSurfaceAround) {
  Case c({9, 9, 9, 1, 1, 1}, [](const Position& p) { return p[0] - 3.5; });
  c.values[std::size_t(c.levelSet.grid.index(4, 4, 4))] = nan;
  c.values[std::size_t(c.levelSet.grid.index(8, 8, 8))] = std::numeric_limits<double>::infinity();

  const Surface s = extractLevelSet(c.levelSet, 1);
  std::int64_t count = 0;
  const Values<std::uint8_t> inside = insideOf(c.levelSet, 1, count);

  EXPECT_EQ(count, 2);
  EXPECT_EQ(inside[std::size_t(c.levelSet.grid.index(4, 4, 4))], 0);
  EXPECT_EQ(inside[std::size_t(c.levelSet.grid.index(5, 4, 4))], 1);
  EXPECT_EQ(s.pieces.size(), 2u * (64 - 4)); // two triangles in each cell, but for the four at the NaN
}

TEST(LevelSet, HiddenPointsAreAsThoseWithoutAValue) {
  Case c({9, 9, 9, 1, 1, 1}, [](const Position& p) { return p[0] - 3.5; });
  std::vector<std::uint8_t> hidden(c.values.size());
  hidden[std::size_t(c.levelSet.grid.index(4, 4, 4))] = 1;
  c.levelSet.hidden = hidden;
  std::int64_t count = 0;
  EXPECT_EQ(insideOf(c.levelSet, 1, count)[std::size_t(c.levelSet.grid.index(4, 4, 4))], 0);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(extractLevelSet(c.levelSet, 1).pieces.size(), 2u * (64 - 4));
}

TEST(LevelSet, ValuesEqualToTheIsoValueAreInside) {
  Case c({5, 5, 5, 1, 1, 1}, [](const Position& p) { return p[0] == 2 ? 7. : 6.; });
  c.levelSet.isoValue = 7;
  std::int64_t count = 0;
  const Values<std::uint8_t> inside = insideOf(c.levelSet, 1, count);
  const Distances d(c.levelSet.grid, extractLevelSet(c.levelSet, 1).pieces);
  for (std::int64_t i = 0; i < c.levelSet.grid.points(); ++i) {
    const auto x = double(c.levelSet.grid.indices(i)[0]);
    EXPECT_EQ(inside[std::size_t(i)], x == 2);
    EXPECT_EQ(d.square[std::size_t(i)], (x - 2) * (x - 2)); // both sides of the layer coincide
  }
}

TEST(LevelSet, ConstantValuesHaveNoSurface) {
  Case c({5, 5, 5, 1, 1, 1}, [](const Position&) { return 7.; });
  c.levelSet.isoValue = 7;
  EXPECT_TRUE(extractLevelSet(c.levelSet, 1).pieces.empty());
}

TEST(LevelSet, ValuesNearTheLimitsOfDoubleCrossInTheMiddle) {
  for (const double size : {1e308, 1.7e308, 1e-300, 5e-324}) {
    const Case c({2, 2, 2, 1, 1, 1}, [&](const Position& p) { return p[0] == 0 ? -size : size; });
    for (const Piece& piece : extractLevelSet(c.levelSet, 1).pieces)
      for (const Position& p : piece) EXPECT_EQ(p[0], 0.5) << size;
  }
}

TEST(LevelSet, FloatsAndDoublesHaveTheSameSurface) {
  const Case c({9, 8, 7, 1, 1, 1}, rough(3)); // eighths, which float holds
  const std::vector<float> floats(c.values.begin(), c.values.end());
  LevelSet other = c.levelSet;
  other.doubles = {};
  other.floats = floats;
  EXPECT_EQ(extractLevelSet(c.levelSet, 1).pieces, extractLevelSet(other, 1).pieces);
}

TEST(LevelSet, SameSurfaceForAnyThreadCount) {
  const Case c({40, 30, 20, 1, 1, 1}, rough(5));
  const Surface one = extractLevelSet(c.levelSet, 1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(one.pieces, extractLevelSet(c.levelSet, threads).pieces);
}

TEST(LevelSet, InsideBelowMirrorsTheSigns) {
  Case c({9, 8, 7, 1, 1, 1}, rough(4)),
      opposite({9, 8, 7, 1, 1, 1}, [f = rough(4)](const Position&p) { return -f(p); });
  opposite.levelSet.insideBelow = true;
  EXPECT_EQ(extractLevelSet(c.levelSet, 1).pieces, extractLevelSet(opposite.levelSet, 1).pieces);
}

TEST(LevelSet, RefusesAnIsoValueThatIsNotFinite) {
  Case c({3, 3, 3, 1, 1, 1}, [](const Position&) { return 0.; });
  c.levelSet.isoValue = nan;
  EXPECT_THROW(extractLevelSet(c.levelSet, 1), Error);
}

TEST(LevelSet, SampledValuesAreThoseOfTheCell) {
  const Case c({9, 8, 7, 0.5, 1, 2}, ball({2, 3.4, 5.9}, 1.9));
  Surface s = extractLevelSet(c.levelSet, 1);
  const ImageGrid& g = c.levelSet.grid;
  const auto linear = [&](const Position& p, int component) {
    return p[0] + (component ? 1 : 10) * p[1] - p[2];
  };
  sample(
      c.levelSet, 2, [&](std::int64_t point, int k) { return linear(positionOf(g, point), k); }, 2, s);
  ASSERT_EQ(s.values.size(), 6 * s.pieces.size());
  for (std::size_t i = 0; i < s.pieces.size(); ++i)
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(s.values[(3 * i + corner) * 2 + std::size_t(k)], linear(s.pieces[i][corner], k), 1e-12);
}

} // namespace
} // namespace isochrone::surface
