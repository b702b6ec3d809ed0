#include "CurvaturePaths/Host/SweepSchedule.h"

#include <algorithm>

namespace isochrone::curvature {

namespace {

/// The strips of a sector.
struct Strips {
  int first, count;
  explicit Strips(const SectorView& s)
      : first(s.firstBlock >> s.stripShift), count(((s.endBlock - 1) >> s.stripShift) + 1 - first) {}
};

/// Returns the number of groups of a sector: one per thread, so that a thread finds another group, also in
/// the opposite sector, while its own must wait; two where the sector is swept alone. More would cost time: a
/// heading is swept in all blocks of a group before the next one. Where strips are few, two threads take a
/// sector each: rows are so short that waiting for each other would cost more (5 % of 100x100x64 states).
/// @param isAlone  the opposite sector has no headings
int groupsOf(const SectorView& sector, bool isAlone, int threads) {
  constexpr int few = 6, maxBlocks = 64;
  const int strips = Strips(sector).count;
  if (stepsOf(sector) == 0 || sector.headings == 0) return 0;
  int wanted = threads;
  if (threads == 2 && !isAlone && strips < few) wanted = 1;
  if (threads > 1 && isAlone) wanted = 2 * threads;
  return std::max(std::min(strips, wanted), ((strips << sector.stripShift) - 1) / maxBlocks + 1);
}

} // namespace

SweepSchedule::SweepSchedule(const SectorView* sectors, int first, int threadCount) : threads(threadCount) {
  const int pair[] = {first, first + 2};
  const auto count = [&](int n) {
    return groupsOf(sectors[pair[n]], sectors[pair[1 - n]].headings == 0, threads);
  };
  groups = std::vector<Group>(std::size_t(count(0) + count(1)));
  unfinished = int(groups.size());
  Group* group = groups.data();
  for (int n = 0; n < 2; ++n) {
    const SectorView& s = sectors[pair[n]];
    const Strips strips(s);
    const int ofSector = count(n);
    const auto firstOf = [&](int g) {
      const int strip = strips.first + int(std::int64_t(strips.count) * g / ofSector);
      return std::clamp(strip << s.stripShift, s.firstBlock, s.endBlock);
    };
    for (int g = 0; g < ofSector; ++g, ++group) {
      group->sector = pair[n], group->blocks = s.blocks;
      group->first = firstOf(g), group->end = firstOf(g + 1);
      group->steps = stepsOf(s);
      group->before = g > 0 ? group - 1 : nullptr;
      group->after = g + 1 < ofSector ? group + 1 : nullptr;
    }
  }
}

} // namespace isochrone::curvature
