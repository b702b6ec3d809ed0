// AdjointTask.h - the input of the discrete adjoint, and its results other than derivatives.
#pragma once

#include "Adjoint/TipMass.h"
#include "CurvaturePaths/Scheme/Starts.h"
#include "CurvaturePaths/Sensitivity/AdjointPlan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::curvature {

struct SensitivityTask {
  std::shared_ptr<const Discretisation> discretisation;
  SensitivityPlan plan;
  std::span<const float> travelTime, uncorrected;
  std::vector<StartState> seeds; ///< the states that keep their start value
  adjoint::TipMasses masses;     ///< no tips if none contributes
  std::vector<Placement> places; ///< of all tips
  double objective = 0;          ///< sum of weight * travelTime
  double earliest = 0;           ///< start value

  std::vector<std::int64_t> arrived; ///< out: the mass that each of `seeds` receives
  double excess = 0; ///< out: objective in the discrete equations minus objective of travelTime
};

/// @throws Error on bad input
SensitivityTask makeSensitivityTask(const Problem& problem, const Solution& solution,
                                    std::span<const WeightedTip> tips);

/// Runs spreadOnDevice of AdjointSolver.h on the host.
void spreadOnHost(const Problem& problem, SensitivityTask& task, bool radiusAndShift, int threads,
                  const Monitor& monitor, Sensitivities& result);

/// Runs spreadOnDevice of AdjointSolver.h on the current CUDA device. Does nothing without
/// ISOCHRONE_WITH_CUDA.
/// @throws Error if the device fails
void spreadOnCuda(const Problem& problem, SensitivityTask& task, bool radiusAndShift, const Monitor& monitor,
                  Sensitivities& result);

} // namespace isochrone::curvature
