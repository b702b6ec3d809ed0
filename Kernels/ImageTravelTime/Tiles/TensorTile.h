// TensorTile.h - the relaxation of a tile with tensors on any Team.
//
// A lane has one point. The stencils are longer than the border of a tile, so a tile reads the values of
// other tiles from the image, and writes its own to a second array, which is copied after the round. The
// passes within a tile read the values of the pass before. The result is therefore the same, bit for bit, in
// any order of tiles and lanes.
#pragma once

#include "Execution/Key.h"
#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"
#include "ImageTravelTime/Tiles/BorderedTile.h"
#include "ImageTravelTime/Tiles/TensorReaders.h"

#include <cstdint>

namespace isochrone::image {

using execution::warpSize;

/// The value of barriers, which nothing can lower.
inline constexpr float barrierValue = -unreached;

/// The image in device memory, in the solver's units.
struct TensorImageView {
  NodeGrid grid;
  const float* weight; ///< as TensorTerms::weight
  const TensorWord* word;
  const TensorOffsets16* offsets; ///< per stencil
  const EdgeTerms* edges;
  const float* drift; ///< as TensorTerms::drift; null: no drift
  float slack;        ///< as TensorTerms::slack
  const float* u;     ///< travel times, `never` where not yet known
  float* next;        ///< those after the round

  /// Returns the number of a point, or the step along an offset: there are fewer than 2^31 points.
  TEAM_FN int node(int x, int y, int z) const { return x + grid.nx * (y + grid.ny * z); }
  TEAM_FN int step(const TensorOffsets16::Offset& e) const { return node(e.x, e.y, e.z); }
};

/// The balls of the seeds, for source factoring.
struct TensorBalls {
  const TensorBall* balls;
  const std::int32_t* ofBrick; ///< per brick, as TensorSeeds::bricks; null: no balls
  int edge, nx, ny;            ///< points per brick on an axis, number of bricks on the first two axes

  TEAM_FN int at(int i, int j, int k) const {
    return ofBrick ? ofBrick[i / edge + nx * (j / edge + ny * (k / edge))] : -1;
  }
};

/// The tiles that read each tile; see TensorReaders.
struct ReadersView {
  const int* first;
  const TensorReader* readers;
  execution::Key* keys; ///< per tile, minimum value that may change it
};

/// Calls f(x, y, z) for the points of a box within a tile that belong to a lane of a warp.
template <class Shape, class F>
TEAM_FN void forEachOfLane(PackedBox box, int lane, F&& f) {
  constexpr int rows = warpSize / Shape::nx; // of a warp at a time
  const int x = lane % Shape::nx;
  if (x < int(box & 15) || x > int(box >> 12 & 15)) return;
  for (int z = box >> 8 & 15; z <= int(box >> 20 & 15); ++z)
    for (int y = int(box >> 4 & 15) + lane / Shape::nx; y <= int(box >> 16 & 15); y += rows) f(x, y, z);
}

/// Relaxes a tile by passes over its points, with fixed values around it, and lowers the keys of the tiles
/// that read what it lowered.
/// @tparam factored  with source factoring near point seeds
/// @tparam drifts    in a medium that drifts
template <class Shape, bool factored, bool drifts>
struct RelaxTensorTile {
  using Lanes = Shape;
  static constexpr int terms = Shape::nz == 1 ? 3 : 6, warps = Shape::size / warpSize;
  static constexpr int none = Shape::size; ///< slot with `never`
  struct Shared {
    float u[Shape::size + 1];
    float lowered[Shape::size]; ///< new value of a point, `never` if unchanged
  };

  TensorImageView image;
  ReadersView readers;
  TensorBalls balls;
  int passes; ///< maximum number
  const int* active;
  int* passesMade; ///< per tile, total of all rounds

  /// What the update of a lane's point reads.
  template <class Team>
  struct Terms {
    PerLane<Team, float> weight[terms], beyond[terms]; ///< beyond: the earlier neighbour outside the tile
    PerLane<Team, int> within[terms];                  ///< slots of both neighbours
    PerLane<Team, int> edge;                           ///< number of its EdgeTerms, or -1
    PerLane<Team, float> beyondFaces;                  ///< minimum that comes straight from outside the tile
    PerLane<Team, float> shift[terms];                 ///< by the drift, from the point along each offset
    PerLane<Team, float> earliestBeyond;               ///< of all neighbours outside the tile, without shifts
    PerLane<Team, int> ball;                           ///< number, or -1
  };

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    const int id = active[position];
    const TileCorner corner = image::corner<Shape>(image.grid, id);
    Terms<Team> of;
    PerLane<Team, float> before, now;
    team.each(Lanes{}, [&](Cell c) { before[c] = load(shared, c, corner, of); });

