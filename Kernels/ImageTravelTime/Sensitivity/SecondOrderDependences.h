// SecondOrderDependences.h - the partial derivatives of the times of second order.
//
// A time of second order depends on two points on each axis, by the equation in FactoredDifference.h. The
// points that keep their first order times are where the derivatives of these begin.
#pragma once

#include "ImageTravelTime/Seeds/SecondOrderScheme.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "Values.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

struct SecondOrderDependence : UpstreamShares { ///< a start: the point keeps its first order time
  double perSlowness = 0;     ///< derivative with respect to the slowness of the point, world length
  double perSeedSlowness = 0; ///< and with respect to that at the seed from which it is factored
  std::int32_t seed = -1;     ///< number of that seed; -1: none
  double rounding = 0;        ///< exact minus rounded time
};

class SecondOrderDependences {
public:
  /// @param input       of the solve of second order
  /// @param firstOrder  first order times of the same problem
  /// @param travelTime  of second order; all must outlive this
  SecondOrderDependences(const SolverInput& input, std::span<const float> firstOrder,
                         std::span<const float> travelTime);

  /// Returns the memory of this, without the first order times.
  static std::size_t bytesNeeded(std::size_t points) {
    return points * sizeof(float) + TimeRanks::bytesNeeded(points);
  }

  SecondOrderDependence at(std::int64_t point) const;

  const TimeRanks& ranks() const { return timeRanks; }

private:
  const Problem& problem;
  std::span<const float> travelTime;
  SecondOrderScheme scheme;
  TimeRanks timeRanks;
  std::vector<double> seedSlowness; ///< per seed of the problem; 0 without a ball
};

/// Passes masses on to the points that keep their first order times. Returns the masses of these; nothing if
/// the monitor requested a stop.
/// @param visit  called as visit(point, dependence, mass) for each other point on the path
std::optional<std::vector<PointMass>>
passToFirstOrder(const SecondOrderDependences& dependences, std::span<const PointMass> masses,
                 execution::RoundPool& pool,
                 const std::function<void(std::int64_t, const SecondOrderDependence&, double)>& visit,
                 const Monitor& monitor);

/// Solves the first order times on which the times of second order at some points depend. Returns nothing if
/// the monitor requested a stop.
/// @param tips  points
/// @throws Error if one of them is not reached
Values<float> firstOrderTimes(const Problem& problem, const Options& options,
                              std::span<const std::int64_t> tips, const Monitor& monitor);

} // namespace isochrone::image
