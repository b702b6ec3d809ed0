// AdjointTile.h - the step of the discrete adjoint at one state.
//
// A mass at a state q is the derivative of the objective by u(q). It goes to the neighbours below in the
// proportions of Descent.h.
#pragma once

#include "Adjoint/MassFront.h"
#include "CurvaturePaths/Sensitivity/Descent.h"

#include <cstdint>

namespace isochrone::curvature {

/// Passes masses down, and adds their contributions to the derivatives of the states that they pass.
/// @tparam radiusAndShift  adds the derivatives with respect to turning radius and curvature shift
template <bool radiusAndShift>
struct DescentStep {
  DescentView descent;
  double waitPerCost; ///< waiting time of a state in the front, per cost
  double unit;        ///< of mass
  double *perCost, *perRadius, *perShift;
  double* perBalance; ///< with radiusAndShift; null: the problem has no balance
  float* gain;        ///< mass times Linearisation::excess

  TEAM_FN adjoint::FrontState inFront(int state) const {
    const float time = descent.u[state];
    const double cost = descent.cost.at(state, state % (descent.nx * descent.ny));
    return {state, time, float(time + waitPerCost * cost)};
  }

  template <class Give>
  TEAM_FN void passDown(int state, std::int64_t mass, Give&& give) const {
    const DescentView::Place q = descent.place(state);
    const Linearisation linear = descent.linearise(q);
    const double exact = double(mass), world = exact * unit;
    std::int64_t rest = mass;
    double radius = 0, shift = 0, balance = 0;
    int number = 0, strongest = -1;
    descent.eachEdge(q, linear, [&](const DescentView::Edge& e) {
      const double difference = e.difference + linear.excess;
      const double share = difference > 0 ? e.alpha * difference / linear.total : 0;
      if (number++ == linear.strongest) {
        strongest = e.target;
      } else {
        const auto part = std::int64_t(exact * share);
        rest -= part;
        if (part != 0) give(e.target, part);
      }
      if constexpr (radiusAndShift) {
        radius -= e.perRadius * difference * difference;
        shift -= e.perShift * difference * difference;
        balance -= e.perBalance * difference * difference;
      }
    });
    if (strongest < 0) return; // nothing below: the travel time is not a solution here
    give(strongest, rest);
    perCost[q.state] += world * linear.perCost;
    gain[q.state] += float(world * linear.excess);
    if constexpr (radiusAndShift) {
      perRadius[q.state] += world * radius / (2 * linear.total);
      perShift[q.state] += world * shift / (2 * linear.total);
      if (perBalance) perBalance[q.state] += world * balance / (2 * linear.total);
    }
  }
};

} // namespace isochrone::curvature
