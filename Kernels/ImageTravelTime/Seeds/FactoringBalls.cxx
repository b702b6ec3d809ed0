#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

double distance(const Position& a, const Position& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Maximum ratio of speeds between the seed and a point of its ball.
constexpr double littleVariation = 2;

/// Maximum change of the time per time along a straight line by the drift, between the seed and such a point.
constexpr double maxFormChange = 0.5;

/// Returns whether a point is not a barrier and has a speed close to the speed at the seed.
bool isEven(const Problem& p, const SeedBall& ball, std::int64_t point) {
  if (isBarrier(p, point)) return false;
  if (!hasTensors(p)) {
    const double ratio = slownessAt(p, point) / ball.slowness;
    return ratio * littleVariation >= 1 && ratio <= littleVariation;
  }
  // Metrics are squares of slownesses.
  constexpr double square = littleVariation * littleVariation;
  const grid::Symmetric3 here = metricAt(p, point), &atSeed = ball.metric;
  grid::Symmetric3 notFaster, notSlower;
  for (int c = 0; c < 6; ++c)
    notFaster[c] = square * here[c] - atSeed[c], notSlower[c] = square * atSeed[c] - here[c];
  if (!grid::isPositiveDefinite(notFaster) || !grid::isPositiveDefinite(notSlower)) return false;
  if (isTilted(p)) {
    const double ratio = thomsenAt(p, point).curve.coupling / ball.medium.curve.coupling;
    return ratio * square >= 1 && ratio <= square;
  }
  if (!hasDrift(p)) return true;
  // The one-form changes the time along a vector of unit time by at most its length in the inverse metric.
  const grid::Vector3 change = grid::difference(oneFormAt(p, point), ball.oneForm);
  return grid::square(grid::inverse(atSeed), change) <= maxFormChange * maxFormChange;
}

/// Returns the radius, at most `maximum`, within which all own points are even (isEven). Searches boxes of
/// growing size until the nearest uneven point lies inside the box.
double evenRadius(const Problem& p, const SeedBall& ball, double maximum, execution::RoundPool& pool) {
  const Grid& g = p.grid;
  const Position h = g.spacing();
  const grid::Box own = grid::ownPoints(g, p.part);
  for (double size = 4 * std::min({g.hx, g.hy, g.hz});; size *= 2) {
    std::int64_t low[3], high[3];
    bool whole = true;
    for (int a = 0; a < 3; ++a) {
      const auto first = double(own.low[a]), last = double(own.high[a] - 1);
      low[a] = std::int64_t(std::ceil(std::max(first, (ball.at[a] - size) / h[a])));
      high[a] = std::int64_t(std::floor(std::min(last, (ball.at[a] + size) / h[a])));
      whole &= low[a] == own.low[a] && high[a] == own.high[a] - 1;
    }
    const std::int64_t rows =
        std::max<std::int64_t>(high[1] - low[1] + 1, 0) * std::max<std::int64_t>(high[2] - low[2] + 1, 0);
    const auto nearestIn = [&](std::int64_t begin, std::int64_t end, int) {
      double minimum = maximum;
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t j = low[1] + row % (high[1] - low[1] + 1),
                           k = low[2] + row / (high[1] - low[1] + 1);
        for (std::int64_t i = low[0]; i <= high[0]; ++i)
          if (!isEven(p, ball, g.index(i, j, k)))
            minimum =
                std::min(minimum, distance({double(i) * h[0], double(j) * h[1], double(k) * h[2]}, ball.at));
      }
      return minimum;
    };
    const double nearest = rows > 1000
                               ? pool.reduce(rows, maximum, nearestIn,
                                             [](double& all, double part) { all = std::min(all, part); })
                               : nearestIn(0, rows, 0);
    if (whole || nearest <= size) return nearest;
  }
}

/// Limits the radii so that balls lie `apart` from each other. The balls are sorted along the axis of their
/// widest spread, so that each has few candidates.
void keepApart(std::vector<SeedBall>& balls, double apart) {
  int axis = 0;
  double widest = -1;
  for (int a = 0; a < 3; ++a) {
    const auto [low, high] =
        std::ranges::minmax_element(balls, {}, [a](const SeedBall& b) { return b.at[a]; });
    if (high->at[a] - low->at[a] > widest) widest = high->at[a] - low->at[a], axis = a;
  }
  std::vector<SeedBall*> sorted;
  sorted.reserve(balls.size());
  for (SeedBall& ball : balls) sorted.push_back(&ball);
  std::ranges::sort(sorted, {}, [axis](const SeedBall* b) { return b->at[axis]; });
  const int count = int(sorted.size());
  for (int b = 0; b < count; ++b)
    for (const int side : {-1, 1})
      for (int c = b + side; c >= 0 && c < count; c += side) {
        SeedBall& ball = *sorted[b];
        if ((std::abs(sorted[c]->at[axis] - ball.at[axis]) - apart) / 2 > ball.radius) break;
        ball.radius = std::max(0., std::min(ball.radius, (distance(ball.at, sorted[c]->at) - apart) / 2));
        if (ball.radius == 0) break;
      }
}

