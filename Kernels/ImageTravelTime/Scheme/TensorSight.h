// TensorSight.h - the neighbours of a stencil that a point sees.
//
// The offsets of a stencil are long, so a barrier may lie between a point and its neighbour. A neighbour is
// used only if the segment to it touches no barrier cell (Grid/Supercover.h). A point that does not see all
// of its neighbours also takes the straight path from its neighbours on the axes: otherwise the front would
// not reach corners and narrow passages.
#pragma once

#include "Bytes.h"
#include "ImageTravelTime/Scheme/TensorSees.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"

#include <span>
#include <vector>

namespace isochrone::image {

/// The offsets of a stencil, in a fixed order; (0, 0, 0) for missing ones of the six.
using StencilOffsets = std::array<grid::Offset, maxTerms>;

class TensorSight {
public:
  /// @param barrier   per point, nonzero in barriers
  /// @param stencils  all stencils of the image
  TensorSight(const Grid& grid, std::span<const std::uint8_t> barrier,
              std::span<const StencilOffsets> stencils);

  /// @param stencil  number of the stencil of a point that is not a barrier
  TensorSees of(const GridIndex& point, std::size_t stencil) const;

  std::size_t bytes() const { return bytesOf(distance); }

private:
  Grid grid;
  std::span<const std::uint8_t> barriers;
  std::span<const StencilOffsets> stencils;
  std::vector<std::array<std::vector<grid::Offset>, maxTerms>> touched; ///< cells, per stencil and term
  std::vector<std::int32_t> distance; ///< to the nearest barrier; empty: no barriers
  std::array<int, 3> reach{};         ///< maximum offset on each axis
};

/// Returns the times along the axes from the neighbours of a point that is no barrier, without a drift.
std::array<float, 3> timesAlongAxes(const Problem& problem, std::int64_t point, double unit);

} // namespace isochrone::image
