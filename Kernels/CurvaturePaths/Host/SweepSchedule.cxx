#include "CurvaturePaths/Host/SweepSchedule.h"

#include <algorithm>

namespace isochrone::curvature {

namespace {

/// Groups of a sector per thread: enough that a thread finds another one while its own must wait; more would
/// only be taken more often.
constexpr int groupsPerThread = 3;

int groupsOf(const SectorView& sector, int threads) {
  const int blocks = sector.endBlock - sector.firstBlock;
  if (stepsOf(sector) == 0) return 0;
  return std::max(threads == 1 ? 1 : std::min(blocks, groupsPerThread * threads), (blocks - 1) / 64 + 1);
}

} // namespace

SweepSchedule::SweepSchedule(const SectorView* sectors, int first, int threadCount)
    : threads(threadCount),
      groups(std::size_t(groupsOf(sectors[first], threads) + groupsOf(sectors[first + 2], threads))),
      unfinished(int(groups.size())) {
  Group* group = groups.data();
  for (const int sector : {first, first + 2}) {
    const SectorView& s = sectors[sector];
    const int count = groupsOf(s, threads), blocks = s.endBlock - s.firstBlock;
    for (int g = 0; g < count; ++g, ++group) {
      group->sector = sector;
      group->first = s.firstBlock + int(std::int64_t(blocks) * g / count);
      group->end = s.firstBlock + int(std::int64_t(blocks) * (g + 1) / count);
      group->steps = stepsOf(s);
      group->left = g > 0 ? group - 1 : nullptr;
      group->right = g + 1 < count ? group + 1 : nullptr;
    }
  }
}

} // namespace isochrone::curvature
