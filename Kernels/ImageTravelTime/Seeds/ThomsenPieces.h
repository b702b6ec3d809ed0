// ThomsenPieces.h - the scheme of a tilted transversely isotropic medium at every point of an image.
#pragma once

#include "Bytes.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/TensorSight.h"
#include "ImageTravelTime/Scheme/ThomsenArrival.h"
#include "ImageTravelTime/Scheme/ThomsenTerms.h"
#include "Values.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace isochrone::image {

class ThomsenPieces {
public:
  /// No medium.
  ThomsenPieces() = default;
  /// Splits the slowness curve of every point.
  /// @param unit  of time
  /// @throws Error if there are too many pieces
  ThomsenPieces(const Problem& problem, double unit, execution::RoundPool& pool);

  Values<ThomsenPoint> point;
  std::vector<ThomsenTerms> piece;      ///< of points with equal media in a row once
  std::vector<StencilOffsets> stencils; ///< the distinct ones

  bool empty() const { return point.empty(); }
  bool isBarrier(std::int64_t p) const { return point[std::size_t(p)].count == 0; }
  std::span<const ThomsenTerms> of(std::int64_t p) const {
    const ThomsenPoint& here = point[std::size_t(p)];
    return {piece.data() + here.first, here.count};
  }

  /// Gives pieces of their own to the points that do not see all of their stencils.
  void limitTo(const TensorSight& sight, execution::RoundPool& pool);
  /// Returns `seesAll` if a point sees all of its stencils, else the neighbours on the axes that it sees.
  TensorSees sees(std::int64_t p) const;

  /// Returns the maximum offset of the stencils on each axis.
  std::array<int, 3> reach() const;
  std::size_t bytes() const { return bytesOf(point, piece, stencils); }

private:
  Grid grid;

  std::vector<std::size_t> addPieces(const std::vector<std::vector<ThomsenTerms>>& ofRow,
                                     execution::RoundPool& pool);
};

/// Returns the memory of the pieces of an image, bytes, with two pieces for each point, and of the arrivals
/// of factored seeds (ThomsenSeeds), whose balls may fill the image; 0 in other media than tilted ones.
inline std::size_t thomsenBytes(const Problem& problem, SourceFactoring factoring) {
  const bool balls = factoring != SourceFactoring::Off &&
                     std::ranges::any_of(problem.seeds, [](const Seed& seed) { return !seed.isRegion; });
  const std::size_t perPoint =
      sizeof(ThomsenPoint) + 2 * sizeof(ThomsenTerms) + (balls ? sizeof(ThomsenArrival) : 0);
  return isTilted(problem) ? std::size_t(problem.grid.points()) * perPoint : 0;
}

} // namespace isochrone::image
