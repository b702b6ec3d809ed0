#include "ImageTravelTime/Host/HostSolver.h"

#include "Bytes.h"
#include "Execution/Progress.h"
#include "Grid/TileSchedule.h"
#include "ImageTravelTime/Host/OrthogonalTiles.h"
#include "ImageTravelTime/Host/PartFaces.h"
#include "ImageTravelTime/Host/TileGrid.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <memory>

namespace isochrone::image {

namespace {

/// Width of the band of keys, in crossings of a tile at the largest speed.
constexpr float bandInTiles = 2;

/// The corner from which a tile is swept first, so that the first sweep runs away from the origin of the
/// front.
class Directions {
public:
  explicit Directions(const grid::TileSchedule& tileSchedule)
      : schedule(tileSchedule), minimum(schedule.count(), unreached), corner(schedule.count(), 0) {}

  void setMinimum(int tile, float value) { minimum[tile] = value; }
  void lowerMinimum(int tile, float value) { minimum[tile] = std::min(minimum[tile], value); }
  unsigned of(int tile) const { return corner[tile]; }
  std::size_t bytes() const { return bytesOf(minimum, corner); }

  /// Chooses the corner of a tile; bit a: descending on axis a. Each axis descends away from the neighbour
  /// that was reached earlier. If neither was, it follows the direction of the earliest of all neighbours.
  unsigned choose(int tile) {
    float earliest = unreached;
    unsigned descending = 0, undecided = 0, inherited = 0;
    for (int axis = 0; axis < 3; ++axis) {
      float side[2];
      for (int up = 0; up < 2; ++up) {
        const int next = schedule.neighbour(tile, 2 * axis + up);
        side[up] = next < 0 ? unreached : minimum[next];
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
  std::vector<float> minimum; ///< per tile, minimum value on its faces
  std::vector<std::uint8_t> corner;
};

/// The rounds over the tiles of an image.
class Rounds {
public:
  explicit Rounds(const SolverInput& solverInput)
      : input(solverInput), tiles(input),
        schedule(tiles.tiling.number, bandInTiles * float(tiles.tiling.shape[0]) / tiles.units.largestSpeed,
                 input.pool.size()),
        directions(schedule), seeds(input, tiles.units, tiles.tiling), workers(input.pool.size()),
        sweeps(tiles.count, 0), final(input.stoppingTime(tiles.units.time, unreached)) {
    if (input.problem.orthogonal) orthogonal = std::make_unique<OrthogonalTiles>(input, tiles);
    if (input.problem.part.isDivided())
      for (int tile = 0; tile < tiles.count; ++tile) foreign.push_back(!tiles.isOwn(tile));
    for (const SeedPoint& seed : input.starts)
      if (input.problem.part.owns(input.problem.grid.indices(seed.point))) start(seed);
  }

  /// Works until no tile is active with a key up to `limit`, or all values that the user needs are final.
  /// Returns false if the monitor requested a stop.
  bool advance(float limit, execution::Progress& progress, Result& result) {
    for (auto round = next(limit); !round.empty(); round = next(limit), ++result.rounds) {
      if (!progress.report([&] { return 0.95 * double(reached) / double(tiles.count); })) return false;
      work(round);
    }
    return true;
  }

  /// Works together with the processes that have the other parts of the image. Between two exchanges each
  /// works up to the same limit: the minimum time that can still change anywhere, and half the time of a
  /// front through the smallest part at the largest speed. A wider band lets a part work with values that
  /// others will lower, a narrower one takes more exchanges (../DESIGN.md). Returns false if the monitor
  /// requested a stop.
  bool advanceWithOthers(execution::Progress& progress, Result& result) {
    constexpr double widths = 0.5;
    PartFaces faces(input.problem, seeds, tiles);
    const double width = widths * input.problem.part.minimumWidth(input.problem.grid.spacing()) /
                         (tiles.units.length * double(tiles.units.largestSpeed));
    for (;; ++result.exchanges) {
      float pending = schedule.pending();
      const std::vector<grid::Message> told = faces.tell(sweeps, pending);
      double minima[2] = {pending, -latestTip()};
      const std::vector<grid::Message> heard = input.problem.part.exchange(minima, told);
      for (const grid::Message& message : told) result.bytesTold += std::int64_t(message.size());
      faces.hear(heard, [&](int tile, float value, int own) {
        directions.lowerMinimum(tile, value);
        if (own >= 0) schedule.activate(own, value, 0);
      });
      const auto earliest = float(minima[0]);
      const double tip = -minima[1];
      const bool tipsAreFinal = tip >= 0 && tip <= minima[0];
      if (earliest >= unreached) return true;
      if (earliest > final || tipsAreFinal) {
        final = std::min(final, earliest);
        return true;
      }
      if (!advance(std::min(final, float(minima[0] + width)), progress, result)) return false;
      if (!progress.report([&] { return 0.95 * double(reached) / double(tiles.count); })) return false;
    }
  }

  void finish(Result& result) {
    countUpdates(input.problem, tiles.tiling, sweeps, input.options, input.pool, result);
    result.ballRadius = orthogonal ? orthogonal->radii() : seeds.radii;
    result.workBytes = tiles.bytes() + schedule.bytes() + directions.bytes() + bytesOf(sweeps) +
                       (orthogonal ? orthogonal->bytes() : 0);
    result.travelTime = tiles.takeTimes(input.earliest, final, input.pool);
    grid::fillMargin<float>(input.problem.grid, input.problem.part, result.travelTime);
  }

private:
  struct Worker {
    TileBatch batch{};
    alignas(64) float scratch[sweepScratch]; ///< aligned, so that no vector spans two cache lines
  };

  const SolverInput& input;
  TileGrid tiles;
  grid::TileSchedule schedule;
  Directions directions;
  SeedsOfTiles seeds;                          ///< of an image
  std::unique_ptr<OrthogonalTiles> orthogonal; ///< null: an image
  SweepTiles sweep = chooseTileSweep();
  std::vector<Worker> workers;       ///< per thread
  std::vector<std::int32_t> sweeps;  ///< per tile, total of all rounds
  std::vector<std::uint8_t> foreign; ///< per tile of a part: no point of the tile is its own
  int reached = 0;                   ///< number of tiles with sweeps
  float final;                       ///< values beyond it are not final, or not needed

  bool isOwn(int tile) const { return foreign.empty() || !foreign[tile]; }

  /// Chooses the tiles of the next round. Returns none if all values that the user needs are final.
  std::span<const std::int32_t> next(float limit) {
    const auto round = schedule.nextRound(limit, [&](int tile) {
      const bool factored = orthogonal ? orthogonal->hasSeed(tile) : seeds.has(tile);
      return directions.choose(tile) | (factored ? 8u : 0u);
    });
    if (round.empty() || input.problem.part.isDivided()) return round;
    const auto valueAt = [&](std::int64_t tip) { return tiles.value(input.problem.grid.indices(tip)); };
    if (schedule.minKey() <= final && !input.tipsAreFinal(valueAt, schedule.minKey())) return round;
    final = std::min(final, schedule.minKey());
    return {};
  }

  void work(std::span<const std::int32_t> round) {
    for (const std::int32_t tile : round) reached += sweeps[tile] == 0;
    const auto count = std::int64_t(round.size());
    input.pool.forRanges(count, batchTiles, [&](std::int64_t begin, std::int64_t end, int thread) {
      work(round.subspan(std::size_t(begin), std::size_t(end - begin)), thread);
    });
    if (orthogonal)
      orthogonal->couple(round, tiles, [&](const GridIndex& at, float value) { wake(at, value); });
  }

  /// Activates the tiles that a new value of a point concerns.
  void wake(const GridIndex& at, float value) {
    const int tile = tiles.tiling.tileOf(at);
    directions.lowerMinimum(tile, value);
    schedule.activate(tile, value, 0);
    const GridIndex fromFirst = tiles.tiling.fromFirst(at);
    for (int a = 0; a < 3; ++a)
      for (int up = 0; up < 2; ++up)
        if (fromFirst[std::size_t(a)] % tiles.tiling.shape[std::size_t(a)] ==
            (up ? tiles.tiling.shape[std::size_t(a)] - 1 : 0))
          if (const int next = schedule.neighbour(tile, 2 * a + up); next >= 0)
            schedule.activate(next, value, 0);
  }

  /// Returns the maximum time of the own tips: `unreached` if one is not reached, -1 without tips.
  double latestTip() const {
    float latest = -1;
    for (const std::int64_t tip : input.tips)
      latest = std::max(latest, tiles.value(input.problem.grid.indices(tip)));
    return latest;
  }

  /// Sets the value of a seed point, and activates its tile and the adjacent tiles.
  void start(const SeedPoint& seed) {
    const GridIndex at = input.problem.grid.indices(seed.point);
    const float value = float((seed.value - input.earliest) / tiles.units.time);
    tiles.lower(at, value);
    const int tile = tiles.tiling.tileOf(at);
    directions.setMinimum(tile, 0);
    schedule.activate(tile, value, 0);
    for (int face = 0; face < grid::faceCount; ++face)
      if (const int next = schedule.neighbour(tile, face); next >= 0 && isOwn(next))
        schedule.activate(next, value, 0);
    if (orthogonal) {
      const std::int32_t one[] = {tile};
      orthogonal->couple(one, tiles, [&](const GridIndex& p, float v) { wake(p, v); });
    }
  }

  /// Sweeps up to 16 tiles, and updates the schedule.
  void work(std::span<const std::int32_t> part, int thread) {
    TileBatch& batch = workers[thread].batch;
    fill(batch, part);
    if (orthogonal)
      orthogonal->sweep(tiles.field(), batch, workers[thread].scratch, thread);
    else
      sweep(tiles.field(), batch, workers[thread].scratch);
    execution::SimulatedWorkers::countWork(batch.sweeps);
    for (int l = 0; l < batch.count; ++l) {
      sweeps[batch.tile[l]] += batch.sweeps;
      directions.setMinimum(batch.tile[l], batch.minimum[l]);
      if (batch.unfinished >> l & 1) schedule.putBack(batch.tile[l], thread);
      for (int face = 0; face < grid::faceCount; ++face)
        if (const int next = batch.neighbour[face][l];
            next < tiles.count && batch.key[face][l] < unreached && isOwn(next))
          schedule.activate(next, batch.key[face][l], thread);
    }
  }

  void fill(TileBatch& batch, std::span<const std::int32_t> part) const {
    batch.count = int(part.size());
    std::fill(std::begin(batch.tile), std::end(batch.tile), tiles.count);
    std::copy(part.begin(), part.end(), batch.tile);
    for (int face = 0; face < grid::faceCount; ++face)
      for (int l = 0; l < batchTiles; ++l) {
        const int next = l < batch.count ? schedule.neighbour(batch.tile[l], face) : -1;
        batch.neighbour[face][l] = next < 0 ? tiles.count : next;
      }
    batch.factoring = TileFactoring::Off;
    for (int l = 0; l < batch.count && seeds.kind != TileFactoring::Off; ++l) {
      if (seeds.has(batch.tile[l])) batch.factoring = seeds.kind;
      batch.seed[l] = seeds.ofTile[batch.tile[l]];
    }
    batch.corner = directions.of(batch.tile[batch.count / 2]);
  }
};

} // namespace

std::size_t hostBytes(const Problem& problem) { return TileGrid::bytesNeeded(problem); }

void solveOnHost(const SolverInput& input, const Monitor& monitor, Result& result) {
  Rounds rounds(input);
  execution::Progress progress(monitor);
  const bool done = input.problem.part.isDivided() ? rounds.advanceWithOthers(progress, result)
                                                   : rounds.advance(unreached, progress, result);
  result.aborted = !done;
  if (done) rounds.finish(result);
}

} // namespace isochrone::image
