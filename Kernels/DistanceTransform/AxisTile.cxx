// A later axis, a strip of columns at a time: each is a line with a stride. Short distances are searched in
// all columns at once, as they lie; else the lines are turned into rows, solved one after another, and turned
// back.
#include "DistanceTransform/Arena.h"
#include "DistanceTransform/Finish.h"
#include "Execution/Simd.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

/// Work memory of a tile.
template <class T>
struct TileScratch {
  std::uint16_t* shorts[2]; ///< per kind: rows of `strip` numbers, row after row
  T* line[strip];           ///< the columns as rows, with room for whole blocks
  T* out[strip];
  T *split, *other; ///< one line of one kind
  T* winner[2];
  std::int64_t *label, *to; ///< rows of `strip` labels, before and after
  HullScratch<T> hull;

  TileScratch(Arena& arena, std::int64_t n, bool labels) {
    const std::int64_t whole = (n + strip - 1) / strip * strip;
    for (std::uint16_t*& s : shorts) s = arena.take<std::uint16_t>(n * strip);
    for (T*& l : line) l = arena.line<T>(whole, linePad, none<T>);
    for (T*& l : out) l = arena.line<T>(whole, linePad, none<T>);
    split = arena.line<T>(n, linePad, none<T>);
    other = arena.line<T>(n, linePad, none<T>);
    for (T*& l : winner) l = labels ? arena.line<T>(n, linePad, 0) : nullptr;
    label = labels ? arena.take<std::int64_t>(n * strip) : nullptr;
    to = labels ? arena.take<std::int64_t>(n * strip) : nullptr;
    hull = arena.hull<T>(n);
  }
};

/// to[i * toPitch + j] = from[j * fromPitch + i] for all i, j below `strip`.
template <class T>
void transposeBlock(const T* from, std::int64_t fromPitch, T* to, std::int64_t toPitch) {
  if constexpr (sizeof(T) == sizeof(float)) {
    using namespace execution::ISOCHRONE_ISA;
    for (int i = 0; i < strip; i += width)
      for (int j = 0; j < strip; j += width) {
        Vec rows[width];
        for (int r = 0; r < width; ++r) rows[r] = load((const float*)(from + (j + r) * fromPitch + i));
        transpose(rows);
        for (int r = 0; r < width; ++r) store((float*)(to + (i + r) * toPitch + j), rows[r]);
      }
  } else {
    constexpr int side = 8; // as many numbers as a cache line has
    for (int i = 0; i < strip; i += side)
      for (int j = 0; j < strip; j += side)
        for (int r = 0; r < side; ++r)
          for (int c = 0; c < side; ++c) to[(i + r) * toPitch + j + c] = from[(j + c) * fromPitch + i + r];
  }
}

/// A tile and the memory of its thread.
template <class T>
struct TileSolver {
  const Tile& t;
  const Axis<T>& axis;
  const Carrier<T>& carrier;
  const Output& out;
  bool isLast;
  TileScratch<T> s;

  std::int64_t point(std::int64_t i) const { return t.first + i * t.stride; }
  const std::uint8_t* sites(std::int64_t i) const { return t.sites ? t.sites + i * t.stride : nullptr; }
  bool isShort(std::int64_t i) const { return carrier.shortRow && carrier.shortRow[t.row + i * t.rowStride]; }

  bool allShort() const {
    for (std::int64_t i = 0; i < axis.points; ++i)
      if (!isShort(i)) return false;
    return true;
  }

  /// Looks around in a window in all columns at once. Returns false if that would take long, or where 16 bits
  /// are not enough; some results are stored then.
  bool window() const {
    const std::int64_t n = axis.points;
    const int kinds = t.kinds.both() ? 2 : 1;
    std::int64_t steps = std::int64_t(axis.windowSteps) * n * kinds;
    alignas(64) std::uint16_t best[2][strip];
    for (std::int64_t i = 0; i < n; ++i) {
      for (int kind = 0; kind < kinds; ++kind)
        if (!windowRow(s.shorts[kind], i, best[kind], steps)) return false;
      if (kinds == 2)
        for (int c = 0; c < t.columns; ++c) best[0][c] = sites(i)[c] ? best[1][c] : best[0][c];
      finish(best[0], sites(i), t.columns, out, point(i));
    }
    return true;
  }

