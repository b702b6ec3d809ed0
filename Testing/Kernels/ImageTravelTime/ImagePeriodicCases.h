// ImagePeriodicCases.h - images with periodic axes, speeds that vary and barriers.
#pragma once

#include "ImageTravelTimeParts.h"

#include <array>
#include <cmath>
#include <vector>

namespace isochrone::image {

/// An image with periodic axes, speeds that vary by 3:1 and barriers.
struct Torus : Case {
  Torus(const Grid& grid, const std::array<bool, 3>& periodic, std::uint64_t salt = 0) {
    problem.grid = grid;
    problem.periodic = periodic;
    speed.resize(std::size_t(grid.points()));
    barriers.resize(speed.size());
    for (std::size_t n = 0; n < speed.size(); ++n)
      speed[n] = float(1 + 2 * noise(salt + n)), barriers[n] = noise(salt + 100000 + n) < 0.08;
    problem.seeds = {{{1.3 * grid.hx, 0.2 * grid.hy, 0}, 0},
                     {{double(grid.nx - 1) * grid.hx, 7.4 * grid.hy, 0}, 0.5}};
    if (grid.nz > 1) problem.seeds[0].at[2] = double(grid.nz) * grid.hz - 0.7 * grid.hz;
    for (const Seed& seed : problem.seeds)
      for (int k = -1; k < 2; ++k)
        for (int j = -1; j < 2; ++j)
          for (int i = -1; i < 2; ++i) {
            const auto near = [&](double x, double h, std::int64_t n, int step) {
              return (std::llround(x / h) + step + n) % n;
            };
            barriers[std::size_t(grid.index(near(seed.at[0], grid.hx, grid.nx, i),
                                            near(seed.at[1], grid.hy, grid.ny, j),
                                            near(seed.at[2], grid.hz, grid.nz, k)))] = 0;
          }
    problem.speed = speed, problem.barriers = barriers;
  }
};

struct NamedTorus {
  const char* name;
  Grid grid;
  std::array<bool, 3> periodic;
};

inline const std::vector<NamedTorus>& tori() {
  static const std::vector<NamedTorus> all{{"PlaneX", {37, 29, 1, 1, 1, 1}, {true, false, false}},
                                           {"PlaneY", {29, 40, 1, 1, 0.6, 1}, {false, true, true}},
                                           {"PlaneXY", {33, 47, 1, 1, 1, 1}, {true, true, false}},
                                           {"Small", {5, 9, 1, 1, 1, 1}, {true, true, false}},
                                           {"SpaceZ", {14, 12, 17, 1, 1, 1.5}, {false, false, true}},
                                           {"SpaceXYZ", {16, 13, 11, 1, 1, 1}, {true, true, true}}};
  return all;
}

} // namespace isochrone::image
