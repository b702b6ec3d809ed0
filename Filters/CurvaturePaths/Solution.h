// Solution.h - a problem of curvature paths with its solution, and what was last derived from it.
#pragma once

#include "CurvaturePaths/Problem.h"
#include "CurvaturePaths/Sensitivity.h"

#include <memory>
#include <optional>
#include <vector>

namespace isochrone::filters {

class CurvatureSolution {
public:
  /// Null if the monitor said stop.
  static std::unique_ptr<CurvatureSolution> solve(CurvatureProblem input, curvature::Options options,
                                                  const Monitor& monitor);

  /// Is this the solution already? Compares contents, so that an input that was recomputed to the same
  /// values, changed elsewhere or merely touched is not solved again.
  bool solves(const CurvatureProblem& other, const curvature::Options& how) const;

  const CurvatureProblem& input() const { return asked; }
  /// Of a problem that this solves, too: its times count from its own origin.
  void setOrigin(const TimeOrigin& origin) { asked.origin = origin; }
  const curvature::Result& result() const { return trip.out; } ///< of the way there
  /// Of one way or there and back; where there is a drift, the headings are directions of tracks.
  const curvature::PlanarResult& plane() const { return leastTime; }
  int rounds() const { return trip.out.rounds + trip.back.rounds; }
  double updatesPerPoint() const { return trip.out.updatesPerPoint + trip.back.updatesPerPoint; }
  /// NaN if the monitor said stop.
  double residual(int threads, const Monitor& monitor) const;

  bool hasPathsTo(const std::vector<curvature::State>& tips) const;
  /// Returns false if the monitor said stop.
  bool followTips(const std::vector<curvature::State>& tips, int threads, const Monitor& monitor);
  const std::vector<Path>& paths() const { return tipPaths; }
  /// What the paths are to the vehicle, if there is a drift.
  const std::vector<curvature::VehiclePath>& seenFromVehicle() const { return vehiclePaths; }

  bool hasDerivativesOf(const std::vector<curvature::State>& tips, const std::vector<double>& weights,
                        bool radiusAndShift) const;
  /// Derivatives of the sum of weight * travel time of the tips. Returns false if the monitor said stop.
  bool differentiate(const std::vector<curvature::State>& tips, const std::vector<double>& weights,
                     bool radiusAndShift, const Monitor& monitor);
  const curvature::Sensitivities& sensitivities() const { return derivatives->result; }

private:
  /// Derivatives, and what they are of.
  struct Derivatives {
    std::vector<curvature::State> tips;
    std::vector<double> weights;
    bool radiusAndShift;
    curvature::Sensitivities result;
  };

  CurvatureSolution(CurvatureProblem problem, curvature::Options how);
  curvature::State overGround(curvature::State state) const;

  CurvatureProblem asked;
  curvature::Options options;
  curvature::GroundFields ground; ///< if there is a drift
  curvature::Problem problem;     ///< that was solved; of a vehicle in a drift its problem over ground
  curvature::RoundTrip trip;      ///< there alone, if the way is one
  curvature::PlanarResult leastTime;
  std::optional<std::vector<curvature::State>> pathTips; ///< of the paths; empty before they were followed
  std::vector<Path> tipPaths;
  std::vector<curvature::VehiclePath> vehiclePaths;
  std::optional<Derivatives> derivatives; ///< the last ones
};

} // namespace isochrone::filters
