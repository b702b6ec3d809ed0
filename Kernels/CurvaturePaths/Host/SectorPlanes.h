// SectorPlanes.h - the state values as the sweeps store them.
//
// Sectors 0 and 2 sweep lines of constant x, sectors 1 and 3 lines of constant y. A plane is stored in the
// orientation of each sector that reads it, twice near sector borders, so that every read is contiguous.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Host/Sectors.h"
#include "Execution/RoundPool.h"
#include "Values.h"

#include <vector>

namespace isochrone::curvature {

/// The planes of one orientation. A border of +infinity, as wide as the stencils reach, separates rows and
/// planes.
class SectorPlanes {
public:
  /// Lays out the planes, without allocating them.
  /// @param orientation  0: row = x, column = y; 1: row = y, column = x
  /// @param copies       per heading: 0 none, 1 its plane, 2 its plane and a copy
  /// @param bordered     per heading: whether it has borders (SectorPlane::borders); empty: none
  /// @param strip, borderReach  columns of a strip, and on each side of a border
  SectorPlanes(const StateGrid& grid, int orientation, const std::vector<char>& copies, int reach,
               const std::vector<char>& bordered = {}, int strip = blockWidth, int borderReach = 0);

  /// Returns the memory of the planes, allocated or not.
  std::size_t bytes() const { return size * sizeof(float); }
  /// Sets all values to +infinity. The first call allocates them.
  void fillWithInfinity(execution::RoundPool& pool);

  int rows, columns, blocks;
  std::int64_t pitch, borderPitch; ///< of the rows of planes, and of borders

  bool has(int k) const { return first[k] >= 0; }
  /// Returns the address of (row 0, column 0), or null.
  float* plane(int k) { return has(k) ? values.data() + first[k] : nullptr; }
  float* copy(int k) { return values.data() + second[k]; } ///< likewise, of a heading with a copy
  float* borders(int k) {
    return third[k] >= 0 ? values.data() + third[k] : nullptr;
  } ///< SectorPlane::borders
  float& at(int k, std::int64_t i, std::int64_t j) {
    return plane(k)[transposed ? i * pitch + j : j * pitch + i];
  }

  /// Returns the length of a row of a cost array, and of the array.
  std::int64_t arrangedRow() const { return std::int64_t(blocks) * blockWidth; }
  std::size_t arrangedSize() const { return std::size_t(rows * arrangedRow()); }

private:
  bool transposed;
  std::vector<std::int64_t> first, second, third; ///< places of planes, copies and borders, or -1
  std::size_t size = 0;
  Values<float> values;
};

} // namespace isochrone::curvature
