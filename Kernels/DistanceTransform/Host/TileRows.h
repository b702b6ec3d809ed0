// TileRows.h - loads the rows of a tile, across its lines, from the carrier, and stores them to the carrier
// or to the output.
#pragma once

#include "DistanceTransform/Host/WriteResults.h"

namespace isochrone::distance::ISOCHRONE_ISA {

template <class T>
struct TileRows {
  const Tile& t;
  const Axis<T>& axis;
  const Carrier<T>& carrier;
  const Output& out;
  bool isLast;

  std::int64_t point(std::int64_t i) const { return t.first + i * t.stride; }
  std::int64_t label(std::int64_t i, int c) const { return t.label + i * t.labelStride + c * t.labelAcross; }
  /// Returns, per point of the row, whether it is a site; null unless both kinds are measured.
  const std::uint8_t* sites(std::int64_t i) const { return t.sites ? t.sites + i * t.stride : nullptr; }

  /// Loads the values of row i. Columns beyond the tile's are readable but undefined.
  void load(std::int64_t i, T* row) const {
    if (carrier.shortRow && carrier.shortRow[t.row + i * t.rowStride]) {
      std::uint16_t values[strip] = {};
      __builtin_memcpy(values, carrier.value + point(i), sizeof(std::uint16_t) * std::size_t(t.columns));
      for (int c = 0; c < strip; ++c) row[c] = values[c] < shortNone ? T(values[c]) : none<T>;
    } else {
      __builtin_memcpy(row, carrier.value + point(i), sizeof(T) * std::size_t(t.columns));
    }
  }

  /// Loads the values in 16 bits, with `shortNone` for larger ones. Returns whether larger ones exist.
  bool loadShort(std::int64_t i, std::uint16_t* row) const {
    if (carrier.shortRow && carrier.shortRow[t.row + i * t.rowStride]) {
      __builtin_memcpy(row, carrier.value + point(i), sizeof(std::uint16_t) * std::size_t(t.columns));
      return false;
    }
    const T* values = carrier.value + point(i);
    int large = 0;
    for (int c = 0; c < t.columns; ++c) {
      row[c] = values[c] < shortNone ? std::uint16_t(values[c]) : shortNone;
      large |= values[c] >= shortNone && values[c] < none<T> ? 1 : 0;
    }
    return large;
  }

  /// Stores the new values of row i.
  void store(std::int64_t i, const T* row) const {
    if (isLast)
      finish(row, sites(i), t.columns, out, point(i));
    else
      __builtin_memcpy(carrier.value + point(i), row, sizeof(T) * std::size_t(t.columns));
  }
  void storeShort(std::int64_t i, const std::uint16_t* row) const {
    if (isLast) return finish(row, sites(i), t.columns, out, point(i));
    T* values = carrier.value + point(i);
    for (int c = 0; c < t.columns; ++c) values[c] = row[c] < shortNone ? T(row[c]) : none<T>;
  }

  /// Loads all labels of the tile, in rows of `pitch`.
  void loadLabels(std::int64_t* labels, std::int64_t pitch) const {
    for (std::int64_t i = 0; i < axis.points; ++i)
      __builtin_memcpy(labels + i * pitch, carrier.label + point(i), 8 * std::size_t(t.columns));
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
