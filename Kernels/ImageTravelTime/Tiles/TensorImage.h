// TensorImage.h - an image with tensors or a tilted medium in device memory, and the places of values that an
// update in a tile reads.
#pragma once

#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"
#include "ImageTravelTime/Scheme/ThomsenArrival.h"
#include "ImageTravelTime/Scheme/ThomsenTerms.h"
#include "ImageTravelTime/Tiles/BorderedTile.h"
#include "ImageTravelTime/Tiles/TensorTerms.h"

#include <cstdint>

namespace isochrone::image {

/// The value of barriers, which nothing can lower.
inline constexpr float barrierValue = -unreached;

/// The image in device memory, in the solver's units.
struct TensorImageView {
  NodeGrid grid;
  const float* weight; ///< as TensorTerms::weight
  const TensorWord* word;
  const TensorOffsets16* offsets; ///< per stencil
  const EdgeTerms* edges;
  const float* drift;         ///< as TensorTerms::drift; null: no drift
  float slack;                ///< as TensorTerms::slack
  const ThomsenPoint* tilted; ///< per point, if tilted; null: tensors
  const ThomsenTerms* piece;  ///< as ThomsenPieces::piece
  const float* u;             ///< travel times, `never` where not yet known
  float* next;                ///< those after the round

  /// Returns the number of a point, or the step along an offset: there are fewer than 2^31 points.
  TEAM_FN int node(int x, int y, int z) const { return x + grid.nx * (y + grid.ny * z); }
  TEAM_FN int step(const TensorOffsets16::Offset& e) const { return node(e.x, e.y, e.z); }
};

/// The balls of the seeds, for source factoring.
struct TensorBalls {
  const TensorBall* balls;
  const std::int32_t* ofBrick; ///< per brick, as TensorSeeds::bricks; null: no balls
  int edge, nx, ny;            ///< points per brick on an axis, number of bricks on the first two axes
  const ThomsenBall* boxes;    ///< per ball, if tilted
  const ThomsenArrival* arrivals;

  TEAM_FN int at(int i, int j, int k) const {
    return ofBrick ? ofBrick[i / edge + nx * (j / edge + ny * (k / edge))] : -1;
  }
};

/// The values of the points of a tile, and `never` in the slot after them.
template <class Shape>
using TileValues = float[Shape::size + 1];

/// Returns the slot of a point of the tile, or -1 outside the tile.
template <class Shape>
TEAM_FN int slotOf(int x, int y, int z) {
  const bool inTile = unsigned(x) < unsigned(Shape::nx) && unsigned(y) < unsigned(Shape::ny) &&
                      unsigned(z) < unsigned(Shape::nz);
  return inTile ? x + Shape::nx * (y + Shape::ny * z) : -1;
}

/// The one-form of the drift at a point, time per grid step along each axis.
struct OneForm {
  float x = 0, y = 0, z = 0;
};

/// Returns the minimum of value(slot, axis, side) + time along the axis over the faces that an edge sees.
template <class Shape, class Value>
TEAM_FN float fromFaces(const EdgeTerms& edge, const OneForm& form, Cell c, Value&& value) {
  float minimum = never;
  execution::unroll<6>([&](auto face) {
    const int axis = face / 2, side = face % 2, step = 2 * side - 1;
    if (!(edge.sees >> (faceBits + face) & 1)) return;
    const int at = slotOf<Shape>(c.x + (axis == 0 ? step : 0), c.y + (axis == 1 ? step : 0),
                                 c.z + (axis == 2 ? step : 0));
    const float with = axis == 0 ? form.x : axis == 1 ? form.y : form.z;
    minimum = minOf(minimum, value(at, axis, side) + (edge.time[axis] - float(step) * with));
  });
  return minimum;
}

/// Returns the minimum that comes straight from the neighbours of an edge outside the tile.
/// @param n  the point
template <class Shape>
TEAM_FN float fromFacesBeyond(const TensorImageView& image, int n, const EdgeTerms& edge, const OneForm& form,
                              Cell c) {
  return fromFaces<Shape>(edge, form, c, [&](int at, int axis, int side) {
    const int step = axis == 0 ? 1 : axis == 1 ? image.grid.nx : image.grid.nx * image.grid.ny;
    return at < 0 ? image.u[side ? n + step : n - step] : never;
  });
}

/// Returns the same from the neighbours within the tile.
template <class Shape>
TEAM_FN float fromFacesWithin(const TileValues<Shape>& u, const EdgeTerms& edge, const OneForm& form,
                              Cell c) {
  return fromFaces<Shape>(edge, form, c, [&](int at, int, int) { return at >= 0 ? u[at] : never; });
}

} // namespace isochrone::image
