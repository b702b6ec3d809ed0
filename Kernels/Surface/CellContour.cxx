#include "Surface/CellContour.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::surface {

namespace {

/// Edge 4 a + n leads along active axis a from the n-th corner without bit a.
int lowCorner(int axis, int n) { return axis == 0 ? 2 * n : axis == 1 ? (n & 1) | (n & 2) << 1 : n; }

int edgeBetween(int a, int b) {
  const int low = std::min(a, b), axis = std::abs(a - b) == 1 ? 0 : std::abs(a - b) == 2 ? 1 : 2;
  const int n = axis == 0 ? low / 2 : axis == 1 ? (low & 1) | (low & 4) >> 1 : low;
  return 4 * axis + n;
}

bool isPositive(double value) { return value >= 0; }

/// Returns a * b > c * d, also where the products would exceed the range of double.
bool isGreaterProduct(double a, double b, double c, double d) {
  const double largest = std::max({std::abs(a), std::abs(b), std::abs(c), std::abs(d)});
  if (!(largest > 0)) return false;
  const int e = std::ilogb(largest);
  return std::scalbn(a, -e) * std::scalbn(b, -e) > std::scalbn(c, -e) * std::scalbn(d, -e);
}

Position crossing(const ContourCell& cell, int edge) {
  const int axis = edge / 4, from = lowCorner(axis, edge % 4);
  const double v0 = cell.value[from], v1 = cell.value[from | 1 << axis], difference = v0 - v1;
  const double t = std::isfinite(difference) ? v0 / difference : (v0 / 2) / (v0 / 2 - v1 / 2);
  Position p = cell.low;
  for (int a = 0; a < cell.dimensions; ++a)
    if (from >> a & 1) p[cell.axes[a]] = cell.high[cell.axes[a]];
  const int along = cell.axes[axis];
  // From the nearer end, so that a mirrored cell has the mirrored point.
  p[along] = t <= 0.5 ? cell.low[along] + t * (cell.high[along] - cell.low[along])
                      : cell.high[along] - (v1 / (v1 - v0)) * (cell.high[along] - cell.low[along]);
  if (!std::isfinite(difference) || !std::isfinite(p[along]))
    p[along] = cell.low[along] + t * (cell.high[along] - cell.low[along]);
  return p;
}

/// Calls f(edge, edge) for the segments on a face with the given corners, in cyclic order.
template <class F>
void forSegments(const ContourCell& cell, const std::array<int, 4>& corner, const F& f) {
  std::array<int, 4> crossed;
  int count = 0;
  for (int i = 0; i < 4; ++i)
    if (isPositive(cell.value[corner[i]]) != isPositive(cell.value[corner[(i + 1) % 4]]))
      crossed[count++] = edgeBetween(corner[i], corner[(i + 1) % 4]);
  if (count == 2) f(crossed[0], crossed[1]);
  if (count != 4) return;
  // crossed[i] leads from corner i to corner i + 1. The middle has the sign of the corners 0 and 2 if their
  // product is greater, and then the corners 1 and 3 are separated.
  const auto v = [&](int i) { return cell.value[corner[i]]; };
  bool separates1 = isGreaterProduct(v(0), v(2), v(1), v(3));
  if (!separates1 && !isGreaterProduct(v(1), v(3), v(0), v(2))) separates1 = isPositive(v(1));
  f(crossed[separates1 ? 0 : 3], crossed[separates1 ? 1 : 0]);
  f(crossed[separates1 ? 2 : 1], crossed[separates1 ? 3 : 2]);
}

double square(const Position& a, const Position& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Divides a polygon into triangles.
void appendPolygon(std::vector<Position> corner, std::vector<Piece>& pieces) {
  while (corner.size() > 3) {
    const std::size_t n = corner.size();
    std::size_t best = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i)
      if (const double s = square(corner[(i + n - 1) % n], corner[(i + 1) % n]); s < shortest)
        shortest = s, best = i;
    pieces.push_back({corner[(best + n - 1) % n], corner[best], corner[(best + 1) % n]});
    corner.erase(corner.begin() + std::ptrdiff_t(best));
  }
  pieces.push_back({corner[0], corner[1], corner[2]});
}

void appendInCube(const ContourCell& cell, std::vector<Piece>& pieces) {
  int next[12][2], links[12] = {};
  const auto link = [&](int a, int b) {
    next[a][links[a]++] = b;
    next[b][links[b]++] = a;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const int b = 1 << (axis + 1) % 3, c = 1 << (axis + 2) % 3, base = side << axis;
      forSegments(cell, {base, base | b, base | b | c, base | c}, link);
    }
  bool visited[12] = {};
  for (int first = 0; first < 12; ++first) {
    if (links[first] == 0 || visited[first]) continue;
    std::vector<Position> polygon;
    for (int at = first, from = -1; !visited[at];) {
      visited[at] = true;
      polygon.push_back(crossing(cell, at));
      const int to = next[at][0] == from ? next[at][1] : next[at][0];
      from = std::exchange(at, to);
    }
    appendPolygon(std::move(polygon), pieces);
  }
}

} // namespace

void appendPieces(const ContourCell& cell, std::vector<Piece>& pieces) {
  if (cell.dimensions == 3) return appendInCube(cell, pieces);
  if (cell.dimensions == 2)
    return forSegments(cell, {0, 1, 3, 2}, [&](int a, int b) {
      const Position end = crossing(cell, b);
      pieces.push_back({crossing(cell, a), end, end});
    });
  if (cell.dimensions == 1 && isPositive(cell.value[0]) != isPositive(cell.value[1])) {
    const Position at = crossing(cell, 0);
    pieces.push_back({at, at, at});
  }
}

} // namespace isochrone::surface
