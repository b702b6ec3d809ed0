// PartImage.h - the points of one process of a divided image, and their lines in tiles. All in the axes of
// Measure.
#pragma once

#include "DistanceTransform/Host/AxisParts.h"
#include "DistanceTransform/Host/PassMemory.h"
#include "Workers.h"

#include <algorithm>
#include <array>
#include <vector>

namespace isochrone::distance {

/// Returns a box in the axes of Measure: without the axes of a single point.
inline Box measured(const Box& box, const Grid& grid) {
  Box out{{0, 0, 0}, {1, 1, 1}};
  int axis = 0;
  for (int a = 0; a < 3; ++a)
    if (grid.sizes()[a] > 1) out.begin[axis] = box.begin[a], out.end[axis] = box.end[a], ++axis;
  if (box.empty()) out.end[0] = out.begin[0];
  return out;
}

inline std::vector<Box> measured(const std::vector<Box>& boxes, const Grid& grid) {
  std::vector<Box> out;
  for (const Box& box : boxes) out.push_back(measured(box, grid));
  return out;
}

/// Returns ascending coordinates with linePad ascending ones before and after them; nothing for none.
inline std::vector<double> paddedLine(const std::vector<double>& at) {
  std::vector<double> padded;
  if (at.empty()) return padded;
  const double step = at.back() - at.front();
  for (int i = linePad; i > 0; --i) padded.push_back(at.front() - i * step);
  padded.insert(padded.end(), at.begin(), at.end());
  for (int i = 1; i <= linePad; ++i) padded.push_back(at.back() + i * step);
  return padded;
}

/// Returns scratch memory for the threads of some tasks, and adds it to Result::workBytes.
inline ScratchOfThreads scratchFor(std::int64_t tasks, std::int64_t bytes, int threads, Result& result) {
  const int team = int(std::clamp<std::int64_t>(tasks, 1, threads));
  result.workBytes += std::size_t(bytes) * std::size_t(team);
  return {team, bytes};
}

template <class T>
struct PartImage {
  PartImage(const Problem& p, const Options& o, const Measure& m)
      : problem(p), measure(m), labels(o.nearestSite), me(p.sharing.process),
        owned(measured(p.sharing.owned, p.grid)), solved(measured(p.sharing.solved, p.grid)), own(owned[me]),
        all(solved[me]), kinds{o.region != Region::Inside, o.region != Region::Outside} {
    for (int a = 0; a < 3; ++a) size[a] = all.empty() ? 0 : all.end[a] - all.begin[a];
    stride = {1, size[0], size[0] * size[1]};
    labelStride = {1, m.axes[0].points, m.axes[0].points * m.axes[1].points};
    for (int a = 0; a < 3; ++a) padded[a] = paddedLine(m.axes[a].coordinates);
  }

  const Problem& problem;
  const Measure& measure;
  const bool labels; ///< whether nearest sites are requested
  const int me;
  const std::vector<Box> owned, solved; ///< of all processes
  const Box own, all;                   ///< of this process: its own points, and those that it solves
  const Kinds kinds;
  GridIndex size{}, stride{}, labelStride{}; ///< of this process's points; between points of the whole image
  std::array<std::vector<double>, 3> padded; ///< coordinates, as Axis needs them; empty: evenly spaced
  PassMemory<T> memory;

  std::int64_t index(const GridIndex& point) const {
    std::int64_t i = 0;
    for (int a = 0; a < 3; ++a) i += (point[a] - all.begin[a]) * stride[a];
    return i;
  }
  /// Returns the number of a point in the whole image.
  std::int64_t label(const GridIndex& point) const {
    return point[0] * labelStride[0] + point[1] * labelStride[1] + point[2] * labelStride[2];
  }

  Axis<T> axis(int a, const Box& box) const {
    return {box.end[a] - box.begin[a], T(measure.axes[a].weight), measure.axes[a].reach, payingSteps,
            padded[a].empty() ? nullptr : padded[a].data() + linePad + box.begin[a]};
  }

  // The lines of a box along an axis, in tiles.
  static std::int64_t stripsOf(const AxisParts& parts, const Box& box) {
    return (box.end[parts.u] - box.begin[parts.u] + strip - 1) / strip;
  }
  static std::int64_t tilesOf(const AxisParts& parts, const Box& box) {
    return box.empty() ? 0 : stripsOf(parts, box) * (box.end[parts.v] - box.begin[parts.v]);
  }
  /// Returns the first point of a tile.
  static GridIndex startOf(const AxisParts& parts, const Box& box, std::int64_t number) {
    GridIndex at = box.begin;
    at[parts.u] += number % stripsOf(parts, box) * strip;
    at[parts.v] += number / stripsOf(parts, box);
    return at;
  }
  int columnsOf(const AxisParts& parts) const { return int(std::min<std::int64_t>(strip, size[parts.u])); }
  Tile tile(const AxisParts& parts, const Box& box, const GridIndex& at) const {
    const std::int64_t first = index(at);
    return {kinds.both() ? problem.sites.data() + first : nullptr,
            first,
            stride[parts.axis],
            0,
            0,
            int(std::min<std::int64_t>(strip, box.end[parts.u] - at[parts.u])),
            columnsOf(parts),
            kinds,
            label(at),
            labelStride[parts.axis],
            labelStride[parts.u],
            stride[parts.u]};
  }
};

} // namespace isochrone::distance
