// PeriodicProblem.h - the problem of an image with periodic axes as one in parts (Grid/PeriodicPart.h).
#pragma once

#include "Grid/PeriodicPart.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

inline bool isPeriodic(const Problem& p) { return p.periodic[0] || p.periodic[1] || p.periodic[2]; }

/// Returns the maximum offsets of the stencils of a problem with periodic axes: Problem::reach if it is
/// known. Nothing if the monitor requested a stop.
/// @throws Error if an array has not the length of the image, and if the image is divided
std::optional<GridIndex> stencilReach(const Problem& problem, int threads, const Monitor& monitor);

class PeriodicProblem {
public:
  /// @param reach    from stencilReach, which also checks the problem
  /// @param byTiles  whether the kernels of a device may solve it: their tiles need wider margins
  /// @throws Error if the margin makes a small image large, and on insufficient memory
  PeriodicProblem(const Problem& problem, const GridIndex& reach, bool byTiles = false);

  const Problem& problem() const { return inParts; }
  const grid::PeriodicPart& part() const { return periodic; }
  Position inGrid(const Position& at) const { return periodic.copies(at)[0]; }
  /// Replaces a position relative to the grid by one relative to the image.
  void toImage(Position& at) const;

private:
  grid::PeriodicPart periodic;
  std::vector<float> speed, drift;
  std::vector<float> epsilon, delta, axis, shear; ///< empty where one value holds for all points
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> regions;
  Problem inParts;
};

} // namespace isochrone::image
