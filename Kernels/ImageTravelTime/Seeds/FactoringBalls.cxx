#include "ImageTravelTime/Seeds/FactoringBalls.h"

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

double diagonal(const Grid& g) {
  return std::hypot(double(g.nx) * g.hx, double(g.ny) * g.hy, double(g.nz) * g.hz);
}

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
  return grid::isPositiveDefinite(notFaster) && grid::isPositiveDefinite(notSlower);
}

/// Returns the radius, at most `maximum`, within which all points are even (isEven). Searches boxes of
/// growing size until the nearest uneven point lies inside the box.
double evenRadius(const Problem& p, const SeedBall& ball, double maximum, int threads) {
  const Grid& g = p.grid;
  const Position h = g.spacing();
  const GridIndex n = g.sizes();
  double nearest = maximum;
  for (double size = 4 * std::min({g.hx, g.hy, g.hz});; size *= 2) {
    std::int64_t low[3], high[3];
    bool whole = true;
    for (int a = 0; a < 3; ++a) {
      low[a] = std::int64_t(std::ceil(std::max(0., (ball.at[a] - size) / h[a])));
      high[a] = std::int64_t(std::floor(std::min(double(n[a] - 1), (ball.at[a] + size) / h[a])));
      whole &= low[a] == 0 && high[a] == n[a] - 1;
    }
    const std::int64_t rows = (high[1] - low[1] + 1) * (high[2] - low[2] + 1);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : nearest) if (rows > 1000)
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t j = low[1] + row % (high[1] - low[1] + 1), k = low[2] + row / (high[1] - low[1] + 1);
      for (std::int64_t i = low[0]; i <= high[0]; ++i)
        if (!isEven(p, ball, g.index(i, j, k)))
          nearest =
              std::min(nearest, distance({double(i) * h[0], double(j) * h[1], double(k) * h[2]}, ball.at));
    }
    if (whole || nearest <= size) return nearest;
  }
}

/// Limits the radii so that balls lie `apart` from each other. The balls are sorted along the axis of their
/// widest spread, so that each has few candidates.
void keepApart(std::vector<SeedBall>& balls, double apart) {
  int axis = 0;
  double widest = -1;
  for (int a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax_element(
        balls.begin(), balls.end(), [a](const SeedBall& b, const SeedBall& c) { return b.at[a] < c.at[a]; });
    if (high->at[a] - low->at[a] > widest) widest = high->at[a] - low->at[a], axis = a;
  }
  std::vector<SeedBall*> sorted;
  sorted.reserve(balls.size());
  for (SeedBall& ball : balls) sorted.push_back(&ball);
  std::sort(sorted.begin(), sorted.end(),
            [axis](const SeedBall* b, const SeedBall* c) { return b->at[axis] < c->at[axis]; });
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
/// their values, so that no side is preferred.
SeedBall ballOf(const Problem& p, int seed) {
  SeedBall ball{
      seedPosition(p.grid, p.seeds[seed].at), p.seeds[seed].startValue, 0, diagonal(p.grid), {}, seed};
  const std::vector<std::int64_t> nearest = nearestPoints(p, p.seeds[seed].at);
  const double share = 1 / double(nearest.size());
  for (const std::int64_t point : nearest) {
    if (!hasTensors(p)) {
      ball.slowness += share * slownessAt(p, point);
      continue;
    }
    const grid::Symmetric3 metric = metricAt(p, point);
    for (int c = 0; c < 6; ++c) ball.metric[c] += share * metric[c];
  }
  return ball;
}

} // namespace

std::vector<SeedBall> seedBalls(const SolverInput& input, double apart) {
  const Problem& p = input.problem;
  std::vector<SeedBall> balls;
  for (std::size_t s = 0; s < p.seeds.size(); ++s)
    if (input.placements[s].status == Placement::Status::Inside) balls.push_back(ballOf(p, int(s)));
  if (balls.empty()) return balls;
  keepApart(balls, apart);
  for (SeedBall& ball : balls)
    if (ball.radius > 0) ball.radius = evenRadius(p, ball, ball.radius, input.threads);
  return balls;
}

