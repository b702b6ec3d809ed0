// AxisParts.h - the pieces of the lines along one axis of a divided image: who has them, and who needs them.
//
// A line is named by its place (u, v) on the other two axes. Neighbours are boxes, not faces: along a line
// the pieces need not have the same cross section.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace isochrone::distance {

/// The lines from u0 to u1 - 1 and from v0 to v1 - 1.
struct LineRange {
  std::int64_t u0 = 0, u1 = 0, v0 = 0, v1 = 0;

  bool empty() const { return u0 >= u1 || v0 >= v1; }
  bool contains(std::int64_t u, std::int64_t v) const { return u >= u0 && u < u1 && v >= v0 && v < v1; }
};

/// Lines of which another process has or needs a piece, from place `begin` to `end` - 1.
struct Link {
  int process;
  LineRange lines;
  std::int64_t begin, end;
};

/// All in the axes of Measure.
class AxisParts {
public:
  /// @param owned, solved  as in Sharing
  AxisParts(int axis, int process, const std::vector<Box>& owned, const std::vector<Box>& solved);

  const int axis, u, v; ///< and the other two axes, in order

  /// Returns whether any process has less than whole lines. The same for all processes.
  bool divided() const { return isDivided; }

  /// Direct exchange: processes that need points of this one beyond their own pieces; and processes whose
  /// points this one needs, in the order of their pieces along the lines.
  std::vector<Link> targets() const;
  std::vector<Link> sources() const;

  /// Relay through one owner of each line: other processes that own pieces of this one's own lines; processes
  /// that solve pieces of them, this one included; and owners of the lines that this one solves, likewise.
  std::vector<Link> coOwners() const;
  std::vector<Link> relayTargets() const;
  std::vector<Link> relaySources() const;

  LineRange linesOf(const Box& box) const { return linesIn(box, box); }

private:
  LineRange linesIn(const Box& a, const Box& b) const;
  /// Returns the links to the boxes that share lines with `box` and are accepted.
  template <class Accept>
  std::vector<Link> links(const Box& box, const std::vector<Box>& others, const Accept& accept) const;

  int process;
  const std::vector<Box>&owned, &solved;
  bool isDivided = false;
};

/// In a relay, the process that merges the pieces of each line: its owners in turn, for equal shares.
class LineMergers {
public:
  /// @param owners  of all these lines, AxisParts::relaySources
  LineMergers(const LineRange& lines, const std::vector<Link>& owners);

  int of(std::int64_t u, std::int64_t v) const {
    return process[std::size_t((v - range.v0) * (range.u1 - range.u0) + u - range.u0)];
  }

private:
  LineRange range;
  std::vector<int> process;
};

/// The lines in the message of a link: all, or those that a process merges.
struct LineChoice {
  std::shared_ptr<const LineMergers> mergers; ///< null: all lines
  int merger = -1;                            ///< -1: the process of the link

  bool has(const Link& link, std::int64_t u, std::int64_t v) const {
    return !mergers || mergers->of(u, v) == (merger < 0 ? link.process : merger);
  }
};

/// Returns the processes of some links, ascending, without `self` and repetitions.
std::vector<int> partnersOf(const std::vector<Link>& a, const std::vector<Link>& b, int self);

} // namespace isochrone::distance
