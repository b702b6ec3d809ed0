// RayTracingTile.h - relaxes the points of a tile, row by row, with the times around it frozen.
//
// A sweep takes the rows of the tile in increasing order. A row pulls from the rows before it, which are done
// by then, and from itself; so one sweep carries a wave across the whole tile. The next sweep goes the other
// way, with the other half of the edges. Only rows that a change may reach are taken, and the tile is done
// when there are none. Lanes lie along the row, and several lanes share the edges of a point.
//
// Tiles of a round write their times in place while others read them: rounds go on until no tile can change
// another, and the times are then the same whatever each tile saw of the others (see DESIGN.md).
#pragma once

#include "RayTracing/RayTracingPoints.h"

namespace isochrone::rays {

using execution::PerLane;

/// Points of a tile, at most 32 rows of them, and how far its edges may lead. Twice the points within reach,
/// and what is found out of them, fit into 48 KB.
template <int NX, int NY, int NZ, int Reach>
struct TileShape {
  static constexpr int nx = NX, ny = NY, nz = NZ, rows = NY * NZ, size = NX * rows;
  static constexpr int reach = Reach, reachZ = NZ > 1 ? Reach : 0;
  static constexpr int rowsAround = (NY + 2 * Reach) * (NZ + 2 * reachZ),
                       sizeAround = (NX + 2 * Reach) * rowsAround;
  static constexpr int directions = NZ > 1 ? 27 : 9; ///< of neighbouring tiles, and the tile itself
  static constexpr int self = directions / 2;
  static_assert(rows <= 32 && NX % 8 == 0);
};

/// The neighbour in a direction: -1, 0 or 1 along each axis.
struct Direction {
  int x, y, z;
  template <class Shape>
  TEAM_FN static Direction of(int number) {
    return {number % 3 - 1, number / 3 % 3 - 1, Shape::nz > 1 ? number / 9 - 1 : 0};
  }
};

/// What a tile may do to a neighbour, or has left to do itself.
template <class Real>
struct Wake {
  Real key;             ///< nothing earlier will change there
  std::uint32_t before; ///< a bit for each row that rows before it, or the row itself, may change
  std::uint32_t after;  ///< the same for rows after it

  TEAM_FN static Wake none() { return {unreached<Real>, 0, 0}; }
  TEAM_FN void add(const Wake& other) {
    key = lesser(other.key, key);
    before |= other.before, after |= other.after;
  }
};

template <class Shape, class Real>
struct TileReport {
  Wake<Real> wake[Shape::directions];
  int round; ///< of the last change
};

/// For each row of a tile: the rows of another one, in a direction, that edges lead to.
template <class Shape>
struct NearRows {
  static constexpr int directions = Shape::directions / 3, self = directions / 2; ///< across rows
  std::uint32_t before[directions][Shape::rows]; ///< rows before it in the image, and the row itself
  std::uint32_t after[directions][Shape::rows];
};

/// Tiles are numbered run by run.
struct TileNumbers {
  int tiles[3];
  int ofRun; ///< numbers for each run, some of them unused

  TEAM_FN int count() const { return tiles[0] * tiles[1] * tiles[2]; }
  /// The number of a neighbour, -1 at the border.
  TEAM_FN int neighbour(int id, Direction d) const {
    const int tile = id % ofRun;
    const int x = tile % tiles[0] + d.x, y = tile / tiles[0] % tiles[1] + d.y,
              z = tile / (tiles[0] * tiles[1]) + d.z;
    if (unsigned(x) >= unsigned(tiles[0]) || unsigned(y) >= unsigned(tiles[1]) ||
        unsigned(z) >= unsigned(tiles[2]))
      return -1;
    return id - tile + x + tiles[0] * (y + tiles[1] * z);
  }
};

template <class TileShape, class EdgesInTile>
struct SweepTile {
  using Shape = TileShape;
  using Real = typename EdgesInTile::Real;
  using Near = NearRows<Shape>;
  static constexpr int parts = 256 / Shape::nx; ///< lanes of a point
  static constexpr int shares = 8;              ///< of the rows of a neighbour
  using Lanes = Box<Shape::nx, parts, 1>;
  struct Shared {
    Real time[Shape::sizeAround], slowness[Shape::sizeAround];
    Real least[Lanes::size];           ///< that a lane found for its point
    Real lowered[Shape::rows][3];      ///< least new time in a row: near its begin, anywhere, near its end
    Real latest[Shape::rowsAround][3]; ///< time in a row around: before, in and behind the tile
    Wake<Real> wake[Shape::directions][shares]; ///< of some rows of a neighbour
  };

