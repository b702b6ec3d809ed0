// ReaderList.h - the headings of a sector that read a plane.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"

#include <cstddef>
#include <vector>

namespace isochrone::curvature {

class ReaderList {
public:
  /// Adds a heading, by its number in the sector, that reads at an offset.
  void add(int heading, int row, int column);

  /// Makes the sets that the sweeps need. They stay valid as long as the list.
  Readers makeSets(const SectorView& sector);
  std::size_t bytes() const { return (acrossRows.size() + alongRow.size()) * sizeof(std::uint64_t); }

private:
  /// The columns that a heading reads in a row.
  struct Reader {
    int heading, row, low, high;
  };
  std::vector<Reader> readers;
  std::vector<std::uint64_t> acrossRows, alongRow;
};

} // namespace isochrone::curvature
