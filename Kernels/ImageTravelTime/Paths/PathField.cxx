#include "ImageTravelTime/Paths/PathField.h"

#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/TensorUpwind.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

/// Minimum share of a corner. A position with a smaller share lies on the other corners.
constexpr double minShare = 1e-9;

/// Minimum fall of the travel time, as a share of the time that a segment takes. It ensures that every path
/// ends, and rejects segments along a ridge, into another front or through a slow point.
constexpr double minFall = 0.25;

/// Maximum number of path steps in half a grid step. Half the smallest spacing is the best step on rough
/// speeds, but where spacings differ greatly it would give any number of steps per cell.
constexpr double maxSteps = 8;

double smallestSpacing(const Grid& g) {
  double minimum = std::numeric_limits<double>::infinity();
  if (g.nx > 1) minimum = std::min(minimum, g.hx);
  if (g.ny > 1) minimum = std::min(minimum, g.hy);
  if (g.nz > 1) minimum = std::min(minimum, g.hz);
  return std::isinf(minimum) ? g.hx : minimum; // an image of one point
}

} // namespace

bool inCellOf(const GridCoordinates& point, const GridCoordinates& q) {
  const auto near = [&](int axis) { return std::abs(q[axis] - point[axis]) <= 0.5; };
  return near(0) && near(1) && near(2);
}

PathField::PathField(const Problem& p, std::span<const float> travelTime)
    : problem(p),
      u(travelTime), sizes{p.grid.nx, p.grid.ny, p.grid.nz}, spacing{p.grid.hx, p.grid.hy, p.grid.hz},
      length(smallestSpacing(p.grid) / 2) {
  for (int axis = 0; axis < 3; ++axis) share[axis] = 2 * length / spacing[axis];
  if (problem.orthogonal) sources.emplace(problem, u);
}

double PathField::inEqualSteps(const Position& way) const {
  return std::hypot(way[0] * share[0], way[1] * share[1], way[2] * share[2]);
}

double PathField::steps(const Position& way) const {
  return std::min(std::hypot(way[0], way[1], way[2]), maxSteps * inEqualSteps(way)) / length;
}

double PathField::stepsBetween(const GridCoordinates& a, const GridCoordinates& b) const {
  if (problem.orthogonal) return distance(a, b) / std::min(stepAt(a), stepAt(b));
  const Position from = position(a), to = position(b);
  return steps({from[0] - to[0], from[1] - to[1], from[2] - to[2]});
}

double PathField::stepAt(const GridCoordinates& q) const {
  const grid::OrthogonalGrid& g = *problem.orthogonal;
  GridIndex low;
  for (std::size_t a = 0; a < 3; ++a)
    low[a] =
        std::clamp<std::int64_t>(std::int64_t(std::floor(q[a])), 0, std::max<std::int64_t>(sizes[a] - 2, 0));
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int a = 0; a < 3; ++a) {
    if (sizes[std::size_t(a)] < 2) continue;
    const double step = g.stepAbove(low, a);
    largest = std::max(largest, step);
    if (step > 0) smallest = std::min(smallest, step);
  }
  return largest > 0 ? std::max(smallest / 2, largest / (2 * maxSteps)) : g.typicalStep();
}

std::optional<GridCoordinates> PathField::descendInSpace(const GridCoordinates& q,
                                                         const Corners& corners) const {
  const grid::OrthogonalGrid& g = *problem.orthogonal;
  grid::Vector3 mean{}, to = g.embedded(q);
  for (const Corner& c : corners) {
    const grid::Vector3 gradient = sources->gradient(c.point);
    for (std::size_t axis = 0; axis < 3; ++axis) mean[axis] += c.share * gradient[axis];
  }
  const double size = std::hypot(mean[0], mean[1], mean[2]), step = stepAt(q);
  if (!(size > 0)) return {};
  for (std::size_t axis = 0; axis < 3; ++axis) to[axis] -= step * mean[axis] / size;
  const GridCoordinates next = clamped(g.stepsOf(to));
  if (!isClear(problem, q, next)) return {};
  if (!falls(value(corners) - value(around(next)), q, next)) return {};
  return next;
}

Corner PathField::corner(const GridIndex& at) const {
  const std::int64_t point = problem.grid.index(at[0], at[1], at[2]);
  const double value = u.empty() ? 0 : u[point];
  return {at, point, 1, std::isfinite(value) ? value : std::numeric_limits<double>::infinity()};
}

