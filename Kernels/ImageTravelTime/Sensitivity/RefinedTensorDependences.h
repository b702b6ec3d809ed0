// RefinedTensorDependences.h - the partial derivatives of refined times with tensors: of second order, or
// with multiplicative factoring.
//
// A refined time v solves sum of weight * (slope * v - rest)^2 = 1 over differences along the offsets of the
// stencil (Scheme/FactoredDifference.h). With S = sum of weight * slope * (slope * v - rest), dv / drest is
// weight * (slope * v - rest) / S, and dv / dweight is -(slope * v - rest)^2 / (2 * S). Weights are linear in
// the tensor, rests in the times of the neighbours; near a seed rests, and with multiplicative factoring
// slopes, depend on the metric of the seed.
#pragma once

#include "ImageTravelTime/Seeds/RefinedTensors.h"
#include "ImageTravelTime/Sensitivity/TensorDependences.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace isochrone::image {

struct RefinedTensorDependence {
  struct Used {
    double share; ///< negative for farther points. They add up to 1 but with multiplicative factoring
    std::int32_t point;
  };
  Used used[2 * maxTerms];
  int count;
  bool isStart; ///< keeps its first order time, or double precision does not resolve its step; nothing else
                ///< is set but `count`, to 0
  double rounding;                ///< exact minus rounded time
  double perStartValue;           ///< derivative with respect to the start value of that seed
  grid::Symmetric3 perMetric;     ///< derivative with respect to the metric of the point, world units
  std::int32_t seed;              ///< number of the seed from which the point is factored; -1: none
  grid::Symmetric3 perSeedMetric; ///< and with respect to the metric at this seed
  int face;             ///< axis along which the only point that is used is passed straight; -1: none
  double perFaceMetric; ///< derivative with respect to the metric of that point along this axis

  /// Calls f(point, share) for each point that is used.
  template <class F>
  void forUsed(F&& f) const {
    for (int n = 0; n < count; ++n) f(used[n].point, used[n].share);
  }
  /// Returns the derivative with respect to the metric of that point.
  grid::Symmetric3 faceMetric() const {
    grid::Symmetric3 d{};
    d[std::size_t(face)] = perFaceMetric;
    return d;
  }
};

class RefinedTensorDependences {
public:
  /// @param input       the one with which `firstOrder` was made
  /// @param firstOrder  of the first order times of the same problem
  /// @param travelTime  refined; all must outlive this
  RefinedTensorDependences(const SolverInput& input, const TensorDependences& firstOrder,
                           std::span<const float> travelTime);

  /// Returns the derivatives of a point.
  RefinedTensorDependence at(std::int64_t point) const;

  /// Returns the first order times, -infinity where a point keeps its value.
  std::span<const float> firstOrder() const { return equations.times(); }

private:
  const Problem& problem;
  const bool isMultiplicative;
  std::span<const float> first, travelTime;
  RefinedTensors equations;

  /// Returns a refined time; +infinity if it is given as something else that is not finite.
  double timeOf(std::int64_t point) const {
    const float time = travelTime[std::size_t(point)];
    return std::isfinite(time) ? double(time) : std::numeric_limits<double>::infinity();
  }
  void applyTerms(std::int64_t point, const RefinedTensors::Point& solved, RefinedTensorDependence& d) const;
  void applyFace(std::int64_t point, const RefinedTensors::Point& solved, RefinedTensorDependence& d) const;
  grid::Symmetric3 perSeedMetric(const RefinementBall& ball, std::int64_t point,
                                 const RefinedTensors::Point& solved, int term) const;
};

} // namespace isochrone::image
