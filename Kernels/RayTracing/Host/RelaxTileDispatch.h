// RelaxTileDispatch.h - relaxes one tile of the image until nothing in it changes: plain data, so that it
// crosses the border between sources compiled for different instruction sets.
//
// A tile is a box of rows of 64 points along x. It is worked on in a copy with a rim as wide as the template
// reaches, so that no neighbour needs a test; what lies outside the image has infinite times and slowness.
// The template is parted into the neighbours in rows before (in the order of rows: y, then z), those in rows
// behind, and those in the row itself. A sweep forth visits rows in order and pulls times from the rows
// before, one back pulls from the rows behind; times along a row are passed on after either. So times cross
// the tile in one sweep, and a sweep of the other kind that changes nothing is the proof. What is pending is
// noted for blocks of 16 points.
#pragma once

#include <cstdint>

namespace isochrone::rays {

inline constexpr int tileColumns = 64, blockColumns = 16, blocks = tileColumns / blockColumns;
inline constexpr int mostLanes = 16; ///< of a vector

/// A word per row: 4 bits, one for each block, for each kind of neighbours that may have news for it.
enum Pending : int { fromBefore = 0, fromBehind = 4, fromRow = 8 };
inline constexpr unsigned allBlocks = (1u << blocks) - 1;

/// How weights are found.
enum class Weighing {
  Ends,       ///< half the length times the slowness at both ends
  OpenEnds,   ///< the same, where points of the terms may be blanked
  Points,     ///< terms of one sample
  SharedCells ///< terms of the least of up to four samples
};

/// A sample of slowness, relative to the point that pulls, and what it is multiplied with.
template <class Real>
struct Tap {
  int delta;
  Real length;
};

/// The least of `count` samples, the first given by its Tap.
struct MoreSamples {
  int count, delta[3];
};

/// An edge to a neighbour.
template <class Real>
struct TileEdge {
  int delta; ///< from the point that pulls
  int firstTap, taps;
  Real half; ///< of the length
};

template <class Real>
struct TileStencil {
  const TileEdge<Real>*before, *behind, *row; ///< `row`: other neighbours in the row than the next ones
  const TileEdge<Real>* all;                  ///< in the order of the template
  int beforeCount, behindCount, rowCount, allCount;
  TileEdge<Real> left; ///< to the next point on the left
  const Tap<Real>* taps;
  const MoreSamples* more; ///< per tap; used where cells share edges
  Weighing weighing;
};

/// A row that some neighbours lie in.
struct RowReach {
  int y, z; ///< rows away
  int x;    ///< how far along the row
};

/// The tile at work.
template <class Real>
struct TileWork {
  const TileStencil<Real>* stencil;
  const RowReach* reaches; ///< of all rows with neighbours
  int reachCount;

  Real *times, *slowness; ///< of the first point of the first row, with the rim around it
  Real* blank;            ///< +infinity at blanked points, else 0; Weighing::OpenEnds only
  int rowStride, planeStride;
  int rowsY, rowsZ;        ///< rows in the image
  unsigned validBlocks;    ///< blocks with points of the image
  std::uint8_t* nearBlank; ///< per row: are there blanked points in reach?

  std::uint16_t* pending; ///< per row of the tile: what may have news; all are done on return
  std::uint8_t* changed;  ///< per row of the tile: did a time change?
  /// What the rows of the tiles around must look at: per row with the rim, in the columns on the left, of the
  /// tile and on the right. And the least changed time that each neighbour sees, lane by lane: -1, 0, 1 along
  /// x, y, z.
  std::uint16_t* news;
  int rimY, rimZ; ///< rows around the tile in `news`
  Real least[27][mostLanes];
  std::int64_t relaxations; ///< edges looked at, is added to
};

/// What is done with a tile.
template <class Real>
struct TileKernels {
  /// Pulls times until nothing changes.
  void (*relax)(TileWork<Real>& work);
  /// The number in the template of the first edge over which the time of a point came from an earlier point,
  /// noEarlier if there is none. A row of `tileColumns` for each row of the tile.
  void (*findEarlier)(const TileWork<Real>& work, std::uint16_t* earlier);
};
inline constexpr std::uint16_t noEarlier = 0xffff;

/// For the best instruction set of this processor; ISOCHRONE_HOST_ISA (sse2, avx2, avx512) in the environment
/// asks for a lesser one.
template <class Real>
TileKernels<Real> chooseTileKernels();

} // namespace isochrone::rays
