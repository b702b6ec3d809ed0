#include "ImageTravelTime/Sensitivity/OrderedPass.h"

namespace isochrone::image {

TimeRanks::TimeRanks(std::span<const float> times, execution::RoundPool& pool) {
  if (times.size() >= none)
    throw Error("sensitivities of this scheme are available for fewer than 2^32 points, got " +
                std::to_string(times.size()) + ": use a smaller or a coarser image");
  for (std::size_t p = 0; p < times.size(); ++p)
    if (times[p] < std::numeric_limits<float>::infinity()) sorted.push_back(timeKey(times[p], p));
  sortKeys(sorted, pool);
  ranks.assign(times.size(), none);
  pool.forEach(std::ssize(sorted), [&](std::int64_t rank) {
    ranks[std::size_t(pointOfKey(sorted[std::size_t(rank)]))] = Rank(rank);
  });
}

} // namespace isochrone::image