/// Returns the ball of a seed, without its final radius. Midway between points the seed takes the mean of
/// their values, so that no side is preferred. The slowness is infinite for the seed of another part.
SeedBall ballOf(const Problem& p, int seed, const Placement& placement) {
  const Grid& g = p.grid;
  const GridIndex n = p.part.isDivided() ? p.part.whole : g.sizes();
  const double diagonal = std::hypot(double(n[0]) * g.hx, double(n[1]) * g.hy, double(n[2]) * g.hz);
  SeedBall ball{seedPosition(g, p.seeds[seed].at), p.seeds[seed].startValue, 0, diagonal, {}, {}, {}, seed};
  if (placement.point < 0) {
    ball.slowness = std::numeric_limits<double>::infinity();
    return ball;
  }
  if (isTilted(p)) {
    ball.medium = thomsenAt(p, placement.point);
    ball.metric = ellipticMetric(ball.medium);
    return ball;
  }
  const std::vector<std::int64_t> nearest = nearestPoints(p, p.seeds[seed].at);
  const double share = 1 / double(nearest.size());
  for (const std::int64_t point : nearest) {
    if (!hasTensors(p)) {
      ball.slowness += share * slownessAt(p, point);
      continue;
    }
    const auto [metric, oneForm] = randersAt(p, point);
    for (int c = 0; c < 6; ++c) ball.metric[c] += share * metric[c];
    for (int a = 0; a < 3; ++a) ball.oneForm[a] += share * oneForm[a];
  }
  return ball;
}

/// Replaces a number of each ball by its minimum over the parts of the image.
void allMin(const Problem& p, std::vector<SeedBall>& balls, double SeedBall::*number) {
  std::vector<double> values;
  for (const SeedBall& ball : balls) values.push_back(ball.*number);
  p.part.allMin(values);
  for (std::size_t b = 0; b < balls.size(); ++b) balls[b].*number = values[b];
}

} // namespace

std::vector<SeedBall> seedBalls(const SolverInput& input, double apart) {
  const Problem& p = input.problem;
  std::vector<SeedBall> balls;
  for (std::size_t s = 0; s < p.seeds.size(); ++s)
    if (input.placements[s].status == Placement::Status::Inside)
      balls.push_back(ballOf(p, int(s), input.placements[s]));
  if (balls.empty()) return balls;
  allMin(p, balls, &SeedBall::slowness);
  keepApart(balls, apart);
  for (const grid::PartLink& link : p.part.links) // the copies of the seeds of a periodic image
    if (p.part.periodic)
      for (SeedBall& ball : balls) {
        const double separation =
            std::hypot(double(link.shift[0]) * p.grid.hx, double(link.shift[1]) * p.grid.hy,
                       double(link.shift[2]) * p.grid.hz);
        ball.radius = std::max(0., std::min(ball.radius, (separation - apart) / 2));
      }
  for (SeedBall& ball : balls)
    if (ball.radius > 0) ball.radius = evenRadius(p, ball, ball.radius, input.pool);
  allMin(p, balls, &SeedBall::radius);
  if (p.distinctSeeds > 0) { // each copy of a seed knows the points around itself
    std::vector<double> radius(std::size_t(p.distinctSeeds), std::numeric_limits<double>::infinity());
    const auto of = [&](const SeedBall& ball) -> double& {
      return radius[std::size_t(ball.seed % p.distinctSeeds)];
    };
    for (const SeedBall& ball : balls) of(ball) = std::min(of(ball), ball.radius);
    for (SeedBall& ball : balls) ball.radius = of(ball);
  }
  return balls;
}

