#include "ImageTravelTime/Host/HostSolver.h"

#include "Execution/Progress.h"
#include "Execution/RoundPool.h"
#include "Grid/TileSchedule.h"
#include "ImageTravelTime/Host/TileGrid.h"
#include "ImageTravelTime/Scheme/UpdateCounts.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

/// Width of the band of keys, in crossings of a tile at the largest speed.
constexpr float bandInTiles = 2;

/// The corner from which a tile is swept first, so that the first sweep runs away from the origin of the
/// front.
class Directions {
public:
  Directions(const TileGrid& tiles, const grid::TileSchedule& tileSchedule)
      : schedule(tileSchedule), least(tiles.count, unreached), corner(tiles.count, 0) {}

  void setLeast(int tile, float value) { least[tile] = value; }
  unsigned of(int tile) const { return corner[tile]; }

  /// Chooses the corner of a tile; bit a: descending on axis a. Each axis descends away from the neighbour
  /// that was reached earlier. If neither was, it follows the direction of the earliest of all neighbours.
  unsigned choose(int tile) {
    float earliest = unreached;
    unsigned descending = 0, undecided = 0, inherited = 0;
    for (int axis = 0; axis < 3; ++axis) {
      float side[2];
      for (int up = 0; up < 2; ++up) {
        const int next = schedule.neighbour(tile, 2 * axis + up);
        side[up] = next < 0 ? unreached : least[next];
        if (side[up] < earliest) earliest = side[up], inherited = corner[next];
      }
      if (side[1] < side[0]) descending |= 1u << axis;
      if (side[1] == side[0]) undecided |= 1u << axis;
    }
    corner[tile] = std::uint8_t(descending | (inherited & undecided));
    return corner[tile];
  }

private:
  const grid::TileSchedule& schedule;
  std::vector<float> least; ///< per tile, minimum value on its faces
  std::vector<std::uint8_t> corner;
};

/// Sets the seeds, and activates their tiles and the adjacent tiles.
void start(TileGrid& tiles, const Grid& grid, const std::vector<SeedPoint>& seeds, double earliest,
           grid::TileSchedule& schedule, Directions& directions) {
  for (const SeedPoint& seed : seeds) {
    const std::int64_t i = seed.point % grid.nx, j = seed.point / grid.nx % grid.ny,
                       k = seed.point / (grid.nx * grid.ny);
    const float value = float((seed.value - earliest) / tiles.units.time);
    tiles.lower(i, j, k, value);
    const int tile = tiles.tileOf(i, j, k);
    directions.setLeast(tile, 0);
    schedule.activate(tile, value, 0);
    for (int face = 0; face < grid::faceCount; ++face)
      if (const int next = schedule.neighbour(tile, face); next >= 0) schedule.activate(next, value, 0);
  }
}

/// Sweeps up to 16 tiles and updates the schedule accordingly.
class Worker {
public:
  Worker(TileGrid& tileGrid, grid::TileSchedule& tileSchedule, Directions& tileDirections,
         const SeedsOfTiles& seedsOfTiles, SweepTiles sweepTiles, std::vector<std::int32_t>& sweepsOfTiles,
         int threadNumber)
      : tiles(tileGrid), schedule(tileSchedule), directions(tileDirections), seeds(seedsOfTiles),
        sweep(sweepTiles), sweeps(sweepsOfTiles), thread(threadNumber), scratch(sweepScratch) {}

  void work(std::span<const std::int32_t> round) {
    batch.count = int(round.size());
    std::fill(std::begin(batch.tile), std::end(batch.tile), tiles.count);
    std::copy(round.begin(), round.end(), batch.tile);
    for (int face = 0; face < grid::faceCount; ++face)
      for (int l = 0; l < batchTiles; ++l) {
        const int next = l < batch.count ? schedule.neighbour(batch.tile[l], face) : -1;
        batch.neighbour[face][l] = next < 0 ? tiles.count : next;
      }
    batch.factoring = TileFactoring::Off;
    for (int l = 0; l < batch.count; ++l) {
      if (seeds.has(batch.tile[l])) batch.factoring = seeds.kind();
      batch.seed[l] = seeds.of(batch.tile[l]);
    }
    batch.corner = directions.of(batch.tile[batch.count / 2]);
    sweep(tiles.field(), batch, scratch.data());
    for (int l = 0; l < batch.count; ++l) {
      sweeps[batch.tile[l]] += batch.sweeps;
      directions.setLeast(batch.tile[l], batch.least[l]);
      if (batch.unfinished >> l & 1) schedule.putBack(batch.tile[l], thread);
      for (int face = 0; face < grid::faceCount; ++face)
        if (batch.neighbour[face][l] < tiles.count && batch.key[face][l] < unreached)
          schedule.activate(batch.neighbour[face][l], batch.key[face][l], thread);
    }
  }

private:
  TileGrid& tiles;
  grid::TileSchedule& schedule;
  Directions& directions;
  const SeedsOfTiles& seeds;
  SweepTiles sweep;
  std::vector<std::int32_t>& sweeps; ///< per tile, total of all rounds
  int thread;
  std::vector<float> scratch;
  TileBatch batch{};
};

