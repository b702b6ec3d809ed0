// RayMatrix.cxx - the lengths per point or cell that add up to the travel times of rays.
#include "Paths/TrailRelay.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracing/Seeds/EndpointEdges.h"
#include "RayTracing/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace isochrone::rays {

namespace {

/// A part of the time of a ray.
struct Entry {
  std::int64_t element; ///< number in the whole image
  std::int64_t edge;    ///< along the ray, from the source on
  double length;        ///< world units; in a tilted medium times its slownessRatio
  double slowness;
};
using Entries = std::vector<Entry>;

/// Computes the lengths of the edges of rays, as far as this part has them.
template <class Real>
class Lengths {
public:
  Lengths(const Problem& problemOfRays, const Options& options)
      : problem(problemOfRays), rule(options.rule), slowness(slownessOf<Real>(problem)),
        points(ImageNumbers::ofPoints(problem)), elements(ImageNumbers::ofElements(problem, rule)),
        edges(problem, options) {
    for (int o = 0; o < edges.count(); ++o) offsets[edges.terms(o).offset] = o;
  }

  /// Adds the segment from the last point of a ray to its receiver, or from its source if it has no points.
  void addLast(const Ray& ray, Entries& entries) const {
    const Position receiver = *stepsTo(problem, ray.receiver);
    const auto edge = std::int64_t(ray.points.size()) + 1;
    if (ray.points.empty()) {
      addStraight(*stepsTo(problem, problem.sources[ray.source].at), receiver, edge, entries);
    } else {
      addEndpoint(receiver, ray.points.back(), edge, entries);
    }
  }

  /// Adds the edge to a point of a ray, from the point before or from the source.
  /// @param ray  its points from the source on, up to this one or more
  void addEdgeTo(std::size_t point, std::span<const std::int64_t> ray, std::int32_t source,
                 Entries& entries) const {
    if (point > 0)
      addEdge(points.inPart(ray[point - 1]), points.inPart(ray[point]), std::int64_t(point), entries);
    else if (source >= 0)
      addEndpoint(*stepsTo(problem, problem.sources[source].at), ray[0], 0, entries);
  }

  /// Adds a segment between two positions in one cell.
  void addStraight(const Position& fromSteps, const Position& toSteps, std::int64_t edge,
                   Entries& entries) const {
    add(*straightEdge(problem, rule, fromSteps, toSteps), edge, entries);
  }

  /// Adds the segment between a position and a point beside it, by its number in the whole image.
  void addEndpoint(const Position& steps, std::int64_t point, std::int64_t edge, Entries& entries) const {
    for (const EndpointEdge& segment : endpointEdges(problem, rule, steps))
      if (segment.point == points.inPart(point)) add(segment, edge, entries);
  }

  /// Adds an edge between two points of this part.
  void addEdge(std::int64_t from, std::int64_t to, std::int64_t edge, Entries& entries) const {
    const GridIndex a = problem.grid.indices(from), b = problem.grid.indices(to);
    const EdgeTerms& terms = edges.terms(offsets.at({int(b[0] - a[0]), int(b[1] - a[1]), int(b[2] - a[2])}));
    const Position along = directionOf(problem.grid, terms.offset);
    const auto addLength = [&](std::int64_t element, double length, double ratio) {
      entries.push_back(entryOf(element, edge, length * ratio));
    };
    if (rule == WeightRule::Fast) {
      for (const std::int64_t end : {from, to})
        addLength(end, 0.5 * terms.length, slownessRatio(problem, end, along));
    } else {
      for (const Term& term : terms.terms) {
        const SlowElement<Real> fastest = edges.minElementOf(a, term, along);
        addLength(fastest.element, term.length, fastest.along.ratio);
      }
    }
  }

private:
  const Problem& problem;
  WeightRule rule;
  std::span<const Real> slowness;
  ImageNumbers points, elements;
  EdgeWeights<Real> edges;
  std::map<Offset, int> offsets;

  Entry entryOf(std::int64_t element, std::int64_t edge, double length) const {
    return {elements.inWhole(element), edge, length, double(slowness[element])};
  }

