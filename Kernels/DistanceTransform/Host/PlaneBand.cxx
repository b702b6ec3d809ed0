// The first two axes of a plane, one band of rows at a time: two sweeps along the columns, then each row. The
// memory of the band stays in the cache between the two.
#include "DistanceTransform/Host/Arena.h"
#include "DistanceTransform/Host/ColumnSweep.h"
#include "DistanceTransform/Host/WriteResults.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

/// Scratch memory of a band.
template <class T>
struct BandScratch {
  std::uint8_t* steps[2]; ///< per kind: steps to the nearest site of the column, row by row
  std::uint16_t *shortLine, *shortOut[2];
  T *line, *out[2];
  EnvelopeScratch<T> envelope;
  WindowChoice* choice;

  BandScratch(Arena& arena, std::int64_t nx, std::int64_t rows, bool both) {
    steps[0] = arena.take<std::uint8_t>(nx * rows);
    steps[1] = both ? arena.take<std::uint8_t>(nx * rows) : steps[0];
    shortLine = arena.line<std::uint16_t>(nx, windowPad, shortNone);
    line = arena.line<T>(nx, linePad, none<T>);
    shortOut[0] = arena.line<std::uint16_t>(nx, windowPad, 0);
    shortOut[1] = both ? arena.line<std::uint16_t>(nx, windowPad, 0) : shortOut[0];
    out[0] = arena.line<T>(nx, linePad, 0);
    out[1] = both ? arena.line<T>(nx, linePad, 0) : out[0];
    envelope = arena.envelope<T>(nx);
    choice = arena.take<WindowChoice>(1);
    if (choice && arena.fresh) *choice = {};
  }
};

/// Copies b to a at sites.
template <class N>
void choose(const std::uint8_t* sites, std::int64_t nx, N* a, const N* b) {
  for (std::int64_t x = 0; x < nx; ++x) a[x] = sites[x] ? b[x] : a[x];
}

template <class T>
void widen(const std::uint16_t* from, std::int64_t nx, T* to) {
  for (std::int64_t x = 0; x < nx; ++x) to[x] = from[x] < shortNone ? T(from[x]) : none<T>;
}

template <class T>
struct BandSolver {
  const Band& b;
  const Axis<T>&y, &x;
  const Carrier<T>& to;
  const Output& out;
  std::int64_t firstPoint; ///< index of the first point of the plane
  const BandScratch<T>& s;

  void solve() const {
    const bool wanted[2] = {b.kinds.sites, b.kinds.others};
    bool empty[2] = {};
    for (int kind = 0; kind < 2; ++kind) {
      if (!wanted[kind]) continue;
      sweepColumns(b, kind, s.steps[kind]);
      empty[kind] = isEmpty(b, kind, s.steps[kind]);
    }
    for (std::int64_t row = b.first; row < b.last; ++row) {
      bool isShort[2] = {};
      for (int kind = 0; kind < 2; ++kind)
        if (wanted[kind]) isShort[kind] = solveRow(kind, row, empty[kind]);
      if (b.kinds.both())
        store(row, 0, merge(row, isShort));
      else
        store(row, b.kinds.sites ? 0 : 1, isShort[b.kinds.sites ? 0 : 1]);
    }
  }

private:
  /// Solves a row for one kind. Returns whether the result has 16-bit numbers.
  bool solveRow(int kind, std::int64_t row, bool empty) const {
    const std::uint8_t* steps = s.steps[kind] + (row - b.first) * b.nx;
    if (sizeof(T) == 4 && x.windowSteps > 0) {
      if (empty) {
        for (std::int64_t i = 0; i < b.nx; ++i) s.shortOut[kind][i] = shortNone;
        return true;
      }
      if (s.choice->take()) {
        shortSquares(steps, b.nx, s.shortLine);
        const bool found = solveWindow(s.shortLine, int(b.nx), x.reach, x.windowSteps, s.shortOut[kind]);
        s.choice->fared(found);
        if (found) return true;
      }
    }
    squares(b, kind, row, steps, y, s.line);
    LineEnvelope<T>{s.envelope, x.weight}.template solve<false>(s.line, int(b.nx), s.out[kind], nullptr);
    return false;
  }

