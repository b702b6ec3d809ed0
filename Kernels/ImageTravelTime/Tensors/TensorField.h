// TensorField.h - an image of tensors prepared for the updates: stencils, values, and the users of each
// point.
#pragma once

#include "Grid/Selling.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Tensors/ReverseAdjacency.h"
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include <array>
#include <vector>

namespace isochrone::image {

/// The offsets of a stencil, in a fixed order.
using StencilOffsets = std::array<grid::Offset, maxTerms>;

struct UserSteps;

class TensorField {
public:
  /// @throws Error if the stencils differ too much
  explicit TensorField(const SolverInput& input);

  double unit = 1;        ///< unit of time, a power of two
  float largestSpeed = 0; ///< maximum speed, grid steps per unit of time, up to a factor of two
  Values<float> value;    ///< travel times, `never` where not yet known

  std::int64_t points() const { return grid.points(); }
  TensorView view() const { return {value.data(), point.data(), offsets.data()}; }
  /// Returns the minimum value that comes straight from a neighbour on an axis, for points that do not see
  /// all points of their stencil, otherwise `never`. Without it the front would not reach corners and narrow
  /// passages.
  float fromFaces(std::int64_t p) const;
  bool isBarrier(std::int64_t p) const { return point[p].stencil < 0; }

  /// Calls f(q) for the points q whose update uses p.
  template <class F>
  void forEachUser(std::int64_t p, F&& f) const {
    for (const std::uint16_t number : users.of(p)) f(p + steps[number]);
  }

  void prefetch(std::int64_t p) const { __builtin_prefetch(&point[p]), __builtin_prefetch(&value[p]); }
  void prefetchUsers(std::int64_t p) const { users.prefetch(p), __builtin_prefetch(&value[p]); }

  /// Writes offset + unit * value; +infinity where unreached or where the value exceeds `latest`.
  void writeTo(std::span<float> travelTime, double offset, float latest, int threads) const;
  std::size_t bytes() const;

private:
  /// Returns the distinct stencils of the image.
  std::vector<StencilOffsets> findStencils(const Problem& problem, int threads);
  void findClear(const std::vector<StencilOffsets>& stencils, int threads);
  void findFaceTimes(const Problem& problem, int threads);
  void findUsers(int threads);
  template <class F>
  void forEachUsed(const UserSteps& numbers, std::int64_t q, F&& f) const;
  bool takesFaces(std::int64_t p) const { return (point[p].clear & allClear) != allClear; }
  template <class F>
  void forEachFace(std::int64_t p, F&& f) const;

  Grid grid;
  Values<TensorPoint> point;
  std::vector<TensorOffsets> offsets;
  std::array<int, 3> reach{};                  ///< maximum offset on each axis
  std::vector<std::int64_t> firstFaceTime;     ///< per row, index of its first entry in `faceTimes`
  std::vector<std::array<float, 3>> faceTimes; ///< time along each axis, for the points that use faces
  std::vector<std::int64_t> steps;             ///< the distinct steps from a point to a user of it
  ReverseAdjacency users;                      ///< per point, indices into `steps`
};

} // namespace isochrone::image
