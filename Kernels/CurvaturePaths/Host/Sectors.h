// Sectors.h - the four sectors of headings and the planes that each of them needs.
//
// Sector s holds the headings whose motion is mainly along +x, +y, -x, -y (s = 0..3), measured in pixels. All
// planar offsets of such a heading point upstream, so its rows (lines of constant x for even s, of constant y
// for odd s) can be swept in the order of the motion. Sectors overlap by some headings: a path near a border
// of two sectors alternates between them at every step, and without overlap each alternation would cost a
// round. Opposite sectors never sweep the same heading, so that two threads can sweep them at the same time.
#pragma once

#include "CurvaturePaths/Scheme/Stencil.h"

#include <array>
#include <vector>

namespace isochrone::curvature {

inline constexpr int sectorCount = 4;

struct Sector {
  std::vector<int> headings; ///< those it sweeps, in ascending order around its axis
  std::vector<char> holds;   ///< per heading of the grid: it reads or writes that plane
  std::vector<char>
      copies; ///< it reads that plane while the opposite sector writes it: from a copy of its own
};

struct Sectors {
  std::array<Sector, sectorCount> sectors;

  /// Orientation of a sector's planes: 0 stores lines of constant x as rows, 1 lines of constant y.
  static int orientation(int sector) { return sector & 1; }
};

/// @param offsets  per heading, every offset that its stencil can read, both signs of symmetric ones
/// @param overlap  headings that a sector takes from each of its neighbours, as far as opposite sectors stay
/// apart
Sectors layOutSectors(const StateGrid& grid, const std::vector<std::vector<Offset>>& offsets, int overlap);

} // namespace isochrone::curvature
