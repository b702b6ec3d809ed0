#include "CurvaturePaths/Host/SweepSchedule.h"

#include <algorithm>

namespace isochrone::curvature {

namespace {

/// The strips of a sector.
struct Strips {
  int first, count;
  explicit Strips(const SectorView& s)
      : first(s.firstBlock / s.stripBlocks), count((s.endBlock - 1) / s.stripBlocks + 1 - first) {}
};

/// Returns the number of groups of a sector: one per thread, so that a thread finds another group while its
/// own must wait. More would cost time: a heading is swept in all blocks of a group before the next one.
int groupsOf(const SectorView& sector, int threads) {
  const int strips = Strips(sector).count;
  if (stepsOf(sector) == 0 || sector.headings == 0) return 0;
  return std::max(std::min(strips, threads), (strips * sector.stripBlocks - 1) / 64 + 1); // at most 64 blocks
}

} // namespace

SweepSchedule::SweepSchedule(const SectorView* sectors, int first, int threadCount)
    : threads(threadCount),
      groups(std::size_t(groupsOf(sectors[first], threads) + groupsOf(sectors[first + 2], threads))),
      unfinished(int(groups.size())) {
  Group* group = groups.data();
  for (const int sector : {first, first + 2}) {
    const SectorView& s = sectors[sector];
    const Strips strips(s);
    const int count = groupsOf(s, threads);
    const auto firstOf = [&](int g) {
      const int strip = strips.first + int(std::int64_t(strips.count) * g / count);
      return std::clamp(strip * s.stripBlocks, s.firstBlock, s.endBlock);
    };
    for (int g = 0; g < count; ++g, ++group) {
      group->sector = sector;
      group->first = firstOf(g), group->end = firstOf(g + 1);
      group->steps = stepsOf(s);
      group->left = g > 0 ? group - 1 : nullptr;
      group->right = g + 1 < count ? group + 1 : nullptr;
    }
  }
}

} // namespace isochrone::curvature
