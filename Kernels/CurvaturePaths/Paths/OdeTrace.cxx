// OdeTrace.cxx - integrates the averaged flow as a differential equation, by the midpoint rule.
#include "CurvaturePaths/Paths/PathTrace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace isochrone::curvature {

namespace {

constexpr double stepLength = 0.25; ///< grid steps

/// Number of steps without a decrease of the minimum corner value after which the trace stops: a few cells.
constexpr int patience = 55;

/// A path that stalls this near to a seed, in grid steps, has arrived: values near a seed jump within a cell.
constexpr double arrival = 3;

class OdeTracer {
public:
  OdeTracer(const Flow& f, const GridState& tip) : flow(f), p{double(tip.i), double(tip.j), double(tip.k)} {}

  Trace run() {
    trace.samples.push_back(p);
    double least = std::numeric_limits<double>::infinity();
    int stalled = 0;
    while (stalled < patience) {
      const std::vector<Corner> corners = usableCorners(flow, p);
      if (corners.empty()) return {};
      const std::int32_t seed = flow.seedAt(corners[0].state);
      if (seed >= 0) return arrive(corners[0].state, seed);
      if (corners[0].value < least)
        least = corners[0].value, stalled = 0, low = trace.samples.size();
      else
        ++stalled;
      if (!advance(corners)) return {};
    }
    return arriveAfterStall();
  }

private:
  struct Vector {
    double x = 0, y = 0, k = 0;
    double norm() const { return std::sqrt(x * x + y * y + k * k); }
  };

  const Vector& meanOffset(const GridState& q) {
    const auto [entry, isNew] = cache.try_emplace(flow.index(q));
    if (isNew) {
      const Flow::Descent descent = flow.at(q);
      for (int e = 0; e < descent.count; ++e) {
        entry->second.x += descent.edges[e].weight * descent.edges[e].offset[0];
        entry->second.y += descent.edges[e].weight * descent.edges[e].offset[1];
        entry->second.k += descent.edges[e].weight * descent.edges[e].offset[2];
      }
    }
    return entry->second;
  }

  Vector average(const std::vector<Corner>& corners) {
    Vector v;
    for (const Corner& c : corners) {
      const Vector& m = meanOffset(c.state);
      v.x += c.share * m.x;
      v.y += c.share * m.y;
      v.k += c.share * m.k;
    }
    return v;
  }

  Sample ahead(const Vector& v, double distance) const {
    const double f = distance / v.norm();
    return {std::clamp(p.x + f * v.x, 0., double(flow.grid().nx - 1)),
            std::clamp(p.y + f * v.y, 0., double(flow.grid().ny - 1)), p.k + f * v.k};
  }

  bool free(const Sample& to) const { return flow.walls().freeSegment(p.x, p.y, to.x, to.y); }

  void move(const Sample& to) {
    p = to;
    trace.samples.push_back(p);
  }

  bool advance(const std::vector<Corner>& corners) {
    const Vector v = average(corners);
    if (v.norm() > 0) {
      const std::vector<Corner> midway = usableCorners(flow, ahead(v, stepLength / 2));
      const Vector w = midway.empty() ? v : average(midway);
      for (const Vector& direction : {w, v})
        if (direction.norm() > 0 && free(ahead(direction, stepLength))) {
          move(ahead(direction, stepLength));
          return true;
        }
    }
    // A wall blocks the step: move to the best corner, then along a grid step, which is free.
    const GridState q = corners[0].state;
    const Flow::Descent descent = flow.at(q);
    const int e = descent.dominant();
    if (e < 0) return false;
    const Offset& o = descent.edges[e].offset;
    move({double(q.i), double(q.j), double(q.k)});
    move({double(q.i + o[0]), double(q.j + o[1]), double(q.k + o[2])});
    return true;
  }

  Trace arrive(const GridState& q, std::int32_t seed) {
    move({double(q.i), double(q.j), double(q.k)});
    trace.seed = seed;
    trace.seedState = q;
    return trace;
  }

  /// Searches for the seed around the last point where values still decreased.
  Trace arriveAfterStall() {
    trace.samples.resize(low);
    p = trace.samples.back();
    GridState best;
    double nearest = arrival;
    const int reach = int(arrival) + 1;
    for (int b = -reach; b <= reach; ++b)
      for (int a = -reach; a <= reach; ++a)
        for (int c = -reach; c <= reach; ++c) {
          const GridState q{std::int64_t(std::lround(p.x)) + a, std::int64_t(std::lround(p.y)) + b,
                            int(std::lround(p.k)) + c};
          if (!flow.inside(q) || flow.seedAt(q) < 0) continue;
          const Sample s{double(q.i), double(q.j), double(q.k)};
          if (stepDistance(p, s) < nearest && free(s)) nearest = stepDistance(p, s), best = q;
        }
    return nearest < arrival ? arrive(best, flow.seedAt(best)) : Trace{};
  }

  const Flow& flow;
  Sample p;
  Trace trace;
  std::size_t low = 1; ///< number of samples at the last decrease of the minimum corner value
  std::unordered_map<std::int64_t, Vector> cache;
};

} // namespace

Trace traceByOde(const Flow& flow, const GridState& tip) { return OdeTracer(flow, tip).run(); }

} // namespace isochrone::curvature
