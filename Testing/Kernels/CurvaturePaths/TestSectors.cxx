// Claims about the sectors of the host sweeps: which sector sweeps which heading, and which one reads a copy.
#include "CurvaturePaths/Host/Sectors.h"
#include "CurvaturePaths/Scheme/Discretisation.h"

#include <algorithm>

#include <gtest/gtest.h>

using namespace isochrone::curvature;

namespace {

struct Layout {
  Sectors sectors;
  std::vector<std::vector<Offset>> offsets;
  int headings; ///< that are solved

  bool sweeps(int s, int k) const {
    const auto& swept = sectors[s].headings;
    return std::find(swept.begin(), swept.end(), k) != swept.end();
  }
};

/// Returns the sectors of a model with a turning radius of `pixels` and a requested overlap of `overlap`
/// headings.
/// @param parts  2: opposite headings are one
Layout layout(int headings, double hx, double hy, double pixels, int overlap, Model model = Model::Elastica,
              int parts = 1) {
  Problem p;
  p.model = model;
  p.grid = {8, 8, headings, hx, hy};
  p.turningRadius.constant = pixels * std::min(hx, hy);
  Layout out;
  out.headings = headings / parts;
  out.offsets = Discretisation(p).stencils().offsets;
  out.sectors = layOutSectors(p.grid, out.offsets, overlap, out.headings);
  return out;
}

std::vector<Layout> layouts() {
  std::vector<Layout> all;
  for (const int headings : {4, 5, 7, 8, 12, 31, 60, 96})
    for (const double hy : {1., 0.7, 3.})
      for (const int overlap : {0, 2, 1000}) {
        all.push_back(layout(headings, 1, hy, 5, overlap));
        if (headings % 2 == 0) all.push_back(layout(headings, 1, hy, 5, overlap, Model::ReedsShepp, 2));
      }
  return all;
}

} // namespace

TEST(Sectors, EveryHeadingIsSwept) {
  for (const Layout& l : layouts())
    for (int k = 0; k < l.headings; ++k)
      EXPECT_TRUE(l.sweeps(0, k) || l.sweeps(1, k) || l.sweeps(2, k) || l.sweeps(3, k))
          << k << " of " << l.headings;
}

TEST(Sectors, OppositesNeverSweepTheSameHeading) {
  for (const Layout& l : layouts())
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < l.headings; ++k)
        EXPECT_FALSE(l.sweeps(s, k) && l.sweeps(s + 2, k)) << k << " of " << l.headings << ", sector " << s;
}

TEST(Sectors, HeadingsOfTheOppositeSectorAreReadFromACopy) {
  for (const Layout& l : layouts())
    for (int s = 0; s < sectorCount; ++s)
      for (const int k : l.sectors[s].headings)
        for (const Offset& e : l.offsets[k]) {
          const int from = ((k + e[2]) % l.headings + l.headings) % l.headings;
          EXPECT_TRUE(l.sectors[s].holds[from]);
          EXPECT_EQ(bool(l.sectors[s].copies[from]), l.sweeps((s + 2) % sectorCount, from))
              << from << " of " << l.headings << ", sector " << s;
        }
}

TEST(Sectors, OppositeHeadingsThatAreOneAreSweptByTheFirstTwoSectorsOnce) {
  for (const int headings : {4, 6, 8, 12, 60, 96})
    for (const int overlap : {0, 2, 1000}) {
      const Layout l = layout(headings, 1, 0.7, 5, overlap, Model::ReedsShepp, 2);
      for (int s = 0; s < sectorCount; ++s) {
        auto swept = l.sectors[s].headings;
        EXPECT_EQ(swept.empty(), s >= 2) << headings;
        std::ranges::sort(swept);
        EXPECT_TRUE(std::ranges::adjacent_find(swept) == swept.end()) << headings << ' ' << overlap;
      }
    }
}

TEST(Sectors, OverlapByTheRequestedHeadings) {
  const Layout none = layout(96, 1, 1, 30, 0), three = layout(96, 1, 1, 30, 3);
  for (int s = 0; s < sectorCount; ++s)
    EXPECT_EQ(three.sectors[s].headings.size(), none.sectors[s].headings.size() + 6);
}

TEST(Sectors, NeedNoCopyWhereTheRadiusIsLarge) {
  const Layout wide = layout(96, 1, 1, 30, 3), narrow = layout(96, 1, 1, 5, 1000);
  int copies = 0;
  for (int s = 0; s < sectorCount; ++s)
    for (int k = 0; k < 96; ++k) {
      EXPECT_FALSE(wide.sectors[s].copies[k]);
      copies += narrow.sectors[s].copies[k];
    }
  EXPECT_GT(copies, 0);
}
