#include "CurvaturePaths/Tiles/TileReaders.h"

#include <map>
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

/// The tile of a point along one axis, and the number of the point in it.
struct PointOfTile {
  int tile, point;
};
PointOfTile pointOfTile(int at, int size) {
  const int tile = at >= 0 ? at / size : -((size - 1 - at) / size);
  return {tile, at - tile * size};
}

} // namespace

TileReaders tileReaders(const TilePlan& plan, int nx, int ny, int symmetric) {
  using Place = std::tuple<int, int, int>; // from the tile that is read to its reader
  std::vector<std::map<Place, std::uint32_t>> readers(plan.layout.headings);
  for (int heading = 0; heading < plan.layout.headings; ++heading)
    forEachStep(plan, heading, [&](int term, const Step& step) {
      for (const int side : {1, -1}) {
        if (side < 0 && term >= symmetric) continue;
        auto& ofRead = readers[plan.layout.wrapped(heading + side * step.heading)];
        for (int y = 0; y < ny; ++y)
          for (int x = 0; x < nx; ++x) { // of the reader
            const PointOfTile atX = pointOfTile(x + side * step.x, nx),
                              atY = pointOfTile(y + side * step.y, ny);
            ofRead[{-atX.tile, -atY.tile, -side * step.heading}] |= 1u << (atX.point + nx * atY.point);
          }
      }
    });
  TileReaders result;
  for (auto& places : readers) {
    places.erase({0, 0, 0});
    result.ofHeading.push_back({int(result.steps.size()), int(places.size())});
    for (const auto& [place, lanes] : places) {
      const auto& [x, y, heading] = place;
      result.steps.push_back({std::int16_t(x), std::int16_t(y), std::int16_t(heading), lanes});
    }
  }
  return result;
}

} // namespace isochrone::curvature
