#include "MeshTravelTime/Exact/ExactSolver.h"

#include "Error.h"
#include "MeshTravelTime/Exact/Buckets.h"
#include "MeshTravelTime/Exact/Sources.h"
#include "MeshTravelTime/Exact/WindowLists.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Validation.h"

#include <chrono>
#include <cmath>
#include <limits>

namespace isochrone::mesh {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double latestStart = 1e28; ///< in units of the surface

/// Windows in progress. Distances are in units of the surface.
class Propagation {
public:
  /// @param problemName  for messages
  Propagation(const Surface& surface, std::string problemName)
      : s(surface), name(std::move(problemName)), distance(std::size_t(surface.vertexCount), infinity),
        seed(std::size_t(surface.vertexCount), -1), windows(surface),
        width(std::max(surface.meanShortest, 1e-300)), dueAt(std::size_t(surface.edgeCount()), infinity),
        queue(width), departures(width), ends(width) {}

  void start(const Place& place, double at, std::int32_t number) {
    if (place.count == 1) {
      const auto v = std::int32_t(place.vertex[0]);
      lower(v, at, number);
      if (seed[std::size_t(v)] == number && !s.bends[std::size_t(v)]) departures.push(v, at);
      return;
    }
    for (const SurfacePoint& point : pointsAt(s, place)) {
      for (std::size_t k = 0; k < 3; ++k)
        lower(s.sides[std::size_t(point.sides[k])].apex, at + point.toApex[k], number);
      visitFrom(s, point, at, number, limit, [&](const Window& w) { push(w); });
    }
  }

  /// Works until nothing is left. Returns false if the monitor requested a stop.
  bool run(const Monitor& monitor) {
    while (!queue.empty() || !departures.empty()) {
      ++rounds;
      const double now = std::min(queue.start(), departures.start());
      for (; !ends.empty() && ends.start() + width < now; ends.removeFirst())
        for (const std::int32_t edge : ends.first()) windows.forget(edge);
      if (departures.start() <= now) {
        for (std::size_t i = 0; i < departures.first().size(); ++i) depart(departures.first()[i]);
        departures.removeFirst();
        continue;
      }
      for (std::size_t i = 0; i < queue.first().size(); ++i) {
        if ((i & 0x3fff) == 0 && !mayContinue(monitor)) return false;
        advance(queue.first()[i]);
      }
      queue.removeFirst();
    }
    return true;
  }

  const std::vector<double>& distances() const { return distance; }
  const std::vector<std::int32_t>& seeds() const { return seed; }
  int roundCount() const { return rounds; }
  std::int64_t windowCount() const { return made; }
  std::size_t bytes() const { return windows.bytes() + distance.size() * 12; }

private:
  /// The shortest known distance of a vertex.
  struct Limit {
    const std::vector<double>& distance;
    double operator()(std::int32_t v) const { return distance[std::size_t(v)]; }
  };

  /// Reports, and checks the memory that windows take. Returns false if the monitor requests a stop.
  bool mayContinue(const Monitor& monitor) {
    if (windows.bytes() > allowed) {
      requireHostMemory(windows.bytes(), name);
      allowed = 2 * windows.bytes();
    }
    return monitor.report(double(reached) / s.vertexCount);
  }

  void push(Window w) {
    ++made;
    const bool isFirst = windows.isEmpty(w.edge);
    if (!windows.add(w)) return;
    double& due = dueAt[std::size_t(w.edge)];
    if (const double minimum = w.minimum(); minimum < due) queue.push(w.edge, due = minimum);
    // Later windows of the edge are longer than the way by one of its ends.
    if (isFirst) ends.push(w.edge, w.distanceAt(w.a) + 2 * s.edges[std::size_t(w.edge)].length);
  }

  void lower(std::int32_t v, double to, std::int32_t number) {
    double& d = distance[std::size_t(v)];
    std::int32_t& from = seed[std::size_t(v)];
    if (to == d) from = std::max(from, number);
    if (!(to < d)) return;
    if (d == infinity) ++reached;
    d = to, from = number;
    if (s.bends[std::size_t(v)]) departures.push(v, to);
  }

