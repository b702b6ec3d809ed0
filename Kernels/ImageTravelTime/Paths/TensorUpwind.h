// TensorUpwind.h - the differences of the scheme for tensors, from a travel time.
#pragma once

#include "ImageTravelTime/Scheme/TensorStencil.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace isochrone::image {

/// A neighbour that a point sees.
struct TensorNeighbour {
  grid::Offset step{};
  std::int64_t point = -1;
  double weight = 0; ///< weight of its term, 1 / time^2
  double shift = 0;  ///< by the drift: the step leads to the value travelTime[point] - shift

  double valueIn(std::span<const float> travelTime) const { return travelTime[point] - shift; }
};

/// The earlier neighbour of each term, and the neighbours on the axes.
struct TensorUpwind {
  TensorStencil stencil; ///< as in TensorNeighbours
  int count = 0;
  std::array<TensorNeighbour, maxTerms> term{};
  /// Where the point does not see all points of its stencil: the neighbour on an axis from which the straight
  /// step is the fastest; point -1: none.
  TensorNeighbour face;
  double viaFace = std::numeric_limits<double>::infinity(); ///< travel time by this step

  const TensorNeighbour* begin() const { return term.data(); }
  const TensorNeighbour* end() const { return term.data() + count; }
};

TensorUpwind tensorUpwind(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

/// All points that a point may be updated from: the points of its stencil that it sees, twelve at most.
struct TensorNeighbours {
  TensorStencil stencil; ///< of the point; in a tilted medium that of the tangent that gives it its value
  bool seesAll = true;   ///< of its stencil; in a tilted medium of the stencils of all tangents
  int count = 0;
  std::array<TensorNeighbour, 2 * maxTerms> neighbour{};

  const TensorNeighbour* begin() const { return neighbour.data(); }
  const TensorNeighbour* end() const { return neighbour.data() + count; }
};

TensorNeighbours tensorNeighbours(const Problem& problem, std::span<const float> travelTime,
                                  std::int64_t point);

/// Returns the earliest travel time of the points that a point may be updated from.
double earliestNeighbour(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

/// Returns the update in double precision.
double tensorUpdate(const Problem& problem, const TensorUpwind& upwind, std::span<const float> travelTime,
                    std::int64_t point);

/// Returns the gradient of the travel time, world units; 0 where no neighbour is earlier.
std::array<double, 3> tensorGradient(const Problem& problem, std::span<const float> travelTime,
                                     std::int64_t point);

/// Returns the gradient minus the one-form of the drift, with central differences where both sides are alike:
/// second order, for paths. The time that a path loses by a wrong direction grows with the square of the
/// anisotropy.
std::array<double, 3> centralTensorGradient(const Problem& problem, std::span<const float> travelTime,
                                            std::int64_t point);

/// Returns the metric, the inverse of the tensor, of the tangent of a tilted medium in the direction of a
/// gradient; world units.
grid::Symmetric3 tangentMetric(const Problem& problem, std::int64_t point, const grid::Vector3& gradient);

/// Returns the earlier point that contributes most to the value; the point itself if none is earlier.
std::int64_t earlierPoint(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

} // namespace isochrone::image
