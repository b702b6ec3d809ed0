// SecondOrderSolver.h - the derivatives of second order, and the masses that pass by them, on any device.
#pragma once

#include "Adjoint/LevelRounds.h"
#include "Execution/Rounds.h"
#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"
#include "Monitor.h"
#include "Values.h"

#include <cstddef>
#include <limits>
#include <span>
#include <utility>

namespace isochrone::image {

/// Finds the derivatives of all points with a first order time, one point per lane. The others use nothing.
struct EvaluateSecondOrder {
  using Lanes = execution::Box<128, 1, 1>;
  struct Shared {};
  SecondOrderView equations;
  const double* seedSlowness;
  int points;
  SecondOrderDependence* dependence;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](execution::Cell c) {
      const int point = position * Lanes::size + c.index;
      if (point >= points) return;
      SecondOrderDependence d{};
      if (equations.first[point] < std::numeric_limits<float>::infinity())
        d = dependenceAt(equations, seedSlowness, point);
      dependence[point] = d;
    });
  }
};

/// Passes the masses of a task on, and sets its results.
/// @param uses  in the memory of the device
template <class Device>
void passMasses(Device& device, const SecondOrderUses& uses, std::size_t points, SecondOrderTask& task,
                const Monitor& monitor) {
  adjoint::LevelRounds<Device> rounds(device, points, task.tips);
  task.aborted = !rounds.run(uses, adjoint::maximumSignedMass, monitor);
  if (task.aborted) return;
  task.isTooLarge = rounds.isTooLarge();
  task.mass = rounds.masses();
  task.reached = rounds.reached();
}

/// Finds the derivatives of all points, and passes the masses on.
template <class Device>
void secondOrderOnDevice(Device& device, SecondOrderDependences& dependences, SecondOrderTask& task,
                         const Monitor& monitor) {
  const Problem& problem = dependences.solvedProblem();
  const std::size_t points = dependences.times().size();
  auto found = device.template allocate<SecondOrderDependence>(points);
  {
    auto first = device.upload(dependences.times()), value = device.upload(dependences.secondOrderTimes()),
         speed = device.upload(std::span<const float>(problem.speed));
    auto balls = device.upload(dependences.balls());
    auto seedSlowness = device.upload(dependences.slownessOfSeeds());
    SecondOrderView equations = dependences.equations();
    equations.first = first.data(), equations.value = value.data();
    if (equations.speed) equations.speed = speed.data();
    equations.factoring.balls = balls.data();
    equations.upstream = UpstreamNeighbours(problem.grid, first.data());
    device.run(EvaluateSecondOrder{equations, seedSlowness.data(), int(points), found.data()},
               execution::blocksOf<EvaluateSecondOrder>(std::int64_t(points)));
    Values<SecondOrderDependence> all(points);
    device.download(found, all.data());
    dependences.take(std::move(all));
  }
  task.aborted = !monitor.report(0.4);
  if (task.aborted) return;
  SecondOrderUses uses = dependences.uses();
  uses.dependence = found.data();
  passMasses(device, uses, points, task, monitor.part(0.4, 0.6));
}

} // namespace isochrone::image
