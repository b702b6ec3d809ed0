// PointUses.h - the points that points use, as adjoint::LevelRounds and OrderedPass read them.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// @tparam Dependence  has forUsed(f), which calls f(point, share) for each point that is used
template <class Dependence>
struct PointUses {
  const Dependence* dependence; ///< per point

  template <class Index, class F>
  TEAM_FN void forUsed(Index point, F&& f) const {
    dependence[point].forUsed(f);
  }
};

template <class Dependence>
PointUses(const Dependence*) -> PointUses<Dependence>;

/// The same, but evaluates each point when it is found (adjoint::CountUsers).
/// @tparam Dependences  has at(point)
template <class Dependences, class Dependence>
struct EvaluatedUses {
  static constexpr bool evaluates = true;
  const Dependences* dependences;
  Dependence* found; ///< per point

  template <class F>
  void forUsed(int point, F&& f) const {
    found[point] = dependences->at(point);
    found[point].forUsed(f);
  }
};

template <class Dependences, class Dependence>
EvaluatedUses(const Dependences*, Dependence*) -> EvaluatedUses<Dependences, Dependence>;

} // namespace isochrone::image
