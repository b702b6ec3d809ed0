// AdjointTile.h - the discrete adjoint: passes masses down, one lane per state.
//
// A mass at a state q is the derivative of the objective by u(q). It goes to the neighbours below in the
// proportions of Descent.h. Masses are integers in a tiny unit, so their sums are the same in every order,
// and a state passes on exactly what it has.
#pragma once

#include "CurvaturePaths/Sensitivity/AdjointTask.h"
#include "CurvaturePaths/Sensitivity/Front.h"

#include <cstdint>

namespace isochrone::curvature {

/// Passes down the masses that were taken, and adds their contributions to the derivatives of the states that
/// they pass. Tips that join the front get their mass.
/// @tparam radiusAndShift  adds the derivatives with respect to turning radius and curvature shift
template <bool radiusAndShift>
struct SpreadMass {
  using Lanes = FrontLanes;
  using Shared = FrontBatch;
  DescentView descent;
  FrontView front;
  const TipMass* tips;
  double unit; ///< of mass
  double *perCost, *perRadius, *perShift;
  double* perBalance; ///< with radiusAndShift; null: the problem has no balance
  float* gain;        ///< mass times Linearisation::excess

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& batch, int position) const {
    const FrontControl& control = *front.control;
    front.each(team, batch, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < control.size) {
        if (front.taken[i] != 0) passDown(batch, front.at(i).state, front.taken[i]);
      } else if (i < control.size + control.joining) {
        const TipMass& tip = tips[control.tips + i - control.size];
        front.give(descent, batch, tip.state, tip.mass);
      }
    });
  }

private:
  TEAM_FN void passDown(Shared& batch, int state, std::int64_t mass) const {
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
        if (part != 0) front.give(descent, batch, e.target, part);
      }
      if constexpr (radiusAndShift) {
        radius -= e.perRadius * difference * difference;
        shift -= e.perShift * difference * difference;
        balance -= e.perBalance * difference * difference;
      }
    });
    if (strongest < 0) return; // nothing below: the travel time is not a solution here
    front.give(descent, batch, strongest, rest);
    perCost[q.state] += world * linear.perCost;
    gain[q.state] += float(world * linear.excess);
    if constexpr (radiusAndShift) {
      perRadius[q.state] += world * radius / (2 * linear.total);
      perShift[q.state] += world * shift / (2 * linear.total);
      if (perBalance) perBalance[q.state] += world * balance / (2 * linear.total);
    }
  }
};

/// Reads the masses that seeds keep.
struct ReadMass {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  const int* states;
  int count;
  const std::int64_t* mass;
  std::int64_t* out;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) out[i] = mass[states[i]] >> 1;
    });
  }
};

} // namespace isochrone::curvature
