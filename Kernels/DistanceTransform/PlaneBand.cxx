// The first two axes of a plane, a band of its rows at a time: down the columns by two sweeps, then along
// each row. The band's memory stays in the cache between the two.
#include "DistanceTransform/Arena.h"
#include "DistanceTransform/Finish.h"
#include "DistanceTransform/WindowChoice.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

constexpr std::uint8_t far8 = 255; ///< a sweep counts to here

/// Work memory of a band.
template <class T>
struct BandScratch {
  std::uint8_t* steps[2]; ///< per kind: steps to the nearest site of the column, row after row
  std::uint16_t *shortLine, *shortOut[2];
  T *line, *out[2];
  HullScratch<T> hull;
  WindowChoice* choice;

  BandScratch(Arena& arena, std::int64_t nx, std::int64_t rows) {
    for (std::uint8_t*& s : steps) s = arena.take<std::uint8_t>(nx * rows);
    shortLine = arena.line<std::uint16_t>(nx, windowPad, shortNone);
    line = arena.line<T>(nx, linePad, none<T>);
    for (int k = 0; k < 2; ++k) {
      shortOut[k] = arena.line<std::uint16_t>(nx, windowPad, 0);
      out[k] = arena.line<T>(nx, linePad, 0);
    }
    hull = arena.hull<T>(nx);
    choice = arena.take<WindowChoice>(1);
    if (choice && arena.fresh) *choice = {};
  }
};

std::uint8_t clipped(const std::uint32_t* steps, std::int64_t x) {
  return steps && steps[x] < far8 ? std::uint8_t(steps[x]) : far8;
}

/// Down and up the columns: steps to the nearest site of this kind, up to far8.
/// @param kind  1: to what is no site
void sweepColumns(const Band& b, int kind, std::uint8_t* steps) {
  const std::int64_t nx = b.nx, rows = b.last - b.first;
  const std::uint8_t* sites = b.sites + b.first * nx;
  std::uint8_t* row = steps;
  for (std::int64_t x = 0; x < nx; ++x) { // the first row, from what lies above the band
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

/// Has no column of the plane a point to measure from?
bool isEmpty(const Band& b, int kind, const std::uint8_t* steps) {
  std::uint32_t least = farColumn;
  for (std::int64_t x = 0; x < b.nx; ++x) {
    std::uint32_t here = steps[x] < far8 ? steps[x] : farColumn;
    if (b.above[kind]) here = b.above[kind][x] < here ? b.above[kind][x] : here;
    if (b.below[kind]) here = b.below[kind][x] < here ? b.below[kind][x] : here;
    least = here < least ? here : least;
  }
  return least == farColumn;
}

/// Squares of a row of steps, up to what 16 bits hold.
void shortSquares(const std::uint8_t* steps, std::int64_t nx, std::uint16_t* line) {
  for (std::int64_t x = 0; x < nx; ++x) {
    const std::uint16_t d = steps[x];
    line[x] = d < windowEnd ? std::uint16_t(d * d) : shortNone;
  }
}

/// The same for any number of steps, those above far8 from what lies beyond the band.
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
      const std::uint32_t a = above[x] + down, c = below[x] + up, least = a < c ? a : c;
      line[x] = square(steps[x] < far8 ? steps[x] : least);
    }
}

/// Takes from each kind its own points' distances to the other: into `a`.
template <class N>
void merge(const std::uint8_t* sites, std::int64_t nx, N* a, const N* b) {
  for (std::int64_t x = 0; x < nx; ++x) a[x] = sites[x] ? b[x] : a[x];
}

template <class T>
void widen(const std::uint16_t* from, std::int64_t nx, T* to) {
  for (std::int64_t x = 0; x < nx; ++x) to[x] = from[x] < shortNone ? T(from[x]) : none<T>;
}

} // namespace

template <class T>
std::int64_t bandScratch(std::int64_t nx, std::int64_t rows) {
  Arena arena;
  BandScratch<T>(arena, nx, rows);
  return arena.used;
}
template std::int64_t bandScratch<std::int32_t>(std::int64_t, std::int64_t);
template std::int64_t bandScratch<double>(std::int64_t, std::int64_t);

