// Solution.h - a curvature path problem, its solution, and the results last derived from it.
#pragma once

#include "CurvaturePaths/Problem.h"
#include "CurvaturePaths/Sensitivity.h"

#include <memory>
#include <optional>
#include <vector>

namespace isochrone::filters {

class CurvatureSolution {
public:
  /// Solves the problem. Returns null if the monitor stopped it.
  static std::unique_ptr<CurvatureSolution> solve(CurvatureProblem input, curvature::Options options,
                                                  const Monitor& monitor);

  /// Returns whether this solution serves the problem. Compares contents, so that an input that was
  /// recomputed to the same values, changed elsewhere or only touched is not solved again.
  bool solves(const CurvatureProblem& other, const curvature::Options& others) const;

  const CurvatureProblem& input() const { return request; }
  /// Sets the origin of a problem that this solution serves; its times are relative to its own origin.
  void setOrigin(const TimeOrigin& origin) { request.origin = origin; }
  /// Sets the part of the plane, with the exchange of the present execution.
  void setPart(const grid::GridPart& part) { request.problem.part = problem.part = part; }
  const curvature::Result& result() const { return roundTrip.out; } ///< outward path
  /// Result per plane point, for one way or the round trip. With a drift its headings are track directions.
  const curvature::PlanarResult& plane() const { return minTime; }
  int rounds() const { return roundTrip.out.rounds + roundTrip.back.rounds; }
  double updatesPerPoint() const { return roundTrip.out.updatesPerPoint + roundTrip.back.updatesPerPoint; }
  /// Returns NaN if the monitor stopped it.
  double residual(int threads, const Monitor& monitor) const;

  bool hasPathsTo(const std::vector<curvature::State>& tips) const;
  /// Extracts the paths to the tips. Returns false if the monitor stopped it.
  bool followTips(const std::vector<curvature::State>& tips, int threads, const Monitor& monitor);
  const std::vector<Path>& paths() const { return tipPaths; }
  /// The paths as seen from the vehicle; empty without a drift.
  const std::vector<curvature::VehiclePath>& seenFromVehicle() const { return vehiclePaths; }

  bool hasDerivativesOf(const std::vector<curvature::State>& tips, const std::vector<double>& weights,
                        bool radiusAndShift) const;
  /// Differentiates the sum of weight * travel time of the tips. Returns false if the monitor stopped it.
  bool differentiate(const std::vector<curvature::State>& tips, const std::vector<double>& weights,
                     bool radiusAndShift, const Monitor& monitor);
  const curvature::Sensitivities& sensitivities() const { return derivatives->result; }

private:
  /// Derivatives and the arguments that they belong to.
  struct Derivatives {
    std::vector<curvature::State> tips;
    std::vector<double> weights;
    bool radiusAndShift;
    curvature::Sensitivities result;
  };

  CurvatureSolution(CurvatureProblem input, curvature::Options with);
  curvature::State overGround(curvature::State state) const;

  CurvatureProblem request;
  curvature::Options options;
  curvature::GroundFields ground; ///< used with a drift
  curvature::Problem problem;     ///< solved problem; with a drift the problem over ground
  curvature::RoundTrip roundTrip; ///< only the outward solution without a round trip
  curvature::PlanarResult minTime;
  std::optional<std::vector<curvature::State>> pathTips; ///< of the paths; empty before the first extraction
  std::vector<Path> tipPaths;
  std::vector<curvature::VehiclePath> vehiclePaths;
  std::optional<Derivatives> derivatives; ///< the latest
};

} // namespace isochrone::filters