  /// Sends the windows of a vertex, and lowers the other ends of its edges.
  void depart(std::int32_t v) {
    const double from = distance[std::size_t(v)];
    const std::int32_t number = seed[std::size_t(v)];
    const auto reach = [&](std::int32_t edge) {
      const SurfaceEdge& e = s.edges[std::size_t(edge)];
      lower(e.low == v ? e.high : e.low, from + e.length, number);
    };
    for (const std::int32_t corner : s.cornersAt(v)) {
      reach(s.sides[std::size_t(corner)].toLow);
      reach(s.sides[std::size_t(corner)].toHigh);
    }
    for (const Surface::Link& link : s.linksAt(v)) lower(link.to, from + link.length, number);
    visitFrom(s, v, from, number, limit, [&](const Window& w) { push(w); });
  }

  /// Lets the windows of an edge that wait advance by one triangle.
  void advance(std::int32_t edge) {
    const SurfaceEdge& e = s.edges[std::size_t(edge)];
    dueAt[std::size_t(edge)] = infinity;
    windows.release(edge, [&](Window w) {
      if (!cut(w, e.length, distance[std::size_t(e.low)], distance[std::size_t(e.high)])) return;
      for (const Side& side : s.sidesAt(edge)) {
        if (side.face == w.face) continue;
        const Sight sight = sightOf(w, side.x, side.y);
        lower(side.apex, sight.distance, w.label);
        visitBehind(s, w, side, sight.middle, limit, [&](const Window& next) { push(next); });
      }
    });
  }