    int made = 0;
    bool moving = true;
    for (; made < passes && moving; ++made) {
      team.each(Lanes{}, [&](Cell c) { now[c] = updated(shared, c, corner, of); });
      moving = team.any([&](Cell c) {
        const bool lower = now[c] < shared.u[c.index];
        shared.u[c.index] = now[c];
        return lower;
      });
    }

    const bool lowered = team.any([&](Cell c) {
      const bool lower = now[c] < before[c];
      shared.lowered[c.index] = lower ? now[c] : never;
      if (lower) image.next[node(corner, c.x, c.y, c.z)] = now[c];
      return lower;
    });
    if (lowered) lowerKeys(team, shared, id, moving);
    team.once([&] { passesMade[id] += made; });
  }

private:
  TEAM_FN int node(const TileCorner& corner, int x, int y, int z) const {
    return image.node(corner.x + x, corner.y + y, corner.z + z);
  }
  /// Returns the slot of a point of the tile, or -1 outside the tile.
  TEAM_FN static int slot(int x, int y, int z) {
    const bool inTile = unsigned(x) < unsigned(Shape::nx) && unsigned(y) < unsigned(Shape::ny) &&
                        unsigned(z) < unsigned(Shape::nz);
    return inTile ? x + Shape::nx * (y + Shape::ny * z) : -1;
  }

