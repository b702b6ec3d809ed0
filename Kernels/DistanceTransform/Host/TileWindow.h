// TileWindow.h - lines of a tile with short distances: all columns search a window at once, without a
// transpose. See LineWindow.h.
#pragma once

#include "DistanceTransform/Host/Arena.h"
#include "DistanceTransform/Host/TileRows.h"

namespace isochrone::distance::ISOCHRONE_ISA {

inline constexpr std::int64_t longestWindowLine = 1 << 14; ///< longer lines would take too much memory

struct TileWindowScratch {
  std::uint16_t *from[2], *found[2]; ///< per kind: rows of squares before and after
  std::int16_t* steps[2];            ///< offset of the row of the minimum
  std::int64_t* label;               ///< rows of labels before the pass
  WindowChoice* choice;

  TileWindowScratch(Arena& arena, std::int64_t n, bool labels) {
    if (n > longestWindowLine) n = 0;
    for (int kind = 0; kind < 2; ++kind) {
      from[kind] = arena.take<std::uint16_t>(n * strip);
      found[kind] = arena.take<std::uint16_t>(n * strip);
      steps[kind] = labels ? arena.take<std::int16_t>(n * strip) : nullptr;
    }
    label = labels ? arena.take<std::int64_t>(n * strip) : nullptr;
    choice = arena.take<WindowChoice>(1);
    if (choice && arena.fresh) *choice = {};
  }
};

template <class T, bool labels>
struct TileWindow {
  const TileRows<T>& rows;
  const TileWindowScratch& s;

  /// Returns false, with nothing changed, if a window does not pay off or 16 bits are not enough.
  bool solve() const {
    if (!s.choice->take()) return false;
    const bool both = rows.t.kinds.both();
    const bool large = load();
    std::int64_t budget = 0;
    bool found = true;
    for (std::int64_t i = 0; found && i < rows.axis.points; ++i) {
      budget += rows.axis.windowSteps * (both ? 2 : 1) * (i == 0 ? 16 : 1);
      found = search(0, i, large, budget) && (!both || search(1, i, large, budget));
    }
    s.choice->fared(found);
    if (found) store();
    return found;
  }

private:
  /// Loads the tile. Returns whether some values, or their sums over the whole line, exceed 16 bits.
  bool load() const {
    std::int64_t offset = windowEnd - 1; // the largest one
    offset = rows.axis.points - 1 < offset ? rows.axis.points - 1 : offset;
    offset = rows.axis.reach < offset ? rows.axis.reach : offset;
    const std::int64_t fits = shortNone - 1 - offset * offset; // values up to this, which is positive
    const Shorts::Vec zero = Shorts::broadcast(0), none16 = Shorts::broadcast(shortNone);
    Shorts::Vec maximum = zero;
    bool large = false;
    for (std::int64_t i = 0; i < rows.axis.points; ++i) {
      std::uint16_t *row = s.from[0] + i * strip, *others = s.from[1] + i * strip;
      for (int c = rows.t.columns; c < strip; ++c) row[c] = others[c] = 0;
      large |= rows.loadShort(i, row);
      for (int c = 0; c < strip; c += Shorts::width) {
        const Shorts::Vec value = Shorts::load(row + c);
        maximum = Shorts::max(Shorts::select(Shorts::less(value, none16), value, zero), maximum);
      }
      if (!rows.t.kinds.both()) continue;
      const std::uint8_t* sites = rows.sites(i);
      for (int c = 0; c < rows.t.columns; ++c) {
        const std::uint16_t value = row[c];
        row[c] = sites[c] ? std::uint16_t(0) : value;
        others[c] = sites[c] ? value : std::uint16_t(0);
      }
    }
    return large || Shorts::anyGreater(maximum, Shorts::broadcast(std::uint16_t(fits)));
  }

  /// Searches the window of row i. Returns false if the budget or 16 bits are not enough.
  bool search(int kind, std::int64_t i, bool large, std::int64_t& budget) const {
    constexpr int width = Shorts::width, vectors = strip / width;
    const std::int64_t n = rows.axis.points;
    const std::uint16_t* at = s.from[kind] + i * strip;
    Shorts::Vec best[vectors], steps[vectors] = {};
    for (int v = 0; v < vectors; ++v) best[v] = Shorts::load(at + v * width);
    std::int64_t k = 1;
    // With labels, equally near rows must be visited as well.
    for (; Shorts::anyGreater(maximumOf(best), Shorts::broadcast(std::uint16_t(k * k - labels))); ++k) {
      if (k > rows.axis.reach) break;
      if (i - k < 0 && i + k >= n) {
        if (large && Shorts::anyGreater(maximumOf(best), Shorts::broadcast(shortNone - 1))) return false;
        break;
      }
      if (k >= windowEnd) return false;
      const Shorts::Vec cost = Shorts::broadcast(std::uint16_t(k * k));
      if (i - k >= 0) // the lowest index so far, which wins ties
        for (int v = 0; v < vectors; ++v) {
          const Shorts::Vec value = Shorts::load(at - k * strip + v * width) + cost;
          if constexpr (labels)
            steps[v] =
                Shorts::select(Shorts::less(best[v], value), steps[v], Shorts::broadcast(std::uint16_t(-k)));
          best[v] = Shorts::min(best[v], value);
        }
      if (i + k < n)
        for (int v = 0; v < vectors; ++v) {
          const Shorts::Vec value = Shorts::load(at + k * strip + v * width) + cost;
          if constexpr (labels)
            steps[v] =
                Shorts::select(Shorts::less(value, best[v]), Shorts::broadcast(std::uint16_t(k)), steps[v]);
          best[v] = Shorts::min(best[v], value);
        }
    }
    budget -= k;
    for (int v = 0; v < vectors; ++v) {
      Shorts::store(s.found[kind] + i * strip + v * width, best[v]);
      if constexpr (labels) Shorts::store((std::uint16_t*)s.steps[kind] + i * strip + v * width, steps[v]);
    }
    return budget >= 0;
  }

  void store() const {
    if constexpr (labels) rows.loadLabels(s.label, strip);
    for (std::int64_t i = 0; i < rows.axis.points; ++i) {
      std::uint16_t* found = s.found[0] + i * strip;
      std::int16_t* steps = labels ? s.steps[0] + i * strip : nullptr;
      if (const std::uint8_t* sites = rows.sites(i))
        for (int c = 0; c < rows.t.columns; ++c) {
          found[c] = sites[c] ? s.found[1][i * strip + c] : found[c];
          if constexpr (labels) steps[c] = sites[c] ? s.steps[1][i * strip + c] : steps[c];
        }
      if constexpr (labels) storeLabels(i, found, steps);
      rows.storeShort(i, found);
    }
  }

  /// Sets the labels of row i to the labels of the rows of the minima.
  void storeLabels(std::int64_t i, const std::uint16_t* found, const std::int16_t* steps) const {
    std::int64_t* to = rows.carrier.label + rows.point(i);
    const std::uint8_t* sites = rows.sites(i);
    const int maximum = rows.isLast && rows.out.limit < shortNone ? int(rows.out.limit) : shortNone - 1;
    for (int c = 0; c < rows.t.columns; ++c) {
      const std::int64_t won = i + steps[c];
      std::int64_t label = s.label[won * strip + c];
      // If both kinds are measured, a point of the kind searched for has a label of the other kind.
      if (sites && (rows.sites(won)[c] != 0) != (sites[c] != 0)) label = rows.label(won, c);
      to[c] = found[c] <= maximum ? label : -1;
    }
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
