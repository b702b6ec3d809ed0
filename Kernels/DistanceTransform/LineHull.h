// LineHull.h - the exact squared distance along one line by its lower envelope of parabolas.
//
//   out(x) = min over i of g(i) + w (x - i)^2
//
// Only those i can win that are vertices of the lower convex hull of the points (i, g(i) + w i^2). Most of
// the others are thrown out by vectors that compare a point with the chords of its neighbours; what is left
// is thrown out in rounds over the survivors, until none falls, or one by one with a stack. A point that is
// no strict vertex may go at any time, and none stays in the end: the result does not depend on the way.
//
// Of two that are equally good the lower i wins. Integers are exact: T is int32 where squared distances stay
// below `none`, else double, which holds integers exactly below 2^53.
#pragma once

#include "DistanceTransform/Lanes.h"

namespace isochrone::distance::ISOCHRONE_ISA {

/// Stands for "no site": no squared distance is as large. 2^29 leaves room for the differences of two.
template <class T>
inline constexpr T none = T(1 << 29);
template <>
inline constexpr double none<double> = __builtin_inf();

inline constexpr int linePad = 80; ///< elements of memory that a line needs before and behind its points

/// Memory for lines of up to n points, all with linePad elements before and behind them.
template <class T>
struct HullScratch {
  T *x[2], *g[2];      ///< candidates and their values, twice
  std::int32_t* start; ///< first point that a vertex owns
  std::uint8_t* mark;  ///< zero between lines
};

template <class T>
struct LineHull {
  using L = Lanes<T>;
  using V = typename L::V;

  const HullScratch<T>& s;
  T w;

  /// w v; integers have w = 1.
  template <class N>
  N weigh(N v) const {
    if constexpr (sizeof(T) == 4)
      return v;
    else
      return w * v;
  }
  /// F(b) - F(a) for F(i) = g(i) + w i^2.
  template <class N>
  N rise(N xa, N ga, N xb, N gb) const {
    return gb - ga + weigh((xb - xa) * (xb + xa));
  }

  /// Collects the points that lie below the chords between i - k and i + k, for some k; g must be `none`
  /// beside the line. Returns how many.
  int collect(const T* g, int n) const {
    int count = 0;
    for (int i = 0; i < n; i += L::width) {
      const V at = L::load(g + i);
      std::uint32_t keep = L::less(at, L::broadcast(none<T>));
      if (!keep) continue;
      for (int k = 1; k < 6; k += k == 2 ? 3 : 1) // 1, 2, 5
        keep &= L::less(at - L::load(g + i - k), L::load(g + i + k) - at + weigh(T(2 * k * k)));
      L::compress(s.x[0] + count, L::iota(T(i)), keep);
      L::compress(s.g[0] + count, at, keep);
      count += __builtin_popcount(keep);
    }
    return count;
  }