  /// Rows of 16 bits, of each kind.
  void loadShorts() const {
    for (std::int64_t i = 0; i < axis.points; ++i) {
      std::uint16_t *row = s.shorts[0] + i * strip, *others = s.shorts[1] + i * strip;
      for (int c = t.columns; c < strip; ++c) row[c] = others[c] = 0;
      __builtin_memcpy(row, carrier.value + point(i), sizeof(std::uint16_t) * std::size_t(t.columns));
      if (!t.kinds.both()) continue;
      const std::uint8_t* kind = sites(i);
      for (int c = 0; c < t.columns; ++c) {
        const std::uint16_t value = row[c];
        row[c] = kind[c] ? std::uint16_t(0) : value;
        others[c] = kind[c] ? value : std::uint16_t(0);
      }
    }
  }

  bool windowRow(const std::uint16_t* rows, std::int64_t i, std::uint16_t* to, std::int64_t& steps) const {
    const std::int64_t n = axis.points;
    constexpr int width = Shorts::width, vectors = strip / width;
    Shorts::V best[vectors];
    for (int v = 0; v < vectors; ++v) best[v] = Shorts::load(rows + i * strip + v * width);
    std::int64_t k = 1;
    for (; Shorts::anyAbove(Shorts::largest(best), Shorts::broadcast(int(k * k))); ++k) {
      if (k > axis.reach || (i - k < 0 && i + k >= n)) break;
      if (k >= windowEnd) return false;
      // Beyond an end the other side counts twice.
      const std::uint16_t* down = rows + (i - k >= 0 ? i - k : i + k) * strip;
      const std::uint16_t* up = rows + (i + k < n ? i + k : i - k) * strip;
      const Shorts::V cost = Shorts::broadcast(int(k * k));
      for (int v = 0; v < vectors; ++v)
        best[v] = Shorts::min(
            best[v], Shorts::min(Shorts::load(down + v * width), Shorts::load(up + v * width)) + cost);
    }
    steps -= k;
    for (int v = 0; v < vectors; ++v) Shorts::store(to + v * width, best[v]);
    return steps >= 0;
  }

  /// Row i of the tile as it is carried, values of sites negative where both kinds are measured.
  /// @param loaded  the rows were loaded for a window, which may have stored results over them
  void loadRow(std::int64_t i, bool loaded, T* row) const {
    if (isShort(i)) {
      std::uint16_t values[strip] = {};
      if (loaded)
        for (int c = 0; c < strip; ++c) values[c] = s.shorts[0][i * strip + c];
      else
        __builtin_memcpy(values, carrier.value + point(i), sizeof(std::uint16_t) * std::size_t(t.columns));
      if (loaded && t.kinds.both()) // one of the two is 0
        for (int c = 0; c < strip; ++c) values[c] = std::uint16_t(values[c] + s.shorts[1][i * strip + c]);
      for (int c = 0; c < strip; ++c) row[c] = values[c] < shortNone ? T(values[c]) : none<T>;
    } else {
      __builtin_memcpy(row, carrier.value + point(i), sizeof(T) * std::size_t(t.columns));
    }
    if (t.kinds.both()) {
      const std::uint8_t* kind = sites(i);
      for (int c = 0; c < t.columns; ++c) row[c] = kind[c] ? -row[c] : row[c];
    }
  }

  /// Turns the columns into lines.
  void loadLines(bool loaded) const {
    alignas(64) T rows[strip * strip] = {};
    for (std::int64_t i = 0; i < axis.points; i += strip) {
      const std::int64_t count = axis.points - i < strip ? axis.points - i : strip;
      for (std::int64_t r = 0; r < count; ++r) loadRow(i + r, loaded, rows + r * strip);
      transposeBlock(rows, strip, s.line[0] + i, s.line[1] - s.line[0]);
    }
    for (int c = 0; c < t.columns; ++c) // what lies behind the last point in its block
      for (std::int64_t i = axis.points; i < (axis.points + strip - 1) / strip * strip; ++i)
        s.line[c][i] = none<T>;
  }

  /// Turns the lines back into columns.
  void storeLines() const {
    alignas(64) T rows[strip * strip];
    for (std::int64_t i = 0; i < axis.points; i += strip) {
      const std::int64_t count = axis.points - i < strip ? axis.points - i : strip;
      transposeBlock(s.out[0] + i, s.out[1] - s.out[0], rows, strip);
      for (std::int64_t r = 0; r < count; ++r) {
        if (isLast)
          finish(rows + r * strip, sites(i + r), t.columns, out, point(i + r));
        else
          __builtin_memcpy(carrier.value + point(i + r), rows + r * strip,
                           sizeof(T) * std::size_t(t.columns));
      }
    }
  }

