// RelaxTile.h - relaxes the points of a tile with the surrounding times frozen, and lists the tiles that its
// new times may change.
//
// A round takes the listed tiles whose keys lie within a band above the minimum key; the others stay listed.
// Tiles of a round write their times in place while others read them. A tile that read an outdated time is
// listed again, so that the final times do not depend on the values that each tile read (see DESIGN.md).
#pragma once

#include "Execution/Key.h"
#include "RayTracing/Tiles/Copies.h"
#include "RayTracing/Tiles/PointKernels.h"

#include <limits>

namespace isochrone::rays {

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
/// @tparam CopiesOfPoints  Copies of an image with periodic axes, else NoCopies
template <class TileShape, class EdgesInTile, class CopiesOfPoints = NoCopies>
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
  const Real* slownessAlong;          ///< of a tilted medium, per direction and point
  Real* times;                        ///< per run
  CopiesOfPoints copies;

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
    for (; changes && pass < passes; ++pass) changes = relaxOnce(team, tile, place, first, floor, blanks);
    team.once([&] { execution::fetchAdd(control->relaxed, static_cast<long long>(pass) * inImage(place)); });
    if (pass == 1 && !changes) return;

    team.each(Lanes{}, [&](Cell c) {
      if (c.z > 0) return;
      if (isCopy(place, c)) {
        tile.minimum[c.index] = unreached<Real>;
        return;
      }
      const Real time = tile.time[at(c.x, c.y)];
      Real& old = ofRun[inImage(first, c)];
      const bool lower = time < old;
      tile.minimum[c.index] = lower ? time : unreached<Real>;
      if (lower) execution::storeRelaxed(old, time);
    });
    listNeighbours(team, tile, place, run, changes);
    if constexpr (CopiesOfPoints::exist)
      if (areRepeated(place)) {
        lowerCopies(team, tile, place, ofRun);
        listReadersOfCopies(team, tile, place, run);
      }
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

  /// Returns the index in the padded image of the point of a lane.
  TEAM_FN std::int64_t inImage(std::int64_t first, const Cell& c) const {
    return first + c.x + image.pitch * (c.y % Shape::ny) + image.slab * (c.y / Shape::ny);
  }

