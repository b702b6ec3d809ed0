// UnevenEnvelope.h - the squared distance along a line of a rectilinear grid, by the lower envelope of
// parabolas:
//
//   out(i) = min over j of g(j) + (at(i) - at(j))^2
//
// The hull is that of LineEnvelope.h, with the coordinates of the points in place of their numbers. Only what
// goes from numbers to points differs: which points are candidates, and which ones a vertex owns. Products of
// coordinates are rounded, so here the winner is exact up to rounding.
#pragma once

#include "DistanceTransform/Host/LineEnvelope.h"

namespace isochrone::distance::ISOCHRONE_ISA {

struct UnevenEnvelope : LineEnvelope<double> { // with a weight of 1
  const double* at; ///< coordinates of the points, with linePad ascending ones before and after them

  /// Solves a line.
  /// @param g  padded with `none`
  /// @param winner  the number of the minimising point, if labels are requested; unchanged if there is no
  /// site
  /// @return whether there is a site
  template <bool labels>
  bool solve(const double* g, int n, double* out, double* winner) const {
    int buffer = 0, count = reduce(candidates(g, n), buffer);
    if (count == 0) {
      for (int i = 0; i < n; ++i) out[i] = none<double>;
      return false;
    }
    count = own(buffer, count, n);
    if constexpr (labels) number(buffer, count);
    if (count * 64 < n)
      paintRuns<labels>(buffer, count, out, winner);
    else
      paintMarks<labels>(buffer, count, n, out, winner);
    return true;
  }

private:
  /// Collects the points that lie below the chords between i - k and i + k, for some k, or on them up to
  /// rounding. Returns their number.
  int candidates(const double* g, int n) const {
    int count = 0;
    for (int i = 0; i < n; i += L::width) {
      const V here = L::load(g + i), x = L::load(at + i);
      std::uint32_t keep = L::bits(L::less(here, L::broadcast(none<double>)));
      if (!keep) continue;
      const auto below = [&](int k) {
        const V p = L::load(at + i + k) - x, q = x - L::load(at + i - k);
        const V chord = L::load(g + i - k) * p + L::load(g + i + k) * q + p * q * (p + q);
        return L::bits(L::less(here * (p + q), chord * margin));
      };
      keep &= below(1) & below(2) & below(5);
      L::compress(s.x[0] + count, x, keep);
      L::compress(s.g[0] + count, here, keep);
      count += __builtin_popcount(keep);
    }
    return count;
  }

  /// Finds the first point that each vertex owns. Drops, in place, the vertices that own none, and returns
  /// the number of the others.
  int own(int buffer, int count, int n) const {
    double *x = s.x[buffer], *g = s.g[buffer], *last = s.g[1 - buffer];
    for (int j = 0; j + 1 < count; j += L::width) { // where the next vertex takes over
      const V a = L::load(x + j), b = L::load(x + j + 1), up = L::load(g + j + 1) - L::load(g + j);
      L::store(last + j, (up / (b - a) + (a + b)) * 0.5);
    }
    int kept = 0, next = 0;
    for (int j = 0; j < count && next < n; ++j) {
      const int first = next;
      if (j + 1 < count)
        while (next < n && at[next] <= last[j]) ++next;
      else
        next = n;
      if (next == first) continue;
      s.start[kept] = first, x[kept] = x[j], g[kept] = g[j];
      ++kept;
    }
    s.start[kept] = n;
    return kept;
  }

  /// Finds the numbers of the vertices, and keeps them in the other buffer.
  void number(int buffer, int count) const {
    const double* x = s.x[buffer];
    double* numbers = s.x[1 - buffer];
    int i = 0;
    for (int j = 0; j < count; ++j) {
      while (at[i] != x[j]) ++i;
      numbers[j] = i;
    }
  }

  template <bool labels>
  void paintRuns(int buffer, int count, double* out, double* winner) const {
    for (int j = 0; j < count; ++j) {
      const V x = L::broadcast(s.x[buffer][j]), g = L::broadcast(s.g[buffer][j]);
      for (int i = int(s.start[j]), end = int(s.start[j + 1]); i < end; i += L::width) {
        const V d = L::load(at + i) - x;
        L::store(out + i, g + d * d);
        if constexpr (labels) L::store(winner + i, L::broadcast(s.x[1 - buffer][j]));
      }
    }
  }

  template <bool labels>
  void paintMarks(int buffer, int count, int n, double* out, double* winner) const {
    for (int j = 0; j < count; ++j) s.mark[int(s.start[j])] = 1;
    int before = -1; // the vertex of the previous point
    for (int i = 0; i < n; i += L::width) {
      const std::uint32_t bits = L::bitsOfBytes(s.mark + i);
      __builtin_memset(s.mark + i, 0, L::width);
      const V d = L::load(at + i) - L::spread(s.x[buffer] + before, bits);
      L::store(out + i, L::spread(s.g[buffer] + before, bits) + d * d);
      if constexpr (labels) L::store(winner + i, L::spread(s.x[1 - buffer] + before, bits));
      before += __builtin_popcount(bits);
    }
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
