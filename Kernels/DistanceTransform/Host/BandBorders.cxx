#include "DistanceTransform/Host/BandBorders.h"

#include <algorithm>

namespace isochrone::distance {

BandBorders::BandBorders(std::int64_t columns, std::int64_t allRows, std::int64_t rowsOfBand, Kinds k)
    : nx(columns), ny(allRows), rows(rowsOfBand), count((allRows + rowsOfBand - 1) / rowsOfBand), kinds(k) {
  if (count == 1) return;
  for (Side side : {Above, Below}) {
    inside[side].resize(at(kinds.others ? 2 : 1, 0));
    beyond[side].resize(inside[side].size());
  }
}

std::int64_t BandBorders::rowsOf(std::int64_t band) const { return std::min(rows, ny - band * rows); }

void BandBorders::search(const std::uint8_t* plane, std::int64_t band, StepsToFirst stepsToFirst) {
  if (count == 1) return;
  const std::int64_t n = rowsOf(band);
  const std::uint8_t *top = plane + band * rows * nx, *bottom = top + (n - 1) * nx;
  forKinds([&](int kind) {
    stepsToFirst(top, nx, nx, n, kind == 0, inside[Above].data() + at(kind, band));
    stepsToFirst(bottom, nx, -nx, n, kind == 0, inside[Below].data() + at(kind, band));
  });
}

void BandBorders::carry(std::int64_t first, std::int64_t last) {
  if (count == 1) return;
  const auto follow = [&](Side side, int kind, std::int64_t band, std::int64_t neighbour) {
    // The region beyond this side of the band begins with the neighbour's row on its opposite side.
    const std::uint8_t* near = inside[1 - side].data() + at(kind, neighbour);
    const std::uint32_t *far = beyond[side].data() + at(kind, neighbour),
                        across = std::uint32_t(rowsOf(neighbour));
    std::uint32_t* here = beyond[side].data() + at(kind, band);
    for (std::int64_t x = first; x < last; ++x)
      here[x] = near[x] != 255 ? near[x] : std::min(farColumn, far[x] + across);
  };
  forKinds([&](int kind) {
    std::fill(beyond[Above].begin() + at(kind, 0) + first, beyond[Above].begin() + at(kind, 0) + last,
              farColumn);
    std::fill(beyond[Below].begin() + at(kind, count - 1) + first,
              beyond[Below].begin() + at(kind, count - 1) + last, farColumn);
    for (std::int64_t band = 1; band < count; ++band) follow(Above, kind, band, band - 1);
    for (std::int64_t band = count - 1; band-- > 0;) follow(Below, kind, band, band + 1);
  });
}

Band BandBorders::band(const std::uint8_t* plane, std::int64_t band) const {
  Band b{plane, nx, band * rows, band * rows + rowsOf(band), rows, kinds, {}, {}};
  forKinds([&](int kind) {
    if (band > 0) b.above[kind] = beyond[Above].data() + at(kind, band);
    if (band + 1 < count) b.below[kind] = beyond[Below].data() + at(kind, band);
  });
  return b;
}

} // namespace isochrone::distance
