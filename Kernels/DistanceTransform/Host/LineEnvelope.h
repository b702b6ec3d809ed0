// LineEnvelope.h - the exact squared distance along one line by its lower envelope of parabolas.
//
//   out(x) = min over i of g(i) + w (x - i)^2
//
// Only vertices of the lower convex hull of the points (i, g(i) + w i^2) can attain the minimum. Vectors
// first discard most other points by comparing each with the chords of its neighbours, then in rounds over
// the survivors. Where convex chains meet in a concave bend, both are trimmed until they are tangent. A point
// that is not a strict vertex may be discarded at any time, and none remains: the result does not depend on
// the order.
//
// Ties go to the lower i. Integers are exact: T is int32 if squared distances stay below `none`, else double,
// which holds integers exactly below 2^53. Of other doubles, too, the winner is exact: comparisons that
// rounding could decide wrongly are repeated by ExactSum. So the result does not depend on which of the
// points that win nowhere are known, and a line may be solved in pieces.
#pragma once

#include "DistanceTransform/Host/ExactSum.h"
#include "DistanceTransform/Host/Passes.h"
#include "Execution/Simd.h"

namespace isochrone::distance::ISOCHRONE_ISA {

inline constexpr double margin = 1 + 0x1p-49;  ///< above the rounding errors of a comparison, relative
inline constexpr double nearInteger = 0x1p-12; ///< likewise, of the place where one point takes over

/// Memory for lines of up to n points, all with linePad elements before and after them.
template <class T>
struct EnvelopeScratch {
  T *x[2], *g[2];     ///< candidates and their values, in two buffers
  T* start;           ///< first point that a candidate owns
  std::uint8_t* mark; ///< zero between lines
};

template <class T>
struct LineEnvelope {
  using L = execution::ISOCHRONE_ISA::Vector<T>;
  using V = typename L::Vec;

  const EnvelopeScratch<T>& s;
  T w;

  /// Returns w v; for integers w is 1.
  template <class N>
  N weigh(N v) const {
    if constexpr (sizeof(T) == 4)
      return v;
    else
      return w * v;
  }
  /// Returns F(b) - F(a) for F(i) = g(i) + w i^2.
  template <class N>
  N rise(N xa, N ga, N xb, N gb) const {
    return gb - ga + weigh((xb - xa) * (xb + xa));
  }

  /// Collects the points that lie below the chords between i - k and i + k, for some k, after `count` other
  /// candidates. Returns the number of all. The padding of g must be `none`.
  int collect(const T* g, int n, int count) const {
    for (int i = 0; i < n; i += L::width) {
      const V at = L::load(g + i);
      std::uint32_t keep = L::bits(L::less(at, L::broadcast(none<T>)));
      if (!keep) continue;
      const auto below = [&](int k) { // the chord between i - k and i + k, or on it up to rounding
        const V before = L::load(g + i - k), after = L::load(g + i + k);
        if constexpr (sizeof(T) == 4)
          return L::bits(L::less(at - before, after - at + T(2 * k * k)));
        else
          return L::bits(L::less(at, (before + after + weigh(T(2 * k * k))) * T(0.5 * margin)));
      };
      keep &= below(1) & below(2) & below(5);
      L::compress(s.x[0] + count, L::iota(T(i)), keep);
      L::compress(s.g[0] + count, at, keep);
      count += __builtin_popcount(keep);
    }
    return count;
  }

