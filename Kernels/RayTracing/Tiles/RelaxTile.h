// RelaxTile.h - relaxes the points of a tile with the surrounding times frozen, and lists the tiles that its
// new times may change.
//
// A round takes the listed tiles whose keys lie within a band above the minimum key; the others stay listed.
// Tiles of a round write their times in place while others read them. A tile that read an outdated time is
// listed again, so that the final times do not depend on the values that each tile read (see DESIGN.md).
#pragma once

#include "Execution/Key.h"
#include "RayTracing/Tiles/PointKernels.h"

#include <limits>

namespace isochrone::rays {

/// Points of a tile, and the reach of its edges: no further than into the next tile.
/// @tparam Parts  lanes that share the edges of a point
template <int NX, int NY, int NZ, int Reach, int Parts>
struct TileShape {
  static constexpr int nx = NX, ny = NY, nz = NZ, rows = NY * NZ, parts = Parts;
  static constexpr int reach = Reach, reachZ = NZ > 1 ? Reach : 0;
  // A tile with its surroundings, x fastest.
  static constexpr int pitch = NX + 2 * Reach, slab = pitch * (NY + 2 * Reach),
                       sizeAround = slab * (NZ + 2 * reachZ);
  static constexpr int directions = NZ > 1 ? 27 : 9; ///< adjacent tiles and the tile itself
  static_assert(Reach <= NX && Reach <= NY && reachZ <= NZ);
};

/// The key of a tile is the time before which nothing changes there. Keys are single precision for times of
/// any precision: they decide only the order of work.
using execution::Key;
using execution::keyOf;
using execution::noKey;

/// A round, in device memory. Three are used in rotation: the previous one, the current one, and the next
/// one, for which the current one lists tiles.
struct Round {
  static constexpr int maxRuns = 16;
  int listed;           ///< tiles
  Key minimum[maxRuns]; ///< minimum of their keys, per run
};
struct RoundControl {
  Round rounds[3];
  int count;         ///< rounds that had tiles
  int done;          ///< the last round had no tiles
  long long relaxed; ///< points, each with all its edges
};

/// Positions and indices of tiles, numbered run by run.
struct TileNumbers {
  int tiles[3];
  execution::Divisor byRow, byPlane, byRun; ///< tiles in a row, in a plane, in a run

  explicit TileNumbers(const PaddedImage& image)
      : tiles{image.tiles[0], image.tiles[1], image.tiles[2]}, byRow(tiles[0]), byPlane(tiles[0] * tiles[1]),
        byRun(count()) {}
  TEAM_FN int count() const { return tiles[0] * tiles[1] * tiles[2]; }
  TEAM_FN int run(int id) const { return byRun.quotient(id); }
  TEAM_FN Cell place(int id) const {
    const int tile = id - run(id) * count(), z = byPlane.quotient(tile),
              inPlane = tile - z * tiles[0] * tiles[1], y = byRow.quotient(inPlane);
    return {inPlane - y * tiles[0], y, z, id};
  }
  /// Returns the index of a neighbour, -1 at the border.
  TEAM_FN int neighbour(const Cell& tile, int dx, int dy, int dz) const {
    const bool inside = unsigned(tile.x + dx) < unsigned(tiles[0]) &&
                        unsigned(tile.y + dy) < unsigned(tiles[1]) &&
                        unsigned(tile.z + dz) < unsigned(tiles[2]);
    return inside ? tile.index + dx + tiles[0] * (dy + tiles[1] * dz) : -1;
  }
};

/// Position of a point along an axis, relative to a tile.
enum Zone : int { Before = -1, Inside = 0, Behind = 1 };

/// An interval of the points along an axis of a tile, whose first point is 0.
struct Span {
  int first, end;
  TEAM_FN bool has(int i) const { return i >= first && i < end; }
};

/// Returns the points of a zone to which edges lead from a tile of n points.
TEAM_FN Span rangeOf(Zone zone, int n, int reach) {
  if (zone == Before) return {-reach, 0};
  if (zone == Behind) return {n, n + reach};
  return {0, n};
}
/// Returns the points of the tile from which edges lead to that zone.
TEAM_FN Span sendersTo(Zone zone, int n, int reach) {
  return {zone == Behind ? n - reach : 0, zone == Before ? reach : n};
}

/// Finds the minimum slowness in each tile and around it, as far as edges lead. One lane per tile.
template <class Shape, class Real>
struct FindLeastSlowness {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  PaddedImage image;
  TileNumbers numbers;
  const Real* slowness; ///< padded
  Real* minimum;        ///< per tile
  static constexpr Real minNormal = std::numeric_limits<Real>::min();

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      if (id >= numbers.count()) return;
      const Cell tile = numbers.place(id);
      const Real* const first =
          slowness + tile.x * Shape::nx + image.pitch * tile.y * Shape::ny + image.slab * tile.z * Shape::nz;
      Real found = unreached<Real>;
      for (int z = 0; z < Shape::nz + 2 * image.reach[2]; ++z)
        for (int y = 0; y < Shape::ny + 2 * image.reach[1]; ++y)
          for (int x = 0; x < Shape::nx + 2 * image.reach[0]; ++x)
            found = minOf(first[x + image.pitch * y + image.slab * z], found);
      // 0 for subnormal numbers: a fraction of one may round to the number itself.
      minimum[id] = found < minNormal ? Real(0) : found;
    });
  }
};

