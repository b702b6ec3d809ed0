// ColumnSweep.h - the first axis of a plane: steps along the columns of a band to the nearest sites, in
// bytes.
#pragma once

#include "DistanceTransform/Host/LineEnvelope.h"
#include "DistanceTransform/Host/LineWindow.h"
#include "DistanceTransform/Host/Passes.h"

namespace isochrone::distance::ISOCHRONE_ISA {

inline constexpr std::uint8_t far8 = 255; ///< steps of a sweep saturate here

inline std::uint8_t clipped(const std::uint32_t* steps, std::int64_t x) {
  return steps && steps[x] < far8 ? std::uint8_t(steps[x]) : far8;
}

/// Computes the steps to the nearest site along the columns, up to far8, in one sweep down and one up.
/// @param kind  0: to sites; 1: to other points
inline void sweepColumns(const Band& b, int kind, std::uint8_t* steps) {
  const std::int64_t nx = b.nx, rows = b.last - b.first;
  const std::uint8_t* sites = b.sites + b.first * nx;
  std::uint8_t* row = steps;
  for (std::int64_t x = 0; x < nx; ++x) { // the first row, from the border above the band
    const std::uint8_t before = clipped(b.above[kind], x);
    const std::uint8_t next = std::uint8_t(before + (before != far8));
    row[x] = (sites[x] == 0) == (kind == 1) ? 0 : next;
  }
  for (std::int64_t r = 1; r < rows; ++r) {
    const std::uint8_t* before = row;
    row += nx, sites += nx;
    if (kind == 0)
      for (std::int64_t x = 0; x < nx; ++x) {
        const std::uint8_t next = std::uint8_t(before[x] + (before[x] != far8));
        row[x] = sites[x] ? std::uint8_t(0) : next;
      }
    else
      for (std::int64_t x = 0; x < nx; ++x) {
        const std::uint8_t next = std::uint8_t(before[x] + (before[x] != far8));
        row[x] = sites[x] ? next : std::uint8_t(0);
      }
  }
  if (b.below[kind])
    for (std::int64_t x = 0; x < nx; ++x) {
      const std::uint8_t after = clipped(b.below[kind], x);
      const std::uint8_t next = std::uint8_t(after + (after != far8));
      row[x] = next < row[x] ? next : row[x];
    }
  for (std::int64_t r = rows - 1; r-- > 0;) {
    const std::uint8_t* after = row;
    row -= nx;
    for (std::int64_t x = 0; x < nx; ++x) {
      const std::uint8_t next = std::uint8_t(after[x] + (after[x] != far8));
      row[x] = next < row[x] ? next : row[x];
    }
  }
}

/// Returns whether no column of the plane has a point to measure from.
inline bool isEmpty(const Band& b, int kind, const std::uint8_t* steps) {
  std::uint32_t minimum = farColumn;
  for (std::int64_t x = 0; x < b.nx; ++x) {
    std::uint32_t here = steps[x] < far8 ? steps[x] : farColumn;
    if (b.above[kind]) here = b.above[kind][x] < here ? b.above[kind][x] : here;
    if (b.below[kind]) here = b.below[kind][x] < here ? b.below[kind][x] : here;
    minimum = here < minimum ? here : minimum;
  }
  return minimum == farColumn;
}

/// Computes the squares of a row of steps, limited to 16 bits.
inline void shortSquares(const std::uint8_t* steps, std::int64_t nx, std::uint16_t* line) {
  for (std::int64_t x = 0; x < nx; ++x) {
    const std::uint16_t d = steps[x];
    line[x] = d < windowEnd ? std::uint16_t(d * d) : shortNone;
  }
}

/// The same for any number of steps; far8 is replaced by the steps to the nearest site beyond the band.
template <class T>
void squares(const Band& b, int kind, std::int64_t row, const std::uint8_t* steps, const Axis<T>& y,
             T* line) {
  const std::uint32_t *above = b.above[kind], *below = b.below[kind];
  const std::uint32_t down = std::uint32_t(row - b.first + 1), up = std::uint32_t(b.last - row);
  const T weight = y.weight;
  const auto square = [&](std::uint32_t n) {
    const T d = T(std::int32_t(n));
    if constexpr (sizeof(T) == 4)
      return n < farColumn ? d * d : none<T>;
    else
      return n < farColumn ? d * d * weight : none<T>;
  };
  if (!above && !below)
    for (std::int64_t x = 0; x < b.nx; ++x) line[x] = square(steps[x] < far8 ? steps[x] : farColumn);
  else if (!above)
    for (std::int64_t x = 0; x < b.nx; ++x) line[x] = square(steps[x] < far8 ? steps[x] : below[x] + up);
  else if (!below)
    for (std::int64_t x = 0; x < b.nx; ++x) line[x] = square(steps[x] < far8 ? steps[x] : above[x] + down);
  else
    for (std::int64_t x = 0; x < b.nx; ++x) {
      const std::uint32_t a = above[x] + down, c = below[x] + up, minimum = a < c ? a : c;
      line[x] = square(steps[x] < far8 ? steps[x] : minimum);
    }
}

} // namespace isochrone::distance::ISOCHRONE_ISA
