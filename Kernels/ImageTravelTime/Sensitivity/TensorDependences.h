// TensorDependences.h - the derivatives of the updates of all points of an image with tensors.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Seeds/TensorSeeds.h"
#include "ImageTravelTime/Sensitivity/TensorDependence.h"
#include "Values.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// Differentiates the updates of a solved problem. Derivatives with respect to matrices are matrices, too:
/// those off the diagonal stand for one element each.
class TensorDependences {
public:
  /// @param input       without the starts near seeds, which this adds
  /// @param travelTime  of the solve with the same problem and options; both must outlive this
  TensorDependences(SolverInput& input, std::span<const float> travelTime);

  TensorDependences(const TensorDependences&) = delete;

  TensorDependence at(std::int64_t point) const;

  const TensorSeeds& seeds() const { return balls; }
  /// Returns the number of the ball whose seed's metric a point depends on, if its time comes from the terms
  /// or from a start near the seed; -1: none.
  int ballOf(std::int64_t point, TensorTimeFrom from) const;
  /// Adds the derivative with respect to this metric, in world units, times `mass`.
  /// @param ball  that of the point
  void addPerSeedMetric(std::int64_t point, int ball, const TensorDependence& dependence, double mass,
                        grid::Symmetric3& sum) const;
  /// Returns the seed of the start of a point that has one.
  int seedOf(std::int64_t point) const { return startOf(point).at->seed; }

  /// Adds the derivatives with respect to the components in Problem::speed, times `factor`, of which those
  /// off the diagonal stand for two elements.
  void addPerComponent(std::int64_t point, const grid::Symmetric3& perMetric, double factor,
                       double* components) const;
  /// Adds the derivatives by the metric at a seed, which is the mean of its nearest points.
  /// @param derivatives  all components of all points
  void addAtSeed(std::int32_t seed, const grid::Symmetric3& perMetric, Values<double>& derivatives) const;

  // For a device that evaluates most points by itself (TensorAdjointSolver.h):
  const SolvedTensors& solved() const { return image; }
  std::span<const float> times() const { return travelTime; }
  const Problem& solvedProblem() const { return problem; }
  std::span<const std::int32_t> distancesToBarriers() const { return steps.distancesToBarriers(); }
  std::span<const TensorSeedOf<double>> seedsFromFirstPoint() const { return seedOfBall; }
  /// Returns the points with a start, some of them twice.
  std::vector<int> startPoints() const;

private:
  struct Start {
    const SeedPoint* at;
    bool isNear;
  };

  const Problem& problem;
  std::span<const float> travelTime;
  TensorSeeds balls;
  std::vector<SeedPoint> starts, nearStarts; ///< by point
  double earliest;
  ClearSteps steps;
  std::vector<TensorSeedOf<double>> seedOfBall; ///< relative to the first point
  SolvedTensors image;

  /// Returns the earliest start of a point; null: none.
  Start startOf(std::int64_t point) const;
  TensorSides sidesOf(std::int64_t point) const;
  double excessOf(std::int64_t point, const TensorSides::Root& root) const;
  bool exceeds(const TensorSides& sides, const TensorSides::Root& root, const TensorSides::Later& side) const;
  const TensorSides::Later* equalSide(std::int64_t point, const TensorSides& sides,
                                      const TensorSides::Root& root) const;
  void applyStart(std::int64_t point, TensorDependence& result) const;
};

} // namespace isochrone::image
