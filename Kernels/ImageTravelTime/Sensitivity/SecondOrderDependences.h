// SecondOrderDependences.h - the partial derivatives of the times of second order.
//
// A time of second order depends on one or two points on each axis, by the equation in FactoredDifference.h.
// The points that keep their first order times are where the derivatives of these begin.
#pragma once

#include "Adjoint/TipMass.h"
#include "Execution/Team.h"
#include "ImageTravelTime/Scheme/FactoredDifference.h"
#include "ImageTravelTime/Seeds/SecondOrderScheme.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "Monitor.h"
#include "Values.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

struct SecondOrderDependence {
  double perRest[3];      ///< per axis, derivative with respect to the rest of its difference
  double perSlowness;     ///< derivative with respect to the slowness of the point, world length
  double perSeedSlowness; ///< and with respect to that at the seed from which it is factored
  std::int32_t seed;      ///< number of that seed; -1: none
  float rounding;         ///< exact minus rounded time
  /// Per axis, the number of points that are used: negative if they are above the point.
  std::int8_t used[3];
  bool isStart; ///< the point keeps its first order time; nothing else is set then but `used`, to 0
};

/// The points that points use.
struct SecondOrderView {
  const SecondOrderDependence* dependence; ///< per point
  std::int64_t stride[3];

  /// Calls f(used, share) for the points that a point uses. Their shares add up to 1; those of the farther
  /// ones are negative.
  template <class Index, class F>
  TEAM_FN void forUsed(Index point, F&& f) const {
    const SecondOrderDependence& d = dependence[point];
    for (int a = 0; a < 3; ++a) {
      if (d.used[a] == 0) continue;
      const auto step = Index(d.used[a] > 0 ? -stride[a] : stride[a]);
      const bool three = d.used[a] == 2 || d.used[a] == -2;
      f(point + step, d.perRest[a] * (three ? ofThreePoints.nearest : ofTwoPoints.nearest));
      if (three) f(point + 2 * step, d.perRest[a] * ofThreePoints.farther);
    }
  }
};

/// The derivatives of all points with a first order time.
class SecondOrderDependences {
public:
  /// @param input       of the solve of second order
  /// @param firstOrder  first order times of the same problem
  /// @param travelTime  of second order; all must outlive this
  SecondOrderDependences(const SolverInput& input, std::span<const float> firstOrder,
                         std::span<const float> travelTime);

  /// Finds them. Returns false if the monitor requested a stop.
  bool evaluate(const Monitor& monitor);
  /// Ranks the points by their first order times, for OrderedPass.
  void sort();

  /// Returns the memory of this, without the first order times.
  /// @param sorts  whether `sort` is called
  static std::size_t bytesNeeded(std::size_t points, bool sorts) {
    return points * (sizeof(float) + sizeof(SecondOrderDependence)) +
           (sorts ? TimeRanks::bytesNeeded(points) : 0);
  }

  const SecondOrderDependence& of(std::int64_t point) const { return dependence[std::size_t(point)]; }
  SecondOrderView view() const;
  const TimeRanks& ranks() const { return *timeRanks; }
  /// Returns the first order times, -infinity where a point keeps its value.
  std::span<const float> times() const { return scheme.times(); }

private:
  const SolverInput& input;
  const Problem& problem;
  std::span<const float> travelTime;
  SecondOrderScheme scheme;
  std::vector<double> seedSlowness; ///< per seed of the problem; 0 without a ball
  Values<SecondOrderDependence> dependence;
  std::optional<TimeRanks> timeRanks;

  SecondOrderDependence at(std::int64_t point) const;
};

struct SecondOrderMasses {
  Values<double> mass;         ///< per point, what passed it or ends there
  std::vector<PointMass> kept; ///< of all points that they come to that keep their first order times, by point
};

/// Passes masses on to the points that keep their first order times. Returns nothing if the monitor requested
/// a stop.
std::optional<SecondOrderMasses> passSecondOrder(const SecondOrderDependences& dependences,
                                                 std::span<const PointMass> masses,
                                                 execution::RoundPool& pool, const Monitor& monitor);

/// Returns the memory of passSecondOrder.
inline std::size_t secondOrderPassBytes(std::size_t points) {
  return points * (3 * sizeof(int) + 3 * sizeof(std::int64_t) + 2 * sizeof(adjoint::TipMass));
}

/// The first order times on which the times of second order at some points depend.
class FirstOrderTimes {
public:
  /// Takes the given ones, or solves them. Returns false if the monitor requested a stop.
  /// @param tips  points
  /// @throws Error if one of them is not reached
  bool find(const Problem& problem, const SensitivityOptions& options, std::span<const std::int64_t> tips,
            const Monitor& monitor);
  std::span<const float> times() const { return found; }

private:
  Values<float> solved;
  std::span<const float> found;
};

} // namespace isochrone::image
