#include "CurvaturePaths/Paths/PathTrace.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

/// Corners are used if their value exceeds the minimum by at most this many steps down. Mirebeau's GPU code
/// takes 4.
constexpr double jumpThreshold = 4;

/// The minimum is sought among corners with at least this share, so that it lies on the point's side of a
/// jump.
constexpr double leastShare = 1. / 16;

} // namespace

double stepDistance(const Sample& a, const Sample& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.k - b.k) * (a.k - b.k));
}

std::vector<Corner> usableCorners(const Flow& flow, const Sample& p) {
  const double fx = std::floor(p.x), fy = std::floor(p.y), fk = std::floor(p.k);
  std::vector<Corner> corners;
  for (int c = 0; c < 8; ++c) {
    const int a = c & 1, b = c >> 1 & 1, d = c >> 2;
    const double share =
        (a ? p.x - fx : 1 - p.x + fx) * (b ? p.y - fy : 1 - p.y + fy) * (d ? p.k - fk : 1 - p.k + fk);
    const GridState q{std::int64_t(fx) + a, std::int64_t(fy) + b, int(fk) + d};
    if (!(share > 1e-9) || !flow.inside(q) || !std::isfinite(flow.value(q))) continue;
    if (!flow.walls().freeSegment(p.x, p.y, double(q.i), double(q.j))) continue;
    corners.push_back({q, share, flow.value(q)});
  }
  if (corners.empty()) return corners;

  const auto order = [](const Corner& a, const Corner& b) {
    const bool heavyA = a.share >= leastShare, heavyB = b.share >= leastShare;
    return heavyA != heavyB ? heavyA : a.value < b.value;
  };
  std::iter_swap(corners.begin(), std::min_element(corners.begin(), corners.end(), order));
  const double bound = corners[0].value + jumpThreshold * flow.at(corners[0].state).drop;
  if (flow.seedAt(corners[0].state) < 0)
    std::erase_if(corners, [&](const Corner& c) { return c.value > bound; });
  return corners;
}

Trace traceByEdges(const Flow& flow, const GridState& tip) {
  Trace trace;
  GridState q = tip;
  while (true) {
    trace.samples.push_back({double(q.i), double(q.j), double(q.k)});
    const std::int32_t seed = flow.seedAt(q);
    if (seed >= 0) {
      trace.seed = seed;
      trace.seedState = q;
      return trace;
    }
    const Flow::Descent descent = flow.at(q);
    const int e = descent.dominant();
    if (e < 0) return {};
    const Offset& o = descent.edges[e].offset;
    q = {q.i + o[0], q.j + o[1], q.k + o[2]};
  }
}

} // namespace isochrone::curvature
