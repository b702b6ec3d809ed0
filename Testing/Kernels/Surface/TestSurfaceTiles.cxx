// The search by teams, on host teams, against the search by blocks.
#include "Execution/HostDevice.h"
#include "Surface/DeviceSearch.h"
#include "Surface/SurfaceCases.h"

#include <gtest/gtest.h>

namespace isochrone::surface {
namespace {

/// Requires the bits of the search by blocks.
void expectSame(const ImageGrid& g, const grid::Box& box, const std::vector<Piece>& pieces, double maximum) {
  const Distances expected(g, pieces, maximum);
  execution::HostDevice device(2);
  SearchResult found;
  ASSERT_TRUE(searchOnDevice(device, g, box, pieces, maximum, {}, found));
  std::size_t i = 0;
  grid::forEachPoint(box, [&](const GridIndex& at) {
    const auto point = std::size_t(g.index(at));
    const bool within = maximum == 0 || expected.square[point] <= maximum * maximum;
    if (within) {
      EXPECT_EQ(found.square[i], expected.square[point]) << "point " << point;
      EXPECT_EQ(found.piece[i], expected.piece[point]) << "point " << point;
    } else {
      EXPECT_GT(found.square[i], maximum * maximum);
    }
    ++i;
  });
}

TEST(SurfaceTiles, HaveTheBitsOfTheBlocks) {
  const Case sphere({24, 23, 22, 1, 1, 1}, ball({11.1, 10.7, 10.2}, 6.3)),
      thin({21, 11, 19, 1, 3, 0.2}, ball({11.1, 15, 2}, 4.3)),
      circle({60, 50, 1, 1, 1, 1}, ball({28.1, 24.7, 0}, 16.3)),
      line({90, 1, 1, 1, 1, 1}, ball({28.1, 0, 0}, 16.3));
  for (const Case* c : {&sphere, &thin, &circle, &line}) {
    const ImageGrid& g = c->levelSet.grid;
    const std::vector<Piece> pieces = extractLevelSet(c->levelSet, 1).pieces;
    for (const double maximum : {0., 2.5}) expectSame(g, {{0, 0, 0}, g.sizes()}, pieces, maximum);
  }
}

TEST(SurfaceTiles, SearchPartsOfAnImage) {
  const Case c({24, 23, 22, 1, 1, 1}, ball({11.1, 10.7, 10.2}, 6.3));
  expectSame(c.levelSet.grid, {{3, 5, 2}, {17, 22, 9}}, extractLevelSet(c.levelSet, 1).pieces, 0);
}

TEST(SurfaceTiles, WithFewPiecesOrNoneAgree) {
  const ImageGrid g{9, 10, 11, 1, 1, 1};
  const Piece triangle{{{1, 2, 3}, {7, 3, 4}, {2, 8, 9}}}, point{{{5, 5, 5}, {5, 5, 5}, {5, 5, 5}}};
  for (const std::vector<Piece>& pieces :
       {std::vector<Piece>{}, {triangle}, {triangle, point}, std::vector<Piece>(9, triangle)})
    expectSame(g, {{0, 0, 0}, g.sizes()}, pieces, 0);
}

} // namespace
} // namespace isochrone::surface
