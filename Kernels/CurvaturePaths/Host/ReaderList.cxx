#include "CurvaturePaths/Host/ReaderList.h"

#include <algorithm>

namespace isochrone::curvature {

void ReaderList::add(int heading, int row, int column) {
  const auto known =
      std::ranges::find_if(readers, [=](const Reader& r) { return r.heading == heading && r.row == row; });
  if (known == readers.end())
    readers.push_back({heading, row, column, column});
  else
    known->low = std::min(known->low, column), known->high = std::max(known->high, column);
}

Readers ReaderList::makeSets(const SectorView& sector) {
  const int words = sector.words, reach = sector.columnReach;
  const int size = sector.wordsBefore + sector.wordsAfter;
  acrossRows.assign((1 + 2 * std::size_t(reach)) * size, 0);
  Readers out{acrossRows.data(), nullptr, 0, 0};
  for (const Reader& r : readers) {
    const int w = r.heading / wordHeadings;
    const std::uint64_t bit = std::uint64_t(1) << (r.heading % wordHeadings);
    if (r.row == 0) {
      alongRow.resize(3 * std::size_t(words));
      out.alongRow = alongRow.data();
      alongRow[w] |= bit;
      if (r.high > 0) out.before |= ~0u >> (blockWidth - r.high), alongRow[words + w] |= bit;
      if (r.low < 0) out.after |= ~0u << (blockWidth + r.low), alongRow[2 * words + w] |= bit;
      continue;
    }
    // A reader of the row after its own lies in the row before the change.
    const int place = sector.wordsBefore + (r.row < 0 ? -r.row - 1 : -r.row) * words + w;
    const auto set = [&](int entry) -> std::uint64_t& {
      return acrossRows[entry * std::size_t(size) + place];
    };
    set(0) |= bit;
    for (int lane = 0; lane < r.high; ++lane) set(1 + lane) |= bit;
    for (int lane = 0; lane < -r.low; ++lane) set(1 + reach + lane) |= bit;
  }
  return out;
}

} // namespace isochrone::curvature
