// WindowLists.h - the windows of each edge.
#pragma once

#include "MeshTravelTime/Exact/Envelope.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace isochrone::mesh {

/// The windows of each edge, each cut by the others.
class WindowLists {
public:
  explicit WindowLists(const Surface& surface) : s(surface), lists(std::size_t(surface.edgeCount())) {}

  /// Cuts a window by the others of its edge and them by it, and adds it to those that wait, or extends one
  /// that waits by it. Returns false if nothing of it is left.
  bool add(Window& w) {
    const double length = s.edges[std::size_t(w.edge)].length;
    std::vector<Entry>& list = lists[std::size_t(w.edge)];
    const double scale = std::abs(w.start) + w.distanceAt(w.a) - w.start + length;
    bool meets = false;
    for (const Entry& other : list) {
      if (!areNear(w, other.window)) continue;
      meets = true;
      if (!cutBy(w, other.window, -tie * scale, length)) return false;
    }
    if (meets)
      std::erase_if(list, [&](Entry& other) {
        const bool gone = areNear(w, other.window) && !cutBy(other.window, w, rounding * scale, length);
        count -= gone;
        return gone;
      });
    const auto continued = std::ranges::find_if(list, [&](const Entry& other) {
      return other.waits && areOne(w, other.window, tie * scale, narrow * length);
    });
    if (continued != list.end()) {
      Window& other = continued->window;
      other.a = std::min(other.a, w.a), other.b = std::max(other.b, w.b);
      return true;
    }
    list.push_back({w, true});
    most = std::max(most, ++count);
    return true;
  }

  /// Visits the windows of an edge that wait, and ends their wait. Windows may be added to other edges.
  template <class Visit>
  void release(std::int32_t edge, const Visit& visit) {
    for (Entry& entry : lists[std::size_t(edge)])
      if (std::exchange(entry.waits, false)) visit(entry.window);
  }

  /// Forgets the windows of an edge, once no shorter ones can reach it any more.
  void forget(std::int32_t edge) {
    count -= std::int64_t(lists[std::size_t(edge)].size());
    lists[std::size_t(edge)] = std::vector<Entry>(); // an empty list, {}, would keep the memory
  }

  bool isEmpty(std::int32_t edge) const { return lists[std::size_t(edge)].empty(); }
  std::size_t bytes() const {
    return std::size_t(2 * most) * sizeof(Entry) + lists.size() * sizeof(lists[0]);
  }

private:
  struct Entry {
    Window window;
    bool waits; ///< has not advanced yet
  };
  static bool areNear(const Window& w, const Window& other) { return other.a < w.b && w.a < other.b; }
  /// Returns whether two windows hold lines from the same source and adjoin: a vertex parted them whose
  /// triangles lie in a plane. Together they are one; else far edges would have a window for each vertex
  /// before them.
  static bool areOne(const Window& w, const Window& other, double rounded, double gap) {
    return other.face == w.face && other.label == w.label && other.start == w.start && other.a <= w.b + gap &&
           w.a <= other.b + gap && std::abs(other.x - w.x) <= rounded && std::abs(other.y - w.y) <= rounded;
  }

  const Surface& s;
  std::vector<std::vector<Entry>> lists; ///< per edge
  std::int64_t count = 0, most = 0;
};

} // namespace isochrone::mesh
