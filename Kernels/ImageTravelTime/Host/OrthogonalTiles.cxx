#include "ImageTravelTime/Host/OrthogonalTiles.h"

#include "Bytes.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::image {

namespace {

/// 1 - cos a, without a difference.
double versine(double a) { return 2 * std::sin(a / 2) * std::sin(a / 2); }

/// a - sin a, without a difference where a is small.
double lackOfSine(double a) {
  if (std::abs(a) > 0.1) return a - std::sin(a);
  const double square = a * a;
  return a * square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)));
}

enum Role { radius, colatitude, longitude };

/// Step of an axis with one index: so short that no straight line passes within it.
constexpr double noStep = 1e-6;

} // namespace

OrthogonalTiles::OrthogonalTiles(const SolverInput& input, const TileGrid& tiles)
    : grid(*input.problem.orthogonal), tiling(tiles.tiling), unit(tiles.units.length),
      slownessUnit(tiles.units.length / tiles.units.time), batches(std::size_t(input.pool.size())) {
  using enum grid::AxisRole;
  if (grid.isSpherical())
    axisOfRole[radius] = grid.axisOf(Radius), axisOfRole[colatitude] = grid.axisOf(Colatitude),
    axisOfRole[longitude] = grid.axisOf(Longitude);
  for (int a = 0; a < 3; ++a) {
    const double scale = grid.roleOf(a) == Length || grid.roleOf(a) == Radius ? 1 / unit : 1;
    const auto n = std::size_t(grid.size(a));
    for (std::size_t i = 0; i < n; ++i) axis[a].coordinate.push_back(grid.coordinate(a, double(i)) * scale);
    const std::vector<double>& at = axis[a].coordinate;
    const auto above = [&](std::size_t i) { return at[i + 1] - at[i]; };
    for (std::size_t i = 0; i < n; ++i) {
      const bool first = i == 0, last = i + 1 == n;
      const bool goesOn = grid.roleOf(a) == Longitude && grid.hasCopy(); // the other end is the same place
      const double below = !first ? above(i - 1) : goesOn ? above(n - 2) : n > 1 ? above(0) : noStep;
      axis[a].step[0].push_back(below);
      axis[a].step[1].push_back(!last ? above(i) : goesOn ? above(0) : below);
    }
  }
  listPlaces(input.problem);
  if (input.options.factoring != SourceFactoring::Off) chooseBalls(input);
}

void OrthogonalTiles::listPlaces(const Problem& problem) {
  for (std::vector<GridIndex>& place : grid.places()) {
    std::erase_if(place, [&](const GridIndex& p) { return isBarrier(problem, problem.grid.index(p)); });
    if (place.size() < 2) continue;
    const auto number = std::int32_t(placeEnds.size());
    if (placesOfTile.empty()) placesOfTile.resize(std::size_t(tiling.count()));
    for (const GridIndex& p : place) {
      std::vector<std::int32_t>& list = placesOfTile[std::size_t(tiling.tileOf(p))];
      if (list.empty() || list.back() != number) list.push_back(number);
    }
    placePoints.insert(placePoints.end(), place.begin(), place.end());
    placeEnds.push_back(placePoints.size());
  }
  listed.assign(placeEnds.size(), 0);
}

std::span<const std::int32_t> OrthogonalTiles::placesIn(std::span<const std::int32_t> round) {
  found.clear();
  if (placesOfTile.empty()) return found;
  for (const std::int32_t tile : round)
    for (const std::int32_t place : placesOfTile[std::size_t(tile)])
      if (!listed[std::size_t(place)]) listed[std::size_t(place)] = 1, found.push_back(place);
  for (const std::int32_t place : found) listed[std::size_t(place)] = 0;
  return found;
}

void OrthogonalTiles::chooseBalls(const SolverInput& input) {
  balls = orthogonalBalls(input);
  for (const OrthogonalBall& ball : balls) ballRadii.push_back(ball.radius);
  ballOfTile.assign(std::size_t(tiling.count()), -1);
  input.pool.forEach(tiling.count(), [&](std::int64_t tile) {
    const grid::Box box = tiling.boxOf(int(tile));
    GridIndex last;
    Position middle;
    double reach = 0; // no node of the tile lies farther from its middle
    for (std::size_t a = 0; a < 3; ++a) {
      last[a] = std::min(box.high[a], grid.size(int(a))) - 1;
      middle[a] = std::floor(double(box.low[a] + last[a]) / 2);
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const auto value = [&](double step) { return grid.coordinate(int(a), step); };
      const double here = value(middle[a]);
      double factor = 1;
      if (grid.roleOf(int(a)) == grid::AxisRole::Colatitude ||
          grid.roleOf(int(a)) == grid::AxisRole::Longitude) {
        const auto r = std::size_t(grid.axisOf(grid::AxisRole::Radius));
        factor = grid.coordinate(int(r), double(last[r]));
      }
      reach += factor * std::max(value(double(last[a])) - here, here - value(double(box.low[a])));
    }
    const OrthogonalBall* ball = earliestBall(balls, grid.embedded(middle), reach);
    if (ball) ballOfTile[std::size_t(tile)] = std::int32_t(ball - balls.data());
  });
}

