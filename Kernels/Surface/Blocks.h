// Blocks.h - what the search for the pieces nearest to a block of points repeats most, once per instruction
// set.
//
// A list holds the numbers of boxes or pieces. Its bounds are lower bounds of the squared distances from the
// eight corners of a block to each of them, 8 numbers per entry.
#pragma once

#include "Surface/PieceTree.h"

#include <cstdint>

namespace isochrone::surface {

/// Positions of the corners of a block, or of the points of one: 8 or 64 numbers per axis.
template <int size>
struct Positions {
  alignas(64) double x[3][size];
};
using Corners = Positions<8>;
using Points = Positions<64>;

/// Squared distances from the corners to one point of the surface per corner, and last, for all corners the
/// square beyond which no point of the block is within the maximum distance: a corner is at most half a
/// diagonal away.
struct Witnesses {
  static constexpr int count = 9;
  alignas(64) double square[count][8]; ///< of the point of corner j, from corner k, and `rounding`
};

/// How bounds at the corners of a block bound the squared distances at the corners of a part, from below: by
/// the sum of bound k times weight[k], minus `less`.
struct Within {
  alignas(64) double weight[8][8], less[8];
};

/// The nearest pieces of the points of a block.
struct Nearest {
  alignas(64) double square[64], number[64];
};

/// Bounds may be wrong by rounding: by less than this share of themselves and of the squared diagonal of the
/// block.
inline constexpr double rounding = 1e-11;

struct BlockKernels {
  void (*boundBoxes)(const PieceBox* boxes, const std::int32_t* list, std::int64_t count, const Corners&,
                     double* bounds);
  void (*boundPieces)(const PieceTerms* terms, const std::int32_t* list, std::int64_t count, const Corners&,
                      double* bounds);
  /// Bounds the squared distances at the corners of a part of a block.
  void (*boundPart)(const double* ofBlock, std::int64_t count, const Within&, double* bounds);
  /// Finds, for each corner, the place in the list with the lowest bound.
  void (*findLowest)(const double* bounds, std::int64_t count, std::int64_t lowest[8]);
  /// Keeps the entries that may be nearer than all witnesses somewhere in the block. Returns their number.
  std::int64_t (*keepNear)(std::int32_t* list, double* bounds, std::int64_t count, const Witnesses&);
  /// Lowers the squared distances of points to those of the pieces of a list. Equal ones go to the lowest
  /// number.
  /// @param slack  by which bounds may be wrong, in addition to their share
  void (*lower)(const PieceTerms* terms, const double* numbers, const std::int32_t* list, std::int64_t count,
                const Points&, double slack, Nearest&);
};

BlockKernels chooseBlockKernels();

} // namespace isochrone::surface
