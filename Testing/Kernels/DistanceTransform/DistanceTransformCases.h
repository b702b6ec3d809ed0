// DistanceTransformCases.h - images for the tests of the distance transform: many shapes and special cases.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "Noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace isochrone::distance {

/// A problem with the memory of its span.
struct Case {
  std::string name;
  Problem problem;
  std::vector<std::uint8_t> sites;

  Case() = default;
  Case(Case&&) = default; // keeps the memory that the problem views
};

/// Returns whether the point (i, j, k) is a site.
using Sites = std::function<bool(std::int64_t, std::int64_t, std::int64_t)>;

inline Case makeCase(const std::string& name, const Grid& grid, const Sites& isSite) {
  Case c;
  c.name = name;
  c.problem.grid = grid;
  c.sites.reserve(grid.points());
  for (std::int64_t k = 0; k < grid.nz; ++k)
    for (std::int64_t j = 0; j < grid.ny; ++j)
      for (std::int64_t i = 0; i < grid.nx; ++i) // any nonzero value is a site
        c.sites.push_back(isSite(i, j, k) ? std::uint8_t(1 + (i + 3 * j + 5 * k) % 255) : 0);
  c.problem.sites = c.sites;
  return c;
}

/// Returns random sites with the given density.
inline Sites randomSites(double share, std::uint64_t first = 0) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return noise(first + std::uint64_t(i + 100003 * (j + 100003 * k))) < share;
  };
}

inline bool noSite(std::int64_t, std::int64_t, std::int64_t) { return false; }
inline bool everySite(std::int64_t, std::int64_t, std::int64_t) { return true; }

inline Sites oneSite(std::int64_t x, std::int64_t y = 0, std::int64_t z = 0) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) { return i == x && j == y && k == z; };
}

/// Returns the points at a distance of about `radius` from (cx, cy, cz): smooth distances, with every point
/// of a line nearest to some other point.
inline Sites shell(double cx, double cy, double cz, double radius) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return std::abs(std::hypot(double(i) - cx, double(j) - cy, double(k) - cz) - radius) < 0.5;
  };
}

inline Sites ball(double cx, double cy, double cz, double radius) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return std::hypot(double(i) - cx, double(j) - cy, double(k) - cz) <= radius;
  };
}

/// Returns every `period`-th point on each axis: ties everywhere.
inline Sites lattice(std::int64_t period) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return i % period == 0 && j % period == 0 && k % period == 0;
  };
}

/// Returns the points at exactly the same distance from (c, c, cz): the parabolas of a line through it all
/// meet in one point.
inline Sites commonCircle(std::int64_t c, std::int64_t cz, std::int64_t squaredRadius) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return (i - c) * (i - c) + (j - c) * (j - c) + (k - cz) * (k - cz) == squaredRadius;
  };
}

struct CaseMaker {
  std::string name;
  Grid grid;
  Sites sites;
};

