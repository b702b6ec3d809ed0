// Envelope.h - comparison of two windows on an edge.
#pragma once

#include "MeshTravelTime/Exact/Window.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

/// Windows that differ by less than this part of their distance count as equal: the later one goes.
inline constexpr double tie = 1e-13;

/// The excess of a window's distance over that of another one, along their edge. Both sources may be taken on
/// the same side of the edge. Then the excess has at most one extremum, where the line through the sources
/// crosses the edge, and changes its sign at most twice.
class Excess {
public:
  /// @param allowance  subtracted from the excess
  Excess(const Window& w, const Window& q, double allowance)
      : of(w), over(q), offset(w.start - q.start - allowance) {}

  double operator()(double at) const {
    return std::sqrt((at - of.x) * (at - of.x) + of.y * of.y) -
           std::sqrt((at - over.x) * (at - over.x) + over.y * over.y) + offset;
  }
  /// Returns the place of the extremum; NaN or infinite if there is none.
  double extremum() const { return of.x + (of.x - over.x) * of.y / (over.y - of.y); }
  /// Returns a place between `positive` and `other`, where the excess is not positive, up to which it is
  /// positive.
  double lastPositive(double positive, double other) const {
    double atPositive = (*this)(positive), atOther = (*this)(other);
    for (int i = 0; i < 8 && atOther < 0; ++i) { // false position, with halving of the older end (Illinois)
      const double middle = (positive * atOther - other * atPositive) / (atOther - atPositive);
      const double there = (*this)(middle);
      if (there > 0)
        positive = middle, atPositive = there, atOther /= 2;
      else
        other = middle, atOther = there, atPositive /= 2;
    }
    return positive;
  }

private:
  const Window &of, &over;
  double offset;
};

/// Cuts off the ends of a window where another one is shorter. A part in the middle remains, so that a window
/// stays one interval; windows behind it are cut.
/// @param allowance  by how much the other one must be shorter, may be negative
/// @return  whether anything is left
inline bool cutBy(Window& w, const Window& q, double allowance, double length) {
  const double low = std::max(w.a, q.a), high = std::min(w.b, q.b);
  const bool fromLow = q.a <= w.a, toHigh = q.b >= w.b;
  if (!(low < high) || !(fromLow || toHigh)) return true;
  const Excess excess(w, q, allowance);
  const bool lowGoes = excess(low) > 0, highGoes = excess(high) > 0;
  if (!(lowGoes && fromLow) && !(highGoes && toHigh)) return true;
  double inner = lowGoes ? high : low; // a place that stays
  bool allGoes = false;
  if (lowGoes && highGoes) {
    inner = excess.extremum();
    allGoes = !(inner > low && inner < high) || excess(inner) > 0;
  }
  if (allGoes) {
    if (fromLow && toHigh) return false;
    (fromLow ? w.a : w.b) = fromLow ? high : low;
  } else {
    if (lowGoes && fromLow) w.a = excess.lastPositive(low, inner);
    if (highGoes && toHigh) w.b = excess.lastPositive(high, inner);
  }
  return w.b - w.a > narrow * length;
}

} // namespace isochrone::mesh
