// TilePlan.h - the division of an image into tiles on the host, and the forward star in the layout of a tile.
#pragma once

#include "RayTracing/Host/RelaxTileDispatch.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeSlowness.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Validation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace isochrone::rays {

/// Axes with one point come last, so that rows lie along an axis with more points; the point numbering is
/// unaffected. Of a part of an image, the tiles divide the own points; their rims reach into the margin, and
/// so do the last columns. A tilted medium has no slowness before slowness.compute().
template <class Real>
struct TilePlan {
  /// @param problem  must outlive this
  TilePlan(const Problem& problem, const Options& options, const SlownessRange& range);
  TilePlan(const TilePlan&) = delete;
  TilePlan& operator=(const TilePlan&) = delete;

  Grid image, elements;       ///< the points and the slowness values, see elementsOf
  GridIndex low{};            ///< the first point of the first tile
  Grid own;                   ///< the points of all tiles
  Grid tiles;                 ///< one point per tile
  int maxRowsY, maxRowsZ;     ///< maximum number of rows of a tile
  std::array<int, 3> reach{}; ///< reach of the forward star along each axis
  EdgeSlowness<Real> slowness;
  double window; ///< window of the TileQueue: twice the minimum time across a tile
  std::vector<RowReach> reaches;
  TileStencil<Real> stencil;
  int rowStride, planeStride; ///< strides of a tile with its rim
  int tileSize;               ///< values of a tile with its rim

  int rowsY(std::int64_t tileY) const {
    return int(std::min<std::int64_t>(maxRowsY, own.ny - tileY * maxRowsY));
  }
  int rowsZ(std::int64_t tileZ) const {
    return int(std::min<std::int64_t>(maxRowsZ, own.nz - tileZ * maxRowsZ));
  }
  int tileCount() const { return int(tiles.points()); }
  /// Returns the tile of an own point, by its indices relative to the first one.
  int tileOf(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return int(tiles.index(x / tileColumns, y / maxRowsY, z / maxRowsZ));
  }
  /// Returns the own points of a tile, by their indices in the image.
  grid::Box boxOf(int tile) const {
    const GridIndex at = tiles.indices(tile);
    grid::Box box{{low[0] + at[0] * tileColumns, low[1] + at[1] * maxRowsY, low[2] + at[2] * maxRowsZ}, {}};
    box.high = {std::min(box.low[0] + tileColumns, low[0] + own.nx), box.low[1] + rowsY(at[1]),
                box.low[2] + rowsZ(at[2])};
    return box;
  }
  /// Returns the number of rows of all tiles; the first row of a tile; and the row of a tile at (y, z).
  std::size_t rowCount() const { return firstRow(tileCount()); }
  std::size_t firstRow(int tile) const { return std::size_t(tile) * maxRowsY * maxRowsZ; }
  std::size_t rowOf(int tile, std::int64_t y, std::int64_t z) const {
    return firstRow(tile) + std::size_t(y % maxRowsY + rowsY(y / maxRowsY) * (z % maxRowsZ));
  }
  /// Returns whether edges test for blanked points between their ends.
  bool testsBlanks() const {
    return stencil.weighing == Weighing::OpenEnds || stencil.weighing == Weighing::TiltedEnds;
  }
  std::size_t bytes() const;

private:
  TilePlan(const Problem& problem, const Options& options, const SlownessRange& range,
           const std::vector<EdgeTerms>& edges);
  void buildStencil(const std::vector<EdgeTerms>& edges, const std::array<int, 3>& order);
  void addEdge(const TileEdge<Real>& edge, const Offset& offset);
  void bind();

  std::vector<TileEdge<Real>> before, behind, inRow, all;
  std::vector<Tap<Real>> taps;
  std::vector<MoreSamples> more;
};

} // namespace isochrone::rays
