// FastSweeping.h - Zhao: A fast sweeping method for eikonal equations, Math. Comp. 74 (2005).
#pragma once

#include "UpwindGrid.h"

namespace isochrone::benchmark {

/// Updates all points in place, in the order of each corner of the image in turn, until a whole sweep changes
/// nothing.
inline image::Result fastSweeping(const image::Problem& problem) {
  UpwindGrid grid(problem);
  const image::Grid& n = grid.image;
  int sweeps = 0;
  for (bool changed = true; changed; ++sweeps) {
    changed = false;
    const auto along = [&](int axis, std::int64_t size, std::int64_t i) {
      return sweeps >> axis & 1 ? size - 1 - i : i;
    };
    for (std::int64_t k = 0; k < n.nz; ++k)
      for (std::int64_t j = 0; j < n.ny; ++j) {
        auto p = grid.at(along(0, n.nx, 0), along(1, n.ny, j), along(2, n.nz, k));
        const auto next = along(0, 2, 1) - along(0, 2, 0);
        for (std::int64_t i = 0; i < n.nx; ++i, p += next) {
          if (grid.blocked(p)) continue;
          const float value = grid.update(p);
          if (value < grid.time[p]) grid.time[p] = value, changed = true;
        }
      }
  }
  return grid.result(sweeps, 0);
}

} // namespace isochrone::benchmark