  PaddedImage image;
  TileNumbers numbers;
  EdgesInTile edges;              ///< to rows before, in the row, to rows after
  int inRow, afterRow, edgeCount; ///< where the second and the third kind begin
  int toLeft;                     ///< the edge one step back in the row
  const Near* near;
  int sweeps; ///< at most
  const RoundControl* control;
  const int* active;
  const Wake<Real>* pending; ///< per tile
  TileReport<Shape, Real>* report;
  std::int64_t* relaxed; ///< edges looked at, per tile
  const Real* slowness;
  Real* times; ///< per run

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    const int id = active[position];
    const Place at = placeOf(id);
    const bool blanks = load(team, tile, at);
    const std::uint32_t inImage = rowsInImage(at);
    std::uint32_t before = pending[id].before & inImage, after = pending[id].after & inImage;
    std::int64_t looked = 0;
    bool changed = false, forth = before != 0;
    for (int sweep = 0; sweep < sweeps && (before | after); ++sweep, forth = !forth)
      for (int step = 0; step < Shape::rows; ++step) {
        const int row = forth ? step : Shape::rows - 1 - step;
        const std::uint32_t bit = 1u << row;
        if (!((forth ? before : after) & bit)) continue;
        before &= forth ? ~bit : ~0u;
        after &= forth ? ~0u : ~bit;
        const int first = forth ? 0 : inRow, end = forth ? afterRow : edgeCount;
        looked += end - first;
        if (!pull(team, tile, row, first, end, blanks)) continue;
        looked += settle(team, tile, row, blanks);
        changed = true;
        before |= near->after[Near::self][row] & inImage; // rows after it have a changed row before them
        after |= near->before[Near::self][row] & inImage & ~bit;
      }
    team.once([&] { relaxed[id] += looked * columnsInImage(at); });
    if (changed || (before | after)) finish(team, tile, id, at, before, after);
  }

private:
  /// Of a tile: its first point, and the values around it in the arrays.
  struct Place {
    int x, y, z;
    std::int64_t slowness, times;
  };
  TEAM_FN Place placeOf(int id) const {
    const int tile = id % numbers.ofRun;
    const Place p{tile % numbers.tiles[0] * Shape::nx, tile / numbers.tiles[0] % numbers.tiles[1] * Shape::ny,
                  tile / (numbers.tiles[0] * numbers.tiles[1]) * Shape::nz, 0, 0};
    const std::int64_t first = p.x + image.pitch * p.y + image.slab * p.z;
    return {p.x, p.y, p.z, first, first + id / numbers.ofRun * image.size};
  }
  TEAM_FN static int within(std::int64_t points, int size) { return points < size ? int(points) : size; }
  TEAM_FN int columnsInImage(const Place& at) const { return within(image.n[0] - at.x, Shape::nx); }
  TEAM_FN std::uint32_t rowsInImage(const Place& at) const {
    const int ny = within(image.n[1] - at.y, Shape::ny), nz = within(image.n[2] - at.z, Shape::nz);
    const std::uint32_t plane = ~0u >> (32 - ny);
    std::uint32_t rows = 0;
    for (int z = 0; z < nz; ++z) rows |= plane << (z * Shape::ny);
    return rows;
  }

  // The tile with what lies around it, x fastest, as far as the edges of this problem lead.
  TEAM_FN int pitch() const { return Shape::nx + 2 * image.reach[0]; }
  TEAM_FN int slab() const { return pitch() * (Shape::ny + 2 * image.reach[1]); }
  TEAM_FN int sizeAround() const { return slab() * (Shape::nz + 2 * image.reach[2]); }
  TEAM_FN int firstOf(int row) const {
    return image.reach[0] + pitch() * (image.reach[1] + row % Shape::ny) +
           slab() * (image.reach[2] + row / Shape::ny);
  }

