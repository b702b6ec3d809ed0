#include "MeshTravelTime/Exact/PathSearch.h"

#include "MeshTravelTime/Exact/Envelope.h"
#include "MeshTravelTime/Scheme/CellMetric.h"

#include <algorithm>
#include <limits>

namespace isochrone::mesh {

namespace {

/// Maximum number of windows of an edge that a new one is compared with, the latest ones. Comparisons save
/// work, mainly where ways are equal, and are not needed otherwise.
constexpr std::size_t maxCompared = 64;

/// Returns the crossing of an edge at a place in its frame.
Position crossingAt(const Problem& p, const SurfaceEdge& e, double at) {
  const Position low = pointAt(p, e.low), high = pointAt(p, e.high);
  const double part = std::clamp(at / e.length, 0.0, 1.0);
  Position x;
  for (std::size_t a = 0; a < 3; ++a) x[a] = low[a] * (1 - part) + high[a] * part;
  return x;
}

/// Returns a vertex of a triangle in the frame of one of its edges, as (x, -y).
std::array<double, 2> inFrame(const Surface& s, const Side& side, std::int32_t vertex) {
  if (vertex == side.apex) return {side.x, side.y};
  const SurfaceEdge& e = s.edges[std::size_t(side.edge)];
  return {vertex == e.low ? 0 : e.length, 0};
}

const Side& sideIn(const Surface& s, std::int32_t edge, std::int32_t face) {
  for (const Side& side : s.sidesAt(edge))
    if (side.face == face) return side;
  return s.sides[s.edges[std::size_t(edge)].firstSide]; // not reached
}

} // namespace

SearchField::SearchField(const Problem& p, std::span<const float> travelTime)
    : problem(p), surface(makeSurface(p)), perTime(p.constantSpeed / surface.unit) {
  double latest = std::abs(p.timeOrigin);
  for (const float time : travelTime) {
    const bool isReached = std::isfinite(time);
    distance.push_back(isReached ? (time - p.timeOrigin) * perTime : HUGE_VAL);
    if (isReached) latest = std::max(latest, double(std::abs(time)));
  }
  noise = std::numeric_limits<float>::epsilon() * latest * perTime;
  for (std::size_t i = 0; i < p.seeds.size(); ++i) {
    const Seed& seed = p.seeds[i];
    const bool isOpen = seed.vertex >= 0
                            ? surface.open[std::size_t(seed.vertex)]
                            : seed.cell >= 0 && (p.hidden.empty() || !p.hidden[std::size_t(seed.cell)]);
    if (!isOpen) continue;
    Goal found{std::int32_t(i),
               (seed.startTime - p.timeOrigin) * perTime,
               placeOn(p, seed.vertex, seed.cell, seed.at),
               {}};
    if (found.place.count == 1) atVertex[std::int32_t(found.place.vertex[0])].push_back(found);
    for (const SurfacePoint& point : pointsAt(surface, found.place)) {
      found.point = point;
      inFace[point.face].push_back(found);
    }
  }
}

double PathSearch::limitOf(std::int32_t vertex) const {
  const auto known = reached.find(vertex);
  const double left = bound + field.noise - field.distance[std::size_t(vertex)];
  return known == reached.end() ? left : std::min(left, known->second.distance);
}

void PathSearch::push(const Window& window, std::int32_t parent) {
  const SurfaceEdge& e = s.edges[std::size_t(window.edge)];
  Window w = window;
  std::vector<std::int32_t>& others = ofEdge[w.edge];
  const std::size_t compared = std::min<std::size_t>(others.size(), maxCompared);
  for (const std::int32_t other : std::span(others).last(compared))
    if (!cutBy(w, nodes[std::size_t(other)].window, -tie * (w.minimum() + e.length), e.length)) return;
  const double low = field.distance[std::size_t(e.low)] + w.distanceAt(w.b) - w.b,
               high = field.distance[std::size_t(e.high)] - e.length + w.distanceAt(w.a) + w.a;
  const auto number = std::int32_t(nodes.size());
  nodes.push_back({w, parent});
  others.push_back(number);
  tasks.push({std::max(low, high) - field.noise, false, number, 0});
}

void PathSearch::reach(const SearchField::Goal& one, const Arrival& arrival) {
  const double total = arrival.distance + one.start;
  const bool wins = goal && total == best.distance && one.seed > goal->seed;
  if (!(total < best.distance) && !wins) return;
  best = arrival, best.distance = total, goal = &one;
  bound = std::min(bound, total);
}

void PathSearch::lower(std::int32_t vertex, const Arrival& arrival) {
  Arrival& known = reached[vertex];
  if (!(arrival.distance < known.distance)) return;
  known = arrival;
  for (const SearchField::Goal& one : SearchField::at(field.atVertex, vertex)) reach(one, arrival);
  if (s.bends[std::size_t(vertex)])
    tasks.push({arrival.distance + field.distance[std::size_t(vertex)] - field.noise, true, vertex,
                arrival.distance});
}

void PathSearch::start(const Place& tip) {
  sources.push_back({positionOf(field.problem, tip), {}});
  const auto limit = [this](std::int32_t v) { return limitOf(v); };
  if (tip.count == 1) {
    const auto v = std::int32_t(tip.vertex[0]);
    bound = field.distance[std::size_t(v)] + field.noise;
    lower(v, {0, 0, -1, 0});
    if (!s.bends[std::size_t(v)]) tasks.push({-HUGE_VAL, true, v, 0});
    return;
  }
  const std::vector<SurfacePoint> points = pointsAt(s, tip);
  for (const SurfacePoint& point : points)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t v = s.sides[std::size_t(point.sides[k])].apex;
      bound = std::min(bound, field.distance[std::size_t(v)] + point.toApex[k] + field.noise);
    }
  for (const SurfacePoint& point : points) {
    for (std::size_t k = 0; k < 3; ++k)
      lower(s.sides[std::size_t(point.sides[k])].apex, {point.toApex[k], 0, -1, 0});
    for (const SearchField::Goal& one : SearchField::at(field.inFace, point.face))
      reach(one, {lengthOf(one.point.x[0] - point.x[0], one.point.y[0] - point.y[0]), 0, -1, 0});
    visitFrom(s, point, 0, 0, limit, [&](const Window& w) { push(w, -1); });
  }
}

