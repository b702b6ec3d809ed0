#include "MeshTravelTime/Paths/PathTrace.h"

#include "Error.h"
#include "MeshTravelTime/Scheme/LocalSolver.h"
#include "MeshTravelTime/Scheme/Unfolding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace isochrone::mesh {

namespace {

constexpr int maxVisits = 64;     ///< maximum number of steps of a path in a cell
constexpr double nearFace = 1e-4; ///< in heights of the cell: places nearer to a face move onto it

/// The steepest descent from a place, and its cell.
struct DescentInCell {
  std::int64_t cell = -1;
  CornerWeights weights{};
  Descent descent;
};

DescentInCell steepestFrom(const PathField& field, const Place& place) {
  DescentInCell best;
  visitCells(field.problem, field.cells, place, [&](std::int64_t cell, const CornerWeights& weights) {
    CellTimes times;
    if (!timesOf(field.problem, field.travelTime, cell, times)) return true;
    const Descent down = steepestDescent(times, weights);
    if (down.slope > best.descent.slope) best = {cell, weights, down};
    return true;
  });
  return best;
}

/// A vertex reached from another one along an edge, and the time along it.
struct Hop {
  std::int64_t vertex, from;
  double spent;
};

/// Returns the hops from a vertex over vertices at the same time to the first one that is earlier, or has a
/// seed in sight; empty if none exists.
std::vector<Hop> hopsAcrossPlateau(const PathField& field, std::int64_t start) {
  std::vector<Hop> queue{{start, -1, 0}};
  std::unordered_map<std::int64_t, std::size_t> known{{start, 0}}; // indices into the queue
  const float level = field.travelTime[std::size_t(start)];
  double spent = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::int64_t v = queue[next].vertex;
    if (field.travelTime[std::size_t(v)] < level || seedInSight(field, placeAt(v), spent) >= 0) {
      std::vector<Hop> hops{queue[next]};
      while (hops.back().from >= 0) hops.push_back(queue[known[hops.back().from]]);
      std::reverse(hops.begin(), hops.end());
      return hops;
    }
    for (const std::int64_t cell : field.cells.around(v)) {
      CellTimes times;
      if (!timesOf(field.problem, field.travelTime, cell, times)) continue;
      const auto corner = verticesOf(field.problem, cell);
      int own = 0;
      for (int k = 0; k < times.corners; ++k)
        if (corner[std::size_t(k)] == v) own = k;
      for (int k = 0; k < times.corners; ++k) {
        const std::int64_t to = corner[std::size_t(k)];
        if (k == own || field.travelTime[std::size_t(to)] > level || !known.emplace(to, queue.size()).second)
          continue;
        queue.push_back({to, v, std::sqrt(times.square[std::size_t(edgeBetween(own, k))])});
      }
    }
  }
  return {};
}

/// Returns the time along the line from weights in a cell to a place in it; infinity if no wave passes it.
double timeWithin(const PathField& field, std::int64_t cell, CornerWeights line, const Place& to) {
  CellTimes times;
  if (!timesOf(field.problem, field.travelTime, cell, times)) return std::numeric_limits<double>::infinity();
  CornerWeights end;
  weightsIn(field.problem, cell, to, end);
  for (std::size_t k = 0; k < 4; ++k) line[k] -= end[k];
  return std::sqrt(squareAlong(times, line));
}

/// Returns the time along the line from a place to one of its vertices, within the fastest of its cells.
double timeToVertex(const PathField& field, const Place& place, std::int64_t vertex) {
  double minimum = std::numeric_limits<double>::infinity();
  visitCells(field.problem, field.cells, place, [&](std::int64_t cell, const CornerWeights& weights) {
    minimum = std::min(minimum, timeWithin(field, cell, weights, placeAt(vertex)));
    return true;
  });
  return minimum;
}

CornerWeights cornerWeights(const Problem& problem, std::int64_t cell, const Place& place) {
  CornerWeights weights;
  weightsIn(problem, cell, place, weights);
  return weights;
}

/// The straight line from a vertex across the opposite edge of a triangle to the apex behind it.
struct Crossing {
  std::int64_t cell, cellBehind, apex;
  Place edge;
};

/// A triangle as seen from one of its vertices.
struct SeenFrom {
  std::int64_t cell = -1, a = -1, b = -1;
  double edge = 0, toA = 0, toB = 0; ///< squared times along edges
};

/// Returns the triangle as seen from a vertex; without a cell if it is no reached open triangle.
SeenFrom seenFrom(const PathField& field, std::int64_t cell, std::int64_t vertex) {
  CellTimes times;
  if (!timesOf(field.problem, field.travelTime, cell, times) || times.corners != 3) return {};
  const auto v = verticesOf(field.problem, cell);
  const int k = int(std::ranges::find(v, vertex) - v.begin()), a = (k + 1) % 3, b = (k + 2) % 3;
  const auto square = [&](int i, int j) { return times.square[std::size_t(edgeBetween(i, j))]; };
  return {cell, v[std::size_t(a)], v[std::size_t(b)], square(a, b), square(k, a), square(k, b)};
}

