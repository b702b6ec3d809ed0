// TileLines.h - solves the lines of a tile one after another: columns are converted to rows by register
// transposes, solved by their lower envelopes, and converted back.
#pragma once

#include "DistanceTransform/Host/Arena.h"
#include "DistanceTransform/Host/TileRows.h"
#include "DistanceTransform/Host/UnevenEnvelope.h"

namespace isochrone::distance::ISOCHRONE_ISA {

template <class T>
struct TileLinesScratch {
  std::int64_t columns;        ///< capacity
  T *line[strip], *out[strip]; ///< the columns as rows, with room for whole blocks
  T *split, *other;            ///< one line of one kind
  T* winner[2];
  std::int64_t *label, *to; ///< rows of `columns` labels, before and after
  EnvelopeScratch<T> envelope;

  /// @param most  maximum number of points beyond a line
  TileLinesScratch(Arena& arena, std::int64_t n, std::int64_t maxColumns, bool labels, int most = 0)
      : columns((maxColumns + 15) / 16 * 16) { // whole vectors
    const std::int64_t whole = (n + strip - 1) / strip * strip;
    for (std::int64_t c = 0; c < columns; ++c) line[c] = arena.line<T>(whole, linePad, none<T>);
    for (std::int64_t c = 0; c < columns; ++c) out[c] = arena.line<T>(whole, linePad, none<T>);
    split = arena.line<T>(n, linePad, none<T>);
    other = arena.line<T>(n, linePad, none<T>);
    for (T*& l : winner) l = labels ? arena.line<T>(n, linePad, 0) : nullptr;
    label = labels ? arena.take<std::int64_t>(n * columns) : nullptr;
    to = labels ? arena.take<std::int64_t>(n * columns) : nullptr;
    envelope = arena.envelope<T>(n + most);
  }
};

/// Sets to[i * toPitch + j] = from[j * fromPitch + i] for all i < rows, j < columns, both multiples of a
/// vector.
template <class T>
void transposeBlock(const T* from, std::int64_t fromPitch, T* to, std::int64_t toPitch, std::int64_t rows,
                    std::int64_t columns) {
  if constexpr (sizeof(T) == sizeof(float)) {
    using L = execution::ISOCHRONE_ISA::Vector<T>;
    for (std::int64_t i = 0; i < rows; i += L::width)
      for (std::int64_t j = 0; j < columns; j += L::width) {
        typename L::Vec block[L::width];
        for (int r = 0; r < L::width; ++r) block[r] = L::load(from + (j + r) * fromPitch + i);
        L::transpose(block);
        for (int r = 0; r < L::width; ++r) L::store(to + (i + r) * toPitch + j, block[r]);
      }
  } else {
    constexpr int side = 8; // numbers in a cache line
    for (std::int64_t i = 0; i < rows; i += side)
      for (std::int64_t j = 0; j < columns; j += side)
        for (int r = 0; r < side; ++r)
          for (int c = 0; c < side; ++c) to[(i + r) * toPitch + j + c] = from[(j + c) * fromPitch + i + r];
  }
}

template <class T, bool labels>
struct TileLines {
  const TileRows<T>& rows;
  const TileLinesScratch<T>& s;
  const Beyond<T>* beyond = nullptr; ///< as in PassKernels
  bool periodic = false; ///< whether the last point is followed by the first; then nothing lies beyond

  void solve() const {
    load();
    if constexpr (labels) loadLabels();
    solveLines();
    store();
  }

  /// Finds the lower hulls of the lines, as PassKernels::findHulls.
  void hulls(std::int64_t low, std::int64_t high, const HullSink<T>& sink) const {
    load();
    const LineEnvelope<T> envelope{s.envelope, rows.axis.weight};
    const auto find = [&](const T* line, int c, int kind) {
      int buffer = 0, count = envelope.hull(line, int(rows.axis.points), beyondOf(c, kind), buffer);
      if (count > 0) count = envelope.own(buffer, count, int(low), int(high));
      sink.take(sink.context, c, kind, s.envelope.x[buffer], s.envelope.g[buffer], s.envelope.start, count);
    };
    for (int c = 0; c < rows.t.columns; ++c) {
      if (!rows.t.kinds.both()) {
        find(s.line[c], c, 0);
        continue;
      }
      for (int kind = 0; kind < 2; ++kind) {
        split(c, kind);
        find(s.split, c, kind);
      }
    }
  }

private:
  bool alongRows() const { return rows.t.stride == 1; }

