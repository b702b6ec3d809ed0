// CausalOrder.h - visits the points of an image after those that they depend on.
//
// A point depends on its earlier neighbours, so the times of first order give a graph without cycles. The
// points whose neighbours are done are visited by any thread, and may make others ready. Nothing is sorted,
// and what is computed does not depend on who does it when.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

using GridIndex = std::array<std::int64_t, 3>;

/// The one or two points that a difference along an axis takes besides its own.
struct Upstream {
  int sign = 0;           ///< +1: they lie on the lower side of the axis; 0: neither neighbour is earlier
  std::int64_t near = -1; ///< the earlier neighbour
  std::int64_t far = -1;  ///< the point behind it, if it is not later than that
};

class CausalOrder {
public:
  /// @param times  of first order, +infinity where nothing arrives, -infinity where the value is given
  CausalOrder(const Grid& grid, std::span<const float> times);

  GridIndex indexOf(std::int64_t point) const;
  /// @param at  index of the point on the axis
  Upstream upstream(std::int64_t point, int axis, std::int64_t at) const;

  /// visit(point) for every point whose time is finite. False if the monitor said stop.
  bool run(int threads, const Monitor& monitor, const std::function<void(std::int64_t)>& visit);

private:
  void countDependencies(int threads, std::vector<std::vector<std::int64_t>>& ready);
  void release(std::int64_t done, std::vector<std::int64_t>& ready);
  void releaseOne(std::int64_t point, std::vector<std::int64_t>& ready);

  Grid grid;
  std::span<const float> times;
  std::int64_t size[3], stride[3];
  std::vector<std::uint8_t> open; ///< per point: on how many points that are not done it depends
};

} // namespace isochrone::image
