// ThomsenSeeds.h - source factoring of point seeds in a tilted transversely isotropic medium: the arrivals
// from each seed at the points around its ball, in the medium of the seed.
#pragma once

#include "Bytes.h"
#include "ImageTravelTime/Scheme/ThomsenArrival.h"
#include "ImageTravelTime/Seeds/TensorSeeds.h"
#include "Values.h"

#include <span>
#include <vector>

namespace isochrone::image {

class ThomsenSeeds {
public:
  /// @throws Error on insufficient memory
  /// @param seeds  of the problem; must outlive this. In other media than tilted ones there are no arrivals.
  /// @param reach  maximum offset of the stencils on each axis
  ThomsenSeeds(const SolverInput& input, const TensorSeeds& seeds, const std::array<int, 3>& reach,
               double timeUnit);

  /// Returns the seed whose ball meets the brick of a point, relative to the point.
  ThomsenSeed seenFrom(std::int64_t point) const;

  std::span<const ThomsenBall> boxes() const { return ofBall; }
  std::span<const ThomsenArrival> arrivals() const { return arrival; }
  std::size_t bytes() const { return bytesOf(arrival); }

private:
  Grid grid;
  const TensorSeeds& seeds;
  std::vector<ThomsenBall> ofBall;
  Values<ThomsenArrival> arrival; ///< of all boxes, one after the other
};

} // namespace isochrone::image
