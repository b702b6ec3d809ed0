#include "CurvaturePaths/TileReaders.h"

#include <set>
#include <tuple>

namespace isochrone::curvature {

namespace {

/// Calls f(term of the sum, step) for all steps of a heading, empty ones included.
template <class F>
void forEachStep(const TilePlan& plan, int heading, F&& f) {
  if (!plan.varying) {
    const int all = plan.schemes * plan.slots;
    for (int t = 0; t < all; ++t) f(t % plan.slots, plan.shared[heading * all + t].step);
    return;
  }
  const int turns = plan.slots % blockSlots, perScheme = plan.slots / blockSlots,
            blocks = plan.schemes * perScheme;
  if (turns) f(0, Step{0, 0, 1, -1});
  for (int b = 0; b < blocks; ++b) {
    const TableRange range = plan.ranges[heading * blocks + b];
    for (int i = range.first; i < range.first + range.count; ++i)
      for (int t = 0; t < blockSlots; ++t)
        f(turns + b % perScheme * blockSlots + t, plan.pieces[i].slots[t].step);
  }
}

int tileOf(int point, int size) { return point >= 0 ? point / size : -((size - 1 - point) / size); }

} // namespace

TileReaders tileReaders(const TilePlan& plan, int nx, int ny, int symmetric) {
  using Place = std::tuple<int, int, int>;
  std::vector<std::set<Place>> readers(plan.layout.headings);
  for (int heading = 0; heading < plan.layout.headings; ++heading)
    forEachStep(plan, heading, [&](int term, const Step& step) {
      for (const int side : {1, -1}) {
        if (side < 0 && term >= symmetric) continue;
        std::set<Place>& ofRead = readers[plan.layout.wrapped(heading + side * step.heading)];
        for (int y = tileOf(-side * step.y, ny); y <= tileOf(ny - 1 - side * step.y, ny); ++y)
          for (int x = tileOf(-side * step.x, nx); x <= tileOf(nx - 1 - side * step.x, nx); ++x)
            ofRead.emplace(x, y, -side * step.heading);
      }
    });
  TileReaders result;
  for (std::set<Place>& places : readers) {
    places.erase({0, 0, 0});
    result.ofHeading.push_back({int(result.steps.size()), int(places.size())});
    for (const auto& [x, y, heading] : places)
      result.steps.push_back({std::int16_t(x), std::int16_t(y), std::int16_t(heading)});
  }
  return result;
}

} // namespace isochrone::curvature
