#include "CurvaturePaths/Sectors.h"

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

Sectors layOutSectors(const StateGrid& grid, const std::vector<std::vector<Offset>>& offsets, int overlap) {
  const int n = grid.headings;
  const auto wrap = [n](int k) { return ((k % n) + n) % n; };
  Sectors layout;
  for (int s = 0; s < sectorCount; ++s) {
    Sector& sector = layout.sectors[s];
    sector.holds.assign(n, 0);
    const int axis = int(std::lround(s * n / 4.));
    for (int i = -(n / 2); i < n - n / 2; ++i) {
      const int k = wrap(axis + i);
      bool in = false;
      for (int m = -overlap; m <= overlap && !in; ++m) in = sectorOf(grid, wrap(k + m)) == s;
      if (!in) continue;
      sector.headings.push_back(k);
      sector.holds[k] = 1;
      for (const Offset& e : offsets[k]) sector.holds[wrap(k + e[2])] = 1;
    }
  }
  layout.oppositesAreDisjoint = true;
  for (int k = 0; k < n; ++k)
    for (int s = 0; s < 2; ++s)
      if (layout.sectors[s].holds[k] && layout.sectors[s + 2].holds[k]) layout.oppositesAreDisjoint = false;
  return layout;
}

} // namespace isochrone::curvature