bool isRough(const Problem& p, int threads) {
  double sum = 0;
  std::int64_t count = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum, count)
  for (std::int64_t n = 1; n < std::int64_t(p.speed.size()); ++n) {
    if (n % p.grid.nx == 0 || isBarrier(p, n) || isBarrier(p, n - 1)) continue;
    const double a = p.speed[n - 1], b = p.speed[n];
    sum += std::abs(a - b) / std::max(a, b), ++count;
  }
  return count && sum > 0.1 * double(count);
}

SeedsOfTiles::SeedsOfTiles(const SolverInput& input, const SolverUnits& solverUnits,
                           const std::array<int, 3>& shape)
    : units(solverUnits), factoring(input.options.factoring), earliest(input.earliest) {
  if (factoring == SourceFactoring::Off) return;
  const Grid& g = input.problem.grid;
  const GridIndex n = g.sizes();
  const Position h = g.spacing();
  for (int a = 0; a < 3; ++a) {
    tiles[a] = int((n[a] + shape[a] - 1) / shape[a]);
    nodes[a] = shape[a], steps[a] = h[a];
    tileSteps[a] = shape[a] * h[a], tileSize[a] = (shape[a] - 1) * h[a];
  }
  // The distance ensures that no tile meets two balls.
  balls = seedBalls(input, std::hypot(tileSize[0], tileSize[1], tileSize[2]));
  std::vector<int> candidates;
  for (std::size_t b = 0; b < balls.size(); ++b)
    if (factoring == SourceFactoring::Multiplicative || balls[b].radius > 0) candidates.push_back(int(b));
  ball.resize(std::size_t(tiles[0]) * tiles[1] * tiles[2]);
#pragma omp parallel for schedule(static) num_threads(input.threads)
  for (int tile = 0; tile < int(ball.size()); ++tile) ball[tile] = chooseBall(tile, candidates);
}

TileFactoring SeedsOfTiles::kind() const {
  if (factoring == SourceFactoring::Additive) return TileFactoring::Additive;
  return factoring == SourceFactoring::Multiplicative ? TileFactoring::Multiplicative : TileFactoring::Off;
}

std::vector<double> SeedsOfTiles::radii() const {
  std::vector<double> radii;
  if (factoring == SourceFactoring::Additive)
    for (const SeedBall& each : balls) radii.push_back(each.radius);
  return radii;
}

Position SeedsOfTiles::firstNode(int tile) const {
  const int at[3] = {tile % tiles[0], tile / tiles[0] % tiles[1], tile / (tiles[0] * tiles[1])};
  return {at[0] * tileSteps[0], at[1] * tileSteps[1], at[2] * tileSteps[2]};
}

/// Returns the seed whose front would arrive first at uniform speed, or -1. With additive factoring, only
/// seeds whose ball meets the tile are candidates.
int SeedsOfTiles::chooseBall(int tile, const std::vector<int>& candidates) const {
  const Position first = firstNode(tile);
  const Position middle{first[0] + tileSize[0] / 2, first[1] + tileSize[1] / 2, first[2] + tileSize[2] / 2};
  const double reach = distance(first, middle);
  int chosen = -1;
  double minimum = std::numeric_limits<double>::infinity();
  for (const int b : candidates) {
    const double separation = distance(balls[b].at, middle);
    if (factoring == SourceFactoring::Additive && separation - reach > balls[b].radius) continue;
    const double arrival = balls[b].startValue + separation * balls[b].slowness;
    if (arrival < minimum) minimum = arrival, chosen = b;
  }
  return chosen;
}

SeedOfTile SeedsOfTiles::of(int tile) const {
  if (!has(tile)) return {{1, 1, 1}, 0, 0, 0}; // off the seed, so that no division is by zero
  const SeedBall& from = balls[ball[tile]];
  const int at[3] = {tile % tiles[0], tile / tiles[0] % tiles[1], tile / (tiles[0] * tiles[1])};
  SeedOfTile seed;
  for (int a = 0; a < 3; ++a) seed.away[a] = float(double(at[a]) * nodes[a] - from.at[a] / steps[a]);
  seed.slowness = float(from.slowness * units.length / units.time);
  seed.startValue = float((from.startValue - earliest) / units.time);
  seed.radius = float(withoutSurface * from.radius / units.length);
  return seed;
}

} // namespace isochrone::image