Corners PathField::around(const GridCoordinates& q) const {
  Corners found;
  bool blocked = false;
  for (int c = 0; c < 8; ++c) {
    GridIndex at;
    double share = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double low = std::floor(q[axis]), beyond = q[axis] - low;
      at[axis] = std::int64_t(low) + (c >> axis & 1);
      share *= c >> axis & 1 ? beyond : 1 - beyond;
    }
    if (!(share > minShare)) continue;
    Corner& next = found.corner[found.count] = corner(at);
    next.share = share;
    if (isBarrier(problem, next.point))
      blocked = true;
    else
      ++found.count;
  }
  if (!blocked) return found; // only the cells of the corners lie between them
  const auto hidden = [&](const Corner& c) {
    const GridCoordinates to = gridCoordinates(c.at);
    return !inCellOf(to, q) && !isClear(problem, q, to);
  };
  found.count =
      int(std::remove_if(found.corner.begin(), found.corner.begin() + found.count, hidden) - found.begin());
  return found;
}

double PathField::value(const Corners& corners) {
  double sum = 0, shares = 0;
  for (const Corner& c : corners)
    if (std::isfinite(c.value)) sum += c.share * c.value, shares += c.share;
  return shares > 0 ? sum / shares : std::numeric_limits<double>::infinity();
}

RandersMetric PathField::metric(const Corners& corners) const {
  RandersMetric sum{};
  double shares = 0;
  for (const Corner& c : corners) {
    const auto [metric, oneForm] = randersAt(problem, c.point);
    for (int n = 0; n < 6; ++n) sum.metric[n] += c.share * metric[n];
    for (int a = 0; a < 3; ++a) sum.oneForm[a] += c.share * oneForm[a];
    shares += c.share;
  }
  for (double& n : sum.metric) n /= shares;
  for (double& a : sum.oneForm) a /= shares;
  return sum;
}

grid::Symmetric3 PathField::tangentMetric(const Corners& corners, const Position& gradient) const {
  grid::Symmetric3 sum{};
  for (const Corner& c : corners) {
    const grid::Symmetric3 metric = image::tangentMetric(problem, c.point, gradient);
    for (int n = 0; n < 6; ++n) sum[n] += c.share * metric[n];
  }
  return sum;
}

Position PathField::flow(const Corners& corners) const {
  // Averages the gradients, not M grad u: beside a fast region the slow points, which have the steepest
  // gradients, give the direction out of the slow region.
  Position mean{};
  for (const Corner& c : corners) {
    const std::array<double, 3> gradient = hasTensors(problem) ? centralTensorGradient(problem, u, c.point)
                                                               : upwindGradient(problem, u, c.point);
    for (int axis = 0; axis < 3; ++axis) mean[axis] += c.share * gradient[axis];
  }
  if (isTilted(problem)) return grid::times(grid::inverse(tangentMetric(corners, mean)), mean);
  return hasTensors(problem) ? grid::times(grid::inverse(metric(corners).metric), mean) : mean;
}

std::optional<GridCoordinates> PathField::descend(const GridCoordinates& q, const Corners& corners) const {
  if (problem.orthogonal) return descendInSpace(q, corners);
  const Position down = flow(corners);
  const double speed = std::hypot(down[0], down[1], down[2]);
  if (!(speed > 0)) return {};
  const double step = length * std::max(1., speed / inEqualSteps(down) / maxSteps);
  GridCoordinates next;
  for (int axis = 0; axis < 3; ++axis) next[axis] = q[axis] - step * down[axis] / (speed * spacing[axis]);
  next = clamped(next);
  if (!isClear(problem, q, next)) return {};
  if (!falls(value(corners) - value(around(next)), q, next)) return {};
  return next;
}

bool PathField::falls(double by, const GridCoordinates& a, const GridCoordinates& b) const {
  return by > minFall * timeBetween(a, b);
}

Corners PathField::neighbours(const Corner& from) const {
  Corners found;
  if (problem.orthogonal) {
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {-1, 1})
        if (const auto next = problem.orthogonal->neighbour(from.at, axis, side))
          found.corner[found.count++] = corner(*next);
    return found;
  }
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      GridIndex at = from.at;
      at[axis] += side;
      if (at[axis] >= 0 && at[axis] < sizes[axis]) found.corner[found.count++] = corner(at);
    }
  if (!hasTensors(problem) || isBarrier(problem, from.point)) return found;
  for (const TensorNeighbour& n : tensorNeighbours(problem, u, from.point)) {
    const GridIndex at{from.at[0] + n.step[0], from.at[1] + n.step[1], from.at[2] + n.step[2]};
    found.corner[found.count++] = corner(at);
  }
  return found;
}

