// RoundFront.cxx - makes a contour of the travel time round next to a seed.
//
// All that is computed at a position depends on the position alone, so that adjacent pieces stay connected.
#include "Grid/Vector3.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace isochrone::image {

namespace {

using grid::difference;
using grid::dot;

/// Maximum distance between a chord and the front, in spacings.
constexpr double maxDistance = 0.01;
/// Each division halves the edges of a piece. Two spacings next to a seed then come below maxDistance.
constexpr int maxDivisions = 4;
/// Distance from a grid point or plane, in steps, up to which a position is on it. Contours are in single
/// precision.
constexpr double onPoint = 1e-4;

Position along(const Position& from, const Position& direction, double by) {
  return {from[0] + by * direction[0], from[1] + by * direction[1], from[2] + by * direction[2]};
}

double length(const Position& v) { return std::hypot(v[0], v[1], v[2]); }

double straightTime(const FactoringBall& ball, const Position& at) {
  return ball.startValue + ball.slowness * length(difference(at, ball.at));
}

/// The travel time in the balls: that of the straight line, and a remainder that is linear on each axis of a
/// cell.
class FactoredTime {
public:
  FactoredTime(const Grid& g, const std::function<double(std::int64_t)>& travelTime,
               std::span<const FactoringBall> all)
      : grid(g), sizes(g.sizes()), spacing(g.spacing()), time(travelTime) {
    for (const FactoringBall& ball : all)
      if (ball.radius > 0 && !std::isnan(ball.slowness)) {
        balls.push_back(ball);
        largest = std::max(largest, ball.radius);
      }
    sortBalls();
    for (int a = 0; a < 3; ++a)
      if (sizes[a] > 1) step = std::min(step, spacing[a]);
  }

  double smallestStep() const { return step; }
  bool hasBalls() const { return !balls.empty(); }

  /// Returns the ball that contains a position, of several the one whose front arrives first; null: none.
  const FactoringBall* ballAt(const Position& at) const {
    const FactoringBall* earliest = nullptr;
    auto ball = std::ranges::lower_bound(balls, at[widest] - largest, {},
                                         [axis = widest](const FactoringBall& b) { return b.at[axis]; });
    for (; ball != balls.end() && ball->at[widest] < at[widest] + largest; ++ball)
      if (length(difference(at, ball->at)) < withoutSurface * ball->radius &&
          (!earliest || straightTime(*ball, at) < straightTime(*earliest, at)))
        earliest = &*ball;
    return earliest;
  }

  /// Returns the nearest position in the grid.
  Position clamped(Position at) const {
    for (int a = 0; a < 3; ++a) at[a] = std::clamp(at[a], 0., double(sizes[a] - 1) * spacing[a]);
    return at;
  }

  /// Returns the time at a position, where a neighbour is unreached NaN or infinity.
  double at(const FactoringBall& ball, const Position& position) const {
    GridIndex low;
    Position share;
    for (int a = 0; a < 3; ++a) {
      const double steps = std::clamp(position[a] / spacing[a], 0., double(sizes[a] - 1));
      low[a] = std::clamp<std::int64_t>(std::int64_t(steps), 0, std::max<std::int64_t>(sizes[a] - 2, 0));
      share[a] = steps - double(low[a]);
    }
    double remainder = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      GridIndex index = low;
      Position place;
      for (int a = 0; a < 3; ++a) {
        const int high = corner >> a & 1;
        index[a] += high;
        weight *= high ? share[a] : 1 - share[a];
        place[a] = double(index[a]) * spacing[a];
      }
      if (weight > 0) remainder += weight * (time(grid.index(index)) - straightTime(ball, place));
    }
    return straightTime(ball, position) + remainder;
  }

  /// Returns the position on an edge of a cell where the time has a value, if `near` lies on one.
  std::optional<Position> onEdge(const FactoringBall& ball, const Position& near, double value) const {
    int axis = -1;
    Position low = near;
    for (int a = 0; a < 3; ++a) {
      const double steps = near[a] / spacing[a], nearest = std::round(steps);
      const bool between = std::abs(steps - nearest) > onPoint;
      if (between && axis >= 0) return {};
      if (between) axis = a;
      low[a] = (between ? std::floor(steps) : nearest) * spacing[a];
    }
    if (axis < 0) return {}; // at a grid point, whose value is exact
    Position high = low;
    high[axis] += spacing[axis];
    double before = at(ball, low) - value, after = at(ball, high) - value;
    for (int n = 0; n < 60 && before * after < 0; ++n) { // the Illinois variant of regula falsi
      Position next = low;
      next[axis] += before / (before - after) * (high[axis] - low[axis]);
      const double there = at(ball, next) - value;
      if (std::abs(there) <= rounding(ball)) return next;
      if (there * after < 0)
        low = high, before = after;
      else
        before /= 2;
      high = next, after = there;
    }
    return {};
  }