std::vector<FactoringBall> factoringBalls(const Problem& given, const Result& result) {
  const Problem p = withoutZeroDrift(given);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const bool straight = !hasTensors(p) && !p.orthogonal && !isPeriodic(p);
  std::vector<SeedBall> found;
  std::vector<FactoringBall> balls;
  for (std::size_t s = 0; s < p.seeds.size(); ++s) {
    balls.push_back({p.seeds[s].at, p.seeds[s].startValue, none, 0});
    if (!p.seeds[s].isRegion && result.seeds[s].status == Placement::Status::Inside)
      found.push_back(straight ? ballOf(p, int(s), result.seeds[s])
                               : SeedBall{{}, 0, none, 0, {}, {}, {}, std::int32_t(s)});
  }
  if (straight) allMin(p, found, &SeedBall::slowness);
  for (std::size_t b = 0; b < found.size(); ++b) {
    FactoringBall& ball = balls[std::size_t(found[b].seed)];
    ball.slowness = found[b].slowness;
    if (b < result.ballRadius.size()) ball.radius = result.ballRadius[b];
    if (straight) ball.at = found[b].at;
  }
  return balls;
}

bool isRough(const Problem& p, execution::RoundPool& pool) {
  struct Steps {
    std::int64_t count = 0, sum = 0; ///< of relative differences, in units of 2^-30: the same in any order
  };
  const auto stepsIn = [&](std::int64_t begin, std::int64_t end, int) {
    Steps steps;
    for (std::int64_t n = begin; n < end; ++n) {
      if (n % p.grid.nx == 0 || isBarrier(p, n) || isBarrier(p, n - 1)) continue;
      const double a = p.speed[n - 1], b = p.speed[n];
      steps.sum += std::int64_t(0x1p30 * std::abs(a - b) / std::max(a, b)), ++steps.count;
    }
    return steps;
  };
  const Steps all = pool.reduce(std::int64_t(p.speed.size()), Steps(), stepsIn,
                                [](Steps& sum, Steps part) { sum.count += part.count, sum.sum += part.sum; });
  return double(all.sum) > 0x1p30 * 0.1 * double(all.count);
}

std::vector<double> radiiOf(const std::vector<SeedBall>& balls) {
  std::vector<double> radii;
  for (const SeedBall& ball : balls) radii.push_back(ball.radius);
  return radii;
}

const SeedBall* earliestBall(const std::vector<SeedBall>& balls, const Position& at, double reach) {
  const SeedBall* earliest = nullptr;
  double minimum = std::numeric_limits<double>::infinity();
  for (const SeedBall& ball : balls) {
    const double separation = distance(ball.at, at);
    if (separation - reach > ball.radius) continue;
    const double arrival = ball.startValue + separation * ball.slowness;
    if (arrival < minimum) minimum = arrival, earliest = &ball;
  }
  return earliest;
}

SeedsOfTiles::SeedsOfTiles(const SolverInput& input, const SolverUnits& units, const Tiling& tiling) {
  if (input.options.factoring == SourceFactoring::Off || input.problem.orthogonal) return;
  const bool additive = input.options.factoring == SourceFactoring::Additive;
  kind = additive ? TileFactoring::Additive : TileFactoring::Multiplicative;
  const std::array<int, 3>&tiles = tiling.number, &shape = tiling.shape;
  const Position h = input.problem.grid.spacing();
  Position size; // of a tile, from its first node to its last
  for (int a = 0; a < 3; ++a) size[a] = (shape[a] - 1) * h[a];
  // The distance ensures that no tile meets two balls.
  std::vector<SeedBall> balls = seedBalls(input, std::hypot(size[0], size[1], size[2]));
  if (additive) radii = radiiOf(balls), std::erase_if(balls, isEmpty);
  constexpr SeedOfTile none{{1, 1, 1}, 0, 0, 0}; // off the seed, so that no division is by zero
  ofTile.assign(std::size_t(tiling.count()), none);
  input.pool.forEach(tiling.count(), [&](std::int64_t tile) {
    const std::int64_t at[3] = {tile % tiles[0], tile / tiles[0] % tiles[1], tile / (tiles[0] * tiles[1])};
    GridIndex node; // the first of the tile
    Position first, middle;
    for (int a = 0; a < 3; ++a) {
      node[a] = tiling.first[a] + at[a] * shape[a];
      first[a] = double(node[a]) * h[a], middle[a] = first[a] + size[a] / 2;
    }
    const double reach = additive ? distance(first, middle) : std::numeric_limits<double>::infinity();
    const SeedBall* from = earliestBall(balls, middle, reach);
    if (!from) return;
    SeedOfTile& seed = ofTile[tile];
    for (int a = 0; a < 3; ++a) seed.away[a] = float(double(node[a]) - from->at[a] / h[a]);
    seed.slowness = float(from->slowness * units.length / units.time);
    seed.startValue = float((from->startValue - input.earliest) / units.time);
    seed.radius = float(withoutSurface * from->radius / units.length);
  });
}

} // namespace isochrone::image
