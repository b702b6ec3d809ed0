#include "CurvaturePaths/Paths/PathTrace.h"

#include <cmath>

namespace isochrone::curvature {

double stepDistance(const Sample& a, const Sample& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.k - b.k) * (a.k - b.k));
}

Trace traceByEdges(const DescentFlow& flow, const GridState& tip) {
  Trace trace;
  GridState q = tip;
  while (true) {
    trace.samples.push_back({double(q.i), double(q.j), double(q.k)});
    trace.seed = flow.seedAt(q);
    if (trace.complete()) return trace;
    const std::optional<GridState> next = flow.dominantStep(q);
    if (!next) return {};
    q = *next;
  }
}

} // namespace isochrone::curvature
