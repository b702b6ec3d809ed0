// DependenceGraph.h - the points that tips depend on, and the masses that pass through them.
//
// A mass placed on a tip moves to the points that give the tip its time, in their shares, until it arrives at
// start values. The mass that passes a point is the derivative of the objective with respect to its time.
#pragma once

#include "ImageTravelTime/Sensitivity/PointDependence.h"
#include "Values.h"

#include <functional>
#include <utility>

namespace isochrone::image {

/// The weight of a point in the objective.
struct PointMass {
  std::int64_t point;
  double mass;
};

/// The points that tips depend on, each after those that depend on it, but for cycles.
struct DependenceOrder {
  /// Points that depend on each other: points[begin], ..., points[end - 1], by number.
  struct Cycle {
    std::int64_t begin, end;
  };
  std::vector<std::int64_t> points;
  std::vector<Cycle> cycles; ///< ascending
};

class DependenceGraph {
public:
  DependenceGraph(const SolverInput& input, const DependenceScheme& scheme,
                  std::span<const float> travelTime);

  /// Returns the memory of a graph.
  static std::size_t bytesNeeded(const Grid& grid);

  /// Finds the points that the tips depend on. Returns false if the monitor requested a stop.
  /// @param tips  by point, each once
  bool collect(std::span<const PointMass> tips, const Monitor& monitor);

  /// Passes on the masses of the tips. To be called once, after collect. Returns false if the monitor
  /// requested a stop.
  /// @param order  filled unless null; that of points at the same level depends on the threads
  bool spread(std::span<const PointMass> tips, const Monitor& monitor, DependenceOrder* order = nullptr);

  bool isReached(std::int64_t point) const { return state[std::size_t(point)] & reached; }
  TimeFrom from(std::int64_t point) const { return TimeFrom(state[std::size_t(point)] >> fromShift); }
  Sides sidesOf(std::int64_t point) const { return sides[std::size_t(point)]; }
  const double* sharesOf(std::int64_t point) const { return &shares[3 * std::size_t(point)]; }
  double massOf(std::int64_t point) const { return mass[std::size_t(point)]; }
  double perSlownessOf(std::int64_t point) const { return perSlowness[std::size_t(point)]; }
  /// Returns the time that the equation gives a point minus its rounded time, world units.
  double roundingOf(std::int64_t point) const { return rounding[std::size_t(point)]; }

  /// Calls f(neighbour, axis) for the neighbours that a point uses.
  template <class F>
  void forUsed(std::int64_t point, const F& f) const {
    const Sides used = sides[std::size_t(point)];
    for (int axis = 0; axis < 3; ++axis) {
      if (uses(used, axis, 0)) f(point - strides[axis], axis);
      if (uses(used, axis, 1)) f(point + strides[axis], axis);
    }
  }
  /// Calls f(user, axis) for the reached points that use a point. A point at the border uses no neighbour
  /// beyond it, so the index alone finds the users.
  template <class F>
  void forUsers(std::int64_t point, const F& f) const {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t low = point - strides[axis], high = point + strides[axis];
      if (low >= 0 && uses(sides[std::size_t(low)], axis, 1)) f(low, axis);
      if (high < std::int64_t(sides.size()) && uses(sides[std::size_t(high)], axis, 0)) f(high, axis);
    }
  }
  /// Finds the masses of points that depend on each other. Returns false, and keeps the masses, if they give
  /// none to other points.
  /// @param members  by number
  /// @param masses   that arrive from other points, replaced by the solution
  bool solveCycle(std::span<const std::int64_t> members, std::vector<double>& masses) const;

  /// Returns perSlowness, to be overwritten with the result.
  Values<double> takePerSlowness() { return std::move(perSlowness); }

private:
  using State = std::uint8_t;
  static constexpr State reached = 1, done = 2;
  static constexpr int fromShift = 2;

  const SolverInput& input;
  const DependenceScheme& scheme;
  std::span<const float> travelTime;
  GridIndex strides;
  std::vector<State> state;         ///< per point: flags, and TimeFrom
  std::vector<Sides> sides;         ///< per point, 0 if not reached
  Values<std::uint8_t> open;        ///< per reached point, number of unfinished points that depend on it
  Values<double> shares;            ///< per reached point and axis
  Values<double> mass, perSlowness; ///< per reached point
  Values<float> rounding;           ///< per reached point
  std::int64_t count = 0;           ///< number of reached points

  using Visit = std::function<void(std::int64_t point, std::vector<std::int64_t>& next)>;
  bool visitAll(std::vector<std::int64_t> front, const Visit& visit,
                const std::function<bool(std::int64_t visited)>& report, DependenceOrder* order = nullptr);
  double massFromUsers(std::int64_t point) const;
  bool reach(std::int64_t point);
  void evaluate(std::int64_t point, std::vector<std::int64_t>& next);
  void passOn(std::int64_t point, std::vector<std::int64_t>& next);
  bool spreadThroughCycles(const Monitor& monitor, DependenceOrder* order);
  void passThroughCycle(std::span<const std::int64_t> members);
};

} // namespace isochrone::image