  /// Returns the number of points of a tile that lie in the image.
  TEAM_FN int inImage(const Cell& place) const {
    if constexpr (CopiesOfPoints::exist) {
      const auto along = [&](int at, int size, int axis) {
        const auto range = copies.inTile(at, size, axis);
        return range.first < range.end ? int(range.end - range.first) : 0;
      };
      return along(place.x, Shape::nx, 0) * along(place.y, Shape::ny, 1) * along(place.z, Shape::nz, 2);
    }
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
  TEAM_FN bool relaxOnce(Team& team, Shared& tile, const Cell& place, std::int64_t first, Real floor,
                         bool blanks) const {
    team.each(Lanes{}, [&](Cell c) {
      const Real* time = tile.time + at(c.x, c.y);
      if (isCopy(place, c)) {
        tile.minimum[c.index] = *time;
        return;
      }
      const Real* ofPoint = tile.slowness + at(c.x, c.y);
      if constexpr (EdgesInTile::tilted) ofPoint = slownessAlong + inImage(first, c);
      tile.minimum[c.index] =
          edges.relaxed(time, ofPoint, *time, c.z, edgeCount, Shape::parts, blanks, floor);
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
      const int to = numbers.neighbour(place, Shape::zoneOf(d, 0), Shape::zoneOf(d, 1), Shape::zoneOf(d, 2));
      if constexpr (CopiesOfPoints::exist)
        if (inImage({place.x + Shape::zoneOf(d, 0), place.y + Shape::zoneOf(d, 1),
                     place.z + Shape::zoneOf(d, 2), to}) == 0)
          return;
      const bool itself = d == Shape::directions / 2;
      if (to >= 0 && (itself ? changes : lowered < latest)) list(to, run, keyOf(float(lowered)));
    });
  }

  TEAM_FN static Point pointOf(const Cell& place, int x, int row) {
    return {std::int64_t(place.x) * Shape::nx + x, std::int64_t(place.y) * Shape::ny + row % Shape::ny,
            std::int64_t(place.z) * Shape::nz + row / Shape::ny};
  }

  /// Returns whether the point of a lane lies in the margin. Other tiles write its time.
  TEAM_FN bool isCopy(const Cell& place, const Cell& c) const {
    if constexpr (CopiesOfPoints::exist) return !copies.isInImage(pointOf(place, c.x, c.y));
    return false;
  }

  /// Returns whether the margin repeats points of a tile.
  TEAM_FN bool areRepeated(const Cell& place) const {
    return copies.areRepeated(copies.inTile(place.x, Shape::nx, 0), 0) ||
           copies.areRepeated(copies.inTile(place.y, Shape::ny, 1), 1) ||
           copies.areRepeated(copies.inTile(place.z, Shape::nz, 2), 2);
  }

  /// Gives all copies of the lowered points their times.
  template <class Team>
  TEAM_FN void lowerCopies(Team& team, Shared& tile, const Cell& place, Real* ofRun) const {
    team.each(Lanes{}, [&](Cell c) {
      if (c.z > 0 || tile.minimum[c.index] == unreached<Real>) return;
      const Point p = pointOf(place, c.x, c.y);
      for (int d = 0; d < Shape::directions; ++d)
        if (copies.template exists<Shape>(p, d))
          execution::storeRelaxed(ofRun[image.index(p.x + copies.stepsTo(Shape::zoneOf(d, 0), 0),
                                                    p.y + copies.stepsTo(Shape::zoneOf(d, 1), 1),
                                                    p.z + copies.stepsTo(Shape::zoneOf(d, 2), 2))],
                                  tile.minimum[c.index]);
    });
  }

  /// Lists the tiles that read lowered copies.
  template <class Team>
  TEAM_FN void listReadersOfCopies(Team& team, Shared& tile, const Cell& place, int run) const {
    team.each(Lanes{}, [&](Cell c) {
      for (int i = c.index; i < Shape::directions * Shape::rows; i += Lanes::size) {
        const int d = i / Shape::rows, row = i % Shape::rows;
        Real lowered = unreached<Real>;
        for (int x = 0; x < Shape::nx; ++x)
          if (copies.template exists<Shape>(pointOf(place, x, row), d))
            lowered = minOf(tile.minimum[x + Shape::nx * row], lowered);
        tile.lowered[d][row] = lowered;
      }
    });
    team.each(Lanes{}, [&](Cell c) {
      const int d = c.index;
      if (d >= Shape::directions) return;
      Real lowered = tile.lowered[d][0];
      for (int row = 1; row < Shape::rows; ++row) lowered = minOf(tile.lowered[d][row], lowered);
      if (lowered == unreached<Real>) return;
      const Span xs = copies.readers(place.x, Shape::nx, Shape::zoneOf(d, 0), 0, image.reach[0]),
                 ys = copies.readers(place.y, Shape::ny, Shape::zoneOf(d, 1), 1, image.reach[1]),
                 zs = copies.readers(place.z, Shape::nz, Shape::zoneOf(d, 2), 2, image.reach[2]);
      for (int z = zs.first; z < zs.end; ++z)
        for (int y = ys.first; y < ys.end; ++y)
          for (int x = xs.first; x < xs.end; ++x)
            list(place.index + numbers.steps(x - place.x, y - place.y, z - place.z), run,
                 keyOf(float(lowered)));
    });
  }

  /// Returns the minimum new time in a row from which edges lead in a direction.
  TEAM_FN Real loweredIn(const Shared& tile, int d, int row) const {
    Real lowered = unreached<Real>;
    if (!sendersTo(Shape::zoneOf(d, 1), Shape::ny, image.reach[1]).has(row % Shape::ny) ||
        !sendersTo(Shape::zoneOf(d, 2), Shape::nz, image.reach[2]).has(row / Shape::ny))
      return lowered;
    const Span span = sendersTo(Shape::zoneOf(d, 0), Shape::nx, image.reach[0]);
    for (int x = span.first; x < span.end; ++x) lowered = minOf(tile.minimum[x + Shape::nx * row], lowered);
    return lowered;
  }

  /// Returns the maximum time in a row of the neighbour in a direction, as far as edges lead.
  TEAM_FN Real latestIn(const Shared& tile, int d, int row) const {
    const Span xs = rangeOf(Shape::zoneOf(d, 0), Shape::nx, image.reach[0]),
               ys = rangeOf(Shape::zoneOf(d, 1), Shape::ny, image.reach[1]),
               zs = rangeOf(Shape::zoneOf(d, 2), Shape::nz, image.reach[2]);
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
