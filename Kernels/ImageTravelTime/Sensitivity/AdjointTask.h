// AdjointTask.h - the input and the results of the discrete adjoint on a device (AdjointSolver.h).
#pragma once

#include "Adjoint/TipMass.h"
#include "Backend.h"
#include "ImageTravelTime/Sensitivity/PointDependence.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "Monitor.h"
#include "Values.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// A point whose derivatives the host finds.
struct SpecialPoint {
  int point = 0;
  TimeFrom from = TimeFrom::Nothing;
  Sides sides = 0;
  double share[3] = {};
  double perSlowness = 0, perSeedSlowness = 0, rounding = 0; ///< world units

  /// Returns whether masses that arrive end here.
  bool keepsMass() const { return from != TimeFrom::Update && from != TimeFrom::Bound; }
};

/// Returns the derivatives of points. Of points that only lead back to each other, those without an earlier
/// side are TimeFrom::Nothing.
std::vector<SpecialPoint> specialPoints(const SolverInput& input, const DependenceScheme& scheme,
                                        std::span<const float> travelTime, std::span<const int> points);

struct AdjointTask {
  const SolverInput& input;
  const DependenceScheme& scheme;
  std::span<const float> travelTime; ///< of first order
  adjoint::TipMasses masses;         ///< no tips if none has a weight

  // Results, in world units, of the points that pass masses on. Nothing if the monitor requested a stop.
  Values<double> speed;                ///< dJ/dspeed per point
  double rounding = 0;                 ///< sum of mass times rounding
  std::vector<double> perSeedSlowness; ///< dJ/d(slowness at the seed) per ball
  std::vector<SpecialPoint> keepers;   ///< the points where masses end
  std::vector<double> arrived;         ///< and these masses
  bool aborted = false;

  /// @param weights  by point
  AdjointTask(const SolverInput& input, const DependenceScheme& scheme, std::span<const float> travelTime,
              std::span<const PointMass> weights);

  /// Adds the results; those per point are set if there are none yet.
  void addTo(Sensitivities& result);
};

/// Returns the device memory of the adjoint, or tooManyForDevice.
std::size_t adjointBytes(const SolverInput& input);

/// Runs adjointOnDevice of AdjointSolver.h on the current CUDA device. Does nothing without
/// ISOCHRONE_WITH_CUDA.
/// @throws Error if the device fails
void adjointOnCuda(AdjointTask& task, const Monitor& monitor);

} // namespace isochrone::image
