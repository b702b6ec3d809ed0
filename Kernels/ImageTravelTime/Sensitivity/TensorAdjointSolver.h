// TensorAdjointSolver.h - the discrete adjoint of images with tensors on any device.
#pragma once

#include "Adjoint/LevelRounds.h"
#include "Execution/Progress.h"
#include "ImageTravelTime/Sensitivity/PointUses.h"
#include "ImageTravelTime/Sensitivity/TensorDependences.h"
#include "Monitor.h"
#include "Values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

/// Masses that pass from points to those that give them their times.
struct TensorAdjointTask {
  adjoint::TipMasses tips; ///< not empty

  // Results. Undefined if the monitor requested a stop.
  Values<TensorDependence> dependence; ///< per point; on the host of points with a mass only
  std::vector<std::int64_t> mass;      ///< per point: all that passed it, or has arrived
  /// The points at which masses wait, ascending: those that use each other, and those that they lead to.
  std::vector<std::int32_t> waiting;
  bool aborted = false;
};

/// Evaluates points. Leaves those to the host that have a start, or may have the bound of a later side, or
/// are near a barrier.
struct EvaluateTensors {
  using Lanes = execution::Box<128, 1, 1>;
  struct Shared {};
  SolvedTensors image;
  int points;
  std::uint8_t* isSpecial; ///< per point; that of points with a start is set
  TensorDependence* dependence;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](execution::Cell c) {
      const int point = position * Lanes::size + c.index;
      if (point >= points || isSpecial[point]) return;
      TensorDependence d{};
      if (image.isReached(point)) {
        bool isNearBarrier = false;
        const TensorSides sides(image, point, [&](const GridIndex&, const GridIndex&) {
          isNearBarrier = true;
          return true;
        });
        isSpecial[point] = isNearBarrier || sides.mayBeBound();
        const TensorSides::Root root = sides.solve();
        if (root.isResolved()) d = sides.differentiate(root);
        if (!sides.seesAll()) applyFaces(image, point, d);
      }
      dependence[point] = d;
    });
  }
};

/// Takes the dependences of the points that the host has evaluated.
struct PlaceDependences {
  using Lanes = execution::Box<128, 1, 1>;
  struct Shared {};
  const int* point;
  const TensorDependence* found;
  int count;
  TensorDependence* dependence; ///< per point

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](execution::Cell c) {
      const int n = position * Lanes::size + c.index;
      if (n < count) dependence[point[n]] = found[n];
    });
  }
};

/// Evaluates the marked points on the host, some at a time. Returns false if the monitor requested a stop.
template <class Device>
bool evaluateSpecial(Device& device, const TensorDependences& dependences, execution::RoundPool& pool,
                     typename Device::template Array<std::uint8_t>& isSpecial, TensorDependence* dependence,
                     const Monitor& monitor) {
  constexpr int slice = 1 << 16; // points
  auto list = device.template allocate<int>(dependences.times().size());
  auto count = device.template array<int>(1, 0);
  device.compact(isSpecial, list, count.data());
  int number = 0;
  device.download(count, &number);
  std::vector<int> points(static_cast<std::size_t>(number));
  device.download(list, points.data(), points.size());
  std::vector<TensorDependence> found;
  execution::Progress progress(monitor);
  for (int first = 0; first < number; first += slice) {
    found.resize(std::size_t(std::min(slice, number - first)));
    pool.forRanges(std::ssize(found), 64, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t n = begin; n < end; ++n)
        found[std::size_t(n)] = dependences.at(points[std::size_t(first + n)]);
    });
    auto onDevice = device.upload(std::span<const TensorDependence>(found));
    const PlaceDependences place{list.data() + first, onDevice.data(), int(found.size()), dependence};
    device.run(place, execution::blocksOf<PlaceDependences>(std::ssize(found)));
    device.wait();
    if (!progress.report([&] { return double(first) / double(number); })) return false;
  }
  return true;
}

/// Evaluates all points. Returns what they use, in the memory of the device; nothing if the monitor requested
/// a stop.
template <class Device>
auto evaluateOnDevice(Device& device, const TensorDependences& dependences, execution::RoundPool& pool,
                      const Monitor& monitor)
    -> std::optional<typename Device::template Array<TensorDependence>> {
  const std::size_t points = dependences.times().size();
  auto found = device.template allocate<TensorDependence>(points);
  auto u = device.upload(dependences.times());
  auto tensor = device.upload(std::span<const float>(dependences.solvedProblem().speed));
  auto distances = device.upload(dependences.distancesToBarriers());
  auto seeds = device.upload(dependences.seedsFromFirstPoint());
  auto bricks = device.upload(dependences.seeds().bricks());
  SolvedTensors image = dependences.solved();
  image.u = u.data(), image.tensor = tensor.data();
  if (image.barriers.distances) image.barriers.distances = distances.data();
  if (image.seeds) image.seeds = seeds.data(), image.ballOfBrick = bricks.data();
  std::vector<std::uint8_t> isStart(points, 0);
  for (const int point : dependences.startPoints()) isStart[std::size_t(point)] = 1;
  auto isSpecial = device.upload(std::span<const std::uint8_t>(isStart));
  device.run(EvaluateTensors{image, int(points), isSpecial.data(), found.data()},
             execution::blocksOf<EvaluateTensors>(std::int64_t(points)));
  if (!evaluateSpecial(device, dependences, pool, isSpecial, found.data(), monitor)) return std::nullopt;
  return found;
}

/// Passes the masses of a task on, and sets its results.
/// @param finder  evaluates the points of `dependence`, if these are not evaluated yet
template <class Device, class Finder>
void passMasses(Device& device, const Finder& finder, const TensorDependence* dependence, std::size_t points,
                TensorAdjointTask& task, const Monitor& monitor) {
  adjoint::LevelRounds<Device> rounds(device, points, task.tips);
  task.aborted = !rounds.find(finder, monitor.part(0, 0.5)) ||
                 !rounds.pass(PointUses{dependence}, adjoint::maximumMass, monitor.part(0.5, 0.5));
  if (task.aborted) return;
  task.mass = rounds.masses();
  task.waiting = rounds.waiting();
}

/// Evaluates all points, and passes the masses on.
template <class Device>
void adjointOnDevice(Device& device, const TensorDependences& dependences, execution::RoundPool& pool,
                     TensorAdjointTask& task, const Monitor& monitor) {
  const std::size_t points = dependences.times().size();
  auto found = evaluateOnDevice(device, dependences, pool, monitor.part(0, 0.5));
  task.aborted = !found || !monitor.report(0.5);
  if (task.aborted) return;
  passMasses(device, PointUses<TensorDependence>{found->data()}, found->data(), points, task,
             monitor.part(0.5, 0.4));
  if (task.aborted) return;
  task.dependence.resize(points);
  device.download(*found, task.dependence.data());
}

/// Runs adjointOnDevice on the current CUDA device. Does nothing without ISOCHRONE_WITH_CUDA.
/// @throws Error if the device fails
void tensorAdjointOnCuda(const TensorDependences& dependences, execution::RoundPool& pool,
                         TensorAdjointTask& task, const Monitor& monitor);

} // namespace isochrone::image
