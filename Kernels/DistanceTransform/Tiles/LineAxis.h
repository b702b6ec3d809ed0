// LineAxis.h - what the tile kernels compute along a line, for the three kinds of axes: evenly spaced
// (EvenAxis), evenly spaced and continued by copies of the line (PeriodicAxis), and with any steps, on a
// rectilinear grid (UnevenAxis). All axes of a solve have the same type. A row is the number of a point of a
// line; rows below 0 and from n on are those of copies.
#pragma once

#include "DistanceTransform/Scheme/Units.h"
#include "DistanceTransform/Tiles/LineMath.h"

#include <algorithm>
#include <limits>

namespace isochrone::distance {

/// Represents no row, on lines without copies and with them, whose rows may be negative.
template <bool mayRepeat>
inline constexpr int noRowOf = mayRepeat ? std::numeric_limits<int>::min() : -1;

inline constexpr int windowReach = 30; ///< rows that a window searches up and down
inline constexpr int windowHalo = 32;  ///< rows that it loads beyond its own ones, at most

template <class T>
struct EvenAxis {
  using Number = T;
  static constexpr bool mayRepeat = false;
  static constexpr int noRow = noRowOf<mayRepeat>;
  T weight; ///< squared length of a step; 1 for integers

  /// Returns the axis with rows that count from `first` on, for squared distances.
  TEAM_FN EvenAxis from(int) const { return *this; }
  /// Returns the number of rows before and after the line, in its copies, that may own points of it.
  TEAM_FN static int copiedRows() { return 0; }
  /// Returns the row of the line that a row repeats, which may own points of the line.
  TEAM_FN int inLine(int row) const { return row; }
  /// Returns whether place i of a line of n (rows, or words of 32) exists, or repeats one that does.
  TEAM_FN bool holds(int i, int n) const { return i >= 0 && i < n; }
  /// Returns the row of the line that a row of a window repeats. The line holds it.
  TEAM_FN int inWindow(int row, int) const { return row; }
  /// Returns 32 bits of a row from point 32 word on. The row holds the word.
  TEAM_FN std::uint32_t wordOf(const std::uint32_t* bits, int word) const { return bits[word]; }
  /// Returns whether a site on the left of point x is not farther away than one on its right.
  TEAM_FN bool prefersLeft(int x, int left, int right) const { return x - left <= right - x; }
  /// Returns whether the windows of the rows from `first` to end - 1 show all rows that may own them.
  TEAM_FN bool windowShowsAll(int first, int end, int n) const {
    return first <= windowReach && end + windowReach >= n;
  }
  /// Returns the squared distance from the rows `first` to `last` to those k rows beyond them, or less.
  TEAM_FN T squareBeyond(int, int, int k) const { return weight * (T(k) * k); }
  /// Returns the maximum of squareBeyond(row, row, windowReach + 1) over the rows.
  TEAM_FN T largestSquareBeyond() const { return squareBeyond(0, 0, windowReach + 1); }

  /// Returns the squared distance at a row to row a, where the squared distance is `square`.
  TEAM_FN T squareAt(int row, int a, T square) const {
    const T d = T(row - a);
    if constexpr (std::numeric_limits<T>::is_integer)
      return square + d * d;
    else
      return square + weight * (d * d);
  }

  /// Returns the first row of a line that is nearer to b than to a, where a < b; n if there is none. Ties
  /// belong to a. Exact for integers: those of 32 bits are divided and rounded down, and negative values do
  /// not matter; in double, the quotient is a whole or a half number, or farther from these than its
  /// rounding.
  /// @param from  a result up to `from` may be any row up to it
  TEAM_FN int firstOwned(T squareA, int a, T squareB, int b, int n, [[maybe_unused]] int from) const {
    if constexpr (std::numeric_limits<T>::is_integer) {
      const T above = squareB - squareA + (T(b) - a) * (T(b) + a);
      if (above < 0) return 0;
      const T last = above / (2 * (T(b) - a)); // the weight is 1
      return last >= n - 1 ? n : int(last) + 1;
    } else {
      const T last = a + ((squareB - squareA) / (2 * weight * (b - a)) + T(b - a) / 2);
      if (last < 0) return 0;
      return last >= n - 1 ? n : int(last) + 1;
    }
  }

