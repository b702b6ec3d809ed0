// OrthogonalOnDevice.h - the axes of a rectilinear or spherical grid, and the seeds of its tiles, in device
// memory.
#pragma once

#include "ImageTravelTime/Seeds/OrthogonalSeeds.h"
#include "ImageTravelTime/Tiles/OrthogonalTileUpdate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isochrone::image {

/// Returns the maximum of the device memory for the axes and seeds of a grid, bytes.
template <class Shape>
std::size_t orthogonalBytes(const Grid& grid, std::size_t tiles, SourceFactoring factoring) {
  const auto indices = std::size_t(grid.nx + grid.ny + grid.nz);
  if (factoring == SourceFactoring::Off) return indices * sizeof(AxisSteps<Scalar>);
  constexpr std::size_t ofTile = Shape::nx + Shape::ny + Shape::nz; // indices
  return indices * (sizeof(AxisSteps<Scalar>) + sizeof(AxisShape<Scalar>)) +
         tiles * (sizeof(int) + sizeof(OrthogonalSeed<Scalar>) + ofTile * sizeof(AxisFromSeed<Scalar>));
}

/// The device memory of OrthogonalTileUpdate.
template <class U, class Device>
class OrthogonalOnDevice {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  using Update = U;

  OrthogonalOnDevice(Device& on, const SolverInput& input, const SolverUnits& units, const Tiling& tiling)
      : OrthogonalOnDevice(on, Tables(input, units, tiling)) {}

  Update update(const ImageView& image) {
    return {image,
            {steps.data(),
             shape.data(),
             {first[0], first[1], first[2]},
             {roleOf[0], roleOf[1], roleOf[2]},
             {axisOf[0], axisOf[1], axisOf[2]}},
            {row.data(), seed.data(), from.data()}};
  }
  const std::vector<double>& radii() const { return ballRadii; } ///< Result::ballRadius
  std::size_t bytes() const {
    return steps.bytes() + shape.bytes() + row.bytes() + seed.bytes() + from.bytes();
  }

private:
  struct Tables {
    OrthogonalAxes axes;
    std::array<int, 3> first;
    std::vector<AxisSteps<Scalar>> steps;
    std::vector<AxisShape<Scalar>> shape;
    std::vector<int> row;
    std::vector<OrthogonalSeed<Scalar>> seed;
    std::vector<AxisFromSeed<Scalar>> from;
    std::vector<double> radii;

    Tables(const SolverInput& input, const SolverUnits& units, const Tiling& tiling)
        : axes(*input.problem.orthogonal, units.length) {
      const bool factored = input.options.factoring != SourceFactoring::Off;
      for (int a = 0; a < 3; ++a) {
        first[std::size_t(a)] = int(steps.size());
        steps.insert(steps.end(), axes[a].steps.begin(), axes[a].steps.end());
        if (factored) shape.insert(shape.end(), axes[a].shape.begin(), axes[a].shape.end());
      }
      if (!factored) return;
      const OrthogonalSeeds seeds(input, units, axes, tiling);
      radii = seeds.radii();
      const GridIndex size = input.problem.grid.sizes();
      const auto ofTile = std::size_t(tiling.shape[0] + tiling.shape[1] + tiling.shape[2]); // indices
      int rows = 0;
      for (int tile = 0; tile < tiling.count(); ++tile) row.push_back(seeds.has(tile) ? rows++ : -1);
      seed.resize(std::size_t(rows)), from.resize(std::size_t(rows) * ofTile);
      input.pool.forEach(tiling.count(), [&](std::int64_t tile) {
        const int of = row[std::size_t(tile)];
        if (of < 0) return;
        seed[std::size_t(of)] = seeds.seed(int(tile));
        const GridIndex low = tiling.boxOf(int(tile)).low;
        AxisFromSeed<Scalar>* to = from.data() + std::size_t(of) * ofTile;
        for (std::size_t a = 0; a < 3; ++a)
          for (int n = 0; n < tiling.shape[a]; ++n)
            *to++ = seeds.fromSeed(int(tile), int(a), std::min(low[a] + n, size[a] - 1));
      });
    }
  };

  OrthogonalOnDevice(Device& on, const Tables& tables)
      : first(tables.first), roleOf(tables.axes.roleOf()), axisOf(tables.axes.axisOf()),
        ballRadii(tables.radii), steps(upload(on, tables.steps)), shape(upload(on, tables.shape)),
        row(upload(on, tables.row)), seed(upload(on, tables.seed)), from(upload(on, tables.from)) {}

  template <class T>
  static Array<T> upload(Device& device, const std::vector<T>& values) {
    return device.upload(std::span<const T>(values));
  }

  std::array<int, 3> first, roleOf, axisOf;
  std::vector<double> ballRadii;
  Array<AxisSteps<Scalar>> steps;
  Array<AxisShape<Scalar>> shape;
  Array<int> row;
  Array<OrthogonalSeed<Scalar>> seed;
  Array<AxisFromSeed<Scalar>> from;
};

} // namespace isochrone::image
