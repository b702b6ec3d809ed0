// FactoringSeeds.h - the seed from which a refinement of first order times factors a point.
#pragma once

#include "ImageTravelTime/Scheme/FactoredDifference.h"
#include "ImageTravelTime/Seeds/SolverInput.h"

#include <vector>

namespace isochrone::image {

/// A seed, and the ball in which additive factoring applies.
struct RefinementBall : FactoringSeed {
  double squaredRadius; ///< world units
};

/// Seeds in the memory of host or device.
struct FactoringView {
  const RefinementBall* balls;
  int count;
  SourceFactoring factoring;
  double spacing[3];

  /// Returns the quantity that is differenced at a point: with the seed whose front would arrive first if the
  /// speed were that of the seed everywhere. Additive factoring ends with the ball of this seed.
  /// @param x  grid steps
  TEAM_FN FactoredQuantity at(const double (&x)[3]) const {
    const RefinementBall* earliest = nullptr;
    double minimum = 0;
    for (int b = 0; b < count; ++b)
      if (const double arrival = balls[b].startValue + balls[b].time(x[0], x[1], x[2]);
          !earliest || arrival < minimum)
        earliest = balls + b, minimum = arrival;
    if (earliest && factoring == SourceFactoring::Additive) {
      double squared = 0;
      for (int a = 0; a < 3; ++a) {
        const double away = (x[a] - earliest->at[a]) * spacing[a];
        squared += away * away;
      }
      if (squared >= earliest->squaredRadius) earliest = nullptr;
    }
    return {earliest, earliest ? factoring : SourceFactoring::Off, x};
  }
};

class FactoringSeeds {
public:
  /// Finds the seeds for Options::factoring.
  explicit FactoringSeeds(const SolverInput& input);

  const std::vector<RefinementBall>& all() const { return balls; }
  FactoringView view() const;

private:
  Position spacing;
  SourceFactoring factoring;
  std::vector<RefinementBall> balls;
};

} // namespace isochrone::image