inline const std::vector<CaseMaker>& caseMakers() {
  using I = std::int64_t;
  static const std::vector<CaseMaker> makers{
      // Combine all difficulties; the sanitizers run these.
      {"Everything", {67, 45, 23}, randomSites(0.004)},
      {"EverythingUnequal", {45, 67, 11, 0.3, 1, 2.7}, randomSites(0.02)},
      // Without sites, or without other points.
      {"PointSite", {1, 1, 1}, everySite},
      {"PointNone", {1, 1, 1}, noSite},
      {"LineNone", {33, 1, 1}, noSite},
      {"LineAll", {1, 33, 1}, everySite},
      {"PlaneNone", {40, 30, 1}, noSite},
      {"PlaneAll", {40, 30, 1}, everySite},
      {"VolumeNone", {17, 16, 15, 1, 2, 3}, noSite},
      {"VolumeAll", {17, 16, 15}, everySite},
      {"AllButOne", {50, 37, 1}, [](I i, I j, I) { return i != 20 || j != 30; }},
      // Lines along each axis: sites at the ends, ties in the middle, fewer points than lanes.
      {"Two", {2, 1, 1}, oneSite(1)},
      {"LineFirst", {100, 1, 1}, oneSite(0)},
      {"LineLast", {100, 1, 1}, oneSite(99)},
      {"LineEnds", {101, 1, 1}, [](I i, I, I) { return i % 100 == 0; }},
      {"LineShort", {7, 1, 1}, oneSite(3)},
      {"LineRandom", {1009, 1, 1}, randomSites(0.05)},
      {"ColumnFirst", {1, 100, 1}, oneSite(0)},
      {"ColumnLast", {1, 100, 1}, oneSite(0, 99)},
      {"ColumnRandom", {1, 997, 1}, randomSites(0.03)},
      {"DepthRandom", {1, 1, 83}, randomSites(0.1)},
      {"DepthEnds", {1, 1, 65}, [](I, I, I k) { return k % 64 == 0; }},
      // One site.
      {"CornerFirst", {130, 65, 1}, oneSite(0)},
      {"CornerLast", {130, 65, 1}, oneSite(129, 64)},
      {"Middle", {65, 63, 1}, oneSite(32, 31)},
      {"VolumeFirst", {20, 33, 17}, oneSite(0)},
      {"VolumeLast", {20, 33, 17}, oneSite(19, 32, 16)},
      {"Far", {3000, 4, 1}, oneSite(0, 3)},
      // Sites on one line or plane only: all other lines start empty.
      {"OneRow", {61, 47, 1}, [](I i, I j, I) { return j == 13 && noise(i) < 0.2; }},
      {"FullRow", {61, 47, 1}, [](I, I j, I) { return j == 46; }},
      {"OneColumn", {61, 47, 1}, [](I i, I j, I) { return i == 59 && noise(j) < 0.2; }},
      {"FullColumn", {61, 47, 1}, [](I i, I, I) { return i == 0; }},
      {"RowEnds", {90, 41, 1}, [](I i, I j, I) { return j == 20 && (i == 0 || i == 89); }},
      {"ColumnAlongZ", {19, 21, 35}, [](I i, I j, I k) { return i == 7 && j == 20 && k % 5 == 2; }},
      {"OnePlane", {19, 21, 35}, [](I i, I j, I k) { return k == 34 && noise(i + 19 * j) < 0.1; }},
      // Ties.
      {"FourCorners", {63, 63, 1}, [](I i, I j, I) { return i % 62 == 0 && j % 62 == 0; }},
      {"Checkerboard", {50, 49, 1}, [](I i, I j, I) { return (i + j) % 2 == 0; }},
      {"Checkerboard3", {19, 18, 17}, [](I i, I j, I k) { return (i + j + k) % 2 == 1; }},
      {"EightCorners", {21, 17, 19}, [](I i, I j, I k) { return i % 20 == 0 && j % 16 == 0 && k % 18 == 0; }},
      {"Lattice8", {65, 70, 1}, lattice(8)},
      {"Lattice7", {64, 71, 1}, lattice(7)},
      {"Lattice6", {31, 25, 19}, lattice(6)},
      {"Rows", {40, 50, 1}, [](I, I j, I) { return j % 9 == 4; }},
      {"Columns", {50, 40, 1}, [](I i, I, I) { return i % 9 == 4; }},
      {"Diagonal", {80, 80, 1}, [](I i, I j, I) { return i == j; }},
      {"AntiDiagonal", {80, 80, 1}, [](I i, I j, I) { return i + j == 79; }},
      {"CommonCircle", {131, 131, 1}, commonCircle(65, 0, 65 * 65)},
      {"CommonSphere", {31, 31, 31}, commonCircle(15, 15, 15 * 15)},
      // Shells and solids: no site can be dropped from a line by its neighbours alone.
      {"Shell", {150, 140, 1}, shell(70, 65, 0, 50)},
      {"ShellOutside", {90, 80, 1}, shell(45, -300, 0, 320)},
      {"ShellVolume", {31, 29, 27}, shell(15, 14, 13, 11)},
      {"Disc", {90, 80, 1}, ball(45, 40, 0, 30)},
      {"Ball", {24, 26, 22}, ball(12, 13, 11, 8)},
      {"Staircase", {200, 60, 1}, [](I i, I j, I) { return j == std::abs(i - 100) / 2; }},
      {"Parabola", {121, 91, 1}, [](I i, I j, I) { return j == (i - 60) * (i - 60) / 40; }},
      // Sizes near the widths of vectors and blocks, and primes.
      {"Plane15", {15, 17, 1}, randomSites(0.05)},
      {"Plane16", {16, 16, 1}, randomSites(0.05)},
      {"Plane31", {31, 33, 1}, randomSites(0.03)},
      {"Plane63", {63, 65, 1}, randomSites(0.01)},
      {"Plane128", {128, 64, 1}, randomSites(0.01)},
      {"Plane127", {127, 129, 1}, randomSites(0.005)},
      {"Plane53", {53, 47, 1}, randomSites(0.01)},
      {"Flat", {257, 3, 1}, randomSites(0.02)},
      {"Narrow", {3, 257, 1}, randomSites(0.02)},
      {"TwoRows", {300, 2, 1}, randomSites(0.01)},
      {"TwoColumns", {2, 300, 1}, randomSites(0.01)},
      {"BlockBorders",
       {193, 40, 1},
       [](I i, I j, I) { return j % 11 == 5 && (i % 32 == 31 || i % 64 == 0); }},
      {"ThinX", {1, 37, 29}, randomSites(0.02)},
      {"ThinY", {37, 1, 29}, randomSites(0.02)},
      {"Beam", {129, 5, 3}, randomSites(0.02)},
      {"BeamY", {5, 129, 3}, randomSites(0.02)},
      {"BeamZ", {3, 5, 129}, randomSites(0.02)},
      {"Volume17", {17, 19, 23}, randomSites(0.01)},
      {"Volume65", {65, 33, 9}, randomSites(0.003)},
      // From one site in 10000 points to 99 in 100.
      {"Share0001", {250, 200, 1}, randomSites(0.0001)},
      {"Share001", {150, 130, 1}, randomSites(0.001)},
      {"Share01", {90, 100, 1}, randomSites(0.01)},
      {"Share10", {61, 59, 1}, randomSites(0.1)},
      {"Share30", {61, 59, 1}, randomSites(0.3)},
      {"Share50", {61, 59, 1}, randomSites(0.5)},
      {"Share70", {61, 59, 1}, randomSites(0.7)},
      {"Share90", {61, 59, 1}, randomSites(0.9)},
      {"Share99", {120, 100, 1}, randomSites(0.99)},
      {"VolumeShare50", {16, 15, 14}, randomSites(0.5)},
      {"VolumeShare99", {24, 25, 23}, randomSites(0.99)},
      // Units: equal spacings are exact for any value.
      {"Tenths", {53, 47, 1, 0.1, 0.1, 0.1}, randomSites(0.02)},
      {"TinyUnits", {53, 47, 1, 1e-30, 1e-30, 1}, randomSites(0.02)},
      {"HugeUnits", {17, 19, 23, 1e30, 1e30, 1e30}, randomSites(0.01)},
      {"UnequalWhereOnePoint", {53, 47, 1, 0.7, 0.7, 1e6}, randomSites(0.02)},
      {"UnequalOnALine", {1, 97, 1, 3, 0.5, 1e-9}, randomSites(0.05)},
      // Unequal spacings.
      {"Unequal", {53, 47, 1, 0.3, 1, 1}, randomSites(0.02)},
      {"UnequalVolume", {17, 19, 23, 0.3, 1, 2.7}, randomSites(0.01)},
      {"Thousandth", {90, 60, 1, 1, 1000, 1}, randomSites(0.01)},
      {"Thousandfold", {90, 60, 1, 1000, 1, 1}, randomSites(0.01)},
      {"ThousandfoldZ", {21, 23, 40, 1, 1, 1000}, randomSites(0.003)},
      {"AlmostEqual", {53, 47, 1, 1, 1 + 0x1p-52, 1}, randomSites(0.02)},
      {"UnequalTies", {65, 33, 1, 1, 2, 1}, lattice(8)},
      {"UnequalShell", {90, 80, 1, 1, 0.7, 1}, shell(45, 40, 0, 30)},
      {"UnequalTiny", {31, 33, 9, 1e-30, 3e-30, 2e-30}, randomSites(0.01)},
      {"UnequalHuge", {31, 33, 9, 1e30, 3e30, 2e30}, randomSites(0.01)},
      {"UnequalThinX", {1, 37, 29, 5, 0.4, 0.9}, randomSites(0.02)},
      {"UnequalNone", {40, 30, 1, 1, 2, 1}, noSite},
      {"UnequalAll", {40, 30, 1, 1, 2, 1}, everySite},
      {"UnequalFirst", {130, 65, 1, 1, 1.5, 1}, oneSite(0)},
      {"UnequalShare50", {61, 59, 1, 1.3, 1, 1}, randomSites(0.5)},
      {"UnequalShare99", {80, 70, 1, 1, 1.7, 1}, randomSites(0.99)},
  };
  return makers;
}

inline const std::vector<std::string>& caseNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CaseMaker& maker : caseMakers()) all.push_back(maker.name);
    return all;
  }();
  return names;
}

inline Case makeCase(const std::string& name) {
  const auto maker = std::ranges::find(caseMakers(), name, &CaseMaker::name);
  if (maker == caseMakers().end()) throw std::out_of_range("no case is called " + name);
  return makeCase(name, maker->grid, maker->sites);
}

} // namespace isochrone::distance