  /// Sets the bits of the points b that lie below the chord from a to c.
  std::uint32_t belowChord(V xa, V ga, V xb, V gb, V xc, V gc) const {
    if constexpr (sizeof(T) == 4) {
      return L::bitsOfLessProduct(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
    } else { // g(b) (p + q) < g(a) p + g(c) q + w p q (p + q), whose terms are all positive
      const V p = xc - xb, q = xb - xa, point = gb * (p + q), chord = ga * p + gc * q + w * (p * q) * (p + q);
      const std::uint32_t sure = L::bits(L::less(point * T(margin), chord));
      std::uint32_t below = sure;
      for (std::uint32_t open = L::bits(L::less(point, chord * T(margin))) & ~sure; open; open &= open - 1) {
        const int l = __builtin_ctz(open);
        ExactSum sum;
        sum.addProduct(gb[l], p[l] + q[l]);
        sum.addProduct(-ga[l], p[l]);
        sum.addProduct(-gc[l], q[l]);
        sum.addProduct(w, p[l] * q[l], -(p[l] + q[l]));
        below |= std::uint32_t(sum.sign() < 0) << l;
      }
      return below;
    }
  }

  /// Sets the bits of the candidates j ... that lie below the chord between their neighbours.
  std::uint32_t convex(const T* x, const T* g, int j) const {
    return belowChord(L::load(x + j - 1), L::load(g + j - 1), L::load(x + j), L::load(g + j),
                      L::load(x + j + 1), L::load(g + j + 1));
  }

  /// Drops the candidates that do not lie below the chord between their neighbours, from buffer `from` to the
  /// other one. Returns the number of remaining candidates.
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

  /// The hull while it moves from one buffer to the other. The candidates before `next` are on the stack or
  /// dropped. The stack is convex, and stays so with `next` on top.
  struct Stack {
    const T *fromX, *fromG; ///< candidates
    int count;
    T *x, *g; ///< vertices
    int top = 0, next = 0;
  };

  /// Pushes the candidates before `end`.
  static void push(Stack& stack, int end) {
    for (int j = stack.next; j < end; j += L::width) {
      L::store(stack.x + stack.top + j - stack.next, L::load(stack.fromX + j));
      L::store(stack.g + stack.top + j - stack.next, L::load(stack.fromG + j));
    }
    stack.top += end - stack.next;
    stack.next = end;
  }

  /// Returns the number of vertices at the top, at most a vector, that do not lie below the chord from the
  /// vertex before them to the candidate `next`.
  int concaveBefore(const Stack& stack) const {
    const int first = stack.top - L::width; // of the vector; vertices before the second one have no neighbour
    std::uint32_t stays =
        belowChord(L::load(stack.x + first - 1), L::load(stack.g + first - 1), L::load(stack.x + first),
                   L::load(stack.g + first), L::broadcast(stack.fromX[stack.next]),
                   L::broadcast(stack.fromG[stack.next]));
    if (first < 1) stays |= (1u << (1 - first)) - 1;
    return stays ? L::width - 1 - (31 - __builtin_clz(stays)) : L::width;
  }
  /// Returns the number of candidates from `next` on, at most a vector, that do not lie below the chord from
  /// the top to the candidate after them.
  int concaveAfter(const Stack& stack) const {
    const T *x = stack.fromX + stack.next, *g = stack.fromG + stack.next;
    std::uint32_t stays =
        belowChord(L::broadcast(stack.x[stack.top - 1]), L::broadcast(stack.g[stack.top - 1]), L::load(x),
                   L::load(g), L::load(x + 1), L::load(g + 1));
    const int left = stack.count - 1 - stack.next;
    if (left < L::width) stays |= ~0u << left; // the last candidate stays
    return stays && __builtin_ctz(stays) < L::width ? __builtin_ctz(stays) : L::width;
  }
  /// Drops vertices and candidates on both sides of a concave bend until the two chains are tangent.
  void popWhileConcave(Stack& stack) const {
    for (int before = 1, after = 1; before || after;) {
      before = concaveBefore(stack);
      stack.top -= before;
      after = concaveAfter(stack);
      stack.next += after;
    }
  }

  /// Completes the hull, from buffer `from` to the other one: copies convex chains, and trims both where two
  /// meet in a concave bend. Returns the number of vertices.
  int join(int from, int count) const {
    Stack stack{s.x[from], s.g[from], count, s.x[1 - from], s.g[1 - from]};
    for (int j = 1; j < count - 1; j += L::width) {
      std::uint32_t bends = ~convex(stack.fromX, stack.fromG, j);
      const int lanes = count - 1 - j < L::width ? count - 1 - j : L::width;
      for (bends &= (1u << lanes) - 1; bends; bends &= bends - 1) {
        const int bend = j + __builtin_ctz(bends);
        if (bend <= stack.next) continue; // dropped, or convex with the top since then
        push(stack, bend + 1);
        popWhileConcave(stack);
      }
    }
    push(stack, count);
    return stack.top;
  }

  /// Returns the last points at which the candidates from j on are not worse than their successors, rounded
  /// down and clamped to low - 1 ... high - 1.
  V lasts(const T* x, const T* g, int j, int low, int high) const {
    const V xa = L::load(x + j), ga = L::load(g + j), xb = L::load(x + j + 1), gb = L::load(g + j + 1);
    const V up = rise(xa, ga, xb, gb), across = T(2) * weigh(xb - xa);
    const V lowest = L::broadcast(T(low - 1)), highest = L::broadcast(T(high - 1));
    if constexpr (sizeof(T) == 4) {
      typedef float Floats __attribute__((vector_size(sizeof(V))));
      const Floats quotient = __builtin_convertvector(up, Floats) / __builtin_convertvector(across, Floats);
      V last = __builtin_convertvector(quotient, V); // at most one off, where it matters
      const V rest = up - last * across;
      last = last + (rest < 0) - (rest >= across); // true is -1
      return L::min(L::max(lowest, last), highest);
    } else {
      typedef std::int32_t Ints __attribute__((vector_size(sizeof(V) / 2)));
      const auto floor = [&](V v) { // of numbers from low - 1 on
        return __builtin_convertvector(__builtin_convertvector(v - lowest, Ints), V) + lowest;
      };
      const V quotient = up / across, clamped = L::min(L::max(lowest, quotient), highest);
      V last = floor(clamped);
      const V near = floor(clamped + T(0.5)), off = clamped - near; // of less than nearInteger: not certain
      const std::uint32_t inside =
          L::bits(L::both(L::less(lowest - T(1), quotient), L::less(quotient, highest + T(1))));
      std::uint32_t open = L::bits(L::less(off * off, L::broadcast(T(nearInteger * nearInteger)))) & inside;
      for (; open; open &= open - 1) {
        const int l = __builtin_ctz(open);
        ExactSum sum; // g(b) - g(a) + w (b - a) (b + a - 2 near), which is negative where b wins
        sum.add(gb[l]);
        sum.add(-ga[l]);
        sum.addProduct(w, (xb[l] - xa[l]) * (xb[l] + xa[l] - 2 * near[l]));
        last[l] = sum.sign() >= 0 ? near[l] : near[l] - 1;
      }
      return L::min(L::max(lowest, last), highest);
    }
  }

  /// Computes the first point that each vertex owns. Drops, in place, the vertices that own none of the
  /// points low ... high - 1, and returns the number of the others.
  int own(int buffer, int count, int low, int high) const {
    T *x = s.x[buffer], *g = s.g[buffer], *start = s.start;
    start[0] = T(low);
    for (int j = 0; j + 1 < count; j += L::width) L::store(start + j + 1, lasts(x, g, j, low, high) + T(1));
    start[count] = T(high);
    int kept = 0;
    for (int j = 0; j < count; j += L::width) {
      const V first = L::load(start + j), at = L::load(x + j), value = L::load(g + j);
      std::uint32_t keep = L::bits(L::less(first, L::load(start + j + 1)));
      if (count - j < L::width) keep &= (1u << (count - j)) - 1;
      L::compress(start + kept, first, keep);
      L::compress(x + kept, at, keep);
      L::compress(g + kept, value, keep);
      kept += __builtin_popcount(keep);
    }
    start[kept] = T(high);
    return kept;
  }

  /// Fills the points of one owner after another.
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

  /// Finds the owners of a vector of points, for owners that change often.
  template <bool labels>
  void paintMarks(int buffer, int count, int n, T* out, T* winner) const {
    for (int j = 0; j < count; ++j) s.mark[int(s.start[j])] = 1;
    int before = -1; // index of the previous point's owner
    for (int x = 0; x < n; x += L::width) {
      const std::uint32_t bits = L::bitsOfBytes(s.mark + x);
      __builtin_memset(s.mark + x, 0, L::width);
      const V at = L::spread(s.x[buffer] + before, bits), g = L::spread(s.g[buffer] + before, bits);
      const V d = L::iota(T(x)) - at;
      L::store(out + x, g + weigh(d * d));
      if constexpr (labels) L::store(winner + x, at);
      before += __builtin_popcount(bits);
    }
  }

  /// Reduces candidates in buffer 0 to the vertices of their lower hull. Returns the number of vertices, and
  /// their buffer.
  int reduce(int count, int& buffer) const {
    buffer = 0;
    for (bool fewFall = count < 3; !fewFall; buffer = 1 - buffer) {
      const int left = round(buffer, count);
      fewFall = (count - left) * 16 <= count;
      count = left;
    }
    if (count > 2) {
      count = join(buffer, count);
      buffer = 1 - buffer;
    }
    return count;
  }

  /// Finds the lower hull of the points of a line and of points beyond it. Returns the number of vertices,
  /// and their buffer.
  int hull(const T* g, int n, const Beyond<T>& beyond, int& buffer) const {
    int count = beyond.before;
    for (int j = 0; j < count; ++j) s.x[0][j] = beyond.x[j], s.g[0][j] = beyond.g[j];
    count = collect(g, n, count);
    for (int j = beyond.before; j < beyond.before + beyond.after; ++j, ++count)
      s.x[0][count] = beyond.x[j], s.g[0][count] = beyond.g[j];
    return reduce(count, buffer);
  }

  /// The same for the points of a periodic line and of its copies before and after it: no nearest point is
  /// farther away than half a period. The vertices of a copy are those of the line that win somewhere in the
  /// three of them.
  int periodicHull(const T* g, int n, int& buffer) const {
    int count = hull(g, n, {}, buffer);
    if (count == 0) return 0;
    count = own(buffer, count, -n, 2 * n);
    const T *x = s.x[buffer], *value = s.g[buffer];
    for (int copy = 2; copy >= 0; --copy) // downwards, since the first one replaces the vertices
      for (int j = 0; j < count; ++j) {
        s.x[0][copy * count + j] = x[j] + T((copy - 1) * n);
        s.g[0][copy * count + j] = value[j];
      }
    return reduce(3 * count, buffer);
  }

  /// Solves a line.
  /// @param g  padded with `none`
  /// @param winner  the minimising i at each point, if labels are requested; unchanged if there is no site
  /// @return whether there is a site
  template <bool labels>
  bool solve(const T* g, int n, T* out, T* winner, const Beyond<T>& beyond = {}) const {
    int buffer = 0;
    const int count = hull(g, n, beyond, buffer);
    return paint<labels>(buffer, count, n, out, winner);
  }

  /// The same for a periodic line. The minimising i may be that of a copy, from -n to 2 n - 1.
  template <bool labels>
  bool solvePeriodic(const T* g, int n, T* out, T* winner) const {
    int buffer = 0;
    const int count = periodicHull(g, n, buffer);
    return paint<labels>(buffer, count, n, out, winner);
  }

  /// Computes the points of a line from the vertices of its hull.
  template <bool labels>
  bool paint(int buffer, int count, int n, T* out, T* winner) const {
    if (count == 0) {
      for (int x = 0; x < n; ++x) out[x] = none<T>;
      return false;
    }
    count = own(buffer, count, 0, n);
    if (count * 64 < n)
      paintRuns<labels>(buffer, count, out, winner);
    else
      paintMarks<labels>(buffer, count, n, out, winner);
    return true;
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
