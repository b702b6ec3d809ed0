#include "CurvaturePaths/Paths/PathTrace.h"

#include <cmath>

namespace isochrone::curvature {

double stepDistance(const Sample& a, const Sample& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.k - b.k) * (a.k - b.k));
}

std::optional<GridState> traceByEdges(const DescentFlow& flow, Trace& trace) {
  for (;;) {
    const Sample& last = trace.samples.back();
    const GridState q{std::int64_t(last.x), std::int64_t(last.y), int(last.k)};
    if (!flow.knows(q)) return q;
    trace.seed = flow.seedAt(q);
    if (trace.complete()) return {};
    const std::optional<GridState> next = flow.dominantStep(q);
    if (!next) {
      trace = {};
      return {};
    }
    trace.samples.push_back(sampleAt(*next));
  }
}

} // namespace isochrone::curvature