  void add(const EndpointEdge& segment, std::int64_t edge, Entries& entries) const {
    for (const auto& [element, length] : segment.weights) entries.push_back(entryOf(element, edge, length));
  }
};

/// Returns one entry per element, ascending, with the sum of its lengths in the order of the edges.
Entries summed(Entries entries) {
  std::ranges::stable_sort(entries, {}, [](const Entry& e) { return std::pair(e.element, e.edge); });
  Entries sums;
  for (const Entry& entry : entries)
    if (!sums.empty() && sums.back().element == entry.element)
      sums.back().length += entry.length;
    else
      sums.push_back(entry);
  return sums;
}

/// Rescales the lengths to reproduce the rounded travel time. A discrepancy too large for rounding over the
/// ray's edges comes from a large start time and is left alone.
void scale(const Ray& ray, double epsilon, Entries& entries) {
  double exact = 0;
  for (const Entry& entry : entries) exact += entry.length * entry.slowness;
  const double error = (ray.travelTime - ray.startTime) / exact - 1;
  const double explained = double(ray.points.size() + 2) * epsilon;
  if (!(std::abs(error) <= explained)) return;
  for (Entry& entry : entries) entry.length *= 1 + error;
}

/// The entries of a ray, collected from its receiver to its source.
struct RowTrail {
  std::int32_t ray;
  std::int32_t source;
  std::vector<std::int64_t>
      points; ///< of the ray from its source on, up to the last one whose edge is missing
  Entries entries;
  std::vector<int> way; ///< see TrailRelay
};

class RowsInParts : public TrailRelay<RowTrail> {
public:
  explicit RowsInParts(const Problem& p) : TrailRelay(p.part), problem(p) {}

private:
  const Problem& problem;

  bool hasEnded(const RowTrail& trail) const override { return trail.points.empty(); }

  GridIndex next(const RowTrail& trail) const override {
    return problem.grid.indices(ImageNumbers::ofPoints(problem).inPart(trail.points.back()));
  }

  void put(const RowTrail& trail, Numbers& message) const override {
    message.insert(message.end(), {double(trail.ray), double(trail.source), double(trail.points.size()),
                                   double(trail.entries.size())});
    message.insert(message.end(), trail.points.begin(), trail.points.end());
    for (const Entry& e : trail.entries)
      message.insert(message.end(), {double(e.element), double(e.edge), e.length, e.slowness});
  }

