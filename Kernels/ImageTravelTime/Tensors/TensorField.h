// TensorField.h - an image of tensors as the updates see it: stencils, values, and who uses whom.
#pragma once

#include "Grid/Selling.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Scheme/Tensors.h"
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include <array>
#include <map>
#include <mutex>
#include <vector>

namespace isochrone::image {

/// The offsets of a stencil, in a fixed order.
using StencilOffsets = std::array<grid::Offset, mostTerms>;

/// The distinct stencils of an image, numbered as they are met.
class StencilTable {
public:
  /// Called by all threads at once.
  std::int32_t numberOf(const StencilOffsets& offsets);

  const std::vector<StencilOffsets>& all() const { return list; }

private:
  std::mutex mutex;
  std::map<StencilOffsets, std::int32_t> numbers;
  std::vector<StencilOffsets> list;
};

class TensorField {
public:
  /// @throws Error as checkTensors does, and if there is too little memory
  TensorField(const Problem& problem, int threads);

  double unit = 1;        ///< of time; a power of two
  float largestSpeed = 0; ///< grid steps per unit of time, to within a factor of two
  Values<float> value;    ///< travel times, `never` where there is none yet

  std::int64_t points() const { return grid.points(); }
  TensorView view() const { return {value.data(), point.data(), offsets.data()}; }
  /// The least value that comes straight from a neighbour on an axis, for points that do not see all points
  /// of their stencil: without it the front would not get into corners and narrow ways.
  float fromFaces(std::int64_t p) const;
  bool isBarrier(std::int64_t p) const { return point[p].stencil < 0; }

  /// Calls f(q) for the points q whose update uses p.
  template <class F>
  void forEachUser(std::int64_t p, F&& f) const {
    for (std::uint32_t n = firstUser[p]; n < firstUser[p + 1]; ++n) f(p + steps[user[n]]);
  }

  void prefetch(std::int64_t p) const { __builtin_prefetch(&point[p]), __builtin_prefetch(&value[p]); }
  void prefetchUsers(std::int64_t p) const {
    __builtin_prefetch(&firstUser[p]), __builtin_prefetch(&value[p]);
  }

  /// Writes offset + unit * value; +infinity where nothing arrived or the value is beyond `latest`.
  void writeTo(std::span<float> travelTime, double offset, float latest, int threads) const;
  std::size_t bytes() const;

private:
  void findStencils(const Problem& problem, int threads);
  void findClear(int threads);
  void findFaceTimes(const Problem& problem, int threads);
  void findUsers(int threads);
  bool takesFaces(std::int64_t p) const { return (point[p].clear & allClear) != allClear; }
  template <class F>
  void forEachFace(std::int64_t p, F&& f) const;

  Grid grid;
  StencilTable stencils;
  Values<TensorPoint> point;
  std::vector<TensorOffsets> offsets;
  std::array<int, 3> reach{};                  ///< of the offsets on each axis
  std::vector<std::int64_t> firstFaceTime;     ///< per row
  std::vector<std::array<float, 3>> faceTimes; ///< along each axis, of the points that take faces
  std::vector<std::int64_t> steps;             ///< the distinct ones from a point to a user of it
  std::vector<std::uint32_t> firstUser;        ///< per point, in `user`, and the end
  Values<std::uint16_t> user;                  ///< numbers of steps
};

} // namespace isochrone::image