void PathSearch::depart(std::int32_t v) {
  const Arrival arrival = reached[v];
  const bool isTip =
      arrival.distance == 0 && sources.size() == 1 && arrival.source == 0 && arrival.window < 0;
  const auto source = isTip ? 0 : std::int32_t(sources.size());
  if (!isTip) sources.push_back({pointAt(field.problem, v), arrival});
  for (const std::int32_t corner : s.cornersAt(v)) {
    const Side& side = s.sides[std::size_t(corner)];
    for (const std::int32_t edge : {side.toLow, side.toHigh}) {
      const SurfaceEdge& e = s.edges[std::size_t(edge)];
      lower(e.low == v ? e.high : e.low, {arrival.distance + e.length, source, -1, 0});
    }
    for (const SearchField::Goal& one : SearchField::at(field.inFace, side.face))
      for (std::size_t k = 0; k < 3; ++k)
        if (one.point.sides[k] == corner) reach(one, {arrival.distance + one.point.toApex[k], source, -1, 0});
  }
  for (const Surface::Link& link : s.linksAt(v))
    lower(link.to, {arrival.distance + link.length, source, -1, 0});
  visitFrom(
      s, v, arrival.distance, source, [this](std::int32_t w) { return limitOf(w); },
      [&](const Window& w) { push(w, -1); });
}

void PathSearch::advance(std::int32_t node) {
  Window w = nodes[std::size_t(node)].window;
  const SurfaceEdge& e = s.edges[std::size_t(w.edge)];
  if (!cut(w, e.length, limitOf(e.low), limitOf(e.high))) return;
  for (const Side& side : s.sidesAt(w.edge)) {
    if (side.face == w.face) continue;
    const Sight sight = sightOf(w, side.x, side.y);
    lower(side.apex, {sight.distance, w.label, node, sight.via});
    for (const SearchField::Goal& one : SearchField::at(field.inFace, side.face))
      for (std::size_t k = 0; k < 3; ++k)
        if (s.sides[std::size_t(one.point.sides[k])].edge == w.edge) {
          const Sight direct = sightOf(w, one.point.x[k], one.point.y[k]);
          reach(one, {direct.distance, w.label, node, direct.via});
        }
    visitBehind(
        s, w, side, sight.middle, [this](std::int32_t v) { return limitOf(v); },
        [&](const Window& next) { push(next, node); });
  }
}

void PathSearch::addCrossings(const Arrival& arrival, std::vector<Position>& points) const {
  double at = arrival.via;
  std::vector<Position> back; // from the arrival to the source
  for (std::int32_t n = arrival.window; n >= 0;) {
    const Node& node = nodes[std::size_t(n)];
    const SurfaceEdge& e = s.edges[std::size_t(node.window.edge)];
    back.push_back(crossingAt(field.problem, e, at));
    n = node.parent;
    if (n < 0) break;
    const Window& before = nodes[std::size_t(n)].window;
    const Side& side = sideIn(s, before.edge, node.window.face);
    const auto low = inFrame(s, side, e.low), high = inFrame(s, side, e.high);
    const double part = at / e.length;
    at = sightOf(before, low[0] + part * (high[0] - low[0]), low[1] + part * (high[1] - low[1])).via;
  }
  points.insert(points.end(), back.begin(), back.end());
}

Path PathSearch::trace(const Place& tip) const {
  Path path;
  if (!goal) return path;
  // From the seed to the tip.
  std::vector<Position> points{positionOf(field.problem, goal->place)};
  for (Arrival arrival = best;; arrival = sources[std::size_t(arrival.source)].arrival) {
    addCrossings(arrival, points);
    points.push_back(sources[std::size_t(arrival.source)].at);
    if (arrival.source == 0) break;
  }
  points.back() = positionOf(field.problem, tip);
  const double start = field.problem.seeds[std::size_t(goal->seed)].startTime;
  for (const Position& x : points) {
    if (path.size() > 0) {
      const double step = std::hypot(x[0] - path.x.back(), x[1] - path.y.back(), x[2] - path.z.back());
      const bool isLast = &x == &points.back();
      const double rounded = 1e-14 * std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
      if (!(step > rounded) && !(isLast && path.size() == 1)) continue; // edges that meet at a vertex
      path.length += step;
    }
    path.x.push_back(x[0]), path.y.push_back(x[1]), path.z.push_back(x[2]);
    path.travelTime.push_back(start + path.length / field.problem.constantSpeed);
  }
  path.energy = path.length / field.problem.constantSpeed;
  path.seed = goal->seed;
  path.status = PathStatus::Complete;
  return path;
}

Path PathSearch::pathTo(const Place& tip, const std::function<bool()>& mayContinue) {
  start(tip);
  constexpr std::int64_t interval = 1024; // tasks
  for (std::int64_t done = 1; !tasks.empty() && tasks.top().bound <= bound + field.noise; ++done) {
    if (done % interval == 0 && !mayContinue()) return {};
    const Task task = tasks.top();
    tasks.pop();
    if (!task.isVertex)
      advance(task.number);
    else if (task.distance == reached[task.number].distance)
      depart(task.number);
  }
  return trace(tip);
}

} // namespace isochrone::mesh