/// Relaxes the points of a listed tile. Position 0 updates the round counters.
template <class TileShape, class EdgesInTile>
struct RelaxTile {
  using Shape = TileShape;
  using Real = typename EdgesInTile::Real;
  using Lanes = Box<Shape::nx, Shape::rows, Shape::parts>;
  static constexpr int points = Shape::nx * Shape::rows;
  /// A visit takes up to `passes` passes or a single read of its key, and a round visits a few hundred tiles.
  static constexpr int blocksPerPlace = 2;
  struct Shared {
    Real time[Shape::sizeAround], slowness[Shape::sizeAround];
    Real minimum[Lanes::size];                    ///< minimum that a lane found for its point
    Real lowered[Shape::directions][Shape::rows]; ///< minimum new time in a row that may lower a neighbour's
    Real latest[Shape::directions][Shape::rows];  ///< maximum time in a row of the neighbour
  };

  PaddedImage image;
  TileNumbers numbers;
  EdgesInTile edges;
  int edgeCount;
  int passes; ///< maximum passes over a tile in one round
  float band; ///< width of the band of keys in a round
  RoundControl* control;
  Round *last, *now, *next; ///< rounds of `control`
  const int* listed;
  int* listedNext;
  Key *keys, *keysNext;               ///< per tile; noKey: not listed
  const Real *slowness, *minSlowness; ///< per point; minimum in and around each tile
  Real* times;                        ///< per run

  TEAM_FN int positions() const { return 1 + now->listed; }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    if (position == 0) return team.once([&] { updateCounters(); });
    const int id = listed[position - 1], run = numbers.run(id);
    const bool waits = team.any([&](Cell c) {
      if (c.index > 0) return false;
      const Key key = keys[id];
      keys[id] = noKey; // for the round after the next one
      if (key <= execution::endOfBand(now->minimum[run], band)) return false;
      list(id, run, key);
      return true;
    });
    if (waits) return;

    const Cell place = numbers.place(id);
    const std::int64_t first =
        image.index(place.x * Shape::nx, place.y * Shape::ny, std::int64_t(place.z) * Shape::nz);
    Real* const ofRun = times + run * image.size;
    const Real floor = minSlowness[id - run * numbers.count()];
    const bool blanks = load(team, tile, place, first, ofRun);
    int pass = 0;
    bool changes = true;
    for (; changes && pass < passes; ++pass) changes = relaxOnce(team, tile, floor, blanks);
    team.once([&] { execution::fetchAdd(control->relaxed, static_cast<long long>(pass) * inImage(place)); });
    if (pass == 1 && !changes) return;