  /// Returns the position on the ray from the seed where the time has a value, near another position, but not
  /// outside the grid. At its border the ray lies in it.
  Position onRay(const FactoringBall& ball, const Position& near, double value) const {
    Position ray = difference(near, ball.at);
    double error = at(ball, near) - value;
    const double distance = length(ray), radius = distance - error / ball.slowness;
    for (int a = 0; a < 3; ++a) {
      const double steps = near[a] / spacing[a];
      if (std::min(std::abs(steps), std::abs(steps - double(sizes[a] - 1))) < onPoint) ray[a] = 0;
    }
    const double inBorder = length(ray);
    if (!(inBorder > 0)) return near;
    for (double& component : ray) component /= inBorder;
    // First to where the ray meets the sphere, then by the secant method.
    double before = 0,
           shift = std::sqrt(inBorder * inBorder - distance * distance + radius * radius) - inBorder;
    for (int n = 0; n < 30 && std::abs(shift) < step; ++n) {
      const double there = at(ball, along(near, ray, shift)) - value;
      if (std::abs(there) <= rounding(ball)) {
        const Position found = along(near, ray, shift), inside = clamped(found);
        return found == inside ? found : onRay(ball, inside, value);
      }
      const double next = shift - there * (shift - before) / (there - error);
      before = shift, error = there, shift = next;
    }
    return near;
  }

private:
  /// Sorts the balls along the axis of their widest spread, so that few lie near a place on it.
  void sortBalls() {
    double spread = -1;
    for (int a = 0; a < 3 && !balls.empty(); ++a) {
      const auto [low, high] =
          std::ranges::minmax_element(balls, {}, [a](const FactoringBall& b) { return b.at[a]; });
      if (high->at[a] - low->at[a] > spread) spread = high->at[a] - low->at[a], widest = a;
    }
    std::ranges::stable_sort(balls, {}, [axis = widest](const FactoringBall& b) { return b.at[axis]; });
  }

  double rounding(const FactoringBall& ball) const { return 1e-9 * ball.slowness * step; }

  const Grid grid;
  GridIndex sizes;
  Position spacing;
  double step = std::numeric_limits<double>::infinity();
  const std::function<double(std::int64_t)>& time;
  std::vector<FactoringBall> balls; ///< sorted along an axis
  int widest = 0;                   ///< this axis
  double largest = 0;               ///< radius
};

/// Divides the pieces of a front, and leaves the new points on them.
class Division {
public:
  Division(const FactoredTime& factoredTime, Front& divided) : time(factoredTime), front(divided) {}

  /// Halves the edges that are too far from the front. Returns whether there were any.
  bool run() {
    middles.clear();
    pieces.clear();
    for (const Front::Piece& piece : front.pieces)
      piece[2] < 0 ? divideLine(piece[0], piece[1]) : divideTriangle(piece);
    front.pieces.swap(pieces);
    return !middles.empty();
  }

private:
  const FactoredTime& time;
  Front& front;
  std::vector<Front::Piece> pieces;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> middles; ///< of the edges that are halved

  /// Returns the point that halves an edge, or -1.
  std::int64_t middleOf(std::int64_t a, std::int64_t b) {
    const Position from = front.points[std::size_t(a)], to = front.points[std::size_t(b)];
    const Position chord = difference(to, from), middle = along(from, chord, 0.5);
    const FactoringBall* const ball = time.ballAt(middle);
    if (!ball) return -1;
    const double radius = std::min(length(difference(from, ball->at)), length(difference(to, ball->at)));
    if (dot(chord, chord) <= 8 * radius * maxDistance * time.smallestStep()) return -1;
    const auto [known, isNew] = middles.try_emplace(std::minmax(a, b), std::int64_t(front.points.size()));
    if (isNew) {
      front.points.push_back(middle);
      front.values.push_back(front.values[std::size_t(a)]);
      front.between.push_back({a, b});
    }
    return known->second;
  }

  void divideLine(std::int64_t a, std::int64_t b) {
    const std::int64_t middle = middleOf(a, b);
    if (middle < 0) return pieces.push_back({a, b, -1});
    pieces.push_back({a, middle, -1});
    pieces.push_back({middle, b, -1});
  }

  void divideTriangle(Front::Piece p) {
    Front::Piece middle; ///< middle[n] lies between p[n] and p[n + 1]
    for (std::size_t n = 0; n < 3; ++n) middle[n] = middleOf(p[n], p[(n + 1) % 3]);
    const auto count = std::ranges::count_if(middle, [](std::int64_t m) { return m >= 0; });
    if (count == 0) return pieces.push_back(p);
    if (count == 3) {
      for (std::size_t n = 0; n < 3; ++n) pieces.push_back({p[n], middle[n], middle[(n + 2) % 3]});
      return pieces.push_back(middle);
    }
    // Turned so that the only halved edge, or the only one that is not, is the first.
    while ((middle[0] >= 0) != (count == 1) || (middle[1] >= 0) == (count == 1)) {
      std::rotate(p.begin(), p.begin() + 1, p.end());
      std::rotate(middle.begin(), middle.begin() + 1, middle.end());
    }
    if (count == 1) {
      pieces.push_back({p[0], middle[0], p[2]});
      pieces.push_back({middle[0], p[1], p[2]});
    } else {
      pieces.push_back({p[0], p[1], middle[1]});
      pieces.push_back({p[0], middle[1], middle[2]});
      pieces.push_back({middle[2], middle[1], p[2]});
    }
  }
};

} // namespace

void roundFront(const Grid& grid, const std::function<double(std::int64_t)>& travelTime,
                std::span<const FactoringBall> balls, Front& front) {
  const FactoredTime time(grid, travelTime, balls);
  if (!time.hasBalls()) return;
  const std::size_t before = front.points.size();
  for (std::size_t p = 0; p < before; ++p)
    if (const FactoringBall* ball = time.ballAt(front.points[p]))
      front.points[p] = time.onEdge(*ball, front.points[p], front.values[p]).value_or(front.points[p]);
  Division division(time, front);
  for (int n = 0; n < maxDivisions && division.run(); ++n) {
  }
  for (std::size_t p = before; p < front.points.size(); ++p)
    front.points[p] = time.onRay(*time.ballAt(front.points[p]), front.points[p], front.values[p]);
}

} // namespace isochrone::image
