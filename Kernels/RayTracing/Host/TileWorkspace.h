// TileWorkspace.h - a thread's copy of the tile that it works on, with the rim around it.
#pragma once

#include "RayTracing/Host/TilePlan.h"
#include "Values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace isochrone::rays {

template <class Real>
class TileWorkspace {
public:
  explicit TileWorkspace(const TilePlan<Real>& plan);

  /// Relaxes a tile until nothing in it changes. Nobody else writes to it or to the tiles around it.
  /// @param tile  its position
  /// @param times  of the image
  /// @param pending  what the rows of the tile must look at; none on return
  void visit(const std::array<int, 3>& tile, Real* times, std::uint16_t* pending);

  /// The number of the first edge over which the time of each point of a tile came from an earlier point,
  /// noEarlier if there is none. Nobody writes to the times.
  /// @param earlier  of the image
  void findEarlier(const std::array<int, 3>& tile, const Real* times, std::uint16_t* earlier);

  /// The least time that changed in the last tile and that a neighbour sees, +infinity if there is none.
  /// @param side  offset of the neighbour, (x + 1) + 3 (y + 1) + 9 (z + 1)
  Real least(int side) const { return *std::min_element(work.least[side], work.least[side] + mostLanes); }
  /// Adds what the rows of a neighbour must look at.
  void passNews(int side, const std::array<int, 3>& neighbour, std::uint16_t* pending) const;

  std::int64_t relaxations() const { return work.relaxations; }
  std::size_t bytes() const;

private:
  void fetch(const std::array<int, 3>& tile, const Real* times);
  void fetchTimes(const Real* times);
  void fetchSlowness();
  void findBlanks();
  template <class T>
  void storeRow(const T* row, int y, int z, T* to) const;
  template <class From>
  void fetchRow(const From* from, const Index3& n, std::int64_t y, std::int64_t z, Real* to) const;

  const TilePlan<Real>& plan;
  TileKernels<Real> kernels;
  std::array<int, 3> tile{};
  Index3 origin{}; ///< of the tile
  TileWork<Real> work{};
  int firstPoint; ///< of the tile, in its copy
  Values<Real> times, slowness, blank;
  std::vector<std::uint8_t> changed, nearBlank;
  std::vector<std::uint16_t> news, numbers; ///< numbers: of edges, row after row
};

} // namespace isochrone::rays