  template <bool labels>
  void solveLines() const {
    const LineHull<T> hull{s.hull, axis.weight};
    const int n = int(axis.points);
    for (int c = 0; c < t.columns; ++c) {
      const T* line = s.line[c];
      T* to = s.out[c];
      if (!t.kinds.both()) {
        const bool any = hull.template solve<labels>(line, n, to, s.winner[0]);
        if constexpr (labels) pickLabels(c, any);
        continue;
      }
      for (int i = 0; i < n; ++i) s.split[i] = line[i] > 0 ? line[i] : 0;
      const bool anySite = hull.template solve<labels>(s.split, n, to, s.winner[0]);
      for (int i = 0; i < n; ++i) s.split[i] = line[i] < 0 ? -line[i] : 0;
      const bool anyOther = hull.template solve<labels>(s.split, n, s.other, s.winner[1]);
      for (int i = 0; i < n; ++i) to[i] = line[i] < 0 ? s.other[i] : to[i];
      if constexpr (labels) pickLabels(c, anySite, anyOther);
    }
  }

  /// Labels of column c: those of the points that won.
  void pickLabels(int c, bool any) const {
    for (std::int64_t i = 0; i < axis.points; ++i) {
      const bool reached = any && !(isLast && double(s.out[c][i]) > out.limit);
      s.to[i * strip + c] = reached ? s.label[std::int64_t(s.winner[0][i]) * strip + c] : -1;
    }
  }

  /// The same where both kinds are measured.
  void pickLabels(int c, bool anySite, bool anyOther) const {
    for (std::int64_t i = 0; i < axis.points; ++i) {
      const bool isSite = s.line[c][i] < 0;
      std::int64_t label = -1;
      if (isSite ? anyOther : anySite) {
        const std::int64_t won = std::int64_t(s.winner[isSite][i]);
        // A point of the kind that is looked for has a label of the other kind.
        const bool itself = (s.line[c][won] < 0) != isSite;
        label = itself ? point(won) + c : s.label[won * strip + c];
        if (isLast && double(s.out[c][i]) > out.limit) label = -1;
      }
      s.to[i * strip + c] = label;
    }
  }

  void loadLabels() const {
    for (std::int64_t i = 0; i < axis.points; ++i)
      __builtin_memcpy(s.label + i * strip, carrier.label + point(i), 8 * std::size_t(t.columns));
  }
  void storeLabels() const {
    for (std::int64_t i = 0; i < axis.points; ++i)
      __builtin_memcpy(carrier.label + point(i), s.to + i * strip, 8 * std::size_t(t.columns));
  }
};

} // namespace

template <class T>
std::int64_t tileScratch(std::int64_t points, bool labels) {
  Arena arena;
  TileScratch<T>(arena, points, labels);
  return arena.used;
}
template std::int64_t tileScratch<std::int32_t>(std::int64_t, bool);
template std::int64_t tileScratch<double>(std::int64_t, bool);

template <class T>
void solveTile(const Tile& tile, const Axis<T>& axis, const Carrier<T>& carrier, bool isLast,
               const Output& out, Scratch memory) {
  Arena arena{memory.memory, memory.fresh};
  const TileSolver<T> solver{tile, axis,   carrier,
                             out,  isLast, TileScratch<T>(arena, axis.points, carrier.label)};
  const bool tryWindow = isLast && !carrier.label && sizeof(T) == 4 && solver.allShort();
  if (tryWindow) {
    solver.loadShorts();
    if (solver.window()) return;
  }
  solver.loadLines(tryWindow);
  if (carrier.label) {
    solver.loadLabels();
    solver.template solveLines<true>();
    solver.storeLabels();
  } else {
    solver.template solveLines<false>();
  }
  solver.storeLines();
}
template void solveTile(const Tile&, const Axis<std::int32_t>&, const Carrier<std::int32_t>&, bool,
                        const Output&, Scratch);
template void solveTile(const Tile&, const Axis<double>&, const Carrier<double>&, bool, const Output&,
                        Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
