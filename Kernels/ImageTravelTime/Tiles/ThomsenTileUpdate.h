// ThomsenTileUpdate.h - the update of a lane's point in a tilted transversely isotropic medium, for
// RelaxTensorTile. The number of pieces of a point varies, so each update reads them again.
#pragma once

#include "ImageTravelTime/Scheme/ThomsenEquation.h"
#include "ImageTravelTime/Tiles/TensorImage.h"
#include "ImageTravelTime/Tiles/TensorSides.h"

namespace isochrone::image {

/// The neighbours of a lane's point in a piece, for updatedInPiece.
/// @tparam factored  with bounds of the sides
template <int terms, bool factored>
struct ThomsenSides {
  static constexpr bool bounded = factored;
  struct Weights {
    float of[terms];
  };

  float across[terms], along[terms];
  TensorSide<Scalar> up[terms], down[terms]; ///< bounds are not read without `factored`
  float first = never;                       ///< minimum of the values

  TEAM_FN float earliest() const { return first; }

  TEAM_FN ThomsenSums sums(float v, float limit) const {
    float value[terms], ofAcross[terms], ofAlong[terms];
    valueUpTo(limit, value);
    execution::unroll<terms>([&](auto r) {
      const float d = Scalar::max(v - value[r], 0) / (v - first), square = d * d;
      ofAcross[r] = across[r] * square, ofAlong[r] = along[r] * square;
    });
    return {sumOfTerms(ofAcross), sumOfTerms(ofAlong)};
  }

  TEAM_FN Weights weight(const ThomsenTangent<float>& t) const {
    Weights weights;
    execution::unroll<terms>(
        [&](auto r) { weights.of[r] = Scalar::max(across[r] * t.across + along[r] * t.along, 0); });
    return weights;
  }

  TEAM_FN bool isAbove(float v, const Weights& weights) const {
    float value[terms];
    valueUpTo(v, value);
    return image::isAbove<Scalar>(value, weights.of, v);
  }

  TEAM_FN float solved(const Weights& weights) const {
    if constexpr (factored) {
      return solveSides(up, down, weights.of);
    } else {
      float value[terms];
      valueUpTo(never, value);
      return solveTerms<Scalar, false>(value, weights.of, value).value;
    }
  }

private:
  /// Returns the value of each pair's earlier side, of those that a solution v may use.
  TEAM_FN void valueUpTo(float v, float (&value)[terms]) const {
    execution::unroll<terms>([&](auto r) {
      if constexpr (factored)
        value[r] = minOf(up[r].bound > v ? never : up[r].value, down[r].bound > v ? never : down[r].value);
      else
        value[r] = minOf(up[r].value, down[r].value);
    });
  }
};

/// @tparam nearSeeds  with source factoring near point seeds
template <class TileShape, bool nearSeeds>
struct ThomsenTileUpdate {
  using Shape = TileShape;
  static constexpr bool factored = nearSeeds;
  static constexpr int terms = Shape::nz == 1 ? 3 : 6;

  TensorImageView image;
  TensorBalls balls;

  /// What the update of a lane's point reads.
  template <class Team>
  struct Terms {
    PerLane<Team, int> edge;          ///< number of its EdgeTerms, or -1
    PerLane<Team, float> beyondFaces; ///< minimum that comes straight from outside the tile
    PerLane<Team, int> ball;          ///< number, or -1
  };

