// PeriodicProblem.h - the problem of an image with periodic axes as one in parts (Grid/PeriodicPart.h).
#pragma once

#include "Grid/PeriodicPart.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

inline bool isPeriodic(const Problem& p) { return p.periodic[0] || p.periodic[1] || p.periodic[2]; }

class PeriodicProblem {
public:
  /// @throws Error if an array has not the length of the image, and if the image is divided
  explicit PeriodicProblem(const Problem& problem);

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
