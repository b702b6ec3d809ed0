#include "ImageTravelTime/Seeds/OrthogonalBalls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::image {

namespace {

/// Maximum ratio of speeds between the seed and a point of its ball.
constexpr double littleVariation = 2;

double length(const grid::Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

bool isEven(const Problem& p, double slowness, std::int64_t point) {
  if (isBarrier(p, point)) return false;
  const double ratio = slownessAt(p, point) / slowness;
  return ratio * littleVariation >= 1 && ratio <= littleVariation;
}

/// Returns the indices of an axis outside of which all points are farther from a place than `distance`.
std::vector<std::int64_t> indicesWithin(const grid::OrthogonalGrid& g, int axis, const OrthogonalBall& ball,
                                        double distance) {
  using enum grid::AxisRole;
  const auto value = [&](grid::AxisRole role) {
    const int of = g.axisOf(role);
    return g.coordinate(of, ball.at[std::size_t(of)]);
  };
  const double centre = g.coordinate(axis, ball.at[std::size_t(axis)]);
  // The largest difference of the coordinate within the distance.
  double reach = distance;
  if (g.roleOf(axis) == Colatitude || g.roleOf(axis) == Longitude) {
    const double radius = value(Radius) * (g.roleOf(axis) == Longitude ? std::sin(value(Colatitude)) : 1);
    reach = distance < radius ? std::asin(distance / radius) : std::numeric_limits<double>::infinity();
  }
  std::vector<std::int64_t> indices;
  for (std::int64_t n = 0; n < g.size(axis); ++n) {
    double apart = std::abs(g.coordinate(axis, double(n)) - centre);
    if (g.roleOf(axis) == Longitude) {
      apart = std::fmod(apart, 2 * std::numbers::pi);
      apart = std::min(apart, 2 * std::numbers::pi - apart);
    }
    if (apart <= reach) indices.push_back(n);
  }
  return indices;
}

/// Returns the radius, at most that of the ball, within which all points are even. Searches boxes of growing
/// size until the nearest uneven point lies inside the box.
double evenRadius(const Problem& p, const OrthogonalBall& ball, execution::RoundPool& pool) {
  const grid::OrthogonalGrid& g = *p.orthogonal;
  for (double size = 4 * g.typicalStep();; size *= 2) {
    const std::array<std::vector<std::int64_t>, 3> within{
        indicesWithin(g, 0, ball, size), indicesWithin(g, 1, ball, size), indicesWithin(g, 2, ball, size)};
    bool whole = true;
    for (int a = 0; a < 3; ++a) whole &= std::int64_t(within[std::size_t(a)].size()) == g.size(a);
    const auto rows = std::int64_t(within[1].size() * within[2].size());
    const auto nearestIn = [&](std::int64_t begin, std::int64_t end, int) {
      double minimum = ball.radius;
      for (std::int64_t row = begin; row < end; ++row) {
        const auto of = std::int64_t(within[1].size());
        const std::int64_t j = within[1][std::size_t(row % of)], k = within[2][std::size_t(row / of)];
        for (const std::int64_t i : within[0])
          if (!isEven(p, ball.slowness, p.grid.index(i, j, k)))
            minimum = std::min(minimum, g.distance({double(i), double(j), double(k)}, ball.at));
      }
      return minimum;
    };
    const double nearest = pool.reduce(rows, ball.radius, nearestIn,
                                       [](double& all, double part) { all = std::min(all, part); });
    if (whole || nearest <= size || size >= ball.radius) return nearest;
  }
}

/// Returns the length of a line that no straight line within the grid exceeds.
double diameterOf(const grid::OrthogonalGrid& g) {
  using enum grid::AxisRole;
  if (g.isSpherical()) {
    const int axis = g.axisOf(Radius);
    return 2 * g.coordinate(axis, double(g.size(axis) - 1));
  }
  return g.distance({0, 0, 0}, {double(g.size(0) - 1), double(g.size(1) - 1), double(g.size(2) - 1)});
}

} // namespace

std::vector<OrthogonalBall> orthogonalBalls(const SolverInput& input) {
  const Problem& p = input.problem;
  const grid::OrthogonalGrid& g = *p.orthogonal;
  std::vector<OrthogonalBall> balls;
  for (std::size_t s = 0; s < p.seeds.size(); ++s) {
    if (input.placements[s].status != Placement::Status::Inside) continue;
    OrthogonalBall& ball = balls.emplace_back();
    ball.at = seedPosition(p.grid, p.seeds[s].at), ball.place = g.embedded(ball.at);
    ball.startValue = p.seeds[s].startValue, ball.slowness = 0;
    ball.radius = 2 * diameterOf(g);
    const std::vector<std::int64_t> nearest = nearestPoints(p, p.seeds[s].at);
    for (const std::int64_t point : nearest) ball.slowness += slownessAt(p, point) / double(nearest.size());
  }
  for (OrthogonalBall& ball : balls)
    for (const OrthogonalBall& other : balls)
      if (&other != &ball)
        ball.radius = std::min(ball.radius, length(grid::difference(ball.place, other.place)) / 2);
  for (OrthogonalBall& ball : balls)
    if (ball.radius > 0) ball.radius = evenRadius(p, ball, input.pool);
  return balls;
}

const OrthogonalBall* earliestBall(std::span<const OrthogonalBall> balls, const grid::Vector3& place,
                                   double reach) {
  const OrthogonalBall* earliest = nullptr;
  double minimum = std::numeric_limits<double>::infinity();
  for (const OrthogonalBall& ball : balls) {
    const double separation = length(grid::difference(ball.place, place));
    if (ball.radius == 0 || separation - reach > ball.radius) continue;
    const double arrival = ball.startValue + separation * ball.slowness;
    if (arrival < minimum) minimum = arrival, earliest = &ball;
  }
  return earliest;
}

} // namespace isochrone::image
