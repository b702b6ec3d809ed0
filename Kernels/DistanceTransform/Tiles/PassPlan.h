// PassPlan.h - the plans of the passes along y and z, made before anything runs: their methods and memory.
#pragma once

#include "DistanceTransform/Tiles/DeviceAxes.h"
#include "DistanceTransform/Tiles/PaintTile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace isochrone::distance {

/// The method of the passes along y and z: first all tiles by windows, then the unresolved ones by stacks.
struct TransformSettings {
  bool window = true; ///< false: all tiles by stacks
  int bands = 0;      ///< per line; 0: enough to keep a device busy
};

/// Returns the rows of an image. Its axes of one point are left out, which leaves the memory layout the same.
inline Rows rowsOf(const Measure& m) { return {m.axes[1].points * m.axes[2].points, m.axes[0].points}; }

struct PassPlan {
  Lines lines;
  int needed; ///< rows that may matter, up and down
  int copied; ///< rows before and after a line, in its copies, that may own points of it
  bool window;
  bool stacks; ///< whether tiles may remain for the stacks
  int bands, bandRows;

  /// @param othersOpen  whether the previous pass may leave tiles
  PassPlan(const Lines& l, const MeasuredAxis& axis, int rowsNeeded, bool othersOpen,
           const TransformSettings& settings)
      : lines(l), needed(rowsNeeded), copied(copiedRows(axis, rowsNeeded)), window(settings.window),
        stacks(!window || needed > windowReach || othersOpen) {
    constexpr std::int64_t busy = 1 << 18, minRows = 64, maxBands = 512; // lanes; rows of a band; bands
    const std::int64_t all = lines.columns * lines.slabs, longest = (rows() + minRows - 1) / minRows;
    const std::int64_t wanted =
        settings.bands > 0 ? settings.bands : std::min({(busy + all - 1) / all, longest, maxBands});
    bandRows = int((rows() + wanted - 1) / wanted);
    bands = (rows() + bandRows - 1) / bandRows;
  }
  /// Returns the number of rows that may own points of a line.
  int rows() const { return lines.n + 2 * copied; }
  /// Returns the square below which results of the windows are final; for unequal spacing or steps.
  double finalBelow(const MeasuredAxis& axis) const {
    const int farthest = copied > 0 ? copied : lines.n;
    return !stacks || farthest <= windowReach ? none<double> : squaresBeyondWindow(axis).minimum;
  }
  /// Returns the number of bytes of the entries of the stacks, and of the other arrays for each band.
  std::size_t entryBytes() const { return stacks ? linesOfAll() * rows() * sizeof(Owner) : 0; }
  std::size_t bandBytes() const { return stacks ? linesOfAll() * bands * (sizeof(Part) + sizeof(int)) : 0; }
  /// Returns the number of bytes of flags and lists.
  std::size_t listBytes() const {
    return stacks ? (lines.tiles() + lines.strips()) * (1 + sizeof(int)) +
                        lines.tiles() * warpSize * sizeof(Place)
                  : lines.tiles();
  }
  std::int64_t maxItems() const { return std::max(lines.tiles(), lines.strips() * bands) + warpsOfBlock; }

private:
  std::size_t linesOfAll() const { return lines.columns * lines.slabs; }
};

/// Returns the plans of the passes along y and z.
inline std::pair<PassPlan, PassPlan> plansOf(const Measure& measure, const TransformSettings& settings) {
  const auto& [x, y, z] = measure.axes;
  // Windows of 32-bit integers have the same limit along x, the only axis of a line.
  const int reachY = measure.integers32 ? x.reach : y.reach;
  const PassPlan planY({int(y.points), x.points, x.points, z.points}, y, reachY, false, settings);
  if (measure.dimensions < 3) return {planY, PassPlan({1, 1, 1, 1}, z, 0, false, settings)};
  const std::int64_t plane = x.points * y.points;
  return {planY, PassPlan({int(z.points), plane, plane, 1}, z, z.reach, planY.stacks, settings)};
}

} // namespace isochrone::distance