  const Surface& s;
  const std::string name;
  std::vector<double> distance;
  std::vector<std::int32_t> seed;
  const Limit limit{distance};
  WindowLists windows;
  double width;              ///< of a bucket
  std::vector<double> dueAt; ///< per edge: minimum distance of the windows that wait
  Buckets queue;             ///< edges with windows that wait
  Buckets departures;        ///< vertices that windows start from
  Buckets ends;              ///< edges that no shorter windows reach after a distance
  int rounds = 0;
  std::int64_t made = 0, reached = 0;
  std::size_t allowed = std::size_t(64) << 20; ///< bytes of windows, up to the next check
};

/// Requires that times along edges are in the range of single precision.
void requireRange(const Surface& s, double perTime) {
  const double time = s.meanEdge / perTime;
  if (s.meanEdge == 0 || (time > 1e-36 && time < 1e37)) return;
  fail("travel times along edges are about ", text(time),
       ", beyond the range of single precision: check for cells or a speed that are far too small or too "
       "large");
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Returns whether rounding the time of a seed to single precision blurs the arrivals around it
/// (Result::blurredSeed), and no earlier wave passes it.
bool isBlurred(const Surface& s, const Place& place, double start, const std::vector<double>& distance) {
  const double blur = std::numeric_limits<float>::epsilon() / 2 * std::abs(start);
  double shortest = infinity, reached = infinity;
  for (int i = 0; i < place.count; ++i) {
    const std::int64_t v = place.vertex[std::size_t(i)];
    for (const std::int32_t corner : s.cornersAt(std::int32_t(v)))
      for (const std::int32_t edge :
           {s.sides[std::size_t(corner)].toLow, s.sides[std::size_t(corner)].toHigh})
        if (const double length = s.edges[std::size_t(edge)].length; length > 0)
          shortest = std::min(shortest, length);
    reached = std::min(reached, distance[std::size_t(v)]);
  }
  return blur > shortest / 16 && reached >= start - 2 * blur;
}

bool isOpenAt(const Problem& p, const Surface& s, const Seed& seed) {
  if (seed.vertex >= 0) return s.open[std::size_t(seed.vertex)];
  return seed.cell >= 0 && (p.hidden.empty() || !p.hidden[std::size_t(seed.cell)]);
}

} // namespace

void validateExact(const Problem& p, const Options& options) {
  if (p.speedType != SpeedType::Constant)
    throw Error("exact distances need one speed everywhere: choose the Speed Type Constant, or the Accuracy "
                "First Order");
  for (std::int64_t c = 0; c < p.cellCount(); ++c)
    if (p.cells[std::size_t(4 * c + 3)] >= 0)
      fail("exact distances need triangles, but ", p.cellName ? p.cellName(c) : "cell " + std::to_string(c),
           " is a tetrahedron: apply Extract Surface first, or choose the Accuracy First Order");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 3;
  if (p.cellCount() > most)
    fail("exact distances take at most ", most, " triangles, got ", p.cellCount(),
         ": apply Decimate first, or choose the Accuracy First Order");
  if (p.sharing.exchange)
    throw Error("exact distances need the whole surface on one rank: run on one rank, or choose the Accuracy "
                "First Order");
  if (options.backend == Backend::Cuda)
    throw Error("exact distances are computed on the host only: choose the Backend Automatic or Host, or the "
                "Accuracy First Order");
}

Result solveExactly(const Problem& p, const Options& options, const Monitor& monitor) {
  // 1. Unfold the surface.
  const auto begin = std::chrono::steady_clock::now();
  requireHostMemory(surfaceBytes(p), nameOf(p));
  Result result;
  result.ranOn = {Backend::Host, "exact distances are computed on the host"};
  const Surface surface = makeSurface(p, monitor);
  result.aborted = surface.unfinished;
  if (result.aborted) return result;
  result.barriers.closed = surface.barriers;
  result.open.assign(surface.open.begin(), surface.open.end());
  result.setupSeconds = secondsSince(begin);

  // 2. Start from the seeds.
  const auto solving = std::chrono::steady_clock::now();
  const double perTime = p.constantSpeed / surface.unit;
  requireRange(surface, perTime);
  Propagation propagation(surface, nameOf(p));
  result.usable.assign(p.seeds.size(), false);
  for (std::size_t i = 0; i < p.seeds.size(); ++i) {
    const Seed& seed = p.seeds[i];
    if (!isOpenAt(p, surface, seed)) continue;
    const double start = (seed.startTime - p.timeOrigin) * perTime;
    if (!(std::abs(start) < latestStart))
      fail(nameOfStart(p, i), " is ", text(seed.startTime - p.timeOrigin),
           " later than the earliest one, more than can be combined with times of ", text(1 / perTime),
           " along edges: give start times closer together");
    propagation.start(placeOn(p, seed.vertex, seed.cell, seed.at), start, std::int32_t(i));
    result.usable[i] = true;
  }
  if (std::ranges::find(result.usable, true) == result.usable.end())
    throw Error("every seed is in a barrier: move one to where the speed is positive");

  // 3. Let their windows advance.
  result.aborted = !propagation.run(monitor);
  result.solveSeconds = secondsSince(solving);
  result.rounds = propagation.roundCount();
  result.updatesPerVertex = double(propagation.windowCount()) / double(std::max(1, surface.vertexCount));
  result.workBytes = surfaceBytes(p) + propagation.bytes();
  if (result.aborted) {
    result.open.clear();
    return result;
  }

  // 4. Convert to times.
  result.travelTime.resize(std::size_t(surface.vertexCount));
  for (std::size_t v = 0; v < result.travelTime.size(); ++v) {
    const double d = propagation.distances()[v];
    result.travelTime[v] = float(d < infinity ? p.timeOrigin + d / perTime : infinity);
    if (d < infinity && std::isinf(result.travelTime[v]))
      throw Error("travel times exceed 3.4e38, the maximum of single precision: use other units of length or "
                  "speed");
  }
  for (std::size_t i = 0; i < p.seeds.size() && result.blurredSeed < 0; ++i)
    if (const Seed& seed = p.seeds[i]; result.usable[i])
      if (isBlurred(surface, placeOn(p, seed.vertex, seed.cell, seed.at),
                    (seed.startTime - p.timeOrigin) * perTime, propagation.distances()))
        result.blurredSeed = std::int64_t(i);
  if (options.seedIds) result.seed.assign(propagation.seeds().begin(), propagation.seeds().end());
  monitor.report(1);
  return result;
}

} // namespace isochrone::mesh
