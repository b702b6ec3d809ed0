#include "RayTracing/Host/TileWorkspace.h"

#include "Bytes.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <algorithm>

namespace isochrone::rays {

template <class Real>
TileWorkspace<Real>::TileWorkspace(const TilePlan<Real>& p)
    : plan(p), kernels(chooseTileKernels<Real>()), changed(std::size_t(p.maxRowsY * p.maxRowsZ)),
      nearBlank(changed.size()) {
  const int rimY = p.reach[1], rimZ = p.reach[2], rowsZ = p.maxRowsZ + 2 * rimZ;
  const auto size = std::size_t(p.tileSize);
  times.assign(size, unreached<Real>);
  slowness.assign(size * std::size_t(p.slowness.count()), unreached<Real>);
  if (p.testsBlanks()) blank.assign(size, 0);
  pendingAround.resize(std::size_t(3) * (p.maxRowsY + 2 * rimY) * rowsZ);
  firstPoint = (p.rowStride - tileColumns) / 2 + p.rowStride * rimY + p.planeStride * rimZ;
  work.stencil = &p.stencil;
  work.reaches = p.reaches.data();
  work.reachCount = int(p.reaches.size());
  work.times = times.data() + firstPoint;
  work.slowness = slowness.data() + firstPoint;
  if (!blank.empty()) work.blank = blank.data() + firstPoint;
  work.rowStride = p.rowStride;
  work.planeStride = p.planeStride;
  work.nearBlank = nearBlank.data();
  work.changed = changed.data();
  work.pendingAround = pendingAround.data();
  work.rimY = rimY;
  work.rimZ = rimZ;
}

template <class Real>
void TileWorkspace<Real>::fetch(const GridIndex& position, const Real* from) {
  tile = position;
  origin = {plan.low[0] + tile[0] * tileColumns, plan.low[1] + tile[1] * plan.maxRowsY,
            plan.low[2] + tile[2] * plan.maxRowsZ};
  work.rowsY = plan.rowsY(tile[1]);
  work.rowsZ = plan.rowsZ(tile[2]);
  fetchRows(from, plan.image, work.times);
  for (int d = 0; d < plan.slowness.count(); ++d)
    fetchRows(plan.slowness.of(d), plan.elements, work.slowness + d * plan.tileSize);
  if (!blank.empty()) findBlanks();
}

template <class Real>
void TileWorkspace<Real>::visit(const GridIndex& position, Real* allTimes, std::uint16_t* pending) {
  fetch(position, allTimes);
  const std::int64_t columns = std::min<std::int64_t>(tileColumns, plan.image.nx - origin[0]);
  work.validBlocks = (1u << ((columns + blockColumns - 1) / blockColumns)) - 1;
  work.pending = pending;
  std::fill(changed.begin(), changed.end(), std::uint8_t(0));
  std::fill(pendingAround.begin(), pendingAround.end(), std::uint16_t(0));
  std::fill(&work.minimum[0][0], &work.minimum[0][0] + 27 * maxLanes, unreached<Real>);
  kernels.relax(work);
  for (int z = 0; z < work.rowsZ; ++z)
    for (int y = 0; y < work.rowsY; ++y)
      if (changed[std::size_t(y + work.rowsY * z)])
        storeRow(work.times + y * work.rowStride + z * work.planeStride, y, z, allTimes);
}

template <class Real>
void TileWorkspace<Real>::findEarlier(const GridIndex& position, const Real* allTimes,
                                      std::uint16_t* earlier) {
  fetch(position, allTimes);
  edgeNumbers.resize(changed.size() * tileColumns);
  kernels.findEarlier(work, edgeNumbers.data());
  for (int z = 0; z < work.rowsZ; ++z)
    for (int y = 0; y < work.rowsY; ++y)
      storeRow(edgeNumbers.data() + (y + work.rowsY * z) * tileColumns, y, z, earlier);
}

/// Copies the values of the tile and its rim, with +infinity outside the image.
/// @param values  the grid of the values of the image
template <class Real>
void TileWorkspace<Real>::fetchRows(const Real* from, const Grid& values, Real* to) const {
  for (int z = -work.rimZ; z < work.rowsZ + work.rimZ; ++z)
    for (int y = -work.rimY; y < work.rowsY + work.rimY; ++y)
      fetchRow(from, values, origin[1] + y, origin[2] + z, to + y * work.rowStride + z * work.planeStride);
}

/// Rows by which a row is prefetched before it is copied: the rows of a tile lie too far apart for the
/// hardware. Saves up to a seventh of the time of a solve where edges are few.
static constexpr std::int64_t prefetchedRows = 8;

template <class Real>
void TileWorkspace<Real>::fetchRow(const Real* from, const Grid& values, std::int64_t y, std::int64_t z,
                                   Real* to) const {
  const std::int64_t reach = plan.reach[0], end = tileColumns + reach;
  if (y < 0 || z < 0 || y >= values.ny || z >= values.nz) {
    std::fill(to - reach, to + end, unreached<Real>);
    return;
  }
  const std::int64_t first = std::max(-reach, -origin[0]), last = std::min(end, values.nx - origin[0]);
  const Real* row = from + values.index(origin[0], y, z);
  constexpr std::int64_t line = 64 / sizeof(Real);
  if (y + prefetchedRows < values.ny)
    for (std::int64_t x = first; x < last; x += line)
      __builtin_prefetch(row + prefetchedRows * values.nx + x);
  std::fill(to - reach, to + first, unreached<Real>);
  std::copy(row + first, row + last, to + first);
  std::fill(to + last, to + end, unreached<Real>);
}

/// Marks blanked points. Points outside the image are marked as well: no edge leads there.
template <class Real>
void TileWorkspace<Real>::findBlanks() {
  std::fill(nearBlank.begin(), nearBlank.end(), std::uint8_t(0));
  for (int z = -work.rimZ; z < work.rowsZ + work.rimZ; ++z)
    for (int y = -work.rimY; y < work.rowsY + work.rimY; ++y) {
      const int row = y * work.rowStride + z * work.planeStride;
      unsigned some = 0;
      for (int x = row - plan.reach[0]; x < row + tileColumns + plan.reach[0]; ++x) {
        const bool isBlank = work.slowness[x] == unreached<Real>;
        work.blank[x] = isBlank ? unreached<Real> : Real(0);
        some |= isBlank;
      }
      if (!some) continue;
      for (int toZ = std::max(z - work.rimZ, 0); toZ < std::min(z + work.rimZ + 1, work.rowsZ); ++toZ)
        for (int toY = std::max(y - work.rimY, 0); toY < std::min(y + work.rimY + 1, work.rowsY); ++toY)
          nearBlank[std::size_t(toY + work.rowsY * toZ)] = 1;
    }
}

template <class Real>
template <class T>
void TileWorkspace<Real>::storeRow(const T* row, int y, int z, T* to) const {
  const std::int64_t columns = std::min<std::int64_t>(tileColumns, plan.image.nx - origin[0]);
  std::copy_n(row, columns, to + plan.image.index(origin[0], origin[1] + y, origin[2] + z));
}

template <class Real>
void TileWorkspace<Real>::addPending(int side, const GridIndex& neighbour, std::uint16_t* pending) const {
  const auto range = [](int direction, int rows, int rim) {
    return direction < 0   ? std::pair{-rim, 0}
           : direction > 0 ? std::pair{rows, rows + rim}
                           : std::pair{0, rows};
  };
  const auto [firstY, lastY] = range(side / 3 % 3 - 1, work.rowsY, work.rimY);
  const auto [firstZ, lastZ] = range(side / 9 - 1, work.rowsZ, work.rimZ);
  const int rowsY = plan.rowsY(neighbour[1]), rowsZ = plan.rowsZ(neighbour[2]);
  const int shiftY = int(tile[1] - neighbour[1]) * plan.maxRowsY,
            shiftZ = int(tile[2] - neighbour[2]) * plan.maxRowsZ;
  for (int z = firstZ; z < lastZ; ++z)
    for (int y = firstY; y < lastY; ++y) {
      const int toY = y + shiftY, toZ = z + shiftZ;
      if (toY >= rowsY || toZ >= rowsZ) continue;
      const std::size_t row = std::size_t(y + work.rimY + (work.rowsY + 2 * work.rimY) * (z + work.rimZ));
      pending[toY + rowsY * toZ] |= pendingAround[3 * row + std::size_t(side % 3)];
    }
}

template <class Real>
std::size_t TileWorkspace<Real>::bytes() const {
  return bytesOf(times, slowness, blank, changed, nearBlank, pendingAround);
}

template class TileWorkspace<float>;
template class TileWorkspace<double>;

} // namespace isochrone::rays