  Beyond<T> beyondOf(int c, int kind) const { return beyond ? beyond[kind * strip + c] : Beyond<T>{}; }

  /// Copies the columns to lines; values of sites become negative if both kinds are measured.
  void load() const {
    const std::int64_t n = rows.axis.points;
    if (alongRows())
      loadRows();
    else
      loadColumns();
    for (int c = 0; c < rows.t.columns; ++c) // the rest of the last block
      for (std::int64_t i = n; i < (n + strip - 1) / strip * strip; ++i) s.line[c][i] = none<T>;
  }

  void loadRows() const {
    const std::int64_t n = rows.axis.points;
    for (int c = 0; c < rows.t.columns; ++c) {
      T* line = s.line[c];
      __builtin_memcpy(line, rows.carrier.value + rows.t.first + c * rows.t.across,
                       sizeof(T) * std::size_t(n));
      if (const std::uint8_t* sites = sitesOf(c))
        for (std::int64_t i = 0; i < n; ++i) line[i] = sites[i] ? -line[i] : line[i];
    }
  }
  /// Returns the sites of a row; null unless both kinds are measured.
  const std::uint8_t* sitesOf(int c) const {
    return rows.t.sites ? rows.t.sites + c * rows.t.across : nullptr;
  }

  void loadColumns() const {
    alignas(64) T block[strip * strip] = {};
    const std::int64_t n = rows.axis.points;
    for (std::int64_t i = 0; i < n; i += strip) {
      const std::int64_t count = n - i < strip ? n - i : strip;
      for (std::int64_t r = 0; r < count; ++r) {
        T* row = block + r * strip;
        rows.load(i + r, row);
        if (const std::uint8_t* sites = rows.sites(i + r))
          for (int c = 0; c < rows.t.columns; ++c) row[c] = sites[c] ? -row[c] : row[c];
      }
      transposeBlock(block, strip, s.line[0] + i, s.line[1] - s.line[0], s.columns, strip);
    }
  }

  void loadLabels() const {
    if (!alongRows()) return rows.loadLabels(s.label, s.columns);
    for (int c = 0; c < rows.t.columns; ++c)
      for (std::int64_t i = 0; i < rows.axis.points; ++i)
        s.label[i * s.columns + c] = rows.carrier.label[rows.t.first + c * rows.t.across + i];
  }

  /// Copies the lines back.
  void store() const {
    if (alongRows())
      storeRows();
    else
      storeColumns();
  }

  void storeRows() const {
    const std::int64_t n = rows.axis.points;
    for (int c = 0; c < rows.t.columns; ++c) {
      const std::int64_t first = rows.t.first + c * rows.t.across;
      if (rows.isLast)
        finish(s.out[c], sitesOf(c), n, rows.out, first);
      else
        __builtin_memcpy(rows.carrier.value + first, s.out[c], sizeof(T) * std::size_t(n));
      if constexpr (labels)
        for (std::int64_t i = 0; i < n; ++i) rows.carrier.label[first + i] = s.to[i * s.columns + c];
    }
  }

  void storeColumns() const {
    alignas(64) T block[strip * strip];
    const std::int64_t n = rows.axis.points;
    for (std::int64_t i = 0; i < n; i += strip) {
      const std::int64_t count = n - i < strip ? n - i : strip;
      transposeBlock(s.out[0] + i, s.out[1] - s.out[0], block, strip, strip, s.columns);
      for (std::int64_t r = 0; r < count; ++r) {
        rows.store(i + r, block + r * strip);
        if constexpr (labels)
          __builtin_memcpy(rows.carrier.label + rows.point(i + r), s.to + (i + r) * s.columns,
                           8 * std::size_t(rows.t.columns));
      }
    }
  }

