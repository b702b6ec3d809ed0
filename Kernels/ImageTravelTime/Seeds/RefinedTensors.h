// RefinedTensors.h - the equation of each point of an image with tensors for the refined travel time: of
// second order, or with multiplicative factoring.
//
// The first order times determine the sides of its differences over two or three points, and the order in
// which the points can be solved. Seed points keep their values.
#pragma once

#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Seeds/ClearSteps.h"
#include "ImageTravelTime/Seeds/FactoringSeeds.h"
#include "ImageTravelTime/Seeds/SolverInput.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::image {

class RefinedTensors {
  static constexpr double none = std::numeric_limits<double>::infinity();

public:
  /// The earlier neighbours of a point along an offset.
  struct Side {
    grid::Offset offset{};
    std::int64_t near = -1, far = -1; ///< -1: not earlier, or not seen
  };
  /// The solution at a point.
  struct Point {
    double value;
    FactoredQuantity quantity;
    bool isRefined = false; ///< false: the first order value, or that of a face; the terms are then not set
    bool usesFar = false;   ///< some differences are over three points
    int count = 0;
    Side side[maxTerms]{};
    Difference term[maxTerms]{}; ///< with weight 0 where it is not used
    std::int64_t face = -1;      ///< the neighbour on an axis from which it is reached straight; -1: none
    int axis = 0;
  };

  /// @param firstOrder  travel times of the first order
  RefinedTensors(const SolverInput& input, std::span<const float> firstOrder);
  RefinedTensors(const RefinedTensors&) = delete;

  /// Returns the first order times, -infinity where a point keeps its value.
  std::span<const float> times() const { return first; }
  const std::vector<RefinementBall>& balls() const { return seeds.all(); }

  /// Returns the side of the points along an offset or against it that a difference uses.
  Side sideOf(std::int64_t p, const GridIndex& at, const grid::Offset& offset) const;

  /// Returns the difference along an offset.
  /// @param usesFar  whether it may be over three points
  /// @param timeOf   timeOf(q) is the refined time of a neighbour
  template <class TimeOf>
  Difference difference(const FactoredQuantity& quantity, const Side& side, double weight, bool usesFar,
                        const TimeOf& timeOf) const {
    if (side.near < 0) return quantity.without(side.offset, weight);
    const double far = usesFar && side.far >= 0 ? timeOf(side.far) : none;
    return quantity.difference(side.offset, weight, timeOf(side.near), far);
  }

  /// Solves a point whose first order time is finite.
  template <class TimeOf>
  Point solve(std::int64_t p, double firstOrder, const TimeOf& timeOf) const {
    const GridIndex at = problem.grid.indices(p);
    Point point{firstOrder, factoring.at({double(at[0]), double(at[1]), double(at[2])})};
    const TensorStencil stencil = stencilAt(problem, p);
    point.count = stencil.count;
    Difference threePoints[maxTerms], twoPoints[maxTerms];
    for (int k = 0; k < stencil.count; ++k) {
      const auto& [offset, weight] = stencil.term[std::size_t(k)];
      point.side[k] = sideOf(p, at, offset);
      threePoints[k] = difference(point.quantity, point.side[k], weight, true, timeOf);
    }
    const auto overTwoPoints = [&] {
      for (int k = 0; k < stencil.count; ++k)
        twoPoints[k] =
            difference(point.quantity, point.side[k], stencil.term[std::size_t(k)].weight, false, timeOf);
      return static_cast<const Difference*>(twoPoints);
    };
    const RefinedValue refined =
        refinedValue(threePoints, stencil.count, overTwoPoints, firstOrder, point.quantity.isFactored());
    point.value = refined.value;
    point.isRefined = refined.terms != nullptr;
    point.usesFar = refined.terms == threePoints;
    for (int k = 0; point.isRefined && k < stencil.count; ++k) point.term[k] = refined.terms[k];
    if (!seesAll(p, at, stencil)) takeFaces(p, at, timeOf, point);
    return point;
  }

  /// Returns the time of the straight step along an axis from a neighbour: the mean of the times with the
  /// tensors of both ends, so that it is of second order, too.
  double timeOfFace(std::int64_t p, std::int64_t neighbour, int axis) const {
    Position along{};
    along[std::size_t(axis)] = problem.grid.spacing()[std::size_t(axis)];
    return (timeAlong(problem, p, along) + timeAlong(problem, neighbour, along)) / 2;
  }

private:
  const Problem& problem;
  const int order;
  const FactoringSeeds seeds;
  const FactoringView factoring = seeds.view();
  std::vector<float> first;
  const ClearSteps steps;

  Side sideAlong(std::int64_t p, const GridIndex& at, const grid::Offset& offset) const;
  bool isEarlier(const Side& a, const Side& b) const;
  bool seesAll(std::int64_t p, const GridIndex& at, const TensorStencil& stencil) const;

  /// Takes the straight step from a neighbour on an axis, at a point that does not see all points of its
  /// stencil, if this is faster.
  template <class TimeOf>
  void takeFaces(std::int64_t p, const GridIndex& at, const TimeOf& timeOf, Point& point) const {
    for (int a = 0; a < 3; ++a)
      for (const int sign : {-1, 1}) {
        grid::Offset offset{};
        offset[std::size_t(a)] = sign;
        const std::int64_t near = steps.seen(p, at, offset, 1);
        if (near < 0 || !(first[std::size_t(near)] < first[std::size_t(p)])) continue;
        const double value = timeOf(near) + timeOfFace(p, near, a);
        if (value < point.value)
          point.value = value, point.isRefined = false, point.face = near, point.axis = a;
      }
  }
};

} // namespace isochrone::image
