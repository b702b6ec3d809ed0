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
    const DescentFlow::Descent descent = flow.at(q);
    const int e = descent.dominant();
    if (e < 0) return {};
    const Offset& o = descent.edges[e].offset;
    q = {q.i + o[0], q.j + o[1], q.k + o[2]};
  }
}

} // namespace isochrone::curvature
