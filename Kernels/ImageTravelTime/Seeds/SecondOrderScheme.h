// SecondOrderScheme.h - the equation of each point for the travel time of second order.
//
// The first order times determine the sides of its differences over three points, and the order in which the
// points can be solved. An axis stays at first order if only one point of its side is earlier. Seed points
// keep their values.
#pragma once

#include "ImageTravelTime/Scheme/Limits.h"
#include "ImageTravelTime/Scheme/UpstreamNeighbours.h"
#include "ImageTravelTime/Seeds/FactoringSeeds.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::image {

/// The solution at a point.
struct SecondOrderPoint {
  double value = 0;
  bool isRefined = false;        ///< false: the first order value; the rest is then not set
  Difference terms[3];           ///< per axis; with weight 0 where it is not used
  UpstreamNeighbour upstream[3]; ///< per axis
  std::int32_t seed = -1;        ///< number of the seed from which it is factored; -1: none
};

/// The equations, in the memory of host or device.
struct SecondOrderView {
  const float* first; ///< first order times, -infinity where a point keeps its value
  const float* value; ///< of second order, at least at the upstream points
  const float* speed; ///< null: constantSpeed
  double constantSpeed;
  bool isSlowness;
  double h[3];          ///< spacing
  std::int64_t size[2]; ///< of the image, x and y
  FactoringView factoring;
  UpstreamNeighbours upstream;

  TEAM_FN double slowness(std::int64_t point) const {
    return slownessOf(speed ? double(speed[point]) : constantSpeed, isSlowness);
  }

  /// Solves a point whose time is finite.
  TEAM_FN SecondOrderPoint solve(std::int64_t point) const {
    constexpr double none = std::numeric_limits<double>::infinity();
    const std::int64_t row = point / size[0], at[3] = {point - row * size[0], row % size[1], row / size[1]};
    const double x[3] = {double(at[0]), double(at[1]), double(at[2])}, s = slowness(point);
    const FactoredQuantity quantity = factoring.at(x);
    SecondOrderPoint result;
    const auto difference = [&](int a, bool usesFar) {
      const UpstreamNeighbour& up = result.upstream[a];
      int offset[3] = {};
      offset[a] = up.near < 0 ? 1 : -up.sign;
      const double weight = 1 / (h[a] * s * h[a] * s);
      if (up.near < 0) return quantity.without(offset, weight);
      return quantity.difference(offset, weight, value[up.near],
                                 usesFar && up.far >= 0 ? double(value[up.far]) : none);
    };
    Difference threePoints[3], twoPoints[3];
    for (int a = 0; a < 3; ++a) {
      result.upstream[a] = upstream(point, a, at[a]);
      threePoints[a] = difference(a, true);
    }
    const auto overTwoPoints = [&] {
      for (int a = 0; a < 3; ++a) twoPoints[a] = difference(a, false);
      return static_cast<const Difference*>(twoPoints);
    };
    const RefinedValue refined =
        refinedValue(threePoints, 3, overTwoPoints, first[point], quantity.isFactored());
    result.value = refined.value;
    result.isRefined = refined.terms != nullptr;
    if (result.isRefined)
      for (int a = 0; a < 3; ++a) result.terms[a] = refined.terms[a];
    if (quantity.isFactored()) result.seed = quantity.seedNumber();
    return result;
  }
};

class SecondOrderScheme {
public:
  /// @param firstOrder  times of the first order
  SecondOrderScheme(const SolverInput& input, std::span<const float> firstOrder);

  /// Returns the first order times, -infinity where a point keeps its value.
  std::span<const float> times() const { return first; }
  const std::vector<RefinementBall>& balls() const { return seeds.all(); }

  /// Returns the equations, on the host.
  /// @param value  per point, those of second order at the upstream points
  SecondOrderView view(std::span<const float> value) const;

private:
  const Problem& problem;
  const FactoringSeeds seeds;
  std::vector<float> first;
};

} // namespace isochrone::image
