// PathTracer.cxx - traces paths from tips.
#include "MeshTravelTime/Paths/PathTrace.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::mesh {

namespace {

/// A path that moves between processes more often than this is assumed to circle an edge between two of them.
constexpr std::int32_t maxTurns = 4096;

Place placeOf(const PathHead& head) {
  Place place;
  for (std::size_t i = 0; i < head.vertices.size() && i < 4; ++i)
    place.add(head.vertices[i], head.weights[i]);
  return place;
}

PathHead headAt(const Place& place, std::int32_t turns) {
  const auto count = std::size_t(place.count);
  return {{place.vertex.begin(), place.vertex.begin() + count},
          {place.weight.begin(), place.weight.begin() + count},
          turns};
}

/// Converts a trace to a path, in the opposite order.
Path pathOf(const Trace& trace) {
  Path path;
  const auto add = [&](const Sample& s) {
    if (path.size() > 0)
      path.length += std::hypot(s.at[0] - path.x.back(), s.at[1] - path.y.back(), s.at[2] - path.z.back());
    path.x.push_back(s.at[0]), path.y.push_back(s.at[1]), path.z.push_back(s.at[2]);
    path.travelTime.push_back(s.time);
  };
  for (auto s = trace.samples.rbegin(); s != trace.samples.rend(); ++s) {
    add(*s);
    path.energy += s->spent;
  }
  path.seed = trace.seed;
  if (trace.seed >= 0) path.status = PathStatus::Complete;
  return path;
}

} // namespace

PathTracer::PathTracer(const Problem& problem, std::span<const float> travelTime)
    : PathTracer(std::make_unique<PathField>(problem, travelTime)) {}

PathTracer::PathTracer(std::unique_ptr<PathField> known) : field(std::move(known)) {}

PathTracer::~PathTracer() = default;

PathStatus PathTracer::find(const Tip& tip, PathHead& head) const {
  const Problem& p = field->problem;
  head = {};
  if (tip.vertex >= p.vertexCount() || tip.cell >= p.cellCount() || (tip.vertex < 0 && tip.cell < 0))
    return PathStatus::TipOutside;
  grid::Symmetric3 metric;
  const auto isOpen = [&](std::int64_t cell) { return metricAt(p, cell, metric) == Passage::Open; };
  if (tip.vertex >= 0) {
    const auto around = field->cells.around(tip.vertex);
    if (std::none_of(around.begin(), around.end(), isOpen)) return PathStatus::TipInWall;
    head = headAt(placeAt(tip.vertex), 0);
  } else {
    if (!isOpen(tip.cell)) return PathStatus::TipInWall;
    head = headAt(placeIn(p, tip.cell, tip.at), 0);
  }
  for (const std::int64_t v : head.vertices)
    if (!std::isfinite(field->travelTime[std::size_t(v)])) return PathStatus::Unreachable;
  return PathStatus::Complete;
}

double PathTracer::steepness(const PathHead& head) const { return steepnessAt(*field, placeOf(head)); }

PathPiece PathTracer::follow(const PathHead& head) const {
  const Trace trace = traceDown(*field, placeOf(head), head.turns > maxTurns);
  PathPiece piece{pathOf(trace), {}};
  if (trace.seed < 0 && trace.samples.size() > 1 && field->isShared(trace.end))
    piece.head = headAt(trace.end, head.turns + 1);
  return piece;
}

std::vector<Path> steepestPaths(const Problem& problem, std::span<const float> travelTime,
                                std::span<const Tip> tips, int threads, const Monitor& monitor,
                                const VertexCells* cells) {
  Problem whole = problem; // no vertex is shared
  whole.sharing = {};
  const PathTracer tracer(std::make_unique<PathField>(whole, travelTime, cells));
  std::vector<Path> paths(tips.size());
  const auto trace = [&](std::int64_t t, int) {
    PathHead head;
    const PathStatus status = tracer.find(tips[t], head);
    if (status == PathStatus::Complete) paths[t] = tracer.follow(head).path;
    if (paths[t].status == PathStatus::Complete) return;
    paths[t] = {};
    paths[t].status = status == PathStatus::Complete ? PathStatus::Unreachable : status;
  };
  if (!Workers(chooseThreads(threads, 1e5 * double(tips.size())), monitor)
           .run(std::int64_t(tips.size()), trace))
    return {};
  return paths;
}

} // namespace isochrone::mesh
