// SecondOrderScheme.h - the equation of each point for the travel time of second order.
//
// The first order times determine the sides of its differences over three points, and the order in which the
// points can be solved. An axis stays at first order if only one point of its side is earlier. Seed points
// keep their values.
#pragma once

#include "ImageTravelTime/Scheme/UpstreamNeighbours.h"
#include "ImageTravelTime/Seeds/FactoringSeeds.h"

#include <array>
#include <span>
#include <vector>

namespace isochrone::image {

/// The solution at a point.
struct SecondOrderPoint {
  double value = 0;
  bool isRefined = false;                    ///< false: the first order value; the rest is then not set
  std::array<Difference, 3> terms;           ///< per axis; with weight 0 where it is not used
  std::array<UpstreamNeighbour, 3> upstream; ///< per axis
  std::int32_t seed = -1;                    ///< number of the seed from which it is factored; -1: none
};

class SecondOrderScheme {
public:
  /// @param firstOrder  times of the first order
  SecondOrderScheme(const SolverInput& input, std::span<const float> firstOrder);

  /// Returns the first order times, -infinity where a point keeps its value.
  std::span<const float> times() const { return first; }

  /// Solves a point whose time is finite.
  /// @param value  per point, those of second order at the upstream points
  SecondOrderPoint solve(std::int64_t point, std::span<const float> value) const;

private:
  const Problem& problem;
  const FactoringSeeds seeds;
  std::vector<float> first;
  const UpstreamNeighbours upstream;
};

} // namespace isochrone::image