void stepsToFirst(const std::uint8_t* sites, std::int64_t nx, std::int64_t rowStride, std::int64_t rows,
                  bool ofSites, std::uint8_t* steps) {
  constexpr int vectors = 4, block = vectors * Bytes::width;
  const auto search = [&](const std::uint8_t* at, std::uint8_t* to) {
    Bytes::V first[vectors];
    for (Bytes::V& f : first) f = Bytes::broadcast(far8);
    for (std::int64_t r = 0; r < rows; ++r, at += rowStride) {
      const Bytes::V here = Bytes::broadcast(int(r)), far = Bytes::broadcast(far8);
      for (int v = 0; v < vectors; ++v) {
        const Bytes::V site = Bytes::load(at + v * Bytes::width);
        first[v] = Bytes::min(first[v], ofSites ? Bytes::whereZero(site, far, here)
                                                : Bytes::whereZero(site, here, far));
      }
      if (r % 4 == 3 &&
          !Bytes::any255(Bytes::max(Bytes::max(first[0], first[1]), Bytes::max(first[2], first[3]))))
        break;
    }
    for (int v = 0; v < vectors; ++v) Bytes::store(to + v * Bytes::width, first[v]);
  };
  std::int64_t x = 0;
  for (; x + block <= nx; x += block) search(sites + x, steps + x);
  for (; x < nx; ++x) {
    std::int64_t r = 0;
    while (r < rows && (sites[x + r * rowStride] != 0) != ofSites) ++r;
    steps[x] = r < rows ? std::uint8_t(r) : far8;
  }
}

template <class T>
void solveBand(const Band& b, const Axis<T>& y, const Axis<T>& x, const Carrier<T>& to, const Output& out,
               std::int64_t firstPoint, Scratch memory) {
  const std::int64_t nx = b.nx, rows = b.last - b.first;
  Arena arena{memory.memory, memory.fresh};
  const BandScratch<T> s(arena, nx, b.mostRows);
  const bool wanted[2] = {b.kinds.sites, b.kinds.others};
  bool empty[2] = {};
  for (int kind = 0; kind < 2; ++kind) {
    if (!wanted[kind]) continue;
    sweepColumns(b, kind, s.steps[kind]);
    empty[kind] = isEmpty(b, kind, s.steps[kind]);
  }

  const LineHull<T> hull{s.hull, x.weight};
  const int main = b.kinds.sites ? 0 : 1;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::uint8_t* sites = b.sites + (b.first + r) * nx;
    bool isShort[2] = {};
    for (int kind = 0; kind < 2; ++kind) {
      if (!wanted[kind]) continue;
      const std::uint8_t* steps = s.steps[kind] + r * nx;
      if (sizeof(T) == 4 && x.windowSteps > 0 && empty[kind]) {
        for (std::int64_t i = 0; i < nx; ++i) s.shortOut[kind][i] = shortNone;
        isShort[kind] = true;
      } else if (sizeof(T) == 4 && x.windowSteps > 0 && s.choice->take()) {
        shortSquares(steps, nx, s.shortLine);
        isShort[kind] = solveWindow(s.shortLine, int(nx), x.reach, x.windowSteps, s.shortOut[kind]);
        s.choice->fared(isShort[kind]);
      }
      if (!isShort[kind]) {
        squares(b, kind, b.first + r, steps, y, s.line);
        hull.template solve<false>(s.line, int(nx), s.out[kind], nullptr);
      }
    }
    bool shortRow = isShort[main];
    if (b.kinds.both()) {
      shortRow = isShort[0] && isShort[1];
      for (int kind = 0; kind < 2; ++kind)
        if (isShort[kind] && !shortRow) widen(s.shortOut[kind], nx, s.out[kind]);
      if (shortRow)
        merge(sites, nx, s.shortOut[0], s.shortOut[1]);
      else
        merge(sites, nx, s.out[0], s.out[1]);
    }
    const std::int64_t point = firstPoint + (b.first + r) * nx;
    if (!to.value) {
      if (shortRow)
        finish(s.shortOut[main], sites, nx, out, point);
      else
        finish(s.out[main], sites, nx, out, point);
      continue;
    }
    if (to.shortRow) to.shortRow[point / nx] = shortRow;
    if (shortRow)
      for (std::int64_t i = 0; i < nx; i += strip)
        __builtin_memcpy(to.value + point + i, s.shortOut[main] + i,
                         sizeof(std::uint16_t) * std::size_t(nx - i < strip ? nx - i : strip));
    else
      __builtin_memcpy(to.value + point, s.out[main], sizeof(T) * std::size_t(nx));
  }
}
template void solveBand(const Band&, const Axis<std::int32_t>&, const Axis<std::int32_t>&,
                        const Carrier<std::int32_t>&, const Output&, std::int64_t, Scratch);
template void solveBand(const Band&, const Axis<double>&, const Axis<double>&, const Carrier<double>&,
                        const Output&, std::int64_t, Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