  /// Merges both kinds into the memory of the first: each point takes its distance to the other kind. Returns
  /// whether the result has 16-bit numbers.
  bool merge(std::int64_t row, const bool (&isShort)[2]) const {
    const std::uint8_t* sites = b.sites + row * b.nx;
    if (isShort[0] && isShort[1]) {
      choose(sites, b.nx, s.shortOut[0], s.shortOut[1]);
      return true;
    }
    for (int kind = 0; kind < 2; ++kind)
      if (isShort[kind]) widen(s.shortOut[kind], b.nx, s.out[kind]);
    choose(sites, b.nx, s.out[0], s.out[1]);
    return false;
  }

  void store(std::int64_t row, int kind, bool isShort) const {
    const std::int64_t nx = b.nx, point = firstPoint + row * nx;
    if (!to.value) {
      const std::uint8_t* sites = b.sites + row * nx;
      if (isShort)
        finish(s.shortOut[kind], sites, nx, out, point);
      else
        finish(s.out[kind], sites, nx, out, point);
      return;
    }
    if (to.shortRow) to.shortRow[point / nx] = isShort;
    if (isShort)
      for (std::int64_t i = 0; i < nx; i += strip)
        __builtin_memcpy(to.value + point + i, s.shortOut[kind] + i,
                         sizeof(std::uint16_t) * std::size_t(nx - i < strip ? nx - i : strip));
    else
      __builtin_memcpy(to.value + point, s.out[kind], sizeof(T) * std::size_t(nx));
  }
};

} // namespace

template <class T>
std::int64_t bandScratch(std::int64_t nx, std::int64_t rows, bool both) {
  Arena arena;
  BandScratch<T>(arena, nx, rows, both);
  return arena.used;
}
template std::int64_t bandScratch<std::int32_t>(std::int64_t, std::int64_t, bool);
template std::int64_t bandScratch<double>(std::int64_t, std::int64_t, bool);

void stepsToFirst(const std::uint8_t* sites, std::int64_t nx, std::int64_t rowStride, std::int64_t rows,
                  bool ofSites, std::uint8_t* steps) {
  using Bytes = execution::ISOCHRONE_ISA::Vector<std::uint8_t>;
  constexpr int vectors = 4, block = vectors * Bytes::width;
  const auto search = [&](const std::uint8_t* at, std::uint8_t* to) {
    Bytes::Vec first[vectors];
    for (Bytes::Vec& f : first) f = Bytes::broadcast(far8);
    for (std::int64_t r = 0; r < rows; ++r, at += rowStride) {
      const Bytes::Vec here = Bytes::broadcast(std::uint8_t(r)), far = Bytes::broadcast(far8);
      for (int v = 0; v < vectors; ++v) {
        const Bytes::Vec site = Bytes::load(at + v * Bytes::width);
        const Bytes::Mask noSite = Bytes::equal(site, Bytes::broadcast(0));
        first[v] = Bytes::min(first[v],
                              ofSites ? Bytes::select(noSite, far, here) : Bytes::select(noSite, here, far));
      }
      const Bytes::Vec last = Bytes::max(Bytes::max(first[0], first[1]), Bytes::max(first[2], first[3]));
      if (r % 4 == 3 && !Bytes::any(Bytes::equal(last, far))) break;
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
  Arena arena{memory.memory, memory.fresh};
  const BandScratch<T> s(arena, b.nx, b.maxRows, b.kinds.both());
  BandSolver<T>{b, y, x, to, out, firstPoint, s}.solve();
}
template void solveBand(const Band&, const Axis<std::int32_t>&, const Axis<std::int32_t>&,
                        const Carrier<std::int32_t>&, const Output&, std::int64_t, Scratch);
template void solveBand(const Band&, const Axis<double>&, const Axis<double>&, const Carrier<double>&,
                        const Output&, std::int64_t, Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
