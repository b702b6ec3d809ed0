// DescentFlow.h - the descent flow of the travel time at grid states, which every path follows.
//
// At a state q other than a seed, u(q) is the root of  sum of alpha_i max(0, u(q) - u(q + e_i))^2 = cost^2.
// Its derivative distributes u(q) over the neighbours q + e_i with the weights
//     alpha_i max(0, u(q) - u(q + e_i)).
// These weights are the flow. Their mean offset points along the fastest path towards the seed.
#pragma once

#include "CurvaturePaths/Scheme/Corrections.h"
#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/StateWindow.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace isochrone::curvature {

/// A grid state. The heading index may lie outside [0, headings) where headings are unwrapped.
struct GridState {
  std::int64_t i = 0, j = 0;
  int k = 0;
};

inline GridState moved(const GridState& q, const Offset& e) { return {q.i + e[0], q.j + e[1], q.k + e[2]}; }

/// A point of state space between grid states, in grid steps; k is unwrapped.
struct Sample {
  double x = 0, y = 0, k = 0;
};

/// Returns the value of a field at the state with this index.
double valueAt(const Field& field, std::int64_t state);

class DescentFlow {
public:
  struct Edge {
    Offset offset{};
    double weight = 0;
  };

  /// The active differences of one state.
  struct Descent {
    std::array<Edge, 6 * fejerNodes> edges; ///< sized for the elastica
    int count = 0;
    double total = 0;  ///< sum of the weights
    double drop = 0;   ///< weighted mean of u(q) - u(q + e): the size of a step down, in travel time
    double square = 0; ///< the sum of alpha g(u(q) - u(q + e))^2 (g: LimitedDifference.h)

    void average(const Descent& other);
  };

  /// @throws Error if the travel time does not have one value per state of the grid
  DescentFlow(const Problem& problem, const Solution& solution);

  const StateGrid& grid() const { return problem.grid; }
  const std::shared_ptr<const Discretisation>& discretisation() const { return shared; }
  const Walls& walls() const { return shared->walls; }
  const Problem& input() const { return problem; }
  bool hasBalls() const { return ballsGiven; }

  const StateWindow& window() const { return held; }
  /// Returns whether this process computes the states at a point.
  bool owns(const GridState& q) const { return ownPoints.contains({q.i, q.j, 0}); }
  /// Returns whether the flow is known at a state: in a part of the plane, of its points and some around.
  bool knows(const GridState& q) const { return known.contains({q.i, q.j, 0}); }

  bool inside(const GridState& q) const { return q.i >= 0 && q.j >= 0 && q.i < grid().nx && q.j < grid().ny; }
  std::int64_t index(const GridState& q) const { return grid().index(q.i, q.j, wrap(q.k)); }
  /// Returns the heading of the grid that a state has.
  int headingOf(const GridState& q) const { return wrap(q.k); }
  /// Returns the travel time of a state of the window; infinite in walls and where unreached.
  float value(const GridState& q) const { return travelTime[held.state(q.i, q.j, wrap(q.k))]; }

  /// Returns the index of the seed that starts at or next to this state and is not overrun by another seed,
  /// else -1.
  std::int32_t seedAt(const GridState& q) const;

  /// Returns the seeds at which paths can end, ascending; in a part of the plane only those that it knows.
  std::vector<std::int32_t> liveSeeds() const;

  /// Returns the flow at a reached state where it is known; empty at a seed.
  Descent at(const GridState& q) const;

  /// Returns the end of the edge with the largest weight, the first one of several; nothing without edges.
  std::optional<GridState> dominantStep(const GridState& q) const;

  /// Returns (F u)^2 at a state if its travel time were u.
  double squaredOperator(const GridState& q, double u) const;

private:
  struct NearSeedState {
    GridState at;
    std::int32_t seed;
  };

  void findSeedStates();
  void findNearSeedEnds(std::span<const BallState> balls);
  Offset leapFrom(const NearSeedState& from, std::span<const NearSeedState> live) const;
  void addEnd(std::int64_t state, std::int32_t seed);
  int wrap(int k) const {
    return k >= 0 && k < grid().headings ? k : (k % grid().headings + grid().headings) % grid().headings;
  }
  const Stencil& stencilAt(const GridState& q, Stencil& memory) const;
  template <class Visit>
  void eachDifference(const GridState& q, double u, const std::vector<Term>& scheme, Visit&& visit) const;
  Descent flowOf(const GridState& q, const std::vector<Term>& scheme) const;
  float neighbour(const GridState& q, const Offset& e, int sign) const;

  const Problem& problem;
  const StateWindow held;
  const grid::Box ownPoints, known;
  std::span<const float> travelTime;
  const bool ballsGiven;
  const std::shared_ptr<const Discretisation> shared;
  Corrections corrections;
  std::vector<std::uint8_t> seedPoints;                 ///< plane points that hold a seed
  std::unordered_map<std::int64_t, std::int32_t> seeds; ///< state -> seed
  std::unordered_map<std::int64_t, Offset> leaps;       ///< near-seed state without lower neighbours -> step
};

} // namespace isochrone::curvature
