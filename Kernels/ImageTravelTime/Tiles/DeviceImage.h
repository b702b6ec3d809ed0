// DeviceImage.h - an image in device memory: slownesses and start values before the rounds, times after them.
#pragma once

#include "Execution/Rounds.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/Tiling.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Tiles/Rounds.h"

#include <algorithm>
#include <span>
#include <vector>

namespace isochrone::image {

using execution::blocksOf;

template <class Shape>
NodeGrid nodeGrid(const Problem& problem) {
  const auto [tx, ty, tz] = Tiling(problem, {Shape::nx, Shape::ny, Shape::nz}).number;
  const Grid& grid = problem.grid;
  return {int(grid.nx), int(grid.ny), int(grid.nz), tx, ty, tz};
}

/// Returns the start nodes in the solver's units, relative to the earliest seed; each node once.
inline std::vector<StartNode> startNodes(const SolverInput& input, double unit) {
  std::vector<StartNode> nodes;
  for (const SeedPoint& seed : earliestStarts(input.starts))
    nodes.push_back({seed.point, float((seed.value - input.earliest) / unit)});
  return nodes;
}

template <class Shape, class Device>
class DeviceImage {
public:
  DeviceImage(Device& on, const SolverInput& solverInput)
      : input(solverInput), units(input.problem, input.speed), grid(nodeGrid<Shape>(input.problem)),
        starts(startNodes(input, units.time)), device(on),
        slowness(input.problem.speed.empty()
                     ? device.template array<float>(grid.nodes(), float(input.problem.constantSpeed))
                     : device.upload(input.problem.speed)),
        u(device.template array<float>(grid.nodes(), unreached)) {
    auto barriers = device.upload(input.problem.barriers);
    auto nodes = device.upload(std::span<const StartNode>(starts));
    device.run(SquareSlowness{grid.nodes(), units.squaredSlowness,
                              input.problem.barriers.empty() ? nullptr : barriers.data(), slowness.data()},
               blocksOf<SquareSlowness>(grid.nodes()));
    device.run(PlaceSeeds{nodes.data(), int(starts.size()), u.data()}, blocksOf<PlaceSeeds>(starts.size()));
    device.wait(); // before the barriers and the start nodes are freed
  }

  const SolverInput& input;
  const SolverUnits units;
  const NodeGrid grid;
  const std::vector<StartNode> starts;

  ImageView view() { return {grid, units.spacing, slowness.data(), u.data()}; }

  /// Returns the first keys: tiles with a start node and adjacent tiles are active.
  std::vector<float> startKeys() const {
    std::vector<float> keys(grid.tiles(), unreached);
    for (const StartNode& start : starts) {
      const auto [i, j, k] = input.problem.grid.indices(start.node);
      const int tile = int(i) / Shape::nx + grid.tx * (int(j) / Shape::ny + grid.ty * (int(k) / Shape::nz));
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
    return times;
  }

  /// Returns the work memory, without the times.
  std::size_t bytes() const { return slowness.bytes(); }

private:
  using Floats = typename Device::template Array<float>;
  Device& device;
  Floats slowness, u;
};

} // namespace isochrone::image