std::optional<Corner> PathField::steepest(const Corner& from) const {
  std::optional<Corner> best;
  double largest = 0;
  for (const Corner& next : neighbours(from)) {
    const GridCoordinates a = gridCoordinates(from.at), b = gridCoordinates(next.at);
    const double slope =
        (from.value - next.value) / (hasTensors(problem) ? timeBetween(a, b) : distance(a, b));
    if (slope > largest) largest = slope, best = next;
  }
  return best;
}

std::int64_t PathField::pieces(const Position& offset) const {
  constexpr double rounding = 1e-9;
  return std::max<std::int64_t>(1, std::int64_t(std::ceil(steps(offset) * (1 - rounding))));
}

std::int64_t PathField::piecesBetween(const GridCoordinates& a, const GridCoordinates& b) const {
  if (!problem.orthogonal) {
    const Position from = position(a), to = position(b);
    return pieces({to[0] - from[0], to[1] - from[1], to[2] - from[2]});
  }
  constexpr double rounding = 1e-9;
  return std::max<std::int64_t>(1, std::int64_t(std::ceil(stepsBetween(a, b) * (1 - rounding))));
}

GridCoordinates PathField::between(const GridCoordinates& a, const GridCoordinates& b, double share) const {
  const auto mixed = [share](const auto& from, const auto& to) {
    return GridCoordinates{from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
                           from[2] + share * (to[2] - from[2])};
  };
  if (!problem.orthogonal) return mixed(a, b);
  const grid::OrthogonalGrid& g = *problem.orthogonal;
  return g.stepsOf(mixed(g.embedded(a), g.embedded(b)));
}

double PathField::distance(const GridCoordinates& a, const GridCoordinates& b) const {
  if (problem.orthogonal) return problem.orthogonal->distance(a, b);
  return std::hypot((a[0] - b[0]) * spacing[0], (a[1] - b[1]) * spacing[1], (a[2] - b[2]) * spacing[2]);
}

double PathField::pace(const GridCoordinates& q, const Position& direction) const {
  const Corners corners = around(clamped(q));
  if (hasTensors(problem) && !isTilted(problem)) return metric(corners).time(direction);
  double sum = 0, shares = 0;
  for (const Corner& c : corners) {
    sum +=
        c.share * (isTilted(problem) ? timeAlong(problem, c.point, direction) : slownessAt(problem, c.point));
    shares += c.share;
  }
  return sum / shares;
}

double PathField::timeBetween(const GridCoordinates& a, const GridCoordinates& b) const {
  const double way = distance(a, b);
  if (problem.orthogonal) {
    const std::int64_t number = piecesBetween(a, b);
    double sum = 0;
    for (std::int64_t n = 0; n < number; ++n)
      sum += pace(between(a, b, (double(n) + 0.5) / double(number)), {});
    return sum / double(number) * way;
  }
  Position along, direction{};
  for (int axis = 0; axis < 3; ++axis) along[axis] = (a[axis] - b[axis]) * spacing[axis];
  const std::int64_t number = pieces(along);
  for (int axis = 0; axis < 3 && way > 0; ++axis) direction[axis] = (a[axis] - b[axis]) * spacing[axis] / way;
  double sum = 0;
  for (std::int64_t n = 0; n < number; ++n) {
    const double share = (double(n) + 0.5) / double(number);
    const auto middle = [&](int axis) { return a[axis] + share * (b[axis] - a[axis]); };
    sum += pace({middle(0), middle(1), middle(2)}, direction);
  }
  return sum / double(number) * way;
}

GridCoordinates PathField::coordinates(const Position& at) const {
  return {at[0] / spacing[0], at[1] / spacing[1], at[2] / spacing[2]};
}

Position PathField::position(const GridCoordinates& q) const {
  return {q[0] * spacing[0], q[1] * spacing[1], q[2] * spacing[2]};
}

Position PathField::inImage(Position at) const {
  if (sizes[2] == 1) at[2] = 0;
  return at;
}

GridCoordinates PathField::clamped(GridCoordinates q) const {
  if (problem.orthogonal && problem.orthogonal->hasCopy()) { // any turn
    const auto phi = std::size_t(problem.orthogonal->axisOf(grid::AxisRole::Longitude));
    const auto round = double(sizes[phi] - 1);
    q[phi] -= round * std::floor(q[phi] / round);
  }
  for (int axis = 0; axis < 3; ++axis) q[axis] = std::clamp(q[axis], 0., double(sizes[axis] - 1));
  return q;
}

} // namespace isochrone::image
