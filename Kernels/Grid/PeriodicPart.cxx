#include "Grid/PeriodicPart.h"

#include <cmath>
#include <limits>
#include <utility>

namespace isochrone::grid {

namespace {

constexpr int copiesAround = 27; ///< with the part itself, in the middle

/// Returns the place of a copy, -1, 0 or 1 on each axis.
GridIndex placeOf(int copy) { return {copy % 3 - 1, copy / 3 % 3 - 1, copy / 9 - 1}; }

Box shifted(Box box, const GridIndex& by) {
  for (int a = 0; a < 3; ++a) box.low[a] += by[a], box.high[a] += by[a];
  return box;
}

} // namespace

PeriodicPart::PeriodicPart(const ImageGrid& wholeImage, const std::array<bool, 3>& periodicAxes,
                           const GridIndex& before, const GridIndex& behind)
    : image(wholeImage), periodic(periodicAxes) {
  GridIndex size = image.sizes();
  Box& own = gridPart.own;
  for (int a = 0; a < 3; ++a) {
    periodic[a] = periodic[a] && size[a] > 1;
    if (periodic[a]) size[a] *= (before[a] + size[a] - 1) / size[a], own.low[a] = before[a];
    own.high[a] = own.low[a] + size[a];
  }
  extended = image;
  const auto extent = [&](std::size_t a) { return own.high[a] + (periodic[a] ? behind[a] : 0); };
  extended.nx = extent(0), extended.ny = extent(1), extended.nz = extent(2);
  gridPart.whole = extended.sizes();
  gridPart.periodic = true;
  const Box all{{0, 0, 0}, extended.sizes()};
  for (int copy = 0; copy < copiesAround; ++copy) {
    GridIndex shift = placeOf(copy), back;
    bool exists = copy != copiesAround / 2;
    for (int a = 0; a < 3; ++a) {
      exists &= periodic[a] || shift[a] == 0;
      shift[a] *= size[a], back[a] = -shift[a];
    }
    if (exists)
      gridPart.links.push_back(
          {copy, common(own, shifted(all, shift)), common(shifted(own, shift), all), shift});
  }
  // The copy on the other side sends what this part sends there.
  gridPart.exchange = [count = gridPart.links.size()](std::span<double>,
                                                      const std::vector<Message>& messages) {
    std::vector<Message> heard;
    for (std::size_t l = 0; l < messages.size(); ++l) heard.push_back(messages[count - 1 - l]);
    return heard;
  };
}

GridIndex PeriodicPart::inImage(const GridIndex& p) const {
  const GridIndex size = image.sizes();
  GridIndex at;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t from = p[a] - first()[a];
    at[a] = (from % size[a] + size[a]) % size[a];
  }
  return at;
}

std::vector<Position> PeriodicPart::copies(const Position& at) const {
  const Position h = image.spacing();
  const GridIndex size = image.sizes(), all = extended.sizes();
  std::array<std::vector<double>, 3> along;
  for (int a = 0; a < 3; ++a) {
    const double period = double(size[a]) * h[a], begin = double(first()[a]) * h[a];
    // The nearest point of the first copy is one of the image: from half a step before the first one on.
    const double turns = periodic[a] ? std::floor((at[a] + h[a] / 2) / period) : 0;
    const bool isFar = periodic[a] && !(std::abs(at[a]) <= farthestSteps * h[a]);
    const double own = isFar ? std::numeric_limits<double>::quiet_NaN() : begin + at[a] - turns * period;
    along[a].push_back(own);
    if (!periodic[a] || !std::isfinite(own)) continue;
    for (double x = own - period; x >= -h[a] / 2; x -= period) along[a].push_back(x);
    for (double x = own + period; x < (double(all[a]) - 0.5) * h[a]; x += period) along[a].push_back(x);
  }
  std::vector<Position> positions;
  for (const double z : along[2])
    for (const double y : along[1])
      for (const double x : along[0]) positions.push_back({x, y, z});
  return positions;
}

} // namespace isochrone::grid