  /// Returns whether a row with `square` is nowhere nearer than its two neighbours `step` rows away: it lies
  /// on or above their chord.
  TEAM_FN bool isDominated(T square, T lower, T upper, int, int step) const {
    if (!(lower < none<T> && upper < none<T>)) return false;
    return square - lower >= upper - square + 2 * weight * T(step * step);
  }
};

/// Returns the number of rows before and after a line, in its copies, that may own points of it: no point is
/// farther from its nearest site than half a period.
/// @param needed  number of rows, up and down, that may matter
inline int copiedRows(const MeasuredAxis& axis, int needed) {
  return axis.periodic ? std::min(int(axis.points / 2), needed) : 0;
}

/// An evenly spaced axis of an image with a periodic axis: itself periodic or not.
template <class T>
struct PeriodicAxis : EvenAxis<T> {
  static constexpr bool mayRepeat = true;
  static constexpr int noRow = noRowOf<mayRepeat>;

  int points;
  int beyond;   ///< copiedRows(); 0: not periodic
  int toInside; ///< multiple of the period, from rows of a window on to rows from 0 on
  execution::Divisor byPoints;

  PeriodicAxis(const MeasuredAxis& axis, int needed)
      : EvenAxis<T>{T(axis.weight)}, points(int(axis.points)), beyond(distance::copiedRows(axis, needed)),
        toInside(points * ((windowHalo - 1) / points + 1)), byPoints(points) {}

  TEAM_FN int copiedRows() const { return beyond; }
  TEAM_FN int inLine(int row) const { return row < 0 ? row + points : row >= points ? row - points : row; }
  TEAM_FN bool holds(int i, int n) const { return beyond > 0 || EvenAxis<T>::holds(i, n); }
  TEAM_FN int inWindow(int row, int n) const {
    if (beyond == 0) return row;
    const int inside = row + toInside;
    return inside - byPoints.quotient(inside) * n;
  }
  TEAM_FN std::uint32_t wordOf(const std::uint32_t* bits, int word) const {
    constexpr int width = execution::warpSize;
    if (beyond == 0 || (word >= 0 && word * width + width <= points)) return bits[word];
    std::uint32_t result = 0;
    int x = inWindow(word * width, points);
    for (int filled = 0; filled < width;) { // up to the end of the row's word, or of the row; zeros follow it
      const int inWord = width - x % width, inRow = points - x, count = inWord < inRow ? inWord : inRow;
      result |= bits[x / width] >> x % width << filled;
      filled += count;
      x = count == inRow ? 0 : x + count;
    }
    return result;
  }
  TEAM_FN bool windowShowsAll(int first, int end, int n) const {
    return beyond > 0 ? beyond <= windowReach : EvenAxis<T>::windowShowsAll(first, end, n);
  }
};

/// Points of a line of a rectilinear grid. As on the host (Host/UnevenEnvelope.h), which of two owners is
/// nearer is exact up to rounding.
struct UnevenAxis : EvenAxis<double> { // with a weight of 1
  static constexpr int padding = 96; ///< ascending coordinates before and after a line, for tiles and windows
  const double* at;                  ///< coordinates of the rows
  double largestBeyond;              ///< largestSquareBeyond()

  TEAM_FN UnevenAxis(const double* coordinates, double largest)
      : EvenAxis<double>{1}, at(coordinates), largestBeyond(largest) {}
  TEAM_FN UnevenAxis from(int first) const { return {at + first, largestBeyond}; }
  TEAM_FN bool prefersLeft(int x, int left, int right) const { return at[x] <= (at[left] + at[right]) * 0.5; }
  TEAM_FN double squareBeyond(int first, int last, int k) const {
    const double below = at[first] - at[first - k], above = at[last + k] - at[last];
    const double shorter = below < above ? below : above;
    return shorter * shorter;
  }
  TEAM_FN double largestSquareBeyond() const { return largestBeyond; }

  TEAM_FN double squareAt(int row, int a, double square) const {
    const double d = at[row] - at[a];
    return square + d * d;
  }
  TEAM_FN int firstOwned(double squareA, int a, double squareB, int b, int n, int from) const {
    const double xa = at[a], xb = at[b], last = ((squareB - squareA) / (xb - xa) + (xa + xb)) * 0.5;
    if (!(at[from] <= last)) return from;
    int low = from, high = n; // the coordinate of `low` is not above `last`, that of `high` is
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (at[middle] <= last ? low : high) = middle;
    }
    return high;
  }
  /// The same, up to rounding: a row on the chord within it is kept.
  TEAM_FN bool isDominated(double square, double lower, double upper, int row, int step) const {
    if (!(lower < none<double> && upper < none<double>)) return false;
    const double p = at[row + step] - at[row], q = at[row] - at[row - step];
    return !(square * (p + q) < (lower * p + upper * q + p * q * (p + q)) * (1 + 0x1p-49));
  }
};

} // namespace isochrone::distance
