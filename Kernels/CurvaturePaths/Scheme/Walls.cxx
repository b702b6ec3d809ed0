#include "CurvaturePaths/Scheme/Walls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace isochrone::curvature {

namespace {

/// Returns whether the segment touches the closed pixel around (i, j), which is widened by a rounding margin.
bool touchesPixel(double x0, double y0, double x1, double y1, double i, double j) {
  constexpr double half = 0.5 + 1e-9;
  const double cx = i - x0, cy = j - y0, dx = x1 - x0, dy = y1 - y0;
  if (std::max(x0, x1) < i - half || std::min(x0, x1) > i + half) return false;
  if (std::max(y0, y1) < j - half || std::min(y0, y1) > j + half) return false;
  return std::abs(dx * cy - dy * cx) <= half * (std::abs(dx) + std::abs(dy));
}

} // namespace

TableRange appendSupercover(int ex, int ey, std::vector<Pixel>& cover) {
  const int first = int(cover.size());
  for (const grid::Offset& cell : grid::supercover({ex, ey, 0}))
    cover.push_back({std::int16_t(cell[0]), std::int16_t(cell[1])});
  return {first, int(cover.size()) - first};
}

Walls::Walls(std::int64_t width, std::int64_t height, std::span<const std::uint8_t> walls)
    : nx(width), ny(height), distances(grid::distancesToBarriers({width, height, 1}, walls)) {}

bool Walls::free(std::int64_t i, std::int64_t j, int ex, int ey) const {
  if (!any() || distance(i, j) > std::abs(ex) + std::abs(ey)) return true;
  for (int b = std::min(0, ey); b <= std::max(0, ey); ++b)
    for (int a = std::min(0, ex); a <= std::max(0, ex); ++a) {
      const std::int64_t x = i + a, y = j + b;
      if (x >= 0 && y >= 0 && x < nx && y < ny && grid::touches({ex, ey, 0}, {a, b, 0}) && isWall(x, y))
        return false;
    }
  return true;
}

bool Walls::freeSegment(double x0, double y0, double x1, double y1) const {
  if (!any()) return true;
  const auto first = [](double a, double b) { return std::int64_t(std::floor(std::min(a, b))); };
  const auto last = [](double a, double b) { return std::int64_t(std::ceil(std::max(a, b))); };
  for (std::int64_t j = std::max<std::int64_t>(0, first(y0, y1)); j <= std::min(ny - 1, last(y0, y1)); ++j)
    for (std::int64_t i = std::max<std::int64_t>(0, first(x0, x1)); i <= std::min(nx - 1, last(x0, x1)); ++i)
      if (isWall(i, j) && touchesPixel(x0, y0, x1, y1, double(i), double(j))) return false;
  return true;
}

} // namespace isochrone::curvature
