// AdjointSolver.h - the discrete adjoint of images on any device.
//
// The host has faster code of its own (MassPass.h): it computes the shares of a tile once and keeps them.
#pragma once

#include "Adjoint/MassRounds.h"
#include "ImageTravelTime/Sensitivity/AdjointTask.h"
#include "ImageTravelTime/Sensitivity/AdjointTile.h"

#include <bit>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::image {

/// A solved image in the memory of a device.
template <class Device>
class DescentBuffers {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  DescentBuffers(Device& on, const AdjointTask& adjointTask)
      : device(on), task(adjointTask), problem(task.input.problem), order(problem),
        points(int(problem.grid.points())), units(problem, task.input.speed), u(upload(task.travelTime)),
        speed(upload(problem.speed)), barriers(upload(problem.barriers)),
        marks(device.template allocate<std::uint8_t>(std::size_t(points))) {
    findBalls();
    const std::vector<int> found = markSpecial();
    special = specialPoints(task.input, task.scheme, task.travelTime, found);
    specialOnDevice = upload(std::span<const SpecialPoint>(special));
  }

  const std::vector<SpecialPoint>& specials() const { return special; }
  int tiles() const { return order.tiles(); }

  DescentView view() {
    const GridIndex sizes = problem.grid.sizes();
    DescentView v{};
    for (int a = 0; a < 3; ++a) {
      v.size[a] = int(sizes[a]);
      v.tilesAlong[a] = order.tilesAlong()[std::size_t(a)];
      v.tileShift[a] = std::countr_zero(unsigned(order.shape()[std::size_t(a)]));
    }
    v.spacing = units.spacing;
    v.earliest = task.input.earliest, v.unitLength = units.length, v.unitTime = units.time;
    v.constantSpeed = problem.constantSpeed;
    v.speed = problem.speed.empty() ? nullptr : speed.data();
    v.isSlowness = problem.speedType == SpeedType::Slowness;
    v.barriers = problem.barriers.empty() ? nullptr : barriers.data();
    v.u = u.data();
    v.ballOf = ballOf.empty() ? nullptr : ballOfTile.data();
    v.balls = balls.data();
    v.isSpecial = marks.data();
    v.special = specialOnDevice.data();
    v.specials = int(special.size());
    return v;
  }

private:
  Device& device;
  const AdjointTask& task;
  const Problem& problem;
  const TileOrder order;
  const int points;
  const SolverUnits units;
  Array<float> u, speed;
  Array<std::uint8_t> barriers, marks;
  std::vector<int> ballOf;
  Array<int> ballOfTile;
  Array<BallSeed> balls;
  std::vector<SpecialPoint> special;
  Array<SpecialPoint> specialOnDevice;

  template <class T>
  Array<T> upload(std::span<const T> values) {
    return device.upload(values);
  }

  void findBalls() {
    const BallsOfTiles& found = task.scheme.ballsOf();
    if (found.all().empty()) return;
    std::vector<BallSeed> seeds;
    for (int b = 0; b < int(found.all().size()); ++b) seeds.push_back(found.seedFrom(b, {}));
    balls = upload(std::span<const BallSeed>(seeds));
    for (int tile = 0; tile < order.tiles(); ++tile) ballOf.push_back(found.ballOf(tile));
    ballOfTile = upload(std::span<const int>(ballOf));
  }

  std::vector<int> markSpecial() {
    std::vector<int> starts;
    for (const SeedPoint& start : task.scheme.startPoints()) starts.push_back(int(start.point));
    auto startsOnDevice = upload(std::span<const int>(starts));
    device.run(MarkSpecial{view(), points, startsOnDevice.data(), int(starts.size()), marks.data()},
               execution::blocksOf<MarkSpecial>(points));
    auto list = device.template allocate<int>(std::size_t(points));
    auto count = device.template array<int>(1, 0);
    device.compact(marks, list, count.data());
    int number = 0;
    device.download(count, &number);
    std::vector<int> found(static_cast<std::size_t>(number));
    if (number > 0) device.download(list, found.data(), found.size());
    return found;
  }
};

/// Passes the masses of a task from the tips to the points where they end, and sets its results.
template <class Device>
void adjointOnDevice(Device& device, AdjointTask& task, const Monitor& monitor) {
  constexpr double waitingSteps = 0.5; // fewer take more rounds, more take more visits
  const Problem& problem = task.input.problem;
  const auto points = std::size_t(problem.grid.points());
  const double wait = waitingSteps * SolverUnits(problem, task.input.speed).length;
  DescentBuffers<Device> memory(device, task);
  std::vector<SpecialPoint> keepers;
  std::vector<int> held;
  for (const SpecialPoint& s : memory.specials())
    if (s.keepsMass()) keepers.push_back(s), held.push_back(s.point);

  auto passed = device.template array<double>(points, 0);
  auto perSpeed = device.template allocate<double>(points);
  auto sums = device.template allocate<TileSums>(std::size_t(memory.tiles()));
  adjoint::MassRounds<Device> rounds(device, points, task.masses, held);
  const DescentView view = memory.view();
  task.aborted = !rounds.run(DescentStep{view, wait, passed.data()}, float(wait / task.input.speed.slowest),
                             task.input.earliest, monitor);
  if (task.aborted) return;
  task.keepers = std::move(keepers);
  for (const std::int64_t mass : rounds.arrived()) task.arrived.push_back(double(mass) * task.masses.unit);

  device.run(SumTiles{view, passed.data(), task.masses.unit, perSpeed.data(), sums.data()}, memory.tiles());
  task.speed.resize(points);
  device.download(perSpeed, task.speed.data());
  std::vector<TileSums> ofTiles(std::size_t(memory.tiles()));
  device.download(sums, ofTiles.data());
  task.perSeedSlowness.assign(task.scheme.balls().size(), 0);
  for (std::size_t tile = 0; tile < ofTiles.size(); ++tile) {
    task.rounding += ofTiles[tile].rounding;
    if (const int ball = task.scheme.ballsOf().ballOf(int(tile)); ball >= 0)
      task.perSeedSlowness[std::size_t(ball)] += ofTiles[tile].perSeedSlowness;
  }
}

} // namespace isochrone::image