  /// Reads all that the updates of a lane's point need. Returns its value.
  template <class Team>
  TEAM_FN float load(Shared& shared, Cell c, const TileCorner& corner, Terms<Team>& of) const {
    const bool inside = image.grid.holds(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    const int n = node(corner, c.x, c.y, c.z);
    const TensorWord word = inside ? image.word[n] : noStencil;
    const float u = inside ? image.u[n] : barrierValue;
    if (c.index == 0) shared.u[none] = never;
    shared.u[c.index] = u;
    of.edge[c] = -1, of.beyondFaces[c] = never, of.ball[c] = -1;
    if constexpr (drifts) of.earliestBeyond[c] = never;
    if (word == noStencil) {
      execution::unroll<terms>([&](auto r) {
        of.weight[r][c] = 0, of.beyond[r][c] = never, of.within[r][c] = none | none << 16;
        if constexpr (drifts) of.shift[r][c] = 0;
      });
      return u;
    }
    const OneForm form = oneFormAt(n);
    std::uint32_t stencil = word;
    TensorSees sees = seesAll;
    if (word & atEdge) {
      of.edge[c] = int(word & ~atEdge);
      const EdgeTerms& edge = image.edges[of.edge[c]];
      stencil = edge.stencil, sees = edge.sees;
      of.beyondFaces[c] = fromFaces(edge, form, c, [&](int at, int axis, int side) {
        const int step = axis == 0 ? 1 : axis == 1 ? image.grid.nx : image.grid.nx * image.grid.ny;
        return at < 0 ? image.u[side ? n + step : n - step] : never;
      });
    }
    if constexpr (factored) of.ball[c] = balls.at(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    execution::unroll<terms>([&](auto r) {
      const TensorOffsets16::Offset e = image.offsets[stencil].of[r];
      const bool seesUp = sees >> r & 1, seesDown = sees >> (maxTerms + r) & 1;
      const int up = slot(c.x + e.x, c.y + e.y, c.z + e.z), down = slot(c.x - e.x, c.y - e.y, c.z - e.z);
      const float above = seesUp && up < 0 ? image.u[n + image.step(e)] : never,
                  below = seesDown && down < 0 ? image.u[n - image.step(e)] : never;
      of.weight[r][c] = image.weight[r * image.grid.nodes() + n];
      if constexpr (drifts) {
        const float shift = e.x * form.x + e.y * form.y + e.z * form.z;
        of.shift[r][c] = shift;
        of.beyond[r][c] = minOf(above - shift, below + shift);
        of.earliestBeyond[c] = minOf(of.earliestBeyond[c], minOf(above, below));
      } else {
        of.beyond[r][c] = minOf(above, below);
      }
      of.within[r][c] = (seesUp && up >= 0 ? up : none) | (seesDown && down >= 0 ? down : none) << 16;
    });
    return u;
  }

  /// The one-form of the drift at a point, time per grid step along each axis.
  struct OneForm {
    float x = 0, y = 0, z = 0;
  };
  TEAM_FN OneForm oneFormAt(int n) const {
    OneForm form;
    if constexpr (drifts) {
      form.x = image.drift[n], form.y = image.drift[image.grid.nodes() + n];
      if constexpr (Shape::nz > 1) form.z = image.drift[2 * image.grid.nodes() + n];
    }
    return form;
  }

  /// Returns the minimum of value(slot, axis, side) + time along the axis over the faces that an edge sees.
  template <class Value>
  TEAM_FN static float fromFaces(const EdgeTerms& edge, const OneForm& form, Cell c, Value&& value) {
    float minimum = never;
    execution::unroll<6>([&](auto face) {
      const int axis = face / 2, side = face % 2, step = 2 * side - 1;
      if (!(edge.sees >> (faceBits + face) & 1)) return;
      const int at =
          slot(c.x + (axis == 0 ? step : 0), c.y + (axis == 1 ? step : 0), c.z + (axis == 2 ? step : 0));
      float time = edge.time[axis];
      if constexpr (drifts) time = time - float(step) * (axis == 0 ? form.x : axis == 1 ? form.y : form.z);
      minimum = minOf(minimum, value(at, axis, side) + time);
    });
    return minimum;
  }

  /// Returns the value of a lane's point after one update, never above its present value.
  template <class Team>
  TEAM_FN float updated(const Shared& shared, Cell c, const TileCorner& corner, const Terms<Team>& of) const {
    const float u = shared.u[c.index];
    float weight[terms];
    execution::unroll<terms>([&](auto r) { weight[r] = of.weight[r][c]; });
    float best = u, earliest = u; // of the point and its neighbours, which bounds the update in a drift
    if (factored && of.ball[c] >= 0 && updateNearSeed(shared, c, corner, of, weight, best)) {
    } else {
      float value[terms];
      execution::unroll<terms>([&](auto r) {
        const int within = of.within[r][c];
        float up = shared.u[within & 0xffff], down = shared.u[within >> 16];
        if constexpr (drifts) up = up - of.shift[r][c], down = down + of.shift[r][c];
        value[r] = minOf(of.beyond[r][c], minOf(up, down));
      });
      if (isAbove<Scalar>(value, weight, u))
        best = minOf(solveTerms<Scalar, false>(value, weight, value).value, u);
    }
    if constexpr (drifts) {
      earliest = minOf(earliest, of.earliestBeyond[c]);
      execution::unroll<terms>([&](auto r) {
        const int within = of.within[r][c];
        earliest = minOf(earliest, minOf(shared.u[within & 0xffff], shared.u[within >> 16]));
      });
      best = best > earliest ? best : earliest;
    }
    if (of.edge[c] >= 0) {
      best = minOf(best, of.beyondFaces[c]);
      best = minOf(best, fromFaces(image.edges[of.edge[c]], oneFormAt(node(corner, c.x, c.y, c.z)), c,
                                   [&](int at, int, int) { return at >= 0 ? shared.u[at] : never; }));
    }
    return best;
  }

  /// Lowers `best` by the update with source factoring. Returns false if the point is not in a ball.
  template <class Team>
  TEAM_FN bool updateNearSeed(const Shared& shared, Cell c, const TileCorner& corner, const Terms<Team>& of,
                              const float (&weight)[terms], float& best) const {
    const TensorSeed seed = balls.balls[of.ball[c]].seenFrom(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    const int n = node(corner, c.x, c.y, c.z);
    const std::uint32_t word = image.word[n];
    const bool isEdge = word & atEdge;
    const TensorOffsets16& offsets = image.offsets[isEdge ? image.edges[word & ~atEdge].stencil : word];
    const TensorSees sees = isEdge ? image.edges[word & ~atEdge].sees : seesAll;
    TensorSide<Scalar> up[terms], down[terms];
    float value[terms], bound[terms];
    bool applies = true;
    execution::unroll<terms>([&](auto r) {
      const TensorOffsets16::Offset e = offsets.of[r];
      const SeedLine<Scalar> line(e.x, e.y, e.z, seed);
      applies = line.applies;
      const int within = of.within[r][c], slotUp = within & 0xffff, slotDown = within >> 16;
      const auto side = [&](int at, bool isSeen, int step) {
        return at == none && isSeen ? image.u[n + step] : shared.u[at];
      };
      float shift = 0;
      if constexpr (drifts) shift = of.shift[r][c];
      up[r] = corrected<1>(line, side(slotUp, sees >> r & 1, image.step(e)) - shift);
      down[r] = corrected<-1>(line, side(slotDown, sees >> (maxTerms + r) & 1, -image.step(e)) + shift);
      value[r] = minOf(up[r].value, down[r].value);
      bound[r] = up[r].value < down[r].value ? up[r].bound : down[r].bound;
    });
    if (!applies) return false;
    if (!isAbove<Scalar>(value, weight, best)) return true;
    const TensorSolution<Scalar> free = solveTerms<Scalar, true>(value, weight, bound);
    best = minOf(free.latest > free.value ? solveWithBounds(up, down, weight) : free.value, best);
    return true;
  }

  /// Returns the minimum solution with bounds. A side applies from its bound on: the solution uses all sides
  /// whose bounds are not later than some bound, or equals that bound; see FactoredUpdate.h. Takes the bounds
  /// in ascending order, so that no array is indexed by a variable.
  TEAM_FN static float solveWithBounds(const TensorSide<Scalar> (&up)[terms],
                                       const TensorSide<Scalar> (&down)[terms],
                                       const float (&weight)[terms]) {
    float best = never, limit = -never;
    while (true) {
      float bound = best;
      execution::unroll<terms>([&](auto r) {
        if (!(weight[r] > 0)) return;
        if (up[r].bound > limit) bound = minOf(bound, up[r].bound);
        if (down[r].bound > limit) bound = minOf(bound, down[r].bound);
      });
      if (!(bound < best)) return best;
      float value[terms];
      execution::unroll<terms>([&](auto r) {
        value[r] =
            minOf(up[r].bound > bound ? never : up[r].value, down[r].bound > bound ? never : down[r].value);
      });
      const float v = solveTerms<Scalar, false>(value, weight, value).value;
      best = minOf(best, v > bound ? v : bound);
      limit = bound;
    }
  }

  /// Lowers the keys of the tiles that read new values: a warp per reader. A new value cannot lower earlier
  /// ones. With factoring it can, near a seed, and in a drift those up to `slack` earlier.
  /// @param moving  whether the last pass lowered a value; otherwise the tile itself needs no turn
  template <class Team>
  TEAM_FN void lowerKeys(Team& team, const Shared& shared, int id, bool moving) const {
    const int last = readers.first[id + 1];
    for (int first = readers.first[id]; first < last; first += warps) {
      const auto readerOf = [&](Cell c) -> const TensorReader& {
        return readers.readers[first + c.index / warpSize];
      };
      PerLane<Team, float> low; // minimum new value that the reader reads
      team.each(Lanes{}, [&](Cell c) {
        low[c] = never;
        if (first + c.index / warpSize >= last || (readerOf(c).tile == id && !moving)) return;
        forEachOfLane<Shape>(readerOf(c).read, c.index % warpSize, [&](int x, int y, int z) {
          low[c] = minOf(low[c], shared.lowered[x + Shape::nx * (y + Shape::ny * z)]);
        });
      });
      for (int step = warpSize / 2; step > 0; step /= 2) {
        const auto other = team.shuffle(low, [step](Cell c) { return c.index ^ step; });
        team.each(Lanes{}, [&](Cell c) { low[c] = minOf(low[c], other[c]); });
      }
      const auto later =
          team.ballot([&](Cell c) { return low[c] < never && hasLater(readerOf(c), low[c], c); });
      team.each(Lanes{}, [&](Cell c) {
        if (c.index % warpSize == 0 && later[c])
          execution::fetchMin(readers.keys[readerOf(c).tile], execution::keyOf(low[c]));
      });
    }
  }

  /// Returns whether a lane's share of the points of a reader that read this tile has values that `low` may
  /// lower, or with factoring lies near a seed.
  TEAM_FN bool hasLater(const TensorReader& reader, float low, Cell c) const {
    const TileCorner corner = image::corner<Shape>(image.grid, reader.tile);
    bool later = false;
    forEachOfLane<Shape>(reader.reads, c.index % warpSize, [&](int x, int y, int z) {
      later = later || image.u[node(corner, x, y, z)] > (drifts ? low - image.slack : low);
      if constexpr (factored) later = later || balls.at(corner.x + x, corner.y + y, corner.z + z) >= 0;
    });
    return later;
  }
};

} // namespace isochrone::image
