#include "CurvaturePaths/Paths/PathShape.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

// Lengths are in grid steps, heading steps included, so that turns on the spot have points too.

constexpr double spacing = 1. / 3; ///< of the returned points

/// Length of the path that moves together with an end, fading out.
constexpr double endReach = 8;

/// Rounds of smoothing, equivalent to a Gaussian of about one grid step, the jitter of the centre of mass.
constexpr int smoothings = 12;

bool freeBetween(const DescentFlow& flow, const Sample& a, const Sample& b) {
  return flow.walls().freeSegment(a.x, a.y, b.x, b.y);
}

bool freeAll(const DescentFlow& flow, const std::vector<Sample>& path) {
  for (std::size_t n = 1; n < path.size(); ++n)
    if (!freeBetween(flow, path[n - 1], path[n])) return false;
  return true;
}

Sample between(const Sample& a, const Sample& b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.k + t * (b.k - a.k)};
}

double totalLength(const std::vector<Sample>& path) {
  double length = 0;
  for (std::size_t n = 1; n < path.size(); ++n) length += stepDistance(path[n - 1], path[n]);
  return length;
}

/// Returns points at equal distances along the polyline. Where the chord between two of them would cut a
/// wall, the vertices between them are kept.
std::vector<Sample> resample(const DescentFlow& flow, const std::vector<Sample>& path) {
  const double length = totalLength(path);
  const int count = std::max(1, int(std::ceil(length / spacing)));
  std::vector<Sample> result{path.front()};
  double before = 0;           // length up to vertex n
  std::size_t n = 0, kept = 0; // the last returned point lies between vertices kept and kept + 1
  for (int m = 1; m <= count; ++m) {
    const double at = length * m / count;
    double segment = stepDistance(path[n], path[n + 1]);
    while (before + segment < at && n + 2 < path.size()) {
      before += segment;
      ++n;
      segment = stepDistance(path[n], path[n + 1]);
    }
    const Sample p =
        m == count ? path.back() : between(path[n], path[n + 1], segment > 0 ? (at - before) / segment : 0);
    if (!freeBetween(flow, result.back(), p))
      result.insert(result.end(), path.begin() + kept + 1, path.begin() + n + 1);
    result.push_back(p);
    kept = n;
  }
  return result;
}

/// Adds `shift` to the first point and, fading out, to the points after it.
std::vector<Sample> shiftStart(const std::vector<Sample>& path, const Sample& shift) {
  std::vector<Sample> moved = path;
  const double reach = std::min(endReach, totalLength(path) / 2);
  double along = 0;
  for (std::size_t n = 0; n < path.size() && (n == 0 || along < reach); ++n) {
    const double t = reach > 0 ? along / reach : 0, fade = (1 - t) * (1 - t) * (1 + 2 * t);
    moved[n].x += fade * shift.x;
    moved[n].y += fade * shift.y;
    moved[n].k += fade * shift.k;
    if (n + 1 < path.size()) along += stepDistance(path[n], path[n + 1]);
  }
  return moved;
}

void moveStart(const DescentFlow& flow, std::vector<Sample>& path, const Sample& to) {
  const Sample from = path.front(), shift{to.x - from.x, to.y - from.y, to.k - from.k};
  if (stepDistance(from, to) == 0) return;
  std::vector<Sample> moved = shiftStart(path, shift);
  moved.front() = to;
  const StateGrid& g = flow.grid();
  const bool inside = std::all_of(moved.begin(), moved.end(), [&](const Sample& p) {
    return p.x >= 0 && p.y >= 0 && p.x <= double(g.nx - 1) && p.y <= double(g.ny - 1);
  });
  if (inside && freeAll(flow, moved))
    path = std::move(moved);
  else if (freeBetween(flow, from, to))
    path.insert(path.begin(), to);
}

/// Moves every other point towards the middle of its neighbours, then the remaining points, unless a wall
/// blocks the move.
void smooth(const DescentFlow& flow, std::vector<Sample>& path) {
  for (int round = 0; round < smoothings; ++round)
    for (std::size_t parity = 1; parity <= 2; ++parity)
      for (std::size_t n = parity; n + 1 < path.size(); n += 2) {
        const Sample p = between(path[n], between(path[n - 1], path[n + 1], 0.5), 0.5);
        if (freeBetween(flow, path[n - 1], p) && freeBetween(flow, p, path[n + 1])) path[n] = p;
      }
}

} // namespace

std::vector<Sample> shapePath(const DescentFlow& flow, std::vector<Sample> path, const Sample& first,
                              const Sample& last) {
  if (path.size() == 1) path.push_back(path.front());
  path = resample(flow, path);
  smooth(flow, path);
  moveStart(flow, path, first);
  std::reverse(path.begin(), path.end());
  moveStart(flow, path, last);
  std::reverse(path.begin(), path.end());
  return path;
}

} // namespace isochrone::curvature
