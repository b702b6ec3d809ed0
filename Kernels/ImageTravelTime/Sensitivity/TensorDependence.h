// TensorDependence.h - the partial derivatives of the update of a point with a tensor, in double.
//
// The discrete time of a point is its start value, or the minimum v with sum over the terms of weight *
// max(0, v - value)^2 = 1, where value is the time of a neighbour, near a seed with the remainder of Taylor's
// series (Scheme/TensorFactoring.h), or the time of the straight step from a neighbour on an axis. So dv /
// d(time of a neighbour) is its share weight * (v - value) / sum of these, and dv / dweight is -(v - value)^2
// / (2 * this sum). Weights are linear in the tensor.
#pragma once

#include "Execution/Scalar.h"
#include "Grid/Symmetric3.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Seeds/ClearSteps.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Seeds/TensorSeeds.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::image {

/// What gives a point its time.
enum class TensorTimeFrom : std::uint8_t {
  Terms,     ///< the neighbours of its stencil, by the equation
  Bound,     ///< one later neighbour: the equation would be exceeded as soon as this neighbour counts
  Face,      ///< the straight step from a neighbour on an axis
  Start,     ///< a start value: the time along the straight line from the seed by the tensor of the point
  NearStart, ///< the same by the mean of the metrics of the point and of the seed
  Nothing    ///< no neighbour is earlier, since single precision does not resolve the step
};

/// Derivatives with respect to matrices are matrices, too: those off the diagonal stand for one element each.
struct TensorDependence {
  struct Used {
    std::int64_t point;
    double share;
  };
  TensorTimeFrom from = TensorTimeFrom::Nothing;
  int count = 0;
  std::array<Used, 2 * maxTerms> used; ///< of two equally early neighbours of a term, each has half its share
  double value = std::numeric_limits<double>::infinity(); ///< the time, world units, since the earliest start
  grid::Symmetric3 perMetric{}; ///< derivative with respect to the metric of the point, world units

  std::span<const Used> usedPoints() const { return {used.data(), std::size_t(count)}; }
};

/// Differentiates the updates of a solved problem.
class TensorDependences {
public:
  /// @param input       without the starts near seeds, which this adds
  /// @param travelTime  of the solve with the same problem and options; both must outlive this
  TensorDependences(SolverInput& input, std::span<const float> travelTime);

  TensorDependence at(std::int64_t point) const;

  const TensorSeeds& seeds() const { return balls; }
  /// Returns the number of the ball whose seed's metric a point depends on, if its time comes from the terms
  /// or from a start near the seed; -1: none.
  int ballOf(std::int64_t point, TensorTimeFrom from) const;
  /// Adds the derivative with respect to this metric, in world units, times `mass`.
  /// @param used  as in TensorDependence
  void addPerSeedMetric(std::int64_t point, TensorTimeFrom from, std::span<const TensorDependence::Used> used,
                        double mass, grid::Symmetric3& sum) const;
  /// Returns the seed of the start of a point that has one.
  int seedOf(std::int64_t point) const { return startOf(point).at->seed; }

  /// Adds the derivatives with respect to the components in Problem::speed, times `factor`, of which those
  /// off the diagonal stand for two elements.
  void addPerComponent(std::int64_t point, const grid::Symmetric3& perMetric, double factor,
                       double* components) const;

private:
  using Doubles = execution::ScalarOf<double>;
  using Line = SeedLine<Doubles>;
  struct Side {
    int term;
    std::int64_t point;
    double value, time, bound; ///< since the earliest start
  };
  struct Candidates;
  struct Root;
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
  std::vector<TensorSeedOf<double>> seedOfBall; ///< `away` is not set

  double timeOf(std::int64_t point) const { return double(travelTime[std::size_t(point)]) - earliest; }
  /// Returns the earliest start of a point; null: none.
  Start startOf(std::int64_t point) const;
  /// Returns a ball's seed relative to a point.
  TensorSeedOf<double> seedFrom(std::int64_t point, int ball) const;
  Candidates candidatesAt(std::int64_t point) const;
  void addSides(const GridIndex& at, const Line* line, int term, Candidates& c) const;
  Root solve(std::span<const Side> sides, const Candidates& c) const;
  double excessOf(std::int64_t point, const Root& root) const;
  bool exceeds(const Candidates& c, const Root& root, const Side& side) const;
  const Side* equalSide(const Candidates& c, const Root& root) const;
  void setTerms(Candidates& c) const;
  void applyTerms(const Candidates& c, const Root& root, TensorDependence& result) const;
  void applyFaces(const Candidates& c, TensorDependence& result) const;
  void applyStart(std::int64_t point, TensorDependence& result) const;
};

} // namespace isochrone::image
