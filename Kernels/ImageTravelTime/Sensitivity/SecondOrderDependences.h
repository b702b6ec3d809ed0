// SecondOrderDependences.h - the partial derivatives of all times of second order, and the masses that pass
// to the points that keep their first order times.
#pragma once

#include "Adjoint/TipMass.h"
#include "Backend.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTime/Sensitivity/SecondOrderDependence.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "Monitor.h"
#include "Values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::image {

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
  /// Takes derivatives that were found elsewhere instead.
  void take(Values<SecondOrderDependence> found) { dependence = std::move(found); }
  /// Ranks the points by their first order times, for OrderedPass, unless they have been.
  void sort();

  /// Returns the memory of this, without the first order times.
  /// @param sorts  whether `sort` is called
  static std::size_t bytesNeeded(std::size_t points, bool sorts) {
    return points * (sizeof(float) + sizeof(SecondOrderDependence)) +
           (sorts ? TimeRanks::bytesNeeded(points) : 0);
  }

  const SecondOrderDependence& of(std::int64_t point) const { return dependence[std::size_t(point)]; }
  SecondOrderUses uses() const;
  const TimeRanks& ranks() const { return *timeRanks; }
  /// Returns the first order times, -infinity where a point keeps its value.
  std::span<const float> times() const { return scheme.times(); }

  // For a device.
  const Problem& solvedProblem() const { return problem; }
  SecondOrderView equations() const { return scheme.view(travelTime); }
  std::span<const float> secondOrderTimes() const { return travelTime; }
  std::span<const RefinementBall> balls() const { return scheme.balls(); }
  std::span<const double> slownessOfSeeds() const { return seedSlowness; }

private:
  const SolverInput& input;
  const Problem& problem;
  std::span<const float> travelTime;
  SecondOrderScheme scheme;
  std::vector<double> seedSlowness; ///< per seed of the problem; 0 without a ball
  std::vector<FactoringSeed> seeds; ///< per seed of the problem; none unless factoring is multiplicative
  Values<SecondOrderDependence> dependence;
  std::optional<TimeRanks> timeRanks;
};

/// Masses that pass to the points that keep their first order times.
struct SecondOrderTask {
  adjoint::TipMasses tips;

  // Results. Undefined if the monitor requested a stop.
  std::vector<std::int64_t> mass; ///< per point
  std::vector<int> reached;       ///< the points that they come to, those of tips included, in any order
  bool isTooLarge = false;        ///< the masses are not right
  bool aborted = false;
};

/// Evaluates all points and passes masses on as SecondOrderSolver.h does, on the current CUDA device. Does
/// nothing without ISOCHRONE_WITH_CUDA.
/// @throws Error if the device fails
void secondOrderOnCuda(SecondOrderDependences& dependences, SecondOrderTask& task, const Monitor& monitor);

struct SecondOrderMasses {
  Values<double> mass;            ///< per point, the mass that passed it or ended there
  std::vector<double> startValue; ///< per seed of the problem, the mass that ended at its start value
  std::vector<PointMass> kept;    ///< of the reached points that keep their first order times, ascending
};

/// Evaluates all points and passes masses on. Returns nothing if the monitor requested a stop. With
/// multiplicative factoring it does so on the host. Ranks the points if whole numbers do not hold the masses.
std::optional<SecondOrderMasses> passSecondOrder(SecondOrderDependences& dependences,
                                                 std::span<const PointMass> masses, Backend backend,
                                                 execution::RoundPool& pool, const Monitor& monitor);

/// Returns the memory of a device that passSecondOrder needs.
std::size_t secondOrderDeviceBytes(const SolverInput& input);

/// Returns the memory of passSecondOrder on the host.
inline std::size_t secondOrderPassBytes(std::size_t points, SourceFactoring factoring) {
  if (factoring == SourceFactoring::Multiplicative)
    return TimeRanks::bytesNeeded(points) + OrderedPass<1>::bytesNeeded(points) + 2 * points * sizeof(double);
  return points * (4 * sizeof(int) + 3 * sizeof(std::int64_t) +
                   std::max(sizeof(adjoint::StateWeight) + sizeof(adjoint::TipMass),
                            2 * sizeof(adjoint::TipMass) + sizeof(PointMass)));
}

/// The first order times on which the times of second order at some points depend.
class FirstOrderTimes {
public:
  /// Takes the given ones, or solves them. Returns false if the monitor requested a stop.
  /// @param tips  their points
  /// @throws Error if one of them is not reached
  bool find(const Problem& problem, const SensitivityOptions& options, std::span<const PointMass> tips,
            const Monitor& monitor);
  std::span<const float> times() const { return found; }

private:
  Values<float> solved;
  std::span<const float> found;
};

} // namespace isochrone::image