void OrthogonalTiles::fillAxes(const TileBatch& batch, EdgesOfTiles& edges) const {
  const bool curved = grid.isSpherical();
  for (int lane = 0; lane < batchTiles; ++lane) {
    const GridIndex first = lane < batch.count ? firstOf(batch.tile[lane]) : GridIndex{};
    for (int a = 0; a < 3; ++a)
      for (int n = 0; n < tiling.shape[std::size_t(a)]; ++n) {
        const auto i = std::size_t(std::min(first[std::size_t(a)] + n, grid.size(a) - 1));
        for (int up = 0; up < 2; ++up) {
          const double step = axis[a].step[up][i];
          edges.inverse[a][up][n][lane] = float(1 / step);
          edges.step[a][up][n][lane] = float(step);
        }
        if (!curved) continue;
        const double value = axis[a].coordinate[i];
        if (a == axisOfRole[radius]) {
          edges.radius[n][lane] = float(value);
          edges.inverseRadius[n][lane] = value > 0 ? float(1 / value) : 0;
        } else if (a == axisOfRole[colatitude]) {
          const bool pole = value == 0 || value == std::numbers::pi;
          edges.sine[n][lane] = pole ? 0 : float(std::sin(value)),
          edges.cosine[n][lane] = float(std::cos(value));
          edges.inverseSine[n][lane] = pole ? 0 : float(1 / std::sin(value));
        }
      }
  }
}

void OrthogonalTiles::fillFromSeed(const GridIndex& first, const OrthogonalBall* ball, int lane,
                                   OrthogonalBatch& all) const {
  EdgesOfTiles& edges = all.edges;
  for (int a = 0; a < 3; ++a) {
    const double seed = ball ? grid.coordinate(a, ball->at[std::size_t(a)]) : 0;
    for (int n = 0; n < tiling.shape[std::size_t(a)]; ++n) {
      const auto i = std::size_t(std::min(first[std::size_t(a)] + n, grid.size(a) - 1));
      const double value = axis[a].coordinate[i];
      if (!grid.isSpherical()) {
        edges.offset[a][n][lane] = ball ? float(value - seed / unit) : 1;
      } else if (a == axisOfRole[radius]) {
        edges.away[n][lane] = ball ? float(value - seed / unit) : 1;
      } else {
        const int angle = a == axisOfRole[longitude];
        const double away = ball ? value - seed : 0;
        edges.awaySine[angle][n][lane] = float(std::sin(away)),
        edges.awayVersine[angle][n][lane] = float(versine(away));
        for (int up = 0; up < 2; ++up) {
          const double step = axis[a].step[up][i];
          edges.lack[angle][up][n][lane] = float(lackOfSine(step));
          edges.versine[angle][up][n][lane] = float(versine(step));
        }
        const double half = std::max(axis[a].step[0][i], axis[a].step[1][i]) / 2;
        edges.halfStep[angle][n][lane] = half < 1.5 ? float(std::tan(half)) : 1e6f;
      }
    }
  }
}

void OrthogonalTiles::fillSeeds(const TileBatch& batch, OrthogonalBatch& all) const {
  SeedsOfBatch& seeds = all.seeds;
  for (int lane = 0; lane < batchTiles; ++lane) {
    const std::int32_t number = lane < batch.count ? ballOfTile[std::size_t(batch.tile[lane])] : -1;
    const OrthogonalBall* ball = number < 0 ? nullptr : &balls[std::size_t(number)];
    const auto seed = [&](int role) {
      return grid.coordinate(axisOfRole[role], ball->at[std::size_t(axisOfRole[role])]);
    };
    seeds.slowness[lane] = ball ? float(ball->slowness * slownessUnit) : 0;
    seeds.ball[lane] = ball ? float(withoutSurface * ball->radius / unit) : 0;
    seeds.radius[lane] = ball && grid.isSpherical() ? float(seed(radius) / unit) : 0;
    seeds.sine[lane] = ball && grid.isSpherical() ? float(std::sin(seed(colatitude))) : 0;
    fillFromSeed(lane < batch.count ? firstOf(batch.tile[lane]) : GridIndex{}, ball, lane, all);
  }
}

void OrthogonalTiles::sweep(const TileField& field, TileBatch& batch, float* scratch, int thread) {
  OrthogonalBatch& all = batches[std::size_t(thread)];
  all.spherical = grid.isSpherical();
  std::copy(std::begin(axisOfRole), std::end(axisOfRole), all.axis);
  fillAxes(batch, all.edges);
  batch.factoring = TileFactoring::Off;
  for (int lane = 0; lane < batch.count; ++lane)
    if (hasSeed(batch.tile[lane])) batch.factoring = TileFactoring::Additive;
  if (batch.factoring != TileFactoring::Off) fillSeeds(batch, all);
  sweepTiles(field, batch, all, scratch);
}

std::size_t OrthogonalTiles::bytes() const {
  return bytesOf(ballOfTile, placePoints, placeEnds, listed) + placePoints.size() * sizeof(std::int32_t);
}

} // namespace isochrone::image
