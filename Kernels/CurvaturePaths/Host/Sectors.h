// Sectors.h - the four sectors of headings and the planes that each sector needs.
//
// Sector s holds the headings whose motion is mainly along +x, +y, -x, -y (s = 0..3), measured in pixels. All
// planar offsets of such a heading point upstream, so its rows (lines of constant x for even s, of constant y
// for odd s) can be swept in the order of the motion. Sectors overlap by some headings: a path near the
// border of two sectors alternates between them at every step, and without overlap each alternation would
// cost a round. Opposite sectors never sweep the same heading, so two threads can sweep them at the same
// time.
#pragma once

#include "CurvaturePaths/Scheme/Stencil.h"

#include <array>
#include <vector>

namespace isochrone::curvature {

inline constexpr int sectorCount = 4;

struct Sector {
  std::vector<int> headings; ///< headings swept, in ascending order around the axis
  std::vector<char> sweeps;  ///< per heading: whether the sector sweeps it
  std::vector<char> holds;   ///< per heading: whether the sector reads or writes that plane
  std::vector<char> copies;  ///< per heading: read from a copy, since the opposite sector writes it
};

using Sectors = std::array<Sector, sectorCount>;

/// Returns the orientation of a sector's planes: 0 stores lines of constant x as rows, 1 lines of constant y.
inline int orientationOf(int sector) { return sector & 1; }

/// @param offsets  per heading, every offset that its stencil can read; symmetric ones with both signs
/// @param overlap  headings that a sector takes from each neighbour, limited so that opposite sectors stay
///         apart
/// @param planes   headings to solve: all, or the first half, where opposite headings have equal values.
///         Headings are then counted modulo this half, and the last two sectors are empty.
Sectors layOutSectors(const StateGrid& grid, const std::vector<std::vector<Offset>>& offsets, int overlap,
                      int planes);

} // namespace isochrone::curvature
