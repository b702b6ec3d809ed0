#include "CurvaturePaths/Host/SectorPlanes.h"

#include <algorithm>
#include <limits>

namespace isochrone::curvature {

namespace {

constexpr std::int64_t lineFloats = 64 / sizeof(float); ///< of a cache line

std::int64_t linesOf(std::int64_t floats) { return (floats + lineFloats - 1) / lineFloats; }

} // namespace

SectorPlanes::SectorPlanes(const StateGrid& grid, int orientation, const std::vector<char>& copies, int reach,
                           const std::vector<char>& bordered, int strip, int borderReach)
    : rows(int(orientation ? grid.ny : grid.nx)), columns(int(orientation ? grid.nx : grid.ny)),
      blocks((columns - 1) / blockWidth + 1), transposed(orientation == 0), first(copies.size(), -1),
      second(copies.size(), -1), third(copies.size(), -1) {
  const std::int64_t lines = linesOf(std::max(std::int64_t(columns) + reach, arrangedRow())),
                     side = linesOf(reach) * lineFloats;
  pitch = (lines | 1) * lineFloats; // an odd number of cache lines: rows spread over all cache sets
  // The border before the first plane. After the last plane, only the reach of its last row is needed.
  std::int64_t next = reach * pitch + side;
  for (std::size_t k = 0; k < copies.size(); ++k)
    for (int c = 0; c < copies[k]; ++c) {
      (c ? second : first)[k] = next;
      next += (rows + std::int64_t(reach)) * pitch;
    }
  next += side;
  borderPitch = std::int64_t((blocks * blockWidth - 1) / strip + 2) * 2 * borderReach;
  for (std::size_t k = 0; k < bordered.size(); ++k)
    if (bordered[k]) {
      third[k] = next + blockWidth; // blocks are loaded whole, whatever lies beside a border
      next += linesOf(rows * borderPitch + 2 * blockWidth) * lineFloats;
    }
  size = std::size_t(next);
}

void SectorPlanes::fillWithInfinity(execution::RoundPool& pool) {
  constexpr std::int64_t share = 1 << 19; // a large page: two threads would both clear one
  values.resize(size);
  pool.forRanges(std::int64_t(size), share, [&](std::int64_t begin, std::int64_t end, int) {
    std::fill(values.begin() + begin, values.begin() + end, std::numeric_limits<float>::infinity());
  });
}

} // namespace isochrone::curvature
