// LineMessages.h - the messages of one pass: for each line, in order, the vertices that its receiver needs.
#pragma once

#include "DistanceTransform/Host/AxisParts.h"
#include "DistanceTransform/Host/Passes.h"
#include "DistanceTransform/Host/VertexCode.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace isochrone::distance {

/// The points beyond the lines of a tile; see Beyond.
template <class T>
struct PointsBeyond {
  struct Line {
    std::vector<T> x, value;
    std::vector<std::int64_t> label;
    int before = 0;
  };
  std::vector<Line> lines{2 * strip};
  std::vector<Beyond<T>> view{2 * strip};

  void clear() {
    for (Line& line : lines) line.x.clear(), line.value.clear(), line.label.clear(), line.before = 0;
  }
  const Beyond<T>* views() {
    for (std::size_t l = 0; l < lines.size(); ++l) {
      const Line& line = lines[l];
      view[l] = {line.x.data(), line.value.data(), line.label.data(), line.before,
                 int(line.x.size()) - line.before};
    }
    return view.data();
  }
};

/// Received messages, with the place of each tile's lines in them.
template <class T>
class LineMessages {
public:
  /// @param kinds      1, or 2 if both kinds of points are measured
  /// @param origin     first point of the pieces that are solved, from which tiles and places are counted
  /// @param fromStart  whether places in the messages count from the start of the whole line, else from that
  ///                   of the link's piece
  LineMessages(const AxisParts& p, const VertexCode<T>& c, int numberOfKinds, const GridIndex& start,
               bool fromStart, const LineChoice& inMessages)
      : parts(p), code(c), kinds(numberOfKinds), origin(start), wholeLines(fromStart), choice(inMessages) {}

  /// Adds the message of a link; links are added in the order of their pieces.
  void add(const Link& link, std::vector<char> message) {
    if (message.empty()) return; // no vertices
    Source source{link, std::move(message), {}};
    int longest = 0;
    const char* at = source.message.data();
    const auto ignore = [](int, std::int64_t, const auto&) {};
    for (std::int64_t v = link.lines.v0; v < link.lines.v1; ++v)
      for (std::int64_t tile = tileOf(link.lines.u0); tile <= tileOf(link.lines.u1 - 1); ++tile) {
        source.tiles.push_back(std::size_t(at - source.message.data()));
        at = read(
            source, at, tile, v, [&](int, int count) { longest = std::max(longest, count); }, ignore);
      }
    most += longest;
    sources.push_back(std::move(source));
  }

  /// Returns an upper bound of the number of points beyond a line.
  int mostBeyond() const { return most; }

  /// Finds the points beyond the lines of a tile. May be called by several threads.
  void collect(std::int64_t firstU, std::int64_t v, PointsBeyond<T>& points) const {
    points.clear();
    const std::int64_t tile = tileOf(firstU);
    for (const Source& source : sources) {
      const LineRange& lines = source.link.lines;
      if (v < lines.v0 || v >= lines.v1 || tile < tileOf(lines.u0) || tile > tileOf(lines.u1 - 1)) continue;
      const std::int64_t tiles = tileOf(lines.u1 - 1) - tileOf(lines.u0) + 1;
      const std::size_t at = source.tiles[std::size_t((v - lines.v0) * tiles + tile - tileOf(lines.u0))];
      read(
          source, source.message.data() + at, tile, v, [](int, int) {},
          [&](int slot, std::int64_t x, const typename VertexCode<T>::Vertex& vertex) {
            auto& line = points.lines[std::size_t(slot)];
            line.x.push_back(T(x));
            line.value.push_back(vertex.value);
            line.label.push_back(vertex.label);
            line.before += x < 0;
          });
    }
  }

private:
  struct Source {
    Link link;
    std::vector<char> message;
    std::vector<std::size_t> tiles; ///< beginnings in the message
  };

  std::int64_t tileOf(std::int64_t u) const { return (u - origin[parts.u]) / strip; }

  /// Reads the lines of a tile. Calls line(slot, number of vertices), then vertex(slot, place, vertex).
  template <class OnLine, class OnVertex>
  const char* read(const Source& source, const char* at, std::int64_t tile, std::int64_t v,
                   const OnLine& onLine, const OnVertex& onVertex) const {
    const std::int64_t first = origin[parts.u] + tile * strip;
    GridIndex point{};
    point[parts.v] = v;
    for (std::int64_t u = std::max(first, source.link.lines.u0);
         u < std::min(first + strip, source.link.lines.u1); ++u) {
      if (!choice.has(source.link, u, v)) continue;
      point[parts.u] = u;
      for (int kind = 0; kind < kinds; ++kind) {
        const int slot = kind * strip + int(u - first), count = int(getNumber(at));
        onLine(slot, count);
        point[parts.axis] = wholeLines ? 0 : source.link.begin;
        for (int i = 0; i < count; ++i) {
          point[parts.axis] += std::int64_t(getNumber(at));
          const auto vertex = code.get(at, point);
          onVertex(slot, point[parts.axis] - origin[parts.axis], vertex);
        }
      }
    }
    return at;
  }

  const AxisParts& parts;
  const VertexCode<T>& code;
  int kinds;
  GridIndex origin;
  bool wholeLines;
  LineChoice choice;
  std::vector<Source> sources;
  int most = 0;
};

} // namespace isochrone::distance
