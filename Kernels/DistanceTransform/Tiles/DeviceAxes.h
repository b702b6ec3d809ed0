// DeviceAxes.h - the axes of an image as its kernels read them, on any device.
#pragma once

#include "DistanceTransform/Tiles/LineAxis.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace isochrone::distance {

inline bool isRectilinear(const Measure& m) { return !m.axes[0].coordinates.empty(); }

/// Calls run.operator()<Axis>() with the type of the axes, and so of the squared distances.
template <class Run>
auto withAxes(const Measure& m, Run&& run) {
  const auto even = [&]<class T>(T) {
    const bool periodic = m.axes[0].periodic || m.axes[1].periodic || m.axes[2].periodic;
    return periodic ? run.template operator()<PeriodicAxis<T>>() : run.template operator()<EvenAxis<T>>();
  };
  if (isRectilinear(m)) return run.template operator()<UnevenAxis>();
  return m.integers32 ? even(std::int32_t{}) : even(double{});
}

/// Appends the coordinates of an axis, with UnevenAxis::padding ascending ones before and after them.
inline void appendPadded(const MeasuredAxis& axis, std::vector<double>& padded) {
  const std::vector<double> ofOnePoint{0}, &at = axis.coordinates.empty() ? ofOnePoint : axis.coordinates;
  const double step = at.size() > 1 ? at.back() - at.front() : 1;
  padded.reserve(padded.size() + at.size() + 2 * UnevenAxis::padding);
  for (int i = UnevenAxis::padding; i > 0; --i) padded.push_back(at.front() - i * step);
  padded.insert(padded.end(), at.begin(), at.end());
  for (int i = 1; i <= UnevenAxis::padding; ++i) padded.push_back(at.back() + i * step);
}

/// Returns the number of bytes of the coordinates of a rectilinear grid, 0 for an image.
inline std::size_t coordinateBytes(const Measure& m) {
  std::size_t count = 0;
  for (const MeasuredAxis& axis : m.axes) count += std::size_t(axis.points + 2 * UnevenAxis::padding);
  return isRectilinear(m) ? count * sizeof(double) : 0;
}

/// The extremes, over the rows, of the squared distance to the first row out of a window's reach.
struct SquareRange {
  double minimum, maximum;
};
inline SquareRange squaresBeyondWindow(const MeasuredAxis& axis) {
  constexpr int beyond = windowReach + 1;
  if (axis.coordinates.empty()) {
    const double square = EvenAxis<double>{axis.weight}.squareBeyond(0, 0, beyond);
    return {square, square};
  }
  std::vector<double> at;
  appendPadded(axis, at);
  const UnevenAxis line{at.data() + UnevenAxis::padding, 0};
  SquareRange range{none<double>, 0};
  for (int row = 0; row < int(axis.points); ++row) {
    const double square = line.squareBeyond(row, row, beyond);
    range.minimum = std::min(range.minimum, square), range.maximum = std::max(range.maximum, square);
  }
  return range;
}

/// Makes the axes of a problem; keeps the coordinates of a rectilinear grid in device memory.
template <class Axis, class Device>
class DeviceAxes {
public:
  DeviceAxes(Device& device, const Measure& m) : measure(m) {
    if (!isRectilinear(m)) return;
    std::vector<double> all;
    for (int a = 0; a < 3; ++a) {
      first[a] = all.size() + UnevenAxis::padding;
      appendPadded(m.axes[a], all);
    }
    coordinates = device.upload(std::span<const double>(all));
  }

  /// @param a  0: x, which has no windows
  /// @param needed  number of rows, up and down, that may matter
  Axis axis(int a, [[maybe_unused]] int needed) {
    if constexpr (std::is_same_v<Axis, UnevenAxis>)
      return {coordinates.data() + first[a], a > 0 ? squaresBeyondWindow(measure.axes[a]).maximum : 0};
    else if constexpr (Axis::mayRepeat)
      return Axis(measure.axes[a], needed);
    else
      return {typename Axis::Number(measure.axes[a].weight)};
  }
  std::size_t bytes() const { return coordinates.bytes(); }

private:
  const Measure& measure;
  typename Device::template Array<double> coordinates;
  std::size_t first[3]{}; ///< index of the first point of each axis
};

} // namespace isochrone::distance