  /// Returns whether there are blanked points.
  template <class Team>
  TEAM_FN bool load(Team& team, Shared& tile, const Place& at) const {
    const int row = pitch(), plane = slab(), end = sizeAround();
    return team.any([&](Cell c) {
      bool blanks = false;
      for (int i = c.index; i < end; i += Lanes::size) {
        const int x = i % row, y = i % plane / row, z = i / plane;
        const std::int64_t offset = x + image.pitch * y + image.slab * z;
        tile.time[i] = execution::loadRelaxed(times[at.times + offset]);
        tile.slowness[i] = slowness[at.slowness + offset];
        blanks = blanks || (tile.slowness[i] == unreached<Real> &&
                            image.holds(at.x + x - image.reach[0], at.y + y - image.reach[1],
                                        at.z + z - image.reach[2]));
      }
      return blanks;
    });
  }

  /// One row takes what some of its edges offer; returns whether it changed.
  template <class Team>
  TEAM_FN bool pull(Team& team, Shared& tile, int row, int first, int end, bool blanks) const {
    const int at = firstOf(row);
    team.each(Lanes{}, [&](Cell c) {
      const Real* time = tile.time + at + c.x;
      tile.least[c.index] =
          edges.relaxed(time, tile.slowness + at + c.x, *time, first + c.y, end, parts, blanks);
    });
    return team.any([&](Cell c) {
      if (c.y > 0) return false;
      Real best = tile.least[c.x];
      for (int p = 1; p < parts; ++p) best = lesser(tile.least[c.x + Shape::nx * p], best);
      Real& time = tile.time[at + c.x];
      const bool lower = best < time;
      if (lower) time = best;
      return lower;
    });
  }

  /// Relaxes the edges within a row that changed until nothing changes: all points at once to see whether
  /// there is anything to do, then one after the other. Returns how many edges of a point it looked at.
  template <class Team>
  TEAM_FN int settle(Team& team, Shared& tile, int row, bool blanks) const {
    const int at = firstOf(row);
    PerLane<Team, Real> next;
    for (int looked = afterRow - inRow;; looked += afterRow - inRow + 2) {
      const bool moves = team.any([&](Cell c) {
        if (c.y > 0) return false;
        const Real *time = tile.time + at + c.x, *s = tile.slowness + at + c.x;
        next[c] = edges.relaxed(time, s, *time, inRow, afterRow, 1, blanks);
        tile.least[c.x] = edges.weight(edges.list[toLeft], s, blanks);
        return next[c] < *time;
      });
      if (!moves) return looked;
      team.each(Lanes{}, [&](Cell c) {
        if (c.y == 0) tile.time[at + c.x] = next[c];
      });
      team.once([&] { scan(tile.time + at, tile.least); });
    }
  }

  /// From left to right and back, a step at a time. Eight points together are read before the first of them
  /// is written: only sums and comparisons wait for each other.
  /// @param toLeft  weight of the edge from each point to the one before it
  TEAM_FN static void scan(Real* time, const Real* toLeft) {
    constexpr int share = 8;
    Real t[share], w[share];
    Real carried = unreached<Real>;
    for (int first = 0; first < Shape::nx; first += share) {
      execution::unroll<share>([&](auto i) { t[i] = time[first + i], w[i] = toLeft[first + i]; });
      execution::unroll<share>([&](auto i) { carried = t[i] = lesser(carried + w[i], t[i]); });
      execution::unroll<share>([&](auto i) { time[first + i] = t[i]; });
    }
    carried = unreached<Real>;
    Real between = 0; // the edge from the point before
    for (int first = Shape::nx - share; first >= 0; first -= share) {
      execution::unroll<share>([&](auto i) { t[i] = time[first + i], w[i] = toLeft[first + i]; });
      execution::unroll<share>([&](auto i) {
        constexpr int k = share - 1 - i;
        carried = t[k] = lesser(carried + between, t[k]);
        between = w[k];
      });
      execution::unroll<share>([&](auto i) { time[first + i] = t[i]; });
    }
  }

