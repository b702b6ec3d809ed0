// Claims about the division of an image among ranks.
#include "Common/GridParts.h"

#include <vtkExtentTranslator.h>
#include <vtkNew.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

using namespace isochrone::filters;

namespace {

constexpr Extent none{0, -1, 0, -1, 0, -1};

std::vector<Extent> vtkPieces(const Extent& whole, int count) {
  vtkNew<vtkExtentTranslator> translator;
  std::vector<Extent> pieces(std::size_t(count), none);
  for (int piece = 0; piece < count; ++piece) {
    Extent from = whole, extent = none;
    if (translator->PieceToExtentThreadSafe(piece, count, 0, from.data(), extent.data(),
                                            translator->GetSplitMode(), 0))
      pieces[std::size_t(piece)] = extent;
  }
  return pieces;
}

/// Returns the number of boxes that contain each sample of the image.
std::vector<int> owners(const std::vector<Extent>& boxes, const Extent& whole) {
  std::vector<int> count(std::size_t(sizeOf(whole)));
  for (const Extent& e : boxes)
    for (int k = e[4]; k <= e[5]; ++k)
      for (int j = e[2]; j <= e[3]; ++j)
        for (int i = e[0]; i <= e[1]; ++i) ++count[std::size_t(numberOf({i, j, k}, whole))];
  return count;
}

} // namespace

TEST(GridParts, ASharedPlaneBelongsToTheRankAboveIt) {
  const auto own = ownBoxes({{0, 2, 0, 0, 0, 0}, {2, 5, 0, 0, 0, 0}}, {0, 5, 0, 0, 0, 0});
  EXPECT_EQ(own, (std::vector<Extent>{{0, 1, 0, 0, 0, 0}, {2, 5, 0, 0, 0, 0}}));
}

TEST(GridParts, ExtentsThatShareNothingStayAsTheyAre) {
  const std::vector<Extent> cells{{-3, 1, 4, 9, 0, 0}, {2, 5, 4, 9, 0, 0}, none};
  EXPECT_EQ(ownBoxes(cells, {-3, 5, 4, 9, 0, 0}), cells);
}

TEST(GridParts, EverySampleHasOneOwnerForAnyNumberOfRanks) {
  for (const Extent& whole : {Extent{0, 63, 0, 63, 0, 63},
                              {-20, 20, -15, 15, -10, 10},
                              {5, 5, 0, 40, 0, 30},
                              {0, 6, 0, 0, 0, 0},
                              {0, 1, 0, 2, 0, 3}})
    for (int ranks = 1; ranks <= 20; ++ranks) {
      const auto own = ownBoxes(vtkPieces(whole, ranks), whole);
      ASSERT_TRUE(own) << ranks << " ranks";
      const std::vector<int> count = owners(*own, whole);
      EXPECT_EQ(std::count(count.begin(), count.end(), 1), sizeOf(whole)) << ranks << " ranks";
    }
}

TEST(GridParts, OtherDivisionsAreRefused) {
  const Extent whole{0, 9, 0, 4, 0, 0};
  EXPECT_FALSE(ownBoxes({whole, whole}, whole)) << "everything twice";
  EXPECT_FALSE(ownBoxes({{0, 5, 0, 4, 0, 0}, {4, 9, 0, 4, 0, 0}}, whole)) << "a ghost layer";
  EXPECT_FALSE(ownBoxes({{0, 3, 0, 4, 0, 0}, {5, 9, 0, 4, 0, 0}}, whole)) << "a gap";
  EXPECT_FALSE(ownBoxes({{0, 5, 0, 2, 0, 0}, {5, 9, 0, 4, 0, 0}}, whole)) << "a missing corner";
  EXPECT_FALSE(ownBoxes({{0, 5, 0, 4, 0, 0}, {5, 10, 0, 4, 0, 0}}, whole)) << "more than the image";
  EXPECT_FALSE(ownBoxes({none, none}, whole)) << "nothing";
}

TEST(GridParts, ABoxIsDividedAmongItsOwners) {
  const std::vector<Extent> own{{0, 3, 0, 9, 0, 0}, none, {4, 9, 0, 4, 0, 0}, {4, 9, 5, 9, 0, 0}};
  EXPECT_EQ(ownedParts({2, 5, 4, 4, 0, 0}, own),
            (std::vector<OwnedPart>{{0, {2, 3, 4, 4, 0, 0}}, {2, {4, 5, 4, 4, 0, 0}}}));
  EXPECT_TRUE(ownedParts(none, own).empty());
}
