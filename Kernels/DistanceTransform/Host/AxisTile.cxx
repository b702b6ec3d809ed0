// The pass along a later axis, for a strip of columns at a time: each column is a strided line.
#include "DistanceTransform/Host/TileLines.h"
#include "DistanceTransform/Host/TileWindow.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

template <class T>
struct TileScratch {
  TileWindowScratch window;
  TileLinesScratch<T> lines;

  TileScratch(Arena& arena, std::int64_t n, std::int64_t columns, bool labels)
      : window(arena, sizeof(T) == 4 ? n : 0, labels), lines(arena, n, columns, labels) {}
};

template <class T, bool labels>
void solve(const TileRows<T>& rows, const TileScratch<T>& s) {
  if constexpr (sizeof(T) == 4)
    if (rows.axis.windowSteps > 0 && rows.axis.points <= longestWindowLine &&
        TileWindow<T, labels>{rows, s.window}.solve())
      return;
  TileLines<T, labels>{rows, s.lines}.solve();
}

} // namespace

template <class T>
std::int64_t tileScratch(std::int64_t points, std::int64_t columns, bool labels) {
  Arena arena;
  TileScratch<T>(arena, points, columns, labels);
  return arena.used;
}
template std::int64_t tileScratch<std::int32_t>(std::int64_t, std::int64_t, bool);
template std::int64_t tileScratch<double>(std::int64_t, std::int64_t, bool);

template <class T>
void solveTile(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
               const Output& out, Scratch memory) {
  Arena arena{memory.memory, memory.fresh};
  const TileScratch<T> s(arena, axis.points, tile.maxColumns, carrier.label);
  const TileRows<T> rows{tile, axis, carrier, out, isLast};
  if (carrier.label)
    solve<T, true>(rows, s);
  else
    solve<T, false>(rows, s);
}
template void solveTile(const Tile&, const Axis<std::int32_t>&, const Carrier<std::int32_t>&, bool,
                        const Output&, Scratch);
template void solveTile(const Tile&, const Axis<double>&, const Carrier<double>&, bool, const Output&,
                        Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