    team.each(Lanes{}, [&](Cell c) {
      if (c.z > 0) return;
      const Real time = tile.time[at(c.x, c.y)];
      Real& old = ofRun[first + c.x + image.pitch * (c.y % Shape::ny) + image.slab * (c.y / Shape::ny)];
      const bool lower = time < old;
      tile.minimum[c.index] = lower ? time : unreached<Real>;
      if (lower) execution::storeRelaxed(old, time);
    });
    listNeighbours(team, tile, place, run, changes);
  }

private:
  TEAM_FN void updateCounters() const {
    last->listed = 0; // for the round after the next one
    for (Key& minimum : last->minimum) minimum = noKey;
    control->count += now->listed > 0;
    control->done = now->listed == 0;
  }

  TEAM_FN void list(int id, int run, Key key) const {
    execution::fetchMin(next->minimum[run], key);
    if (execution::fetchMin(keysNext[id], key) == noKey)
      listedNext[execution::fetchAdd(next->listed, 1)] = id;
  }

  /// Returns the index of a point in a tile with its surroundings.
  TEAM_FN static int at(int x, int y, int z) {
    return x + Shape::reach + Shape::pitch * (y + Shape::reach) + Shape::slab * (z + Shape::reachZ);
  }
  TEAM_FN static int at(int x, int row) { return at(x, row % Shape::ny, row / Shape::ny); }

  TEAM_FN int inImage(const Cell& place) const {
    const auto along = [](std::int64_t points, int size) { return points < size ? int(points) : size; };
    return along(image.n[0] - std::int64_t(place.x) * Shape::nx, Shape::nx) *
           along(image.n[1] - std::int64_t(place.y) * Shape::ny, Shape::ny) *
           along(image.n[2] - std::int64_t(place.z) * Shape::nz, Shape::nz);
  }

  /// Reads the tile and its surroundings, as far as edges lead. Returns whether they contain blanked points.
  template <class Team>
  TEAM_FN bool load(Team& team, Shared& tile, const Cell& place, std::int64_t first,
                    const Real* ofRun) const {
    return team.any([&](Cell c) {
      bool blanks = false;
      for (int i = c.index; i < Shape::sizeAround; i += Lanes::size) {
        const int x = i % Shape::pitch - Shape::reach, y = i % Shape::slab / Shape::pitch - Shape::reach,
                  z = i / Shape::slab - Shape::reachZ;
        if (x < -image.reach[0] || x >= Shape::nx + image.reach[0] || y < -image.reach[1] ||
            y >= Shape::ny + image.reach[1] || z < -image.reach[2] || z >= Shape::nz + image.reach[2])
          continue;
        const std::int64_t from = first + x + image.pitch * y + image.slab * z;
        tile.time[i] = execution::loadRelaxed(ofRun[from]);
        tile.slowness[i] = slowness[from];
        blanks = blanks ||
                 (tile.slowness[i] == unreached<Real> &&
                  image.holds(std::int64_t(place.x) * Shape::nx + x, std::int64_t(place.y) * Shape::ny + y,
                              std::int64_t(place.z) * Shape::nz + z));
      }
      return blanks;
    });
  }

  /// Lowers every point to the minimum that its neighbours offer. Returns whether any time changed.
  template <class Team>
  TEAM_FN bool relaxOnce(Team& team, Shared& tile, Real floor, bool blanks) const {
    team.each(Lanes{}, [&](Cell c) {
      const Real* time = tile.time + at(c.x, c.y);
      tile.minimum[c.index] = edges.relaxed(time, tile.slowness + at(c.x, c.y), *time, c.z, edgeCount,
                                            Shape::parts, blanks, floor);
    });
    return team.any([&](Cell c) {
      if (c.z > 0) return false;
      Real minimum = tile.minimum[c.index];
      for (int part = 1; part < Shape::parts; ++part)
        minimum = minOf(tile.minimum[c.index + points * part], minimum);
      Real& time = tile.time[at(c.x, c.y)];
      const bool lower = minimum < time;
      if (lower) time = minimum;
      return lower;
    });
  }

  /// Lists the neighbours that have a point later than a new time within its reach, and the tile itself if it
  /// still `changes`. Thus a wave seldom lists the tiles behind it.
  template <class Team>
  TEAM_FN void listNeighbours(Team& team, Shared& tile, const Cell& place, int run, bool changes) const {
    team.each(Lanes{}, [&](Cell c) {
      for (int i = c.index; i < Shape::directions * Shape::rows; i += Lanes::size) {
        const int d = i / Shape::rows, row = i % Shape::rows;
        tile.lowered[d][row] = loweredIn(tile, d, row);
        tile.latest[d][row] = latestIn(tile, d, row);
      }
    });
    team.each(Lanes{}, [&](Cell c) {
      const int d = c.index;
      if (d >= Shape::directions) return;
      Real lowered = tile.lowered[d][0], latest = tile.latest[d][0];
      for (int row = 1; row < Shape::rows; ++row) {
        lowered = minOf(tile.lowered[d][row], lowered);
        latest = -minOf(-tile.latest[d][row], -latest);
      }
      const int to = numbers.neighbour(place, zoneOf(d, 0), zoneOf(d, 1), zoneOf(d, 2));
      const bool itself = d == Shape::directions / 2;
      if (to >= 0 && (itself ? changes : lowered < latest)) list(to, run, keyOf(float(lowered)));
    });
  }

  /// Returns the zone along an axis of the neighbour in a direction.
  TEAM_FN static Zone zoneOf(int direction, int axis) {
    if (axis == 0) return Zone(direction % 3 - 1);
    if (axis == 1) return Zone(direction / 3 % 3 - 1);
    return Shape::nz > 1 ? Zone(direction / 9 - 1) : Inside;
  }

  /// Returns the minimum new time in a row from which edges lead in a direction.
  TEAM_FN Real loweredIn(const Shared& tile, int d, int row) const {
    Real lowered = unreached<Real>;
    if (!sendersTo(zoneOf(d, 1), Shape::ny, image.reach[1]).has(row % Shape::ny) ||
        !sendersTo(zoneOf(d, 2), Shape::nz, image.reach[2]).has(row / Shape::ny))
      return lowered;
    const Span span = sendersTo(zoneOf(d, 0), Shape::nx, image.reach[0]);
    for (int x = span.first; x < span.end; ++x) lowered = minOf(tile.minimum[x + Shape::nx * row], lowered);
    return lowered;
  }

  /// Returns the maximum time in a row of the neighbour in a direction, as far as edges lead.
  TEAM_FN Real latestIn(const Shared& tile, int d, int row) const {
    const Span xs = rangeOf(zoneOf(d, 0), Shape::nx, image.reach[0]),
               ys = rangeOf(zoneOf(d, 1), Shape::ny, image.reach[1]),
               zs = rangeOf(zoneOf(d, 2), Shape::nz, image.reach[2]);
    const int y = ys.first + row % Shape::ny, z = zs.first + row / Shape::ny;
    Real latest = -unreached<Real>;
    if (!ys.has(y) || !zs.has(z)) return latest;
    for (int x = xs.first; x < xs.end; ++x) {
      const int i = at(x, y, z);
      const bool blank = EdgesInTile::rule != WeightRule::Cells && tile.slowness[i] == unreached<Real>;
      if (!blank && tile.time[i] > latest) latest = tile.time[i];
    }
    return latest;
  }
};

} // namespace isochrone::rays
