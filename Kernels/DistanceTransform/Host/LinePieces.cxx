// Lines of which other processes have the rest: their hulls, and their solution with the points beyond them.
// And lines that are periodic, or not evenly spaced.
#include "DistanceTransform/Host/TileLines.h"

namespace isochrone::distance::ISOCHRONE_ISA {

template <class T>
std::int64_t pieceScratch(std::int64_t points, std::int64_t columns, bool labels, int most) {
  Arena arena;
  TileLinesScratch<T>(arena, points, columns, labels, most);
  return arena.used;
}
template std::int64_t pieceScratch<std::int32_t>(std::int64_t, std::int64_t, bool, int);
template std::int64_t pieceScratch<double>(std::int64_t, std::int64_t, bool, int);

template <class T>
void findHulls(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, std::int64_t low,
               std::int64_t high, const Beyond<T>* beyond, int most, const HullSink<T>& sink,
               Scratch memory) {
  Arena arena{memory.memory, memory.fresh};
  const TileLinesScratch<T> s(arena, axis.points, tile.maxColumns, false, most);
  const TileRows<T> rows{tile, axis, carrier, {}, false};
  TileLines<T, false>{rows, s, beyond}.hulls(low, high, sink);
}
template void findHulls(const Tile&, const Axis<std::int32_t>&, const Carrier<std::int32_t>&, std::int64_t,
                        std::int64_t, const Beyond<std::int32_t>*, int, const HullSink<std::int32_t>&,
                        Scratch);
template void findHulls(const Tile&, const Axis<double>&, const Carrier<double>&, std::int64_t, std::int64_t,
                        const Beyond<double>*, int, const HullSink<double>&, Scratch);

template <class T>
void solvePieces(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
                 const Output& out, const Beyond<T>* beyond, int most, Scratch memory) {
  Arena arena{memory.memory, memory.fresh};
  const TileLinesScratch<T> s(arena, axis.points, tile.maxColumns, carrier.label, most);
  const TileRows<T> rows{tile, axis, carrier, out, isLast};
  if (carrier.label)
    TileLines<T, true>{rows, s, beyond}.solve();
  else
    TileLines<T, false>{rows, s, beyond}.solve();
}
template void solvePieces(const Tile&, const Axis<std::int32_t>&, const Carrier<std::int32_t>&, bool,
                          const Output&, const Beyond<std::int32_t>*, int, Scratch);
template void solvePieces(const Tile&, const Axis<double>&, const Carrier<double>&, bool, const Output&,
                          const Beyond<double>*, int, Scratch);

template <class T>
void solvePeriodic(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
                   const Output& out, Scratch memory) {
  Arena arena{memory.memory, memory.fresh};
  const TileLinesScratch<T> s(arena, axis.points, tile.maxColumns, carrier.label, int(2 * axis.points));
  const TileRows<T> rows{tile, axis, carrier, out, isLast};
  if (carrier.label)
    TileLines<T, true>{rows, s, nullptr, true}.solve();
  else
    TileLines<T, false>{rows, s, nullptr, true}.solve();
}
template void solvePeriodic(const Tile&, const Axis<std::int32_t>&, const Carrier<std::int32_t>&, bool,
                            const Output&, Scratch);
template void solvePeriodic(const Tile&, const Axis<double>&, const Carrier<double>&, bool, const Output&,
                            Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