  /// Copies line c for one kind, which is at distance 0 from itself.
  void split(int c, int kind) const {
    const T* line = s.line[c];
    for (std::int64_t i = 0; i < rows.axis.points; ++i) {
      const T value = kind == 0 ? line[i] : -line[i];
      s.split[i] = value > 0 ? value : 0;
    }
  }

  /// Solves line c for one kind.
  bool solveLine(const T* g, int c, int kind, T* out) const {
    const LineEnvelope<T> envelope{s.envelope, rows.axis.weight};
    const int n = int(rows.axis.points);
    if constexpr (sizeof(T) == sizeof(double))
      if (rows.axis.coordinates)
        return UnevenEnvelope{envelope, rows.axis.coordinates}.template solve<labels>(g, n, out,
                                                                                      s.winner[kind]);
    return periodic ? envelope.template solvePeriodic<labels>(g, n, out, s.winner[kind])
                    : envelope.template solve<labels>(g, n, out, s.winner[kind], beyondOf(c, kind));
  }

  void solveLines() const {
    const int n = int(rows.axis.points);
    for (int c = 0; c < rows.t.columns; ++c) {
      const T* line = s.line[c];
      T* to = s.out[c];
      if (!rows.t.kinds.both()) {
        const bool any = solveLine(line, c, 0, to);
        if constexpr (labels) pickLabels(c, any);
        continue;
      }
      split(c, 0);
      const bool anySite = solveLine(s.split, c, 0, to);
      split(c, 1);
      const bool anyOther = solveLine(s.split, c, 1, s.other);
      for (int i = 0; i < n; ++i) to[i] = line[i] < 0 ? s.other[i] : to[i];
      if constexpr (labels) pickLabels(c, anySite, anyOther);
    }
  }

  bool isBeyond(std::int64_t won) const { return won < 0 || won >= rows.axis.points; }

  /// Returns the place that won at point i for one kind; on a periodic line, among its own points.
  std::int64_t winnerAt(std::int64_t i, int kind) const {
    const auto won = std::int64_t(s.winner[kind][i]);
    if (!periodic) return won;
    return won < 0 ? won + rows.axis.points : won >= rows.axis.points ? won - rows.axis.points : won;
  }

  /// Returns the label of the point at place `won` beyond line c.
  std::int64_t labelBeyond(int c, int kind, std::int64_t won) const {
    const Beyond<T> points = beyondOf(c, kind);
    int low = 0;
    for (int high = points.before + points.after; high - low > 1;) {
      const int middle = (low + high) / 2;
      (std::int64_t(points.x[middle]) <= won ? low : high) = middle;
    }
    return points.label[low];
  }

  /// Sets the labels of column c to the labels of the winning points.
  void pickLabels(int c, bool any) const {
    for (std::int64_t i = 0; i < rows.axis.points; ++i) {
      std::int64_t label = -1;
      if (any && !(rows.isLast && double(s.out[c][i]) > rows.out.limit)) {
        const std::int64_t won = winnerAt(i, 0);
        label = isBeyond(won) ? labelBeyond(c, 0, won) : s.label[won * s.columns + c];
      }
      s.to[i * s.columns + c] = label;
    }
  }

  /// The same if both kinds are measured.
  void pickLabels(int c, bool anySite, bool anyOther) const {
    for (std::int64_t i = 0; i < rows.axis.points; ++i) {
      const bool isSite = s.line[c][i] < 0;
      std::int64_t label = -1;
      if ((isSite ? anyOther : anySite) && !(rows.isLast && double(s.out[c][i]) > rows.out.limit)) {
        const std::int64_t won = winnerAt(i, isSite);
        // A point of the kind searched for has a label of the other kind.
        if (isBeyond(won))
          label = labelBeyond(c, isSite, won);
        else if ((s.line[c][won] < 0) != isSite)
          label = rows.label(won, c);
        else
          label = s.label[won * s.columns + c];
      }
      s.to[i * s.columns + c] = label;
    }
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
