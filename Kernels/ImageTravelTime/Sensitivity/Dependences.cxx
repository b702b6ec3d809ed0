#include "ImageTravelTime/Sensitivity/Dependences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace isochrone::image {

Dependences::Dependences(const SolverInput& solverInput, const DependenceScheme& dependences,
                         std::span<const float> u)
    : order(solverInput.problem), input(solverInput), scheme(dependences), travelTime(u),
      units(input.problem, input.speed), findShares(chooseTileShares()),
      evaluated(std::size_t(order.tiles()), 0), latestTimes(evaluated.size()), timeSpans(evaluated.size()) {
  for (const SeedPoint& start : scheme.startPoints())
    starts.emplace_back(order.tileOf(order.numberOf(start.point)), start.point);
  std::ranges::sort(starts);
  const auto size = std::size_t(order.size());
  state.resize(size);
  for (std::size_t axis = 0; axis < 3; ++axis) shares[axis].resize(size);
  perSlownesses.resize(size);
  if (!scheme.balls().empty()) perSeedSlownesses.resize(size);
  roundings.resize(size);
}

std::size_t Dependences::bytesNeeded(const Problem& problem, bool hasBalls) {
  return std::size_t(TileOrder(problem).size()) *
         (sizeof(std::uint16_t) + (hasBalls ? 5 : 4) * sizeof(double) + sizeof(float));
}

/// Copies the times and slownesses of a tile.
void Dependences::load(int tile, TileShares& values) const {
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   notANumber = std::numeric_limits<double>::quiet_NaN();
  const Problem& problem = input.problem;
  const GridIndex low = order.boxOf(tile).low, sizes = problem.grid.sizes();
  const auto [nx, ny, nz] = order.shape();
  const double perTime = 1 / units.time, scale = units.length / units.time; // the first one a power of two
  const bool isSlowness = problem.speedType == SpeedType::Slowness;
  double* time = values.time;
  for (std::int64_t k = low[2] - 1; k <= low[2] + nz; ++k)
    for (std::int64_t j = low[1] - 1; j <= low[1] + ny; ++j, time += nx + 2) {
      std::fill_n(time, nx + 2, infinity);
      if (j < 0 || j >= sizes[1] || k < 0 || k >= sizes[2]) continue;
      const std::int64_t row = problem.grid.index(0, j, k);
      const std::int64_t begin = std::max<std::int64_t>(low[0] - 1, 0),
                         end = std::min<std::int64_t>(low[0] + nx + 1, sizes[0]);
      double* const to = time - (low[0] - 1);
      for (std::int64_t i = begin; i < end; ++i) {
        const float u = travelTime[std::size_t(row + i)];
        to[i] = u <= std::numeric_limits<float>::max() ? (double(u) - input.earliest) * perTime : infinity;
      }
    }
  double* slowness = values.slowness;
  for (std::int64_t k = low[2]; k < low[2] + nz; ++k)
    for (std::int64_t j = low[1]; j < low[1] + ny; ++j, slowness += nx) {
      std::fill_n(slowness, nx, notANumber);
      if (j >= sizes[1] || k >= sizes[2]) continue;
      const std::int64_t row = problem.grid.index(low[0], j, k);
      const double* const own = values.time + 1 + (nx + 2) * ((j - low[1] + 1) + (ny + 2) * (k - low[2] + 1));
      const auto count = std::size_t(std::min<std::int64_t>(nx, sizes[0] - low[0]));
      for (std::size_t i = 0; i < count; ++i) {
        const double v =
            problem.speed.empty() ? problem.constantSpeed : double(problem.speed[std::size_t(row) + i]);
        const double s = (isSlowness ? v : 1 / v) * scale;
        slowness[i] = v > 0 && s < infinity && own[i] < infinity ? s : notANumber;
      }
      if (!problem.barriers.empty())
        for (std::size_t i = 0; i < count; ++i)
          if (problem.barriers[std::size_t(row) + i]) slowness[i] = notANumber;
    }
}

void Dependences::set(std::int64_t number, const PointDependence& d) {
  const auto n = std::size_t(number);
  state[n] = std::uint16_t(d.sides | int(d.from) << directions);
  for (std::size_t axis = 0; axis < 3; ++axis) shares[axis][n] = d.share[axis];
  perSlownesses[n] = d.perSlowness;
  if (!perSeedSlownesses.empty()) perSeedSlownesses[n] = d.perSeedSlowness;
  roundings[n] =
      d.from == TimeFrom::Nothing
          ? 0.f
          : float(d.value - (double(travelTime[std::size_t(order.pointOf(number))]) - input.earliest));
}

double Dependences::perStartValue(std::int64_t number) const {
  if (from(number) == TimeFrom::SeedBound) return 1;
  if (scheme.ballsOf().factoring() != TileFactoring::Multiplicative || from(number) != TimeFrom::Update)
    return 0;
  double rest = 1; // all times move with the start values
  forEachSide(sides(number), [&](Direction d) { rest -= share(number, d); });
  return rest;
}

/// Finds the range of the times in a tile.
void Dependences::findTimes(int tile, const TileShares& values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double earliest = infinity, latest = 0;
  const auto [nx, ny, nz] = order.shape();
  for (int n = 0; n < (nx + 2) * (ny + 2) * (nz + 2); ++n) {
    const double time = values.time[n];
    earliest = std::min(earliest, time);
    latest = time < infinity ? std::max(latest, time) : latest;
  }
  latestTimes[std::size_t(tile)] = float(latest);
  timeSpans[std::size_t(tile)] = float(std::max(0., latest - earliest));
}

void Dependences::evaluate(int tile) {
  // 1. All points, as if the time came from the sides that the scheme takes.
  const auto first = std::size_t(order.firstOf(tile));
  TileShares values;
  for (std::size_t a = 0; a < 3; ++a) values.shape[a] = order.shape()[a];
  load(tile, values);
  findTimes(tile, values);
  values.spacing = units.spacing;
  values.unitLength = units.length, values.unitTime = units.time;
  values.earliest = std::abs(input.earliest) / units.time;
  for (std::size_t axis = 0; axis < 3; ++axis) values.share[axis] = &shares[axis][first];
  values.perSlowness = &perSlownesses[first];
  const int ball = ballOf(tile);
  values.factoring = ball >= 0 ? scheme.ballsOf().factoring() : TileFactoring::Off;
  if (ball >= 0) {
    values.seed = scheme.ballsOf().seedFrom(ball, order.boxOf(tile).low);
    values.perSeedSlowness = &perSeedSlownesses[first];
  } else if (!perSeedSlownesses.empty()) {
    std::fill_n(&perSeedSlownesses[first], order.tileSize(), 0.);
  }
  findShares(values);

  // 2. The others.
  for (int n = 0; n < order.tileSize(); ++n) {
    const auto number = first + std::size_t(n);
    const auto sides = unsigned(values.sides[n]);
    state[number] = std::uint16_t(
        sides != 0 ? sides : unsigned(TimeFrom::Nothing) << directions); // else TimeFrom::Update, which is 0
    roundings[number] = float(values.rounding[n]);
    if (sides >= otherSidesBit) set(std::int64_t(number), scheme.at(order.pointOf(std::int64_t(number))));
  }
  for (auto start = std::ranges::lower_bound(starts, std::pair(tile, std::int64_t(0)));
       start != starts.end() && start->first == tile; ++start)
    set(order.numberOf(start->second), scheme.at(start->second));
  evaluated[std::size_t(tile)] = 1;
}

} // namespace isochrone::image
