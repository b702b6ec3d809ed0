// WallVisibility.h - which lanes see which planar offset, for the blocks of one orientation that lie near
// walls.
//
// A step is blocked by its planar part alone, so one word of 32 lanes per block and distinct planar offset
// serves all headings. Words are built 32 lanes at a time from shifted words of wall bits.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Scheme/Walls.h"
#include "Execution/RoundPool.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace isochrone::curvature {

using grid::Offset;
using PlanarOffset = std::array<int, 2>;

/// The distinct planar offsets of all stencils, numbered.
struct PlanarOffsets {
  std::map<PlanarOffset, int> numbers;
  std::vector<PlanarOffset> all;           ///< by number
  std::vector<std::vector<int>> ofHeading; ///< numbers of the offsets of each heading

  explicit PlanarOffsets(const std::vector<std::vector<Offset>>& offsets);
  int number(int ex, int ey) const { return numbers.at({ex, ey}); }
  int reach() const; ///< maximum |component|
};

class WallVisibility {
public:
  /// @param orientation  0: rows are lines of constant x, 1: of constant y
  WallVisibility(const Walls& walls, std::int64_t nx, std::int64_t ny, int orientation,
                 const PlanarOffsets& offsets, execution::RoundPool& pool);
  SectorWalls view() const;
  std::size_t bytes() const;

private:
  std::vector<std::int32_t> slot;
  std::vector<std::uint32_t> visible;
  std::vector<std::uint64_t> affected;
  int offsets = 0, affectedWords = 0;
};

} // namespace isochrone::curvature