  /// Reads all that the updates of a lane's point need. Returns its value.
  template <class Team>
  TEAM_FN float load(TileValues<Shape>& tile, Cell c, const TileCorner& corner, Terms<Team>& of) const {
    const bool inside = image.grid.holds(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    const int n = node(corner, c);
    const TensorWord word = inside ? image.word[n] : noStencil;
    const float u = inside ? image.u[n] : barrierValue;
    tile[c.index] = u;
    of.edge[c] = -1, of.beyondFaces[c] = never, of.ball[c] = -1;
    if (word == noStencil) return u;
    if (word & atEdge) {
      of.edge[c] = int(word & ~atEdge);
      of.beyondFaces[c] = fromFacesBeyond<Shape>(image, n, image.edges[of.edge[c]], {}, c);
    }
    if constexpr (factored) of.ball[c] = balls.at(corner.x + c.x, corner.y + c.y, corner.z + c.z);
    return u;
  }

  /// Returns whether a new value of a point may lower a later value.
  TEAM_FN bool mayLower(float low, float later) const { return later > low; }

  /// Returns the value of a lane's point after one update, never above its present value.
  template <class Team>
  TEAM_FN float updated(const TileValues<Shape>& tile, Cell c, const TileCorner& corner,
                        const Terms<Team>& of) const {
    const float u = tile[c.index];
    if (u == barrierValue) return u;
    const int n = node(corner, c);
    const ThomsenPoint point = image.tilted[n];
    float best = extremumOfPieces(point, u, [&](std::uint32_t k) {
      const ThomsenTerms& piece = image.piece[k];
      return updatedInPiece(point, piece, sidesOf(tile, c, corner, of.ball[c], piece), u);
    });
    if (of.edge[c] >= 0) {
      best = minOf(best, of.beyondFaces[c]);
      best = minOf(best, fromFacesWithin<Shape>(tile, image.edges[of.edge[c]], {}, c));
    }
    return best;
  }

private:
  TEAM_FN int node(const TileCorner& corner, Cell c) const {
    return image.node(corner.x + c.x, corner.y + c.y, corner.z + c.z);
  }

  /// Returns the neighbours that a point uses in a piece; `never` for what it does not see.
  TEAM_FN ThomsenSides<terms, factored> sidesOf(const TileValues<Shape>& tile, Cell c,
                                                const TileCorner& corner, int ball,
                                                const ThomsenTerms& piece) const {
    const int n = node(corner, c);
    const TensorOffsets16& offsets = image.offsets[piece.stencil];
    ThomsenSides<terms, factored> sides;
    execution::unroll<terms>([&](auto r) {
      const TensorOffsets16::Offset e = offsets.of[r];
      const bool seesUp = piece.sees >> r & 1, seesDown = piece.sees >> (maxTerms + r) & 1;
      const auto valueAt = [&](int at, bool isSeen, int step) {
        if (!isSeen) return never;
        return at >= 0 ? tile[at] : image.u[n + step];
      };
      sides.across[r] = piece.across[r], sides.along[r] = piece.along[r];
      // Without factoring no bound is late.
      sides.up[r] = {valueAt(slotOf<Shape>(c.x + e.x, c.y + e.y, c.z + e.z), seesUp, image.step(e)), -never};
      sides.down[r] = {valueAt(slotOf<Shape>(c.x - e.x, c.y - e.y, c.z - e.z), seesDown, -image.step(e)),
                       -never};
      if constexpr (factored)
        if (ball >= 0) correctNearSeed(ball, corner, c, e, seesUp, seesDown, sides.up[r], sides.down[r]);
      sides.first = minOf(sides.first, minOf(sides.up[r].value, sides.down[r].value));
    });
    return sides;
  }

  /// Corrects the sides of a pair for source factoring, if the point lies in a ball.
  TEAM_FN void correctNearSeed(int ball, const TileCorner& corner, Cell c, const TensorOffsets16::Offset& e,
                               bool seesUp, bool seesDown, TensorSide<Scalar>& up,
                               TensorSide<Scalar>& down) const {
    const int x = corner.x + c.x, y = corner.y + c.y, z = corner.z + c.z;
    const ThomsenSeed seed =
        balls.boxes[ball].seenFrom(x, y, z, balls.balls[ball].seenFrom(x, y, z), balls.arrivals);
    const SeedLine<Scalar> line(e.x, e.y, e.z, seed.place);
    if (!line.applies) return;
    const auto correct = [&](auto sign, bool isSeen, float value) {
      ThomsenChange change{0, 0};
      if (isSeen) change = changeAlong(seed, float(sign * e.x), float(sign * e.y), float(sign * e.z));
      return corrected<sign>(line, value, change.later, change.remainder, float(seed.arrival->time));
    };
    up = correct(execution::Index<1>{}, seesUp, up.value);
    down = correct(execution::Index<-1>{}, seesDown, down.value);
  }
};

} // namespace isochrone::image
