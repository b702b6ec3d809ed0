// Passes.h - the passes of the host over an image, and their data. All types are plain data, so that they may
// pass between sources compiled for different instruction sets.
//
// A pass solves the lines along one axis. Squared distances are 32-bit integers if the largest one fits (with
// rows of 16-bit integers where distances are short), else double. Both kinds of points may be measured at
// once: a point of one kind has distance 0 to its own kind, so that one value per point serves both.
#pragma once

#include <cstdint>

namespace isochrone::distance {

/// Represents "no site": larger than any squared distance. 2^29 leaves room for the difference of two.
template <class T>
inline constexpr T none = T(1 << 29);
template <>
inline constexpr double none<double> = __builtin_inf();

/// The points to which distances are measured: sites, other points, or both.
struct Kinds {
  bool sites, others;
  bool both() const { return sites && others; }
};

/// Destinations of the results; null: not requested.
struct Output {
  float* distance;
  double* precise;
  double* squared;
  double unit;   ///< world length of a distance of 1
  double limit;  ///< larger squared distances are not reached
  bool negative; ///< whether distances of sites are negative
};

/// The squared distances after the passes so far, per point.
template <class T>
struct Carrier {
  T* value; ///< null: this is the last pass, which writes to the output
  /// Per row along x, nonzero: the row holds 16-bit numbers, in strips of `strip` points, each at the start
  /// of the memory of its strip. Null: no such rows.
  std::uint8_t* shortRow;
  /// Per point: the nearest point of the other kind, -1 if none exists. Null: not requested.
  std::int64_t* label;
};

/// Lines whose windows would take more steps are solved by lower envelopes. Does not change the result.
inline constexpr int payingSteps = 24;

inline constexpr int strip = 64; ///< columns that are solved together

inline constexpr int linePad = 80; ///< number of padding elements before and after the points of a line

/// Properties of all lines of a pass.
template <class T>
struct Axis {
  std::int64_t points; ///< along a line
  T weight;            ///< factor of the squared number of steps
  int reach;           ///< more steps than this exceed the maximum distance
  int windowSteps;     ///< maximum window size, on average; lines that need more are solved by envelopes
  /// Coordinates of the points, with linePad ascending ones before and after them, where they are not evenly
  /// spaced; the weight is then 1. Only solvePieces uses them, with doubles.
  const double* coordinates = nullptr;
};

/// A band of rows of one plane, whose first two axes are solved: down the columns, then along the rows.
struct Band {
  const std::uint8_t* sites;    ///< sites of the plane
  std::int64_t nx, first, last; ///< columns, and rows first ... last - 1
  std::int64_t maxRows;         ///< maximum number of rows of a band of the plane
  Kinds kinds;
  /// Per kind and column: steps from the row before the band to the nearest site above it, and from the row
  /// after it to the nearest site below; `farColumn` if none exists. Null at the ends of the plane.
  const std::uint32_t *above[2], *below[2];
};

inline constexpr std::uint32_t farColumn = 1u << 30;
inline constexpr std::int64_t maxBandRows = 128;

/// A tile of lines along an axis: `strip` adjacent columns.
struct Tile {
  const std::uint8_t* sites;   ///< at the first point of the first line; null unless both kinds are measured
  std::int64_t first;          ///< index of the first point
  std::int64_t stride;         ///< between points along a line
  std::int64_t row, rowStride; ///< index of the first point's row in Carrier::shortRow, and step between
                               ///< points
  int columns;                 ///< 1 to `strip`
  int maxColumns;              ///< maximum number of columns of a tile of the image
  Kinds kinds;
  /// Number of the first point in the whole image, for labels, and steps to the next point along a line and
  /// to the next line.
  std::int64_t label, labelStride, labelAcross;
  std::int64_t across; ///< from a line to the next; 1, except for lines along the rows of the image
};

/// Points of a line beyond the ends of the piece that is solved: the ones before it, then the ones after it,
/// ascending.
template <class T>
struct Beyond {
  const T *x, *g;            ///< places relative to the first point of the piece, and values
  const std::int64_t* label; ///< null: not requested
  int before, after;
};

/// Receives the lower hulls of lines.
template <class T>
struct HullSink {
  void* context;
  /// @param line   number in the tile
  /// @param kind   0, or, if both kinds are measured, 0 of sites and 1 of other points
  /// @param start  the first place at which each vertex wins, and the end of the last one's
  void (*take)(void* context, int line, int kind, const T* x, const T* g, const T* start, int count);
};

/// Scratch memory of one thread for one kind of pass, aligned to a cache line.
struct Scratch {
  std::uint8_t* memory;
  bool fresh; ///< not used by this pass before
};

/// The passes compiled for one instruction set.
template <class T>
struct PassKernels {
  /// Return the number of bytes of scratch memory of each pass.
  std::int64_t (*bandScratch)(std::int64_t nx, std::int64_t rows, bool both);
  std::int64_t (*tileScratch)(std::int64_t points, std::int64_t columns, bool labels);
  std::int64_t (*rowScratch)(std::int64_t nx);

  /// Computes, in each column of some rows, the steps from the first row to the first site; 255: none.
  /// @param rowStride  from a row to the next; negative: from the last row up
  /// @param ofSites  false: to points that are not sites
  void (*stepsToFirst)(const std::uint8_t* sites, std::int64_t nx, std::int64_t rowStride, std::int64_t rows,
                       bool ofSites, std::uint8_t* steps);

  /// Solves the first two axes, without labels.
  /// @param to  receives the result; without memory, the output does
  /// @param firstPoint  of the plane
  void (*solveBand)(const Band& band, const Axis<T>& y, const Axis<T>& x, const Carrier<T>& to,
                    const Output& out, std::int64_t firstPoint, Scratch memory);

  /// Solves one row of the first axis, with labels or as the only axis.
  /// @param firstPoint, firstLabel  of the row: in memory, and in the whole image
  void (*labelRow)(const std::uint8_t* sites, const Kinds& kinds, const Axis<T>& x, const Carrier<T>& to,
                   bool isLast, const Output& out, std::int64_t firstPoint, std::int64_t firstLabel,
                   Scratch memory);

  /// Solves a later axis.
  /// @param carrier  the result of the previous axes; receives the result of this axis unless it is the last
  void (*solveTile)(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
                    const Output& out, Scratch memory);

  // Pieces of lines, by lower envelopes. `beyond`: of each line of the tile, at [kind * strip + line], at
  // most `most` points; null: none.
  std::int64_t (*pieceScratch)(std::int64_t points, std::int64_t columns, bool labels, int most);

  /// Finds the points of each line, and beyond it, that win somewhere from `low` to `high` - 1.
  void (*findHulls)(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, std::int64_t low,
                    std::int64_t high, const Beyond<T>* beyond, int most, const HullSink<T>& sink,
                    Scratch memory);

  /// Solves pieces of lines, as solveTile.
  void (*solvePieces)(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
                      const Output& out, const Beyond<T>* beyond, int most, Scratch memory);

  /// Solves periodic lines, as solveTile. The scratch memory is that of pieces with two more lines of points.
  void (*solvePeriodic)(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
                        const Output& out, Scratch memory);
};

/// Returns the passes for the instruction set that execution::chooseHostIsa returns. T is int32 or double.
template <class T>
PassKernels<T> choosePassKernels();

} // namespace isochrone::distance