/// Returns the steepest descent across an edge to an apex behind it.
std::optional<Crossing> steepestCrossing(const PathField& field, std::int64_t vertex) {
  if (!field.problem.unfolds) return {};
  std::optional<Crossing> best;
  double steepest = 0;
  for (const std::int64_t cell : field.cells.around(vertex)) {
    const SeenFrom t = seenFrom(field, cell, vertex);
    if (t.cell < 0 || !isObtuse({t.edge, t.toA, t.toB, 0, 0})) continue;
    for (const std::int64_t behind : field.cells.around(t.a)) {
      const auto v = verticesOf(field.problem, behind);
      if (behind == cell || v.size() != 3 || std::ranges::count(v, t.b) == 0) continue;
      const auto apex = std::ranges::find_if(v, [&](std::int64_t w) { return w != t.a && w != t.b; });
      if (apex == v.end() || *apex == vertex) continue;
      SeenFrom n = seenFrom(field, behind, *apex);
      if (n.cell < 0 || !sameLength(t.edge, n.edge)) continue;
      if (n.a == t.b) std::swap(n.toA, n.toB);
      const LineAcross line = unfold({t.edge, t.toA, t.toB, n.toA, n.toB});
      const double slope =
          (double(field.travelTime[std::size_t(vertex)]) - field.travelTime[std::size_t(*apex)]) /
          std::sqrt(line.square);
      if (!crosses(line) || !(slope > steepest)) continue;
      steepest = slope;
      best = Crossing{cell, behind, *apex, {}};
      best->edge.add(t.a, line.atA);
      best->edge.add(t.b, 1 - line.atA);
    }
  }
  return best;
}

/// Returns the earliest of some vertices.
std::int64_t earliest(const PathField& field, std::span<const std::int64_t> vertices) {
  return *std::ranges::min_element(vertices, {},
                                   [&](std::int64_t v) { return field.travelTime[std::size_t(v)]; });
}

std::int64_t earliestVertex(const PathField& field, const Place& place) {
  return earliest(field, std::span(place.vertex).first(std::size_t(place.count)));
}

class Tracer {
public:
  Tracer(const PathField& f, const Place& from) : field(f) {
    trace.end = from;
    trace.samples.push_back({positionOf(f.problem, from), f.timeOf(from), 0});
  }

  bool toSeed() {
    double spent = 0;
    trace.seed = seedInSight(field, trace.end, spent);
    if (trace.seed < 0) return false;
    const Seed& seed = field.problem.seeds[std::size_t(trace.seed)];
    const Position at = seed.vertex >= 0 ? pointAt(field.problem, seed.vertex) : seed.at;
    Sample& last = trace.samples.back();
    const double time = std::min(seed.startTime, last.time);
    if (spent == 0 && trace.samples.size() > 1)
      last.time = time;
    else
      trace.samples.push_back({at, time, spent});
    return true;
  }

  /// Makes one step. Returns false if no step is possible.
  bool step(bool toVertex) {
    const DescentInCell down = steepestFrom(field, trace.end);
    return (!toVertex && throughCell(down)) || toEarliestCorner(down) || acrossPlateau() || acrossEdge();
  }

  Trace trace;

private:
  const PathField& field;
  std::unordered_map<std::int64_t, int> visits; ///< per cell

  /// Follows a descent to the boundary of its cell, unless the cell's visits are used up or rounding leaves
  /// nothing of the step.
  bool throughCell(const DescentInCell& down) {
    if (down.cell < 0 || ++visits[down.cell] > maxVisits) return false;
    const double length = lengthWithin(down.weights, down.descent.rates);
    for (const double minimum : {nearFace, roundedWeight}) {
      const Place next = moved(field.problem, down.cell, down.weights, down.descent.rates, length, minimum);
      if (field.timeOf(next) < now()) return goTo(next, timeWithin(field, down.cell, down.weights, next));
    }
    return false;
  }

  bool toEarliestCorner(const DescentInCell& down) {
    if (down.cell < 0) return false;
    const std::int64_t corner = earliest(field, verticesOf(field.problem, down.cell));
    return field.travelTime[std::size_t(corner)] < now() && goToVertex(corner);
  }

  bool acrossPlateau() {
    const std::int64_t vertex = earliestVertex(field, trace.end);
    const std::vector<Hop> hops = hopsAcrossPlateau(field, vertex);
    if (hops.empty()) return false;
    if (trace.end.count > 1) goToVertex(vertex);
    for (std::size_t h = 1; h < hops.size(); ++h) goTo(placeAt(hops[h].vertex), hops[h].spent);
    return true;
  }

