// RelaxTileDispatch.h - relaxes one tile of the image until none of its times changes. All types are plain
// data, so that they may pass between sources compiled for different instruction sets.
//
// A tile is a box of rows of 64 points along x. It is relaxed in a copy with a rim as wide as the reach of
// the forward star, so that no neighbour needs a bounds test; points outside the image have infinite times
// and slowness. The forward star is split into neighbours in rows before (in the order of rows: y, then z),
// in rows behind, and in the row itself. A forward sweep visits rows in order and pulls times from the rows
// before; a backward sweep pulls from the rows behind. Both then propagate times along each row. Thus times
// cross the tile in one sweep, and the tile is done when a sweep in the opposite direction changes nothing.
// Pending work is recorded per block of 16 points.
#pragma once

#include <cstdint>

namespace isochrone::rays {

inline constexpr int tileColumns = 64, blockColumns = 16, blocks = tileColumns / blockColumns;
inline constexpr int maxLanes = 16; ///< in a vector

/// Pending work of a row, one word: 4 bits, one per block, for each kind of neighbours that may lower it.
enum Pending : int { fromBefore = 0, fromBehind = 4, fromRow = 8 };
inline constexpr unsigned allBlocks = (1u << blocks) - 1;

/// How edge weights are computed.
enum class Weighing {
  Ends,        ///< half the length times the slowness at both ends
  OpenEnds,    ///< the same, where points of the terms may be blanked
  Points,      ///< terms of one sample
  SharedCells, ///< terms with the minimum of up to four samples
  TiltedEnds   ///< as OpenEnds, with the slowness in the direction of the edge
};

/// A slowness sample, relative to the pulling point, and the length that multiplies it.
template <class Real>
struct Tap {
  int delta;
  Real length;
};

/// Further `count` samples of a term whose first sample is given by its Tap; the term takes their minimum.
struct MoreSamples {
  int count, delta[3];
};

/// An edge to a neighbour.
template <class Real>
struct TileEdge {
  int delta; ///< from the pulling point
  int firstTap, taps;
  Real half;  ///< half of the length
  int medium; ///< from TileWork::slowness to the slowness in its direction
};

template <class Real>
struct TileEdges {
  const TileEdge<Real>* list;
  int count;
};

template <class Real>
struct TileStencil {
  TileEdges<Real> before, behind, row; ///< `row`: the neighbours in the row, adjacent points excluded
  TileEdges<Real> all;                 ///< in the order of the forward star
  TileEdge<Real> left;                 ///< to the adjacent point on the left
  const Tap<Real>* taps;
  const MoreSamples* more; ///< per tap; used where cells share edges
  Weighing weighing;
};

/// A row that contains neighbours.
struct RowReach {
  int y, z; ///< rows away
  int x;    ///< maximum distance along the row
};

/// Returns the kind of neighbours that a row has for the rows that it reaches.
[[gnu::always_inline]] inline Pending pendingFrom(const RowReach& reach) {
  if (reach.y == 0 && reach.z == 0) return fromRow;
  return reach.z > 0 || (reach.z == 0 && reach.y > 0) ? fromBefore : fromBehind;
}

/// The tile being relaxed.
template <class Real>
struct TileWork {
  const TileStencil<Real>* stencil;
  const RowReach* reaches; ///< all rows with neighbours
  int reachCount;

  /// At the first point of the first row, with the rim around it; slowness in the first direction.
  Real *times, *slowness;
  Real* blank; ///< +infinity at blanked points, else 0; Weighing::OpenEnds and TiltedEnds only
  int rowStride, planeStride;
  int rowsY, rowsZ;        ///< rows within the image
  unsigned validBlocks;    ///< blocks with points of the image
  std::uint8_t* nearBlank; ///< per row: whether blanked points are within reach

  std::uint16_t* pending; ///< per row of the tile: pending bits (see Pending); all cleared on return
  std::uint8_t* changed;  ///< per row of the tile: whether a time changed
  /// Pending bits for the rows of the adjacent tiles: per row with the rim, one word each for the columns to
  /// the left of the tile, of the tile, and to its right.
  std::uint16_t* pendingAround;
  int rimY, rimZ; ///< rows around the tile in `pendingAround`
  /// Minimum changed time within reach of each adjacent tile, per lane; sides -1, 0, 1 along x, y, z.
  Real minimum[27][maxLanes];
  std::int64_t relaxations; ///< relaxed edges; accumulated
};

/// Functions on a tile, compiled per instruction set.
template <class Real>
struct TileKernels {
  /// Pulls times until nothing changes.
  void (*relax)(TileWork<Real>& work);
  /// Finds the index in the forward star of the first edge over which the time of a point came from an
  /// earlier point, noEarlier if none exists. Writes a row of `tileColumns` for each row of the tile.
  void (*findEarlier)(const TileWork<Real>& work, std::uint16_t* earlier);
};
inline constexpr std::uint16_t noEarlier = 0xffff;

/// Returns the functions for the instruction set that execution::chooseHostIsa returns.
template <class Real>
TileKernels<Real> chooseTileKernels();

} // namespace isochrone::rays
