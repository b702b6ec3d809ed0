// LineEnvelope.h - the exact squared distance along one line by its lower envelope of parabolas.
//
//   out(x) = min over i of g(i) + w (x - i)^2
//
// Only those i can win that are vertices of the lower convex hull of the points (i, g(i) + w i^2). Most of
// the others are thrown out by vectors that compare a point with the chords of its neighbours, then in rounds
// over the survivors; where convex chains meet in a bend, both lose their ends until they are tangent. A
// point that is no strict vertex may go at any time, and none stays in the end: the result does not depend on
// the way.
//
// Of two that are equally good the lower i wins. Integers are exact: T is int32 where squared distances stay
// below `none`, else double, which holds integers exactly below 2^53.
#pragma once

#include "DistanceTransform/Host/Lanes.h"

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
  T *x[2], *g[2];     ///< candidates and their values, twice
  T* start;           ///< first point that a candidate owns
  std::uint8_t* mark; ///< zero between lines
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
      const auto below = [&](int k) { // the chord between i - k and i + k
        return L::less(at - L::load(g + i - k), L::load(g + i + k) - at + weigh(T(2 * k * k)));
      };
      keep &= below(1) & below(2) & below(5);
      L::compress(s.x[0] + count, L::iota(T(i)), keep);
      L::compress(s.g[0] + count, at, keep);
      count += __builtin_popcount(keep);
    }
    return count;
  }

  /// Which of the candidates j ... lie below the chord between their neighbours.
  std::uint32_t convex(const T* x, const T* g, int j) const {
    const V xa = L::load(x + j - 1), xb = L::load(x + j), xc = L::load(x + j + 1);
    const V ga = L::load(g + j - 1), gb = L::load(g + j), gc = L::load(g + j + 1);
    return L::productLess(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
  }

  /// Drops those that do not lie below the chord between their neighbours, from buffer `from` to the other.
  int round(int from, int count) const {
    const T *x = s.x[from], *g = s.g[from];
    T *toX = s.x[1 - from], *toG = s.g[1 - from];
    toX[0] = x[0], toG[0] = g[0];
    int kept = 1;
    for (int j = 1; j < count - 1; j += L::width) {
      std::uint32_t keep = convex(x, g, j);
      if (count - 1 - j < L::width) keep &= (1u << (count - 1 - j)) - 1;
      L::compress(toX + kept, L::load(x + j), keep);
      L::compress(toG + kept, L::load(g + j), keep);
      kept += __builtin_popcount(keep);
    }
    toX[kept] = x[count - 1], toG[kept] = g[count - 1];
    return kept + 1;
  }

  /// How many of the last candidates on a stack of `top` fall once `right` follows: a run of at most a
  /// vector.
  int fallen(const T* x, const T* g, int top, T rightX, T rightG) const {
    const int first = top - L::width; // of the vector; those below 1 have no neighbour
    const V xa = L::load(x + first - 1), xb = L::load(x + first), xc = L::broadcast(rightX);
    const V ga = L::load(g + first - 1), gb = L::load(g + first), gc = L::broadcast(rightG);
    std::uint32_t stays = L::productLess(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
    if (first < 1) stays |= (1u << (1 - first)) - 1;
    return stays ? L::width - 1 - (31 - __builtin_clz(stays)) : L::width;
  }
  /// How many of the candidates from `next` on fall if `left` stands before them.
  int skipped(const T* x, const T* g, int next, int count, T leftX, T leftG) const {
    const V xa = L::broadcast(leftX), xb = L::load(x + next), xc = L::load(x + next + 1);
    const V ga = L::broadcast(leftG), gb = L::load(g + next), gc = L::load(g + next + 1);
    std::uint32_t stays = L::productLess(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
    if (count - 1 - next < L::width) stays |= ~0u << (count - 1 - next); // the last one stays
    return stays ? __builtin_ctz(stays) < L::width ? __builtin_ctz(stays) : L::width : L::width;
  }

  /// Drops all that are left to drop, from buffer `from` to the other: convex chains are copied as they are,
  /// and where two meet in a bend, both lose their ends until they are tangent.
  int join(int from, int count) const {
    const T *x = s.x[from], *g = s.g[from];
    T *toX = s.x[1 - from], *toG = s.g[1 - from];
    int top = 0, next = 0; // next: the first candidate that is not on the stack
    const auto copyTo = [&](int end) {
      for (int j = next; j < end; j += L::width) {
        L::store(toX + top + j - next, L::load(x + j));
        L::store(toG + top + j - next, L::load(g + j));
      }
      top += end - next;
      next = end;
    };
    for (int j = 1; j < count - 1; j += L::width) {
      std::uint32_t bad = ~convex(x, g, j);
      if (count - 1 - j < L::width) bad &= (1u << (count - 1 - j)) - 1;
      if (L::width < 32) bad &= (1u << (L::width & 31)) - 1;
      for (; bad; bad &= bad - 1) {
        const int bend = j + __builtin_ctz(bad);
        if (bend < next || (bend == next && next > 0)) continue; // judged beside its new neighbour
        copyTo(bend + 1);
        for (int left = 1, right = 1; left || right;) {
          left = fallen(toX, toG, top, x[next], g[next]);
          top -= left;
          right = skipped(x, g, next, count, toX[top - 1], toG[top - 1]);
          next += right;
        }
      }
    }
    copyTo(count);
    return top;
  }

  /// The last points at which the candidates from j on are no worse than the next ones, rounded down and
  /// between -1 and n - 1.
  V lasts(const T* x, const T* g, int j, int n) const {
    const V xa = L::load(x + j), xb = L::load(x + j + 1);
    const V up = rise(xa, L::load(g + j), xb, L::load(g + j + 1)), across = T(2) * weigh(xb - xa);
    V last;
    if constexpr (sizeof(T) == 4) {
      typedef float Floats __attribute__((vector_size(vectorBytes)));
      const Floats quotient = __builtin_convertvector(up, Floats) / __builtin_convertvector(across, Floats);
      last = __builtin_convertvector(quotient, V); // at most one off, where it matters
      const V rest = up - last * across;
      last = last + (rest < 0) - (rest >= across); // true is -1
    } else {
      last = up / across;
    }
    last = last < T(-1) ? L::broadcast(-1) : last;
    last = last < T(n - 1) ? last : L::broadcast(T(n - 1));
    if constexpr (sizeof(T) == 8) {
      typedef std::int32_t Ints __attribute__((vector_size(vectorBytes / 2)));
      last = __builtin_convertvector(__builtin_convertvector(last + 1, Ints), V) - 1;
    }
    return last;
  }

  /// Where each vertex begins to win. Drops those that own no point of 0 ... n - 1, in place.
  int own(int buffer, int count, int n) const {
    T *x = s.x[buffer], *g = s.g[buffer], *start = s.start;
    start[0] = 0;
    for (int j = 0; j + 1 < count; j += L::width) L::store(start + j + 1, lasts(x, g, j, n) + T(1));
    start[count] = T(n);
    int kept = 0;
    for (int j = 0; j < count; j += L::width) {
      const V first = L::load(start + j), at = L::load(x + j), value = L::load(g + j);
      std::uint32_t keep = L::less(first, L::load(start + j + 1));
      if (count - j < L::width) keep &= (1u << (count - j)) - 1;
      L::compress(start + kept, first, keep);
      L::compress(x + kept, at, keep);
      L::compress(g + kept, value, keep);
      kept += __builtin_popcount(keep);
    }
    start[kept] = T(n);
    return kept;
  }

  /// Fills one owner's points after the other's.
  template <bool labels>
  void paintRuns(int buffer, int count, T* out, T* winner) const {
    for (int j = 0; j < count; ++j) {
      const V at = L::broadcast(s.x[buffer][j]), g = L::broadcast(s.g[buffer][j]);
      for (int x = int(s.start[j]), end = int(s.start[j + 1]); x < end; x += L::width) {
        const V d = L::iota(T(x)) - at;
        L::store(out + x, g + weigh(d * d));
        if constexpr (labels) L::store(winner + x, at);
      }
    }
  }

  /// Looks up the owners of a vector of points: many change within it.
  template <bool labels>
  void paintMarks(int buffer, int count, int n, T* out, T* winner) const {
    for (int j = 0; j < count; ++j) s.mark[int(s.start[j])] = 1;
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
    for (bool fewFall = count < 3; !fewFall; buffer = 1 - buffer) {
      const int left = round(buffer, count);
      fewFall = (count - left) * 16 <= count;
      count = left;
    }
    if (count > 2) {
      count = join(buffer, count);
      buffer = 1 - buffer;
    }
    count = own(buffer, count, n);
    if (count * 64 < n)
      paintRuns<labels>(buffer, count, out, winner);
    else
      paintMarks<labels>(buffer, count, n, out, winner);
    return true;
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
