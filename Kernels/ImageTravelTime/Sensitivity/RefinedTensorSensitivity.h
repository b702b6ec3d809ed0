// RefinedTensorSensitivity.h - derivatives of refined times with tensors, down to the points that keep their
// first order times.
#pragma once

#include "Adjoint/LevelRounds.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTime/Sensitivity/RefinedTensorDependences.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "Values.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

/// The points that tips depend on, and their masses.
struct RefinedMasses {
  Values<RefinedTensorDependence> dependence; ///< per point that is reached
  Values<double> mass;                        ///< per point, the mass that passed it or ended there
  std::vector<PointMass> kept; ///< of the reached points that keep their first order times, ascending
  TimeRanks ranks;             ///< the order of their first order times
};

/// Returns the memory of passRefined.
inline std::size_t refinedTensorBytes(std::size_t points) {
  return points * (sizeof(RefinedTensorDependence) + sizeof(double)) + TimeRanks::bytesNeeded(points) +
         std::max(adjoint::levelBytes(points), OrderedPass<1>::bytesNeeded(points));
}

/// Evaluates the points that masses reach, and passes these on. Returns nothing if the monitor requested a
/// stop.
std::optional<RefinedMasses> passRefined(const RefinedTensorDependences& dependences,
                                         std::span<const PointMass> masses, execution::RoundPool& pool,
                                         const Monitor& monitor);

/// Passes masses on to the points that keep their first order times, and adds the derivatives of the points
/// on their path and the rounding of their times. Returns the masses of those points; nothing if the monitor
/// requested a stop.
/// @param dependences  of first order
/// @param travelTime   refined
std::optional<std::vector<PointMass>> addRefinedTensors(const SolverInput& input,
                                                        const TensorDependences& dependences,
                                                        std::span<const float> travelTime,
                                                        std::span<const PointMass> masses,
                                                        const Monitor& monitor, Sensitivities& result);

} // namespace isochrone::image