/// Returns whether every tip has a value that no later arrival can lower.
bool tipsAreFinal(const TileGrid& tiles, const Problem& problem, const std::vector<std::int64_t>& tips,
                  float final) {
  const Grid& grid = problem.grid;
  return !tips.empty() && std::all_of(tips.begin(), tips.end(), [&](std::int64_t tip) {
    return tiles.value(tip % grid.nx, tip / grid.nx % grid.ny, tip / (grid.nx * grid.ny)) <= final;
  });
}

/// Reports the share of the tiles that have been reached.
class Reporter {
public:
  Reporter(const Monitor& m, int count) : progress(m), reached(count, 0) {}

  bool goOn(std::span<const std::int32_t> round) {
    for (const std::int32_t tile : round) number += reached[tile] == 0, reached[tile] = 1;
    return progress.report([&] { return 0.95 * number / double(reached.size()); });
  }

private:
  execution::Progress progress;
  std::vector<std::uint8_t> reached;
  int number = 0;
};

} // namespace

void solveOnHost(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                 int threads, const Monitor& monitor, Result& result) {
  const bool plane = problem.grid.nz == 1;
  TileGrid tiles(problem, threads);
  double earliest = std::numeric_limits<double>::infinity();
  for (const SeedPoint& seed : seeds) earliest = std::min(earliest, seed.value);
  const int edge = plane ? TileShape<2>::nx : TileShape<3>::nx;
  grid::TileSchedule schedule(tiles.tiles, bandInTiles * float(edge) / tiles.units.largestSpeed, threads);
  Directions directions(tiles, schedule);
  start(tiles, problem.grid, seeds, earliest, schedule, directions);

  const TileSweepKernels host = chooseTileSweepKernels();
  const SeedsOfTiles seedsOfTiles(problem, tiles.units, tiles.shape(), result.seeds, options.factoring,
                                  earliest, threads);
  result.ballRadius = seedsOfTiles.radii();
  execution::RoundPool pool(threads);
  std::vector<std::int32_t> sweeps(tiles.count, 0);
  std::vector<Worker> workers;
  workers.reserve(threads);
  for (int t = 0; t < threads; ++t)
    workers.emplace_back(tiles, schedule, directions, seedsOfTiles, plane ? host.plane : host.space, sweeps,
                         t);
  const float latest =
      options.stoppingTime > 0 ? float((options.stoppingTime - earliest) / tiles.units.time) : unreached;
  float final = unreached; // values beyond it are not final
  const std::vector<std::int64_t> tips = pointsOf(problem, options.stopAt);
  Reporter reporter(monitor, tiles.count);
  for (;; ++result.rounds) {
    const auto round = schedule.nextRound(
        [&](int tile) { return directions.choose(tile) | (seedsOfTiles.has(tile) ? 8u : 0u); });
    if (round.empty()) break;
    if (schedule.leastKey() > latest || tipsAreFinal(tiles, problem, tips, schedule.leastKey())) {
      final = std::min(latest, schedule.leastKey());
      break;
    }
    if (!reporter.goOn(round)) {
      result.aborted = true;
      return;
    }
    const int batches = int((round.size() + batchTiles - 1) / batchTiles);
    pool.run(batches, [&](int b, int thread) {
      const std::size_t begin = std::size_t(b) * batchTiles;
      workers[thread].work(round.subspan(begin, std::min<std::size_t>(batchTiles, round.size() - begin)));
    });
  }
  countUpdates(problem.grid, sweeps, tiles.shape(), options, result);
  result.workBytes = tiles.bytes() + schedule.bytes();
  result.travelTime = tiles.takeTimes(earliest, std::min(final, latest), threads);
}

} // namespace isochrone::image
