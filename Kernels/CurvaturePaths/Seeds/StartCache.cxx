#include "CurvaturePaths/Seeds/StartCache.h"

#include <utility>

namespace isochrone::curvature {

namespace {

std::size_t bytesOf(const std::vector<double>& key, const RefinedSolutions& solved) {
  std::size_t sum = key.size() * sizeof(double);
  for (const Result* r : {&solved.coarse, &solved.fine})
    sum +=
        (r->travelTime.size() + r->uncorrected.size()) * sizeof(float) + r->balls.size() * sizeof(BallState);
  return sum;
}

} // namespace

std::shared_ptr<StartCache> makeStartCache() { return std::make_shared<StartCache>(); }

StartCache::Solved StartCache::find(const std::vector<double>& key) {
  const std::lock_guard lock(mutex);
  for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    if (entry->key == key) {
      entries.splice(entries.begin(), entries, entry);
      return entry->solved;
    }
  return nullptr;
}

void StartCache::keep(std::vector<double> key, Solved solved) {
  const std::size_t added = bytesOf(key, *solved);
  if (added > maxBytes) return;
  const std::lock_guard lock(mutex);
  entries.push_front({std::move(key), std::move(solved), added});
  bytes += added;
  while (bytes > maxBytes) bytes -= entries.back().bytes, entries.pop_back();
}

} // namespace isochrone::curvature
