// TensorTileUpdate.h - the update of a lane's point with a tensor, for RelaxTensorTile. What it reads lies in
// registers.
#pragma once

#include "ImageTravelTime/Tiles/TensorImage.h"
#include "ImageTravelTime/Tiles/TensorSides.h"

namespace isochrone::image {

/// @tparam nearSeeds  with source factoring near point seeds
/// @tparam drifts     in a medium that drifts
template <class TileShape, bool nearSeeds, bool drifts>
struct TensorTileUpdate {
  using Shape = TileShape;
  static constexpr bool factored = nearSeeds;
  static constexpr int terms = Shape::nz == 1 ? 3 : 6;
  static constexpr int none = Shape::size; ///< slot with `never`

  TensorImageView image;
  TensorBalls balls;

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

  /// Reads all that the updates of a lane's point need. Returns its value.
  template <class Team>
  TEAM_FN float load(TileValues<Shape>& tile, Cell c, const TileCorner& corner, Terms<Team>& of) const {
    const bool inside = image.grid.holds(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    const int n = node(corner, c);
    const TensorWord word = inside ? image.word[n] : noStencil;
    const float u = inside ? image.u[n] : barrierValue;
    if (c.index == 0) tile[none] = never;
    tile[c.index] = u;
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
      of.beyondFaces[c] = fromFacesBeyond<Shape>(image, n, edge, form, c);
    }
    if constexpr (factored) of.ball[c] = balls.at(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    execution::unroll<terms>([&](auto r) {
      const TensorOffsets16::Offset e = image.offsets[stencil].of[r];
      const bool seesUp = sees >> r & 1, seesDown = sees >> (maxTerms + r) & 1;
      const int up = slotOf<Shape>(c.x + e.x, c.y + e.y, c.z + e.z),
                down = slotOf<Shape>(c.x - e.x, c.y - e.y, c.z - e.z);
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

  /// Returns whether a new value of a point may lower a later value.
  TEAM_FN bool mayLower(float low, float later) const { return later > (drifts ? low - image.slack : low); }

  /// Returns the value of a lane's point after one update, never above its present value.
  template <class Team>
  TEAM_FN float updated(const TileValues<Shape>& tile, Cell c, const TileCorner& corner,
                        const Terms<Team>& of) const {
    const float u = tile[c.index];
    float weight[terms];
    execution::unroll<terms>([&](auto r) { weight[r] = of.weight[r][c]; });
    float best = u, earliest = u; // of the point and its neighbours, which bounds the update in a drift
    if (factored && of.ball[c] >= 0 && updateNearSeed(tile, c, corner, of, weight, best)) {
    } else {
      float value[terms];
      execution::unroll<terms>([&](auto r) {
        const int within = of.within[r][c];
        float up = tile[within & 0xffff], down = tile[within >> 16];
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
        earliest = minOf(earliest, minOf(tile[within & 0xffff], tile[within >> 16]));
      });
      best = best > earliest ? best : earliest;
    }
    if (of.edge[c] >= 0) {
      best = minOf(best, of.beyondFaces[c]);
      const OneForm form = oneFormAt(node(corner, c));
      best = minOf(best, fromFacesWithin<Shape>(tile, image.edges[of.edge[c]], form, c));
    }
    return best;
  }

private:
  TEAM_FN int node(const TileCorner& corner, Cell c) const {
    return image.node(corner.x + c.x, corner.y + c.y, corner.z + c.z);
  }
  TEAM_FN OneForm oneFormAt(int n) const {
    OneForm form;
    if constexpr (drifts) {
      form.x = image.drift[n], form.y = image.drift[image.grid.nodes() + n];
      if constexpr (Shape::nz > 1) form.z = image.drift[2 * image.grid.nodes() + n];
    }
    return form;
  }

  /// Lowers `best` by the update with source factoring. Returns false if the point is not in a ball.
  template <class Team>
  TEAM_FN bool updateNearSeed(const TileValues<Shape>& tile, Cell c, const TileCorner& corner,
                              const Terms<Team>& of, const float (&weight)[terms], float& best) const {
    const TensorSeed seed = balls.balls[of.ball[c]].seenFrom(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    const int n = node(corner, c);
    const std::uint32_t word = image.word[n];
    const bool isEdge = word & atEdge;
    const TensorOffsets16& offsets = image.offsets[isEdge ? image.edges[word & ~atEdge].stencil : word];
    const TensorSees sees = isEdge ? image.edges[word & ~atEdge].sees : seesAll;
    TensorSide<Scalar> up[terms], down[terms];
    float value[terms];
    bool applies = true;
    execution::unroll<terms>([&](auto r) {
      const TensorOffsets16::Offset e = offsets.of[r];
      const SeedLine<Scalar> line(e.x, e.y, e.z, seed);
      applies = line.applies;
      const int within = of.within[r][c], slotUp = within & 0xffff, slotDown = within >> 16;
      const auto side = [&](int at, bool isSeen, int step) {
        return at == none && isSeen ? image.u[n + step] : tile[at];
      };
      float shift = 0;
      if constexpr (drifts) shift = of.shift[r][c];
      up[r] = corrected<1>(line, side(slotUp, sees >> r & 1, image.step(e)) - shift);
      down[r] = corrected<-1>(line, side(slotDown, sees >> (maxTerms + r) & 1, -image.step(e)) + shift);
      value[r] = minOf(up[r].value, down[r].value);
    });
    if (!applies) return false;
    if (!isAbove<Scalar>(value, weight, best)) return true;
    best = minOf(solveSides(up, down, weight), best);
    return true;
  }
};

} // namespace isochrone::image
