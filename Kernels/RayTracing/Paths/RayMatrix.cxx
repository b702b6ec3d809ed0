// RayMatrix.cxx - the lengths per point or cell that add up to the travel times of rays.
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Seeds/EndpointEdges.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace isochrone::rays {

namespace {

using Entries = std::vector<std::pair<std::int64_t, double>>; // (element, world length)

/// Computes the matrix rows of the rays of one problem.
template <class Real>
class Lengths {
public:
  Lengths(const Problem& problemOfRays, const Options& options)
      : problem(problemOfRays), rule(options.rule), slowness(slownessOf<Real>(problem)),
        edges(problem, options) {
    for (int o = 0; o < edges.count(); ++o) numbers[edges.terms(o).offset] = o;
  }

  /// Returns the entries of a ray: ascending, each element once.
  Entries of(const Ray& ray) const {
    Entries entries;
    if (ray.status != PathStatus::Complete) return entries;
    const Position receiver = *stepsTo(problem.grid, ray.receiver);
    if (ray.points.empty())
      append(straightEdge(problem, rule, *stepsTo(problem.grid, problem.sources[ray.source].at), receiver)
                 ->weights,
             entries);
    else {
      if (ray.source >= 0)
        addEndpointEdge(*stepsTo(problem.grid, problem.sources[ray.source].at), ray.points.front(), entries);
      for (std::size_t p = 0; p + 1 < ray.points.size(); ++p)
        addEdge(ray.points[p], ray.points[p + 1], entries);
      addEndpointEdge(receiver, ray.points.back(), entries);
    }
    entries = summed(std::move(entries));
    addUpTo(ray, entries);
    return entries;
  }

private:
  const Problem& problem;
  WeightRule rule;
  std::span<const Real> slowness;
  EdgeWeights<Real> edges;
  std::map<Offset, int> numbers;

  static void append(const Entries& more, Entries& entries) {
    entries.insert(entries.end(), more.begin(), more.end());
  }

  void addEndpointEdge(const Position& steps, std::int64_t point, Entries& entries) const {
    for (const EndpointEdge& edge : endpointEdges(problem, rule, steps))
      if (edge.point == point) append(edge.weights, entries);
  }

  void addEdge(std::int64_t from, std::int64_t to, Entries& entries) const {
    const GridIndex a = problem.grid.indices(from), b = problem.grid.indices(to);
    const EdgeTerms& edge = edges.terms(numbers.at({int(b[0] - a[0]), int(b[1] - a[1]), int(b[2] - a[2])}));
    if (rule == WeightRule::Fast) {
      entries.emplace_back(from, 0.5 * edge.length);
      entries.emplace_back(to, 0.5 * edge.length);
    } else
      for (const Term& term : edge.terms) entries.emplace_back(edges.minElementOf(a, term), term.length);
  }

  static Entries summed(Entries entries) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Entries sums;
    for (const auto& [element, length] : entries)
      if (!sums.empty() && sums.back().first == element)
        sums.back().second += length;
      else
        sums.emplace_back(element, length);
    return sums;
  }

  /// Rescales the lengths to reproduce the rounded travel time. A discrepancy too large for rounding over the
  /// ray's edges comes from a large start time and is left alone.
  void addUpTo(const Ray& ray, Entries& entries) const {
    double exact = 0;
    for (const auto& [element, length] : entries) exact += length * double(slowness[element]);
    const double error = (ray.travelTime - ray.startTime) / exact - 1;
    const double explained = double(ray.points.size() + 2) * double(std::numeric_limits<Real>::epsilon());
    if (!(std::abs(error) <= explained)) return;
    for (auto& entry : entries) entry.second *= 1 + error;
  }
};

template <class Real>
RayMatrix matrixOf(const Problem& problem, const Options& options, std::span<const Ray> rays,
                   const Monitor& monitor) {
  const Lengths<Real> lengths(problem, options);
  const auto count = std::int64_t(rays.size());
  std::vector<Entries> rows(count);
  Workers workers(chooseThreads(options.threads), monitor);
  if (!workers.run(count, [&](std::int64_t r, int) { rows[r] = lengths.of(rays[r]); })) return {};
  RayMatrix matrix{{0}, {}, {}};
  for (const Entries& entries : rows) {
    for (const auto& [element, length] : entries) {
      matrix.element.push_back(element);
      matrix.weight.push_back(length);
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
