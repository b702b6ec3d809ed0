// Surface.h - surfaces between the points of an image, in a plane curves: their pieces, and the exact
// distance to them.
//
// A piece is a triangle, a segment or a point. The pieces come from a level set of values at the points
// (extractLevelSet) or from the caller. DESIGN.md defines the surface of a level set.
#pragma once

#include "Grid/GridPart.h"
#include "Grid/ImageGrid.h"
#include "Monitor.h"
#include "Values.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::surface {

/// A triangle, in world units relative to point (0, 0, 0) of the grid. Two equal corners: a segment; three: a
/// point.
using Piece = std::array<Position, 3>;

struct Surface {
  std::vector<Piece> pieces;
  /// Values at the corners, interpolated linearly on a piece: `components` numbers per corner, piece after
  /// piece. Empty: none.
  std::vector<double> values;
  int components = 0;
  std::vector<std::int64_t> cells; ///< of a level set: per piece, the number of the low corner of its cell
  bool aborted = false;            ///< the monitor requested a stop; the surface is then empty
};

/// Interpolation of the values in a cell.
enum class Interpolation {
  Linear, ///< between the two ends of each edge
  Cubic   ///< Catmull-Rom through four points on each axis, on cells of half the spacing
};

/// The values whose level set is a surface. One of `floats` and `doubles` is given.
struct LevelSet {
  ImageGrid grid;
  GridIndex first{};               ///< of the whole image: the index of point 0, if `grid` is a part of it
  std::span<const float> floats;   ///< per point
  std::span<const double> doubles; ///< per point
  std::span<const std::uint8_t> hidden{}; ///< per point, nonzero: has no value; empty: none
  double isoValue = 0;
  bool insideBelow = false; ///< inside are the values up to the iso value, else those from it on
  Interpolation interpolation = Interpolation::Linear;
  /// The cells to use, named by their low corners; by default all.
  std::function<bool(const GridIndex&)> uses{};
};

/// Returns the surface of a level set, relative to point 0 of the whole image: the pieces of all cells, x
/// fastest. Cells with a corner that has no finite value have none.
/// @throws Error if the iso value is not finite, or on insufficient memory
Surface extractLevelSet(const LevelSet& levelSet, int threads, const Monitor& monitor = {});

/// Marks the points inside, 1 else 0. Points without a value are outside.
/// @param count  receives the number of points that are not hidden and have no finite value
Values<std::uint8_t> insideOf(const LevelSet& levelSet, int threads, std::int64_t& count);

/// Sets the values at the corners of the pieces to those of arrays at the points, interpolated in cells,
/// linearly on each axis.
/// @param valueOf  returns component c at a point
void sample(const LevelSet& levelSet, int components, const std::function<double(std::int64_t, int)>& valueOf,
            int threads, Surface& surface);

/// Points of an image, a block of at most 64.
struct PointBlock {
  GridIndex low{}, size{};   ///< first point, and number of points on each axis
  const double* square;      ///< squared distances, world units; +infinity beyond the maximum distance
  const std::int32_t* piece; ///< numbers of the nearest pieces, the lowest of equally near ones; -1: none
  const std::array<GridIndex, 64>* offset; ///< of the points from the first one; some lie beyond the size

  /// Calls f(point, square, piece) for the points.
  template <class F>
  void forEach(F&& f) const {
    for (std::size_t l = 0; l < 64; ++l) {
      const GridIndex& o = (*offset)[l];
      if (o[0] < size[0] && o[1] < size[1] && o[2] < size[2])
        f(GridIndex{low[0] + o[0], low[1] + o[1], low[2] + o[2]}, square[l], piece[l]);
    }
  }
};

/// Finds the squared distance from each point of a box to the nearest piece, exact up to the rounding of one
/// candidate's distance, and independent of the threads. Returns false if the monitor requested a stop.
/// @param maximumDistance  points farther away may have +infinity; 0: no limit
/// @param take  receives all points, in blocks, on any thread
/// @throws Error on insufficient memory, and if there are 2^31 pieces or more
bool findSquaredDistances(const ImageGrid& grid, const grid::Box& box, std::span<const Piece> pieces,
                          double maximumDistance, int threads, const Monitor& monitor,
                          const std::function<void(const PointBlock&)>& take);

/// Returns the bytes of work memory for a number of pieces.
std::size_t workBytes(std::size_t pieces);

/// The point of a surface that is nearest to a position.
struct Foot {
  std::int32_t piece = -1; ///< -1: there is none
  double distance = 0;     ///< world units
  Position at{};
  std::array<double, 3> weights{}; ///< barycentric, of the corners
};

/// Returns the foot of a position on a piece.
Foot footOn(const Piece& piece, const Position& position);
/// Returns the foot of a position on the nearest piece.
Foot nearestFoot(std::span<const Piece> pieces, const Position& position);

/// Returns whether every edge of the triangles belongs to an even number of them. Corners at the same
/// position are the same. Segments and points do not count; without triangles the result is false. If all
/// pieces are segments, their ends take the place of the edges.
bool isClosed(std::span<const Piece> pieces);

/// Marks the points of a box that a closed surface encloses, x fastest: by the parity of its crossings with a
/// line along the first axis.
Values<std::uint8_t> enclosedBy(const ImageGrid& grid, const grid::Box& box, std::span<const Piece> pieces,
                                int threads);

} // namespace isochrone::surface
