#include "ImageTravelTime/Host/PartFaces.h"

#include <algorithm>
#include <utility>

namespace isochrone::image {

PartFaces::PartFaces(const Problem& problem, const SeedsOfTiles& seedsOfTiles, TileGrid& tileGrid)
    : seeds(seedsOfTiles), tiles(tileGrid), links(problem.part.links.size()) {
  for (const grid::PartFace& border : problem.part.faces()) {
    faces.push_back({border, std::vector<float>(std::size_t(border.inner.points()), unreached)});
    const grid::Box inner = border.inner;
    for (int tile = 0; tile < tiles.count; ++tile) {
      const grid::Box points = grid::common(inner, tiles.tiling.boxOf(tile));
      if (!points.empty()) patches.push_back({faces.size() - 1, tile, points});
    }
  }
}

std::vector<grid::Message> PartFaces::tell(std::span<const std::int32_t> sweeps, float& minimum) {
  using Item = std::pair<std::uint32_t, float>; // number of the point in the face, and its value
  std::vector<std::vector<Item>> items(faces.size());
  for (Patch& patch : patches) {
    if (patch.sweeps == sweeps[patch.tile]) continue;
    patch.sweeps = sweeps[patch.tile];
    Face& face = faces[patch.face];
    const grid::Box& inner = face.inner;
    grid::forEachPoint(patch.points, [&](const GridIndex& p) {
      GridIndex at; // relative to the face
      for (int a = 0; a < 3; ++a) at[a] = p[a] - inner.low[a];
      const auto number = std::uint32_t(at[0] + inner.size(0) * (at[1] + inner.size(1) * at[2]));
      const float value = tiles.value(p);
      if (!(value < face.told[number])) return;
      face.told[number] = value;
      GridIndex behind = p;
      behind[face.axis] += face.up ? 1 : -1;
      if (!(value < tiles.value(behind) || seeds.has(patch.tile))) return;
      items[patch.face].push_back({number, value});
      minimum = std::min(minimum, value);
    });
  }
  std::vector<grid::Message> messages(links);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    std::sort(items[f].begin(), items[f].end());
    grid::News<float> news;
    for (const auto& [point, value] : items[f]) news.point.push_back(point), news.value.push_back(value);
    messages[faces[f].link] = grid::packed(news, faces[f].inner.points());
  }
  return messages;
}

} // namespace isochrone::image