  /// Goes from a vertex across the opposite edge of an obtuse angle to the apex behind it: a vertex may have
  /// its time from there (Scheme/Unfolding.h), and all neighbours be later.
  bool acrossEdge() {
    if (trace.end.count > 1) return false;
    const std::optional<Crossing> best = steepestCrossing(field, trace.end.vertex[0]);
    if (!best) return false;
    goTo(best->edge,
         timeWithin(field, best->cell, cornerWeights(field.problem, best->cell, trace.end), best->edge));
    return goTo(placeAt(best->apex),
                timeWithin(field, best->cellBehind,
                           cornerWeights(field.problem, best->cellBehind, best->edge), placeAt(best->apex)));
  }

  double now() const { return trace.samples.back().time; }

  bool goToVertex(std::int64_t vertex) {
    return goTo(placeAt(vertex), timeToVertex(field, trace.end, vertex));
  }

  bool goTo(const Place& place, double spent) {
    trace.end = place;
    const double time = std::min(field.timeOf(place), trace.samples.back().time);
    trace.samples.push_back({positionOf(field.problem, place), time, spent});
    return true;
  }
};

} // namespace

PathField::PathField(const Problem& p, std::span<const float> times, const VertexCells* known)
    : problem(p), travelTime(times), own(known ? VertexCells() : makeVertexCells(p)),
      cells(known ? *known : own) {
  if (std::int64_t(times.size()) != p.vertexCount())
    throw Error("travel times must be given for each of " + std::to_string(p.vertexCount()) +
                " points, got " + std::to_string(times.size()));
  if (!p.sharing.vertices.empty()) shared.resize(std::size_t(p.vertexCount()));
  for (const std::int64_t v : p.sharing.vertices) shared[std::size_t(v)] = true;
  const auto add = [&](std::int64_t vertex, std::int32_t seed) {
    std::vector<std::int32_t>& seeds = seedsNear[vertex];
    if (seeds.empty() || seeds.back() != seed) seeds.push_back(seed);
  };
  for (const SeedStart& start : seedStarts(p, cells)) {
    add(start.vertex, start.seed);
    if (const std::int64_t own = p.seeds[std::size_t(start.seed)].vertex; own == start.vertex)
      for (const std::int64_t cell : cells.around(own))
        for (const std::int64_t v : verticesOf(p, cell)) add(v, start.seed);
  }
}

double PathField::timeOf(const Place& place) const {
  double time = 0;
  for (int i = 0; i < place.count; ++i)
    time += place.weight[std::size_t(i)] * travelTime[std::size_t(place.vertex[std::size_t(i)])];
  return time;
}

bool PathField::isShared(const Place& place) const {
  if (shared.empty()) return false;
  for (int i = 0; i < place.count; ++i)
    if (!shared[std::size_t(place.vertex[std::size_t(i)])]) return false;
  return true;
}

std::int32_t seedInSight(const PathField& field, const Place& place, double& spent) {
  const auto near = field.seedsNear.find(place.vertex[0]);
  if (near == field.seedsNear.end()) return -1;
  const double time = field.timeOf(place);
  // Beyond one cell only if a ball set such times; parts of a mesh do not have each other's cells.
  const int maxCells = field.problem.ballRadius > 0 ? 1 << 16 : 1;
  std::int32_t best = -1;
  double minimum = std::numeric_limits<double>::infinity();
  for (const std::int32_t s : near->second) {
    const Seed& seed = field.problem.seeds[std::size_t(s)];
    const double roundings = 5e-7 * (std::abs(time - field.problem.timeOrigin) + 0.5 * std::abs(time));
    if (!(seed.startTime <= time + roundings)) continue;
    const double spentToSeed = SeedSight(field.problem, field.cells, seed).timeFrom(place, maxCells);
    if (seed.startTime + spentToSeed <= time + roundings && seed.startTime + spentToSeed < minimum)
      minimum = seed.startTime + spentToSeed, best = s, spent = spentToSeed;
  }
  return best;
}

double steepnessAt(const PathField& field, const Place& place) {
  double spent = 0;
  if (seedInSight(field, place, spent) >= 0) return std::numeric_limits<double>::infinity();
  if (const DescentInCell down = steepestFrom(field, place); down.cell >= 0) return down.descent.slope;
  return hopsAcrossPlateau(field, earliestVertex(field, place)).empty() ? -1 : 0;
}

Trace traceDown(const PathField& field, const Place& from, bool toVertex) {
  Tracer tracer(field, from);
  for (bool first = true;; first = false) {
    if (tracer.toSeed()) break;
    if (!first && tracer.trace.end.count < 4 && field.isShared(tracer.trace.end)) break;
    if (!tracer.step(first && toVertex)) break;
  }
  return std::move(tracer.trace);
}

} // namespace isochrone::mesh
