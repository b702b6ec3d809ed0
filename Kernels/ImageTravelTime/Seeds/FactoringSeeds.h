// FactoringSeeds.h - the seed from which a refinement of first order times factors a point.
#pragma once

#include "ImageTravelTime/Scheme/FactoredDifference.h"
#include "ImageTravelTime/Seeds/SolverInput.h"

#include <vector>

namespace isochrone::image {

class FactoringSeeds {
public:
  /// Finds the seeds for Options::factoring.
  explicit FactoringSeeds(const SolverInput& input);

  /// Returns the quantity that is differenced at a point: with the seed whose front would arrive first if the
  /// speed were that of the seed everywhere. Additive factoring ends with the ball of this seed.
  FactoredQuantity at(const GridIndex& point) const;

private:
  struct Seed : FactoringSeed {
    double squaredRadius; ///< of the ball, world units
  };
  grid::Vector3 spacing;
  SourceFactoring factoring;
  std::vector<Seed> seeds;
};

} // namespace isochrone::image