  /// Writes the times that are new and tells what they may change elsewhere.
  template <class Team>
  TEAM_FN void finish(Team& team, Shared& tile, int id, const Place& at, std::uint32_t before,
                      std::uint32_t after) const {
    // 1. New times, also in place of the slowness of their points, which is not needed any more.
    team.each(Lanes{}, [&](Cell c) {
      for (int row = c.y; row < Shape::rows; row += parts) {
        const int i = firstOf(row) + c.x;
        Real& old = times[at.times + image.corner() + c.x + image.pitch * (row % Shape::ny) +
                          image.slab * (row / Shape::ny)];
        const Real time = tile.time[i];
        const bool lower = time < old;
        tile.slowness[i] = lower ? time : unreached<Real>;
        if (lower) execution::storeRelaxed(old, time);
      }
    });

    // 2. The least of them by rows, and the latest times around.
    const int rowsAround = sizeAround() / pitch(), reach = image.reach[0];
    team.each(Lanes{}, [&](Cell c) {
      for (int i = c.index; i < 3 * Shape::rows; i += Lanes::size) {
        const Real* values = tile.slowness + firstOf(i / 3);
        const int zone = i % 3, first = zone < 2 ? 0 : Shape::nx - within(reach, Shape::nx),
                  end = zone > 0 ? Shape::nx : within(reach, Shape::nx);
        Real least = unreached<Real>;
        for (int x = first; x < end; ++x) least = lesser(values[x], least);
        tile.lowered[i / 3][zone] = least;
      }
      for (int i = c.index; i < 3 * rowsAround; i += Lanes::size) {
        const int row = i / 3 * pitch(), zone = i % 3,
                  first = zone == 0   ? 0
                          : zone == 1 ? reach
                                      : Shape::nx + reach,
                  end = zone == 0   ? reach
                        : zone == 1 ? Shape::nx + reach
                                    : pitch();
        Real latest = -unreached<Real>;
        for (int x = first; x < end; ++x) {
          const bool blank =
              EdgesInTile::rule != WeightRule::Cells && tile.slowness[row + x] == unreached<Real>;
          if (!blank && tile.time[row + x] > latest) latest = tile.time[row + x];
        }
        tile.latest[i / 3][zone] = latest;
      }
    });

    // 3. Rows of the neighbours that a new time may lower.
    team.each(Lanes{}, [&](Cell c) {
      for (int i = c.index; i < shares * Shape::directions; i += Lanes::size)
        tile.wake[i / shares][i % shares] = wakeOf(tile, i / shares, i % shares);
    });
    team.each(Lanes{}, [&](Cell c) {
      for (int d = c.index; d < Shape::directions; d += Lanes::size) {
        Wake<Real> wake = Wake<Real>::none();
        for (int share = 0; share < shares; ++share) wake.add(tile.wake[d][share]);
        if (d == Shape::self) wake = {before | after ? pending[id].key : unreached<Real>, before, after};
        report[id].wake[d] = wake;
      }
    });
    team.once([&] { report[id].round = control->round; });
  }

  /// Some rows of the neighbour in a direction.
  TEAM_FN Wake<Real> wakeOf(const Shared& tile, int number, int share) const {
    const Direction d = Direction::of<Shape>(number);
    const int opposite = Near::directions - 1 - number / 3; // where the neighbour sees this tile
    Wake<Real> wake = Wake<Real>::none();
    for (int row = share; row < Shape::rows; row += shares) {
      const std::uint32_t before = near->before[opposite][row], after = near->after[opposite][row];
      if (!(before | after)) continue;
      const int y = row % Shape::ny + Shape::ny * d.y + image.reach[1],
                z = row / Shape::ny + Shape::nz * d.z + image.reach[2];
      const Real latest = tile.latest[y + (Shape::ny + 2 * image.reach[1]) * z][d.x + 1];
      for (int j = 0; j < Shape::rows; ++j) {
        const Real lowered = tile.lowered[j][d.x + 1];
        if (!((before | after) >> j & 1) || !(lowered < latest)) continue;
        wake.key = lesser(lowered, wake.key);
        wake.before |= (before >> j & 1) << row;
        wake.after |= (after >> j & 1) << row;
      }
    }
    return wake;
  }
};

} // namespace isochrone::rays
