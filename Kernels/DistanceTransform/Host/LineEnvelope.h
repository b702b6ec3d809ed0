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
// which holds integers exactly below 2^53.
#pragma once

#include "Execution/Simd.h"

namespace isochrone::distance::ISOCHRONE_ISA {

/// Represents "no site": larger than any squared distance. 2^29 leaves room for the difference of two.
template <class T>
inline constexpr T none = T(1 << 29);
template <>
inline constexpr double none<double> = __builtin_inf();

inline constexpr int linePad = 80; ///< number of padding elements before and after the points of a line

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

  /// Collects the points that lie below the chords between i - k and i + k, for some k, and returns their
  /// number. The padding of g must be `none`.
  int collect(const T* g, int n) const {
    int count = 0;
    for (int i = 0; i < n; i += L::width) {
      const V at = L::load(g + i);
      std::uint32_t keep = L::bits(L::less(at, L::broadcast(none<T>)));
      if (!keep) continue;
      const auto below = [&](int k) { // the chord between i - k and i + k
        return L::bits(L::less(at - L::load(g + i - k), L::load(g + i + k) - at + weigh(T(2 * k * k))));
      };
      keep &= below(1) & below(2) & below(5);
      L::compress(s.x[0] + count, L::iota(T(i)), keep);
      L::compress(s.g[0] + count, at, keep);
      count += __builtin_popcount(keep);
    }
    return count;
  }

  /// Sets the bits of the candidates j ... that lie below the chord between their neighbours.
  std::uint32_t convex(const T* x, const T* g, int j) const {
    const V xa = L::load(x + j - 1), xb = L::load(x + j), xc = L::load(x + j + 1);
    const V ga = L::load(g + j - 1), gb = L::load(g + j), gc = L::load(g + j + 1);
    return L::bitsOfLessProduct(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
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
    const V xa = L::load(stack.x + first - 1), xb = L::load(stack.x + first),
            xc = L::broadcast(stack.fromX[stack.next]);
    const V ga = L::load(stack.g + first - 1), gb = L::load(stack.g + first),
            gc = L::broadcast(stack.fromG[stack.next]);
    std::uint32_t stays = L::bitsOfLessProduct(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
    if (first < 1) stays |= (1u << (1 - first)) - 1;
    return stays ? L::width - 1 - (31 - __builtin_clz(stays)) : L::width;
  }
  /// Returns the number of candidates from `next` on, at most a vector, that do not lie below the chord from
  /// the top to the candidate after them.
  int concaveAfter(const Stack& stack) const {
    const T *x = stack.fromX + stack.next, *g = stack.fromG + stack.next;
    const V xa = L::broadcast(stack.x[stack.top - 1]), xb = L::load(x), xc = L::load(x + 1);
    const V ga = L::broadcast(stack.g[stack.top - 1]), gb = L::load(g), gc = L::load(g + 1);
    std::uint32_t stays = L::bitsOfLessProduct(rise(xa, ga, xb, gb), xc - xb, rise(xb, gb, xc, gc), xb - xa);
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
  /// down and clamped to -1 ... n - 1.
  V lasts(const T* x, const T* g, int j, int n) const {
    const V xa = L::load(x + j), xb = L::load(x + j + 1);
    const V up = rise(xa, L::load(g + j), xb, L::load(g + j + 1)), across = T(2) * weigh(xb - xa);
    V last;
    if constexpr (sizeof(T) == 4) {
      typedef float Floats __attribute__((vector_size(sizeof(V))));
      const Floats quotient = __builtin_convertvector(up, Floats) / __builtin_convertvector(across, Floats);
      last = __builtin_convertvector(quotient, V); // at most one off, where it matters
      const V rest = up - last * across;
      last = last + (rest < 0) - (rest >= across); // true is -1
    } else {
      last = up / across;
    }
    last = L::max(L::broadcast(-1), last);
    last = L::min(last, L::broadcast(T(n - 1)));
    if constexpr (sizeof(T) == 8) {
      typedef std::int32_t Ints __attribute__((vector_size(sizeof(V) / 2)));
      last = __builtin_convertvector(__builtin_convertvector(last + 1, Ints), V) - 1;
    }
    return last;
  }

  /// Computes the first point that each vertex owns. Drops, in place, the vertices that own none of the
  /// points 0 ... n - 1, and returns the number of the others.
  int own(int buffer, int count, int n) const {
    T *x = s.x[buffer], *g = s.g[buffer], *start = s.start;
    start[0] = 0;
    for (int j = 0; j + 1 < count; j += L::width) L::store(start + j + 1, lasts(x, g, j, n) + T(1));
    start[count] = T(n);
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
    start[kept] = T(n);
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

  /// Solves a line.
  /// @param g  padded with `none`
  /// @param winner  the minimising i at each point, if labels are requested; unchanged if the line has no
  ///                site
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
