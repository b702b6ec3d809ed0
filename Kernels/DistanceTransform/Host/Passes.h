// Passes.h - the passes of the host over an image, and what they work on: plain data, so that it crosses
// the border between sources compiled for different instruction sets.
//
// A pass solves the lines along one axis. Squared distances are integers of 32 bits where the largest allows
// it (and rows of 16 bits where they are short), else double. Points of both kinds may be measured at once:
// a point of one kind is at distance 0 from its own kind, so one value per point serves both.
#pragma once

#include <cstdint>

namespace isochrone::distance {

/// What is measured from: sites, the other points, or both.
struct Kinds {
  bool sites, others;
  bool both() const { return sites && others; }
};

/// Where results go; null: not wanted.
struct Output {
  float* distance;
  double* precise;
  double* squared;
  double unit;   ///< world length of a distance of 1
  double limit;  ///< squared distances above it are not reached
  bool negative; ///< distances of sites are negative
};

/// The squared distances after the passes so far, point after point.
template <class T>
struct Carrier {
  T* value; ///< null: this is the last pass, its values go to the output
  std::uint8_t*
      shortRow; ///< per row along x: nonzero: it has numbers of 16 bits, in strips of `strip` points,
                ///< each at the start of the memory of its strip; null: there are no such rows
  std::int64_t*
      label; ///< per point: the nearest point of the other kind, -1 if there is none; null: not wanted
};

/// Lines whose windows would take more steps are solved by hulls. Any other number gives the same answers.
inline constexpr int payingSteps = 24;

inline constexpr int strip = 64; ///< columns that are solved together

/// What all lines of a pass have in common.
template <class T>
struct Axis {
  std::int64_t points; ///< along a line
  T weight;            ///< of the squared number of steps along it
  int reach;           ///< more steps than this are beyond the limit
  int windowSteps;     ///< how far windows may grow, on average; lines that need more are solved by hulls
};

/// A run of rows of one plane, the first two axes of which are solved: down the columns, then along the rows.
struct Band {
  const std::uint8_t* sites;    ///< of the plane
  std::int64_t nx, first, last; ///< columns, and rows first ... last - 1
  std::int64_t mostRows;        ///< that a band of the plane has
  Kinds kinds;
  /// Per kind and column: steps from the row before the band to the nearest site above it, from the row
  /// behind it to the nearest one below; `farColumn` where there is none. Null at the ends of the plane.
  const std::uint32_t *above[2], *below[2];
};

inline constexpr std::uint32_t farColumn = 1u << 30;
inline constexpr std::int64_t mostBandRows = 128;

/// Tiles of lines along an axis: `strip` columns beside each other.
struct Tile {
  const std::uint8_t* sites;   ///< at the first point of the first line; null unless both kinds are measured
  std::int64_t first;          ///< index of that point
  std::int64_t stride;         ///< between points along a line
  std::int64_t row, rowStride; ///< number of the row of that point in Carrier::shortRow, and between points
  int columns;                 ///< 1 to `strip`
  int mostColumns;             ///< that a tile of the image has
  Kinds kinds;
};

/// Memory of one thread for one kind of pass, at the start of a cache line.
struct Scratch {
  std::uint8_t* memory;
  bool fresh; ///< not used by this pass before
};

/// The passes compiled for one instruction set.
template <class T>
struct PassKernels {
  /// Bytes of scratch that each pass needs.
  std::int64_t (*bandScratch)(std::int64_t nx, std::int64_t rows, bool both);
  std::int64_t (*tileScratch)(std::int64_t points, std::int64_t columns, bool labels);
  std::int64_t (*rowScratch)(std::int64_t nx);

  /// Steps, in each column of some rows, from the first row to the first site; 255: there is none.
  /// @param rowStride  from a row to the next; negative: they are visited from the last one up
  /// @param ofSites    false: to points that are no sites
  void (*stepsToFirst)(const std::uint8_t* sites, std::int64_t nx, std::int64_t rowStride, std::int64_t rows,
                       bool ofSites, std::uint8_t* steps);

  /// The first two axes, without labels.
  /// @param to          takes the result; without memory for it: the output does
  /// @param firstPoint  of the plane
  void (*solveBand)(const Band& band, const Axis<T>& y, const Axis<T>& x, const Carrier<T>& to,
                    const Output& out, std::int64_t firstPoint, Scratch memory);

  /// One row of the first axis, with labels or as the only axis.
  void (*labelRow)(const std::uint8_t* sites, const Kinds& kinds, const Axis<T>& x, const Carrier<T>& to,
                   bool isLast, const Output& out, std::int64_t firstPoint, Scratch memory);

  /// A later axis.
  /// @param carrier  the result of the axes before; takes that of this one unless it is the last
  void (*solveTile)(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
                    const Output& out, Scratch memory);
};

/// The passes for the best instruction set of this processor; ISOCHRONE_HOST_ISA (sse2, avx2, avx512) in the
/// environment asks for a lesser one. T is int32 or double.
template <class T>
PassKernels<T> choosePassKernels();

} // namespace isochrone::distance
