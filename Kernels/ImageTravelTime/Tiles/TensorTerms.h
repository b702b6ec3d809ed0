// TensorTerms.h - the terms of the scheme with tensors or a tilted medium at every point, as the tile kernels
// read them.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/TensorSight.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Seeds/ThomsenPieces.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

/// A distinct stencil of an image, in grid steps; (0, 0, 0) for missing offsets.
struct TensorOffsets16 {
  struct alignas(8) Offset {
    std::int16_t x, y, z, unused;
  } of[maxTerms];
};

/// A point that does not see all points of its stencil.
struct EdgeTerms {
  std::uint32_t stencil; ///< not set if tilted
  TensorSees sees;
  float time[3]; ///< along each axis
};

/// The number of the stencil of a point, 0 if tilted; with `atEdge` the number of its EdgeTerms; in barriers
/// and in the margin of a periodic image `noStencil`.
using TensorWord = std::uint32_t;
inline constexpr TensorWord atEdge = 0x80000000, noStencil = 0xffffffff;

/// Returns the host memory of TensorTerms and its set-up, bytes, without edges.
inline std::size_t tensorTermsBytes(const Problem& problem, SourceFactoring factoring) {
  const std::size_t weights = isTilted(problem) ? 0 : problem.grid.nz == 1 ? 3 : 6;
  const std::size_t numbers = weights + (hasDrift(problem) ? driftComponents(problem) : 0);
  return std::size_t(problem.grid.points()) *
             (numbers * sizeof(float) + sizeof(TensorWord) + 1 + sizeof(std::int32_t)) +
         thomsenBytes(problem, factoring);
}

struct TensorTerms {
  /// @param terms  number of terms per point: 3 in the plane, 6 in space
  TensorTerms(const SolverInput& input, int terms);

  Grid grid;
  grid::Box own;           ///< the points that are no copies: all, unless the image is periodic
  double unit;             ///< unit of time, a power of two
  float largestSpeed;      ///< maximum speed, grid steps per unit of time, up to a factor of two
  Values<float> weight;    ///< per term and point: 1 / time^2, 0 for missing terms; empty if tilted
  Values<TensorWord> word; ///< per point
  Values<float> drift;     ///< per axis and point: the one-form, time per grid step; empty: no drift
  float slack = 0;         ///< by how much a point may be later than one that it may lower, in a drift
  ThomsenPieces tilted;    ///< empty: tensors
  std::vector<StencilOffsets> stencils;
  std::vector<EdgeTerms> edges;

  /// Returns the offsets in the layout of the device.
  std::vector<TensorOffsets16> offsets() const;

  /// Calls f(i, j, k) for the points whose values the update of a point reads.
  template <class F>
  void forEachRead(const GridIndex& at, F&& f) const {
    const TensorWord own = word[grid.index(at)];
    if (own == noStencil) return;
    const EdgeTerms* edge = own & atEdge ? &edges[own & ~atEdge] : nullptr;
    const TensorSees sees = edge ? edge->sees : seesAll;
    const auto readPairs = [&](std::uint32_t stencil, TensorSees ofPairs) {
      for (int r = 0; r < maxTerms; ++r) {
        const auto& [x, y, z] = stencils[stencil][r];
        if (x == 0 && y == 0 && z == 0) continue;
        if (ofPairs >> r & 1) f(at[0] + x, at[1] + y, at[2] + z);
        if (ofPairs >> (maxTerms + r) & 1) f(at[0] - x, at[1] - y, at[2] - z);
      }
    };
    if (tilted.empty()) {
      readPairs(edge ? edge->stencil : own, sees);
    } else {
      for (const ThomsenTerms& piece : tilted.of(grid.index(at))) readPairs(piece.stencil, piece.sees);
    }
    for (int face = 0; face < 6; ++face)
      if (sees >> (faceBits + face) & 1) {
        GridIndex to = at;
        to[face / 2] += face % 2 ? 1 : -1;
        f(to[0], to[1], to[2]);
      }
  }

private:
  std::vector<std::uint8_t> splitAll(const Problem& problem, execution::RoundPool& pool);
  std::vector<std::uint8_t> decomposeAll(const Problem& problem, int terms, execution::RoundPool& pool);
  void findEdges(const Problem& problem, std::span<const std::uint8_t> barriers, execution::RoundPool& pool);
  void findDrift(const Problem& problem, execution::RoundPool& pool);
};

} // namespace isochrone::image