  RowTrail taken(Numbers::const_iterator& at) const override {
    RowTrail trail;
    trail.ray = std::int32_t(*at++);
    trail.source = std::int32_t(*at++);
    const auto points = std::size_t(*at++), entries = std::size_t(*at++);
    while (trail.points.size() < points) trail.points.push_back(std::int64_t(*at++));
    while (trail.entries.size() < entries) {
      Entry& e = trail.entries.emplace_back();
      e.element = std::int64_t(*at++);
      e.edge = std::int64_t(*at++);
      e.length = *at++;
      e.slowness = *at++;
    }
    return trail;
  }
};

/// Returns whether this part has the row of a ray.
bool isHere(const Problem& problem, const Ray& ray) {
  return ray.status == PathStatus::Complete && ownsNearest(problem, *stepsTo(problem, ray.receiver));
}

/// Collects the entries of rays from part to part. Returns false if the monitor requested a stop.
template <class Real>
bool collectInParts(const Problem& problem, const Lengths<Real>& lengths, std::span<const Ray> rays,
                    Workers& workers, std::vector<Entries>& rows) {
  std::vector<RowTrail> trails;
  for (std::size_t r = 0; r < rays.size(); ++r)
    if (isHere(problem, rays[r])) {
      trails.push_back({std::int32_t(r), rays[r].source, rays[r].points, {}, {}});
      lengths.addLast(rays[r], trails.back().entries);
    }
  const auto collectAll = [&](std::vector<RowTrail>& some) {
    return workers.run(std::int64_t(some.size()), 0, 0, [&](std::int64_t n, int) {
      RowTrail& trail = some[n];
      while (!trail.points.empty()) {
        const std::int64_t last = ImageNumbers::ofPoints(problem).inPart(trail.points.back());
        if (!problem.part.owns(problem.grid.indices(last))) break;
        lengths.addEdgeTo(trail.points.size() - 1, trail.points, trail.source, trail.entries);
        trail.points.pop_back();
      }
    });
  };
  const bool done = RowsInParts(problem).follow(trails, collectAll);
  for (RowTrail& trail : trails) rows[trail.ray] = std::move(trail.entries);
  return done;
}

/// Returns the entries of a ray in an image with periodic axes. Each edge is that of the image in the grid of
/// the problem in parts.
/// @param lengths  of that problem
template <class Real>
Entries periodicEntries(const Problem& image, const PeriodicProblem& periodic, const Lengths<Real>& lengths,
                        const Ray& ray) {
  const Grid& grid = periodic.problem().grid;
  Entries entries;
  const auto sum = [](GridIndex a, const GridIndex& b, std::int64_t sign) {
    for (int axis = 0; axis < 3; ++axis) a[axis] += sign * b[axis];
    return a;
  };
  // The steps from a place on the ray, relative to point 0 of the image, to the same place in the grid with
  // point p in the image.
  const auto toGrid = [&](std::size_t p) { return sum(periodic.first(), ray.shift[p], -1); };
  const auto pointAt = [&](std::size_t p, const GridIndex& by) {
    return grid.index(sum(sum(image.grid.indices(ray.points[p]), ray.shift[p], 1), by, 1));
  };
  // The steps to a position, moved by whole ones before rounding.
  const auto stepsTo = [&](const Position& at, const GridIndex& by) {
    const Position inGrid = periodic.inGrid(at);
    const GridIndex move = sum(sum(periodic.stepsFrom(inGrid, at), by, 1), periodic.first(), -1);
    Position steps = *rays::stepsTo(periodic.problem(), inGrid);
    for (int a = 0; a < 3; ++a) steps[a] += double(move[a]);
    return steps;
  };
  const auto source = [&](const GridIndex& by) {
    return stepsTo(image.sources[ray.source].at, sum(ray.shift.back(), by, 1));
  };
  const auto last = std::int64_t(ray.points.size()) + 1;
  if (ray.points.empty()) { // the receiver is in the image
    const GridIndex by =
        sum(periodic.first(), periodic.stepsFrom(periodic.inGrid(ray.receiver), ray.receiver), -1);
    lengths.addStraight(source(by), stepsTo(ray.receiver, by), last, entries);
  } else {
    if (ray.source >= 0) lengths.addEndpoint(source(toGrid(0)), pointAt(0, toGrid(0)), 0, entries);
    for (std::size_t p = 1; p < ray.points.size(); ++p)
      lengths.addEdge(pointAt(p - 1, toGrid(p)), pointAt(p, toGrid(p)), std::int64_t(p), entries);
    const std::size_t end = ray.points.size() - 1;
    lengths.addEndpoint(stepsTo(ray.receiver, toGrid(end)), pointAt(end, toGrid(end)), last, entries);
  }
  for (Entry& entry : entries) entry.element = periodic.elementInImage(entry.element);
  return entries;
}

template <class Real>
RayMatrix matrixOf(const Problem& problem, const Options& options, std::span<const Ray> rays,
                   const Monitor& monitor) {
  std::optional<PeriodicProblem> periodic;
  if (isPeriodic(problem)) periodic.emplace(problem, options);
  const Lengths<Real> lengths(periodic ? periodic->problem() : problem, options);
  Workers workers(chooseThreads(options.threads, 1e5 * double(rays.size())), monitor);
  std::vector<Entries> rows(rays.size());
  const bool divided = problem.part.isDivided();
  if (divided && !collectInParts(problem, lengths, rays, workers, rows)) return {};
  const auto makeRow = [&](std::int64_t r, int) {
    const Ray& ray = rays[r];
    if (!isHere(problem, ray)) return;
    if (periodic) {
      rows[r] = periodicEntries(problem, *periodic, lengths, ray);
    } else if (!divided) {
      for (std::size_t p = 0; p < ray.points.size(); ++p)
        lengths.addEdgeTo(p, ray.points, ray.source, rows[r]);
      lengths.addLast(ray, rows[r]);
    }
    rows[r] = summed(std::move(rows[r]));
    scale(ray, double(std::numeric_limits<Real>::epsilon()), rows[r]);
  };
  if (!workers.run(std::int64_t(rays.size()), makeRow)) return {};
  RayMatrix matrix{{0}, {}, {}};
  for (const Entries& row : rows) {
    for (const Entry& entry : row) {
      matrix.element.push_back(entry.element);
      matrix.weight.push_back(entry.length);
    }
    matrix.row.push_back(std::int64_t(matrix.element.size()));
  }
  return matrix;
}

} // namespace

RayMatrix rayMatrix(const Problem& problem, const Options& options, std::span<const Ray> rays,
                    const Monitor& monitor) {
  return options.doublePrecision ? matrixOf<double>(problem, options, rays, monitor)
                                 : matrixOf<float>(problem, options, rays, monitor);
}

} // namespace isochrone::rays
