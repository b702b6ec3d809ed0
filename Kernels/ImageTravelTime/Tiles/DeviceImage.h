// DeviceImage.h - an image in device memory: slownesses and start values before the rounds, times after them.
#pragma once

#include "Execution/Rounds.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/Tiling.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Tiles/PlaceList.h"
#include "ImageTravelTime/Tiles/Rounds.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::image {

using execution::blocksOf;

template <class Shape>
Tiling tilingWith(const Problem& problem) {
  return Tiling(problem, {Shape::nx, Shape::ny, Shape::nz}, Tiling::Ring::Even);
}

template <class Shape>
NodeGrid nodeGrid(const Problem& problem) {
  const Tiling tiling = tilingWith<Shape>(problem);
  const auto [tx, ty, tz] = tiling.number;
  const GridIndex size = HeldPoints(problem, tiling).sizes();
  return {int(size[0]), int(size[1]), int(size[2]), tx, ty, tz};
}

/// Returns the start nodes in the solver's units, relative to the earliest seed; each node once.
inline std::vector<StartNode> startNodes(const SolverInput& input, double unit, const HeldPoints& held) {
  std::vector<StartNode> nodes;
  for (const SeedPoint& seed : earliestStarts(input.starts))
    if (held.areAll() || held.contain(input.problem.grid.indices(seed.point)))
      nodes.push_back({held.node(seed.point), float((seed.value - input.earliest) / unit)});
  return nodes;
}

template <class Shape, class Device>
class DeviceImage {
public:
  DeviceImage(Device& on, const SolverInput& solverInput)
      : input(solverInput), units(input.problem, input.speed),
        held(input.problem, tilingWith<Shape>(input.problem)), grid(nodeGrid<Shape>(input.problem)),
        places(placesOf(input.problem, tilingWith<Shape>(input.problem))),
        starts(places.ofWholePlaces(startNodes(input, units.time, held))), device(on),
        slowness(uploadSpeed()), u(device.template array<float>(grid.nodes(), unreached)) {
    const std::vector<std::uint8_t> fixed =
        held.areAll() ? std::vector<std::uint8_t>() : held.fixed(input.problem);
    const std::span<const std::uint8_t> walls = held.areAll() ? input.problem.barriers : fixed;
    auto barriers = device.upload(walls);
    auto nodes = device.upload(std::span<const StartNode>(starts));
    device.run(SquareSlowness{grid.nodes(), units.squaredSlowness, walls.empty() ? nullptr : barriers.data(),
                              slowness.data()},
               blocksOf<SquareSlowness>(grid.nodes()));
    device.run(PlaceSeeds{nodes.data(), int(starts.size()), u.data()}, blocksOf<PlaceSeeds>(starts.size()));
    device.wait(); // before the barriers and the start nodes are freed
  }

  const SolverInput& input;
  const SolverUnits units;
  const HeldPoints held;
  const NodeGrid grid;
  const PlaceList places;
  const std::vector<StartNode> starts;

  ImageView view() { return {grid, units.spacing, slowness.data(), u.data()}; }

  /// Returns the first keys: tiles with a start node and adjacent tiles are active.
  std::vector<float> startKeys() const {
    std::vector<float> keys(grid.tiles(), unreached);
    for (const StartNode& start : starts) {
      const int x = int(start.node % grid.nx), y = int(start.node / grid.nx % grid.ny),
                z = int(start.node / grid.nx / grid.ny);
      const int tile = x / Shape::nx + grid.tx * (y / Shape::ny + grid.ty * (z / Shape::nz));
      keys[tile] = std::min(keys[tile], start.value);
      for (int face = 0; face < tileFaces; ++face)
        if (const int next = grid.neighbour(tile, face); next >= 0)
          keys[next] = std::min(keys[next], start.value);
    }
    return keys;
  }

  /// Converts the times to the user's units; +infinity where unreached or later than `latest`.
  Values<float> times(float latest) {
    device.run(FinishTimes{float(units.time), float(input.earliest), latest, grid.nodes(), u.data()},
               blocksOf<FinishTimes>(grid.nodes()));
    Values<float> times(grid.nodes());
    device.download(u, times.data());
    return held.extended(std::move(times));
  }

  /// Returns Options::stopAt as nodes.
  std::vector<std::int64_t> tips() const {
    std::vector<std::int64_t> nodes;
    for (const std::int64_t tip : input.tips) nodes.push_back(held.node(tip));
    return nodes;
  }

  /// Returns the work memory, without the times.
  std::size_t bytes() const { return slowness.bytes(); }

private:
  using Floats = typename Device::template Array<float>;
  Device& device;
  Floats slowness, u;

  Floats uploadSpeed() {
    const std::span<const float> speed = input.problem.speed;
    if (speed.empty()) return device.template array<float>(grid.nodes(), float(input.problem.constantSpeed));
    if (held.areAll()) return device.upload(speed);
    return device.upload(std::span<const float>(held.of(speed)));
  }
};

} // namespace isochrone::image
