// TensorUpwind.h - the differences that the scheme for tensors takes, from a travel time.
#pragma once

#include "ImageTravelTime/Scheme/Tensors.h"

#include <array>
#include <cstdint>
#include <span>

namespace isochrone::image {

/// A neighbour that a point sees.
struct TensorNeighbour {
  grid::Offset step{};
  std::int64_t point = -1;
  double weight = 0; ///< of its term, 1 / time^2
};

/// Of each term the earlier neighbour, and those on the axes.
struct TensorUpwind {
  int count = 0;
  std::array<TensorNeighbour, mostTerms> term{};
  TensorNeighbour face;   ///< from which the straight way is the fastest; point -1: none
  double viaFace = 0;     ///< travel time that way
  bool takesFace = false; ///< the point does not see all points of its stencil

  const TensorNeighbour* begin() const { return term.data(); }
  const TensorNeighbour* end() const { return term.data() + count; }
};

TensorUpwind tensorUpwind(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

/// All that a point may be updated from: up to twelve points of its stencil that it sees.
struct TensorNeighbours {
  int count = 0;
  std::array<TensorNeighbour, 2 * mostTerms> neighbour{};

  const TensorNeighbour* begin() const { return neighbour.data(); }
  const TensorNeighbour* end() const { return neighbour.data() + count; }
};

TensorNeighbours tensorNeighbours(const Problem& problem, std::int64_t point);

/// The update in double.
double tensorUpdate(const TensorUpwind& upwind, std::span<const float> travelTime);

/// Gradient of the travel time, world units; 0 where nothing is earlier.
std::array<double, 3> tensorGradient(const Problem& problem, std::span<const float> travelTime,
                                     std::int64_t point);

/// The same with central differences wherever those to both sides are alike: of second order, for paths. What
/// a path loses by a wrong direction grows with the square of the anisotropy.
std::array<double, 3> centralTensorGradient(const Problem& problem, std::span<const float> travelTime,
                                            std::int64_t point);

/// The earlier point from which most of the value comes; the point itself where there is none.
std::int64_t earlierPoint(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

} // namespace isochrone::image
