#include "CurvaturePaths/Walls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace isochrone::curvature {

namespace {

bool touches(int ex, int ey, int i, int j) {
  return 2 * std::abs(ex * j - ey * i) <= std::abs(ex) + std::abs(ey);
}

/// Does the segment touch the closed pixel around (i, j)? `slack` widens the pixel by rounding errors.
bool touchesPixel(double x0, double y0, double x1, double y1, double i, double j) {
  constexpr double half = 0.5 + 1e-9;
  const double cx = i - x0, cy = j - y0, dx = x1 - x0, dy = y1 - y0;
  if (std::max(x0, x1) < i - half || std::min(x0, x1) > i + half) return false;
  if (std::max(y0, y1) < j - half || std::min(y0, y1) > j + half) return false;
  return std::abs(dx * cy - dy * cx) <= half * (std::abs(dx) + std::abs(dy));
}

} // namespace

std::vector<std::array<int, 2>> supercover(int ex, int ey) {
  std::vector<std::array<int, 2>> pixels;
  for (int j = std::min(0, ey); j <= std::max(0, ey); ++j)
    for (int i = std::min(0, ex); i <= std::max(0, ex); ++i)
      if ((i || j) && touches(ex, ey, i, j)) pixels.push_back({i, j});
  return pixels;
}

Walls::Walls(std::int64_t width, std::int64_t height, std::span<const std::uint8_t> walls)
    : nx(width), ny(height) {
  if (std::all_of(walls.begin(), walls.end(), [](std::uint8_t w) { return w == 0; })) return;
  distances.assign(nx * ny, 1 << 20);
  const auto lower = [&](std::int64_t p, std::int64_t q) {
    distances[p] = std::min(distances[p], distances[q] + 1);
  };
  for (std::int64_t j = 0; j < ny; ++j)
    for (std::int64_t i = 0; i < nx; ++i) {
      const std::int64_t p = i + nx * j;
      if (walls[p]) distances[p] = 0;
      if (i > 0) lower(p, p - 1);
      if (j > 0) lower(p, p - nx);
    }
  for (std::int64_t j = ny; j-- > 0;)
    for (std::int64_t i = nx; i-- > 0;) {
      const std::int64_t p = i + nx * j;
      if (i + 1 < nx) lower(p, p + 1);
      if (j + 1 < ny) lower(p, p + nx);
    }
}

bool Walls::free(std::int64_t i, std::int64_t j, int ex, int ey) const {
  if (!any() || distance(i, j) > std::abs(ex) + std::abs(ey)) return true;
  for (int b = std::min(0, ey); b <= std::max(0, ey); ++b)
    for (int a = std::min(0, ex); a <= std::max(0, ex); ++a) {
      const std::int64_t x = i + a, y = j + b;
      if (x >= 0 && y >= 0 && x < nx && y < ny && touches(ex, ey, a, b) && isWall(x, y)) return false;
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