  /// Drops those that do not lie below the chord between their neighbours, from buffer `from` to the other.
  int round(int from, int count) const {
    const T *x = s.x[from], *g = s.g[from];
    T *toX = s.x[1 - from], *toG = s.g[1 - from];
    toX[0] = x[0], toG[0] = g[0];
    int kept = 1;
    for (int j = 1; j < count - 1; j += L::width) {
      const V xa = L::load(x + j - 1), xb = L::load(x + j), xc = L::load(x + j + 1);
      const V ga = L::load(g + j - 1), gb = L::load(g + j), gc = L::load(g + j + 1);
      std::uint32_t keep = L::productLess(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
      if (count - 1 - j < L::width) keep &= (1u << (count - 1 - j)) - 1;
      L::compress(toX + kept, xb, keep);
      L::compress(toG + kept, gb, keep);
      kept += __builtin_popcount(keep);
    }
    toX[kept] = x[count - 1], toG[kept] = g[count - 1];
    return kept + 1;
  }

  /// The same by a stack, until none is left to drop, in place.
  int finish(int buffer, int count) const {
    using Wide = decltype(T{} * std::int64_t{}); // int64 or double
    T *x = s.x[buffer], *g = s.g[buffer];
    int top = 0;
    for (int j = 0; j < count; ++j) {
      const T xc = x[j], gc = g[j];
      const auto steeper = [&](int b) { // is the way from b to j no steeper than that from b - 1 to b?
        const T xa = x[b - 1], xb = x[b];
        return Wide(rise(xa, g[b - 1], xb, g[b])) * Wide(xc - xb) >=
               Wide(rise(xb, g[b], xc, gc)) * Wide(xb - xa);
      };
      while (top >= 2 && steeper(top - 1)) --top;
      x[top] = xc, g[top] = gc;
      ++top;
    }
    return top;
  }

  /// Where each vertex begins to win; drops those that own no point of 0 ... n - 1 and marks the others.
  int own(int buffer, int count, int n) const {
    T *x = s.x[buffer], *g = s.g[buffer];
    std::int32_t* start = s.start;
    start[0] = 0;
    for (int j = 0; j + 1 < count; ++j) {
      const double across = 2 * (double(x[j + 1]) - double(x[j])) * w;
      double last =
          double(rise(x[j], g[j], x[j + 1], g[j + 1])) / across; // at which j wins, to be rounded down
      last = last < -1 ? -1 : last;
      last = last < n - 1 ? last : n - 1;
      start[j + 1] = std::int32_t(last + 1); // not negative: rounds down
    }
    start[count] = n;
    int kept = 0;
    for (int j = 0; j < count; ++j) {
      x[kept] = x[j], g[kept] = g[j];
      const std::int32_t first = start[j];
      start[kept] = first;
      kept += first < start[j + 1];
    }
    start[kept] = n;
    return kept;
  }

  /// Fills one owner's points after the other's.
  template <bool labels>
  void paintRuns(int buffer, int count, T* out, T* winner) const {
    for (int j = 0; j < count; ++j) {
      const V at = L::broadcast(s.x[buffer][j]), g = L::broadcast(s.g[buffer][j]);
      for (int x = s.start[j]; x < s.start[j + 1]; x += L::width) {
        const V d = L::iota(T(x)) - at;
        L::store(out + x, g + weigh(d * d));
        if constexpr (labels) L::store(winner + x, at);
      }
    }
  }

  /// Looks up the owners of a vector of points: many change within it.
  template <bool labels>
  void paintMarks(int buffer, int count, int n, T* out, T* winner) const {
    for (int j = 0; j < count; ++j) s.mark[s.start[j]] = 1;
    int before = -1; // number of the owner of the point before
    for (int x = 0; x < n; x += L::width) {
      const std::uint32_t bits = L::nonzero(s.mark + x);
      __builtin_memset(s.mark + x, 0, L::width);
      const V at = L::spread(s.x[buffer] + before, bits), g = L::spread(s.g[buffer] + before, bits);
      const V d = L::iota(T(x)) - at;
      L::store(out + x, g + weigh(d * d));
      if constexpr (labels) L::store(winner + x, at);
      before += __builtin_popcount(bits);
    }
  }

  /// @param g       padded with `none`
  /// @param winner  the i that wins at each point, where labels are wanted; untouched where there is no site
  /// @return whether the line has a site
  template <bool labels>
  bool solve(const T* g, int n, T* out, T* winner) const {
    int count = collect(g, n), buffer = 0;
    if (count == 0) {
      for (int x = 0; x < n; ++x) out[x] = none<T>;
      return false;
    }
    for (bool convex = count < 3; !convex;) {
      const int left = round(buffer, count);
      buffer = 1 - buffer;
      const int dropped = count - left;
      count = left;
      convex = dropped == 0 || count < 3;
      if (!convex && dropped * 16 < count) {
        count = finish(buffer, count);
        convex = true;
      }
    }
    count = own(buffer, count, n);
    if (count * 8 < n)
      paintRuns<labels>(buffer, count, out, winner);
    else
      paintMarks<labels>(buffer, count, n, out, winner);
    return true;
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
