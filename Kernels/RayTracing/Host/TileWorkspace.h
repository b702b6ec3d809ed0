// TileWorkspace.h - a thread's copy of the tile being relaxed, with the rim around it.
#pragma once

#include "RayTracing/Host/TilePlan.h"
#include "Values.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace isochrone::rays {

template <class Real>
class TileWorkspace {
public:
  explicit TileWorkspace(const TilePlan<Real>& plan);

  /// Relaxes a tile until none of its times changes. No other thread may write to it or to the adjacent
  /// tiles.
  /// @param tile  its position
  /// @param times  of the image
  /// @param pending  pending bits per row of the tile; cleared on return
  void visit(const GridIndex& tile, Real* times, std::uint16_t* pending);

  /// Finds the index of the first edge over which the time of each point of a tile came from an earlier
  /// point, noEarlier if none exists. No thread may write to the times.
  /// @param earlier  of the image
  void findEarlier(const GridIndex& tile, const Real* times, std::uint16_t* earlier);

  /// Returns the minimum time that changed in the last tile within reach of an adjacent tile, +infinity if
  /// none did.
  /// @param side  offset of the adjacent tile, (x + 1) + 3 (y + 1) + 9 (z + 1)
  Real minimum(int side) const {
    return *std::min_element(work.minimum[side], work.minimum[side] + maxLanes);
  }
  /// Adds the pending bits for the rows of an adjacent tile.
  void addPending(int side, const GridIndex& neighbour, std::uint16_t* pending) const;

  std::int64_t relaxations() const { return work.relaxations; }
  std::size_t bytes() const;
  /// Returns the memory of a workspace for a plan, bytes; small arrays apart.
  static std::size_t bytesFor(const TilePlan<Real>& plan) {
    const int copies = 1 + plan.slowness.count() + (plan.testsBlanks() ? 1 : 0);
    return std::size_t(plan.tileSize) * std::size_t(copies) * sizeof(Real);
  }

private:
  void fetch(const GridIndex& tile, const Real* times);
  void fetchRows(const Real* from, const Grid& values, Real* to) const;
  void fetchRow(const Real* from, const Grid& values, std::int64_t y, std::int64_t z, Real* to) const;
  void findBlanks();
  template <class T>
  void storeRow(const T* row, int y, int z, T* to) const;

  const TilePlan<Real>& plan;
  TileKernels<Real> kernels;
  GridIndex tile{};
  GridIndex origin{}; ///< first point of the tile
  TileWork<Real> work{};
  int firstPoint; ///< first point of the tile, in its copy
  Values<Real> times, slowness, blank;
  std::vector<std::uint8_t> changed, nearBlank;
  std::vector<std::uint16_t> pendingAround;
  std::vector<std::uint16_t> edgeNumbers; ///< row by row
};

} // namespace isochrone::rays
