// GridPart.h - one part of an image that is divided among processes: its points, and its exchange with the
// other parts.
//
// Each process owns a box of points. The boxes are disjoint and cover the image. The grid of a part has the
// own points and a margin of points of other processes, as far as the image reaches. A process computes its
// own points and is told the values of the others.
#pragma once

#include "Grid/ImageGrid.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::grid {

/// The points low <= p < high.
struct Box {
  GridIndex low{}, high{};

  std::int64_t size(int axis) const { return high[axis] - low[axis]; }
  bool empty() const { return size(0) <= 0 || size(1) <= 0 || size(2) <= 0; }
  std::int64_t points() const { return empty() ? 0 : size(0) * size(1) * size(2); }
  bool contains(const GridIndex& p) const {
    for (int a = 0; a < 3; ++a)
      if (p[a] < low[a] || p[a] >= high[a]) return false;
    return true;
  }
};

Box common(const Box& a, const Box& b);
/// Returns the box with a margin on every side, within an image of `size` points.
Box grown(const Box& box, std::int64_t margin, const GridIndex& size);

/// Calls f(point) for the points of a box, x fastest.
template <class F>
void forEachPoint(const Box& box, F&& f) {
  GridIndex p;
  for (p[2] = box.low[2]; p[2] < box.high[2]; ++p[2])
    for (p[1] = box.low[1]; p[1] < box.high[1]; ++p[1])
      for (p[0] = box.low[0]; p[0] < box.high[0]; ++p[0]) f(p);
}

/// Another process with points in the margin, in the indices of this part's grid.
struct PartLink {
  int process;
  Box told;          ///< own points in the margin of the other process
  Box heard;         ///< points of the other process in the margin of this part
  GridIndex shift{}; ///< of a periodic image: from the points of this part to the same points of its copy
};

/// The face between this part and another one.
struct PartFace {
  std::size_t link; ///< number of the other process in GridPart::links
  int axis;
  bool up;   ///< the other part lies behind the upper side of this one
  Box inner; ///< own points beside the face
  Box outer; ///< the points behind them, in the same order
};

using Message = std::vector<char>;

/// Thrown by GridPart::exchange where another process failed or was stopped.
struct OtherPartStopped : std::exception {
  const char* what() const noexcept override { return "another process stopped"; }
};

struct GridPart {
  GridIndex whole{}; ///< number of points of the whole image on each axis
  GridIndex first{}; ///< index in the whole image of the first point of this grid
  Box own;           ///< in the indices of this grid; may be empty
  std::vector<PartLink> links;
  bool periodic = false; ///< the links lead to copies of this part (PeriodicPart.h)
  /// Replaces each number by its minimum over all processes, and returns the messages that the processes of
  /// the links sent. Collective: all processes call it with the same number of minima, and all or none of
  /// them with messages.
  /// @param messages  one per link, or none
  /// @throws OtherPartStopped
  std::function<std::vector<Message>(std::span<double> minima, const std::vector<Message>& messages)>
      exchange;

  bool isDivided() const { return bool(exchange); }
  /// Returns whether this process computes a point, given by its index in this grid.
  bool owns(const GridIndex& point) const { return !isDivided() || own.contains(point); }
  /// Replaces each number by its minimum over all processes. Does nothing if the image is not divided.
  void allMin(std::span<double> values) const {
    if (isDivided()) exchange(values, {});
  }
  std::vector<PartFace> faces() const;
  /// Returns the minimum width, in world units, of all parts along the axes that are divided. Parts of one
  /// layer of points do not count; +infinity if there are no others. Collective.
  double minimumWidth(const std::array<double, 3>& spacing) const;
  /// Returns the box of the grid, own points and margin, in the indices of the whole image.
  Box boxInWhole(const GridIndex& size) const;
};

/// Returns the points that this process computes: all of the grid if the image is not divided.
inline Box ownPoints(const ImageGrid& grid, const GridPart& part) {
  return part.isDivided() ? part.own : Box{{0, 0, 0}, grid.sizes()};
}

/// Returns the part of a process, without an exchange. Also a process without points gets a margin, so that
/// its grid is not empty.
/// @param own     the boxes of all processes, in the indices of the whole image
/// @param margin  number of points
GridPart partOf(int process, std::span<const Box> own, const GridIndex& whole, std::int64_t margin);

/// Replaces the values in the margin by those of the processes that own the points. Collective.
/// @param values  per point of the grid
template <class T>
void fillMargin(const ImageGrid& grid, const GridPart& part, std::span<T> values) {
  if (!part.isDivided()) return;
  std::vector<Message> messages;
  for (const PartLink& link : part.links) {
    Message& message = messages.emplace_back(std::size_t(link.told.points()) * sizeof(T));
    char* at = message.data();
    forEachPoint(link.told, [&](const GridIndex& p) {
      std::memcpy(at, &values[std::size_t(grid.index(p))], sizeof(T));
      at += sizeof(T);
    });
  }
  const std::vector<Message> heard = part.exchange({}, messages);
  for (std::size_t l = 0; l < heard.size(); ++l) {
    const char* at = heard[l].data();
    forEachPoint(part.links[l].heard, [&](const GridIndex& p) {
      std::memcpy(&values[std::size_t(grid.index(p))], at, sizeof(T));
      at += sizeof(T);
    });
  }
}

/// Values of a box that have changed. The points of the box are numbered, x fastest.
template <class T>
struct News {
  std::vector<std::uint32_t> point; ///< ascending
  std::vector<T> value;
};

/// Returns the message that holds the news; empty if there are none. The points take one bit for each point
/// of the box or 32 bits for each changed one, whichever is less. T is float or double.
/// @param points  number of points of the box
template <class T>
Message packed(const News<T>& news, std::int64_t points);
/// Returns the news that a message holds.
template <class T>
News<T> unpacked(std::span<const char> message, std::int64_t points);

} // namespace isochrone::grid
