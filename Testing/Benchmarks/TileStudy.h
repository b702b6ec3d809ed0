// TileStudy.h - the paper's experiments on tiles (Table 1 and section 2.2), on any device: tile shapes, inner
// iterations, tagging, and sources of stencils. Mirebeau et al., 2022.
#pragma once

#include "PaperTiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::benchmark {

using namespace isochrone::curvature;
using paper::Tagging;
using paper::TileSettings;

/// |grad u| = cost by the same tiles, with `Dimensions` symmetric differences. The third axis is periodic.
template <int Dimensions>
using IsotropicScheme = SchemeShape<1, Dimensions, Dimensions, false>;

/// Returns the plan of an isotropic problem with grid spacing 1 and no walls.
inline TilePlan isotropicPlan(const Problem& problem, int dimensions) {
  TilePlan plan;
  plan.slots = dimensions;
  const Slot along[3] = {{{{}, 1, 1}, {1, 0, 0, 0}}, {{{}, 1, 1}, {0, 1, 0, 2}}, {{{}, 1, 1}, {0, 0, 1, -1}}};
  for (int z = 0; z < problem.grid.headings; ++z)
    plan.shared.insert(plan.shared.end(), along, along + dimensions);
  return plan;
}

/// Stencils stored per point, which the paper's section 2.2 compares with recomputed ones.
struct StoredStencils {
  const Slot* slots; ///< [slot][state]
  std::int64_t points;

  template <class Scheme>
  struct Local {
    const Slot* slots;
    std::int64_t points;
    TEAM_FN Step step(int t) const { return slots[t * points].step; }
    TEAM_FN Difference difference(int t) const { return slots[t * points].difference; }
  };
  template <class Scheme>
  TEAM_FN Local<Scheme> at(const StatePoint& p) const {
    return {slots + p.index, points};
  }
};

/// Fills StoredStencils from another source, one lane per state.
template <class Scheme, class Stencils>
struct StoreStencils {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  TileGrid grid;
  Stencils from;
  Slot* slots;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const std::int64_t points = grid.planePoints() * grid.headings;
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t i = std::int64_t(position) * Lanes::size + c.index;
      if (i >= points) return;
      StatePoint p{};
      p.index = i, p.plane = std::uint32_t(i % grid.planePoints()), p.heading = int(i / grid.planePoints());
      p.x = int(p.plane % grid.nx), p.y = int(p.plane / grid.nx), p.inside = true;
      const auto local = from.template at<Scheme>(p);
      execution::unroll<Scheme::all>([&](auto t) {
        slots[t * points + i] = {local.difference(t), local.step(t)};
      });
    });
  }
};

/// Result of one run of the study.
struct Measured {
  double seconds; ///< of the rounds only, without set-up and copies
  Result result;
};

template <class Scheme, class Shape, class Stencils, class Device>
Measured measure(Device& device, const Problem& problem, const TilePlan& plan, DeviceProblem<Device>& data,
                 const Stencils& stencils, TileSettings settings, int repeats = 3) {
  const PlacedSeeds seeds = placedSeeds(seedStarts(problem, placementsOf(problem)), plan);
  Measured best{std::numeric_limits<double>::infinity(), {}};
  double seconds = 0;
  settings.seconds = &seconds;
  for (int i = 0; i < repeats; ++i) {
    paper::relaxTiles<Scheme, Shape>(device, problem, plan, data, stencils, seeds, settings, best.result);
    best.seconds = std::min(best.seconds, seconds);
  }
  return best;
}

} // namespace isochrone::benchmark
