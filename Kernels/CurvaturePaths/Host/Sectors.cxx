#include "CurvaturePaths/Host/Sectors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace isochrone::curvature {

namespace {

int sectorOf(const StateGrid& grid, int k) {
  const Direction n = headingDirection(k, grid.headings);
  const double x = n.x / grid.hx, y = n.y / grid.hy;
  if (std::abs(x) >= std::abs(y)) return x > 0 ? 0 : 2;
  return y > 0 ? 1 : 3;
}

} // namespace

Sectors layOutSectors(const StateGrid& grid, const std::vector<std::vector<Offset>>& offsets, int overlap,
                      int planes) {
  const int n = grid.headings;
  const auto wrap = [](int k, int count) { return ((k % count) + count) % count; };
  std::array<int, sectorCount> sizes{};
  for (int k = 0; k < n; ++k) ++sizes[sectorOf(grid, k)];
  // Opposite sectors grow towards each other through the sector between them.
  overlap = std::min(overlap, *std::min_element(sizes.begin(), sizes.end()) / 2);
  Sectors sectors;
  for (int s = 0; s < sectorCount; ++s) {
    Sector& sector = sectors[s];
    sector.sweeps.assign(planes, 0);
    sector.holds.assign(planes, 0);
    if (planes < n && s >= sectorCount / 2) continue;
    const int axis = int(std::lround(s * n / 4.));
    for (int i = -(n / 2); i < n - n / 2; ++i) {
      bool in = false;
      for (int m = -overlap; m <= overlap && !in; ++m) in = sectorOf(grid, wrap(axis + i + m, n)) == s;
      if (!in) continue;
      const int k = wrap(axis + i, planes);
      sector.headings.push_back(k);
      sector.sweeps[k] = sector.holds[k] = 1;
      for (const Offset& e : offsets[k]) sector.holds[wrap(k + e[2], planes)] = 1;
    }
  }
  for (int s = 0; s < sectorCount; ++s) {
    Sector &sector = sectors[s], &opposite = sectors[(s + 2) % sectorCount];
    sector.copies.assign(planes, 0);
    for (const int k : opposite.headings) sector.copies[k] = sector.holds[k];
  }
  return sectors;
}

} // namespace isochrone::curvature
