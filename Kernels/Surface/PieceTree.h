// PieceTree.h - pieces in an order in which neighbours lie together, and the boxes of runs of them.
#pragma once

#include "Surface/PieceDistance.h"
#include "Surface/Surface.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::surface {

/// The box of a run of pieces, one of their points, and a disc that contains them: infinite for long runs.
struct PieceBox {
  double low[3], high[3], point[3];
  double middle[3], normal[3]; ///< of the disc
  double thickness;            ///< half of it
  double radius;               ///< squared
};

/// Pieces in an order in which runs lie together, in units of a power of two, so that no square exceeds the
/// range of double.
/// Runs of 8 pieces have a box, runs of 8 boxes have one, and so on to a few boxes.
class PieceTree {
public:
  static constexpr int fan = 8;

  PieceTree(std::span<const Piece> pieces, double unit);

  std::vector<PieceTerms> terms;
  std::vector<double> number;                ///< of each piece, before they were ordered
  std::vector<std::vector<PieceBox>> levels; ///< from the runs of pieces on

  /// Returns the bytes that a number of pieces take.
  static std::size_t bytesOf(std::size_t pieces) {
    return pieces * (sizeof(PieceTerms) + sizeof(double) + 32 + sizeof(PieceBox) / 7);
  }
};

/// Returns the unit of the tree for a grid: a power of two near its largest spacing.
double unitOf(const ImageGrid& grid);
/// Returns a maximum distance in units of the tree, with room for rounding; +infinity without one.
double limitOf(double maximumDistance, double unit);

/// Returns the terms of a piece of a size near 1.
PieceTerms termsOf(const Piece& piece);

/// Returns the foot of a position on a piece.
Foot footOf(const PieceTerms& terms, const Position& position);

} // namespace isochrone::surface
