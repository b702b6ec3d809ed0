#include "Grid/Supercover.h"

#include <algorithm>

namespace isochrone::grid {

std::vector<Offset> supercover(const Offset& step) {
  std::vector<Offset> cells;
  const auto first = [&](int axis) { return std::min(0, step[axis]); };
  const auto last = [&](int axis) { return std::max(0, step[axis]); };
  for (int k = first(2); k <= last(2); ++k)
    for (int j = first(1); j <= last(1); ++j)
      for (int i = first(0); i <= last(0); ++i)
        if ((i || j || k) && touches(step, {i, j, k})) cells.push_back({i, j, k});
  return cells;
}

std::vector<std::int32_t> distancesToBarriers(const std::array<std::int64_t, 3>& sizes,
                                              std::span<const std::uint8_t> barriers) {
  std::vector<std::int32_t> distances;
  if (std::all_of(barriers.begin(), barriers.end(), [](std::uint8_t b) { return b == 0; })) return distances;
  const auto [nx, ny, nz] = sizes;
  constexpr std::int32_t far = 1 << 20;
  distances.resize(nx * ny * nz);
  std::transform(barriers.begin(), barriers.end(), distances.begin(),
                 [](std::uint8_t b) { return b ? 0 : far; });
  const auto lower = [&](std::int64_t p, std::int64_t q) {
    distances[p] = std::min(distances[p], distances[q] + 1);
  };
  for (std::int64_t row = 0; row < ny * nz; ++row)
    for (std::int64_t i = 0, p = row * nx; i < nx; ++i, ++p) {
      if (i > 0) lower(p, p - 1);
      if (row % ny > 0) lower(p, p - nx);
      if (row >= ny) lower(p, p - nx * ny);
    }
  for (std::int64_t row = ny * nz; row-- > 0;)
    for (std::int64_t i = nx, p = row * nx + nx - 1; i-- > 0; --p) {
      if (i + 1 < nx) lower(p, p + 1);
      if (row % ny + 1 < ny) lower(p, p + nx);
      if (row + ny < ny * nz) lower(p, p + nx * ny);
    }
  return distances;
}

} // namespace isochrone::grid
