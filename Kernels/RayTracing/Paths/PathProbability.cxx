// PathProbability.cxx - the probability that a random path passes a point: Dial's algorithm (DESIGN.md, "Path
// probability").
#include "Backend.h"
#include "Error.h"
#include "Execution/RoundPool.h"
#include "RayTracing/Paths/CausalOrder.h"
#include "RayTracing/Paths/EdgesAround.h"
#include "RayTracing/Paths/Predecessors.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracing/Seeds/EndpointEdges.h"
#include "RayTracing/Seeds/PeriodicProblem.h"
#include "RayTracing/Seeds/Starts.h"
#include "RayTracing/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace isochrone::rays {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The last part of paths to a point: an edge from another point, or all of the path from a source.
struct Approach {
  std::int64_t from; ///< -1: a source
  double time;       ///< along the edge; from a source, at the point
};

/// The paths to a point. The logarithm of the sum of exp(-time / temperature) over them is logWeight -
/// shortest / temperature.
struct Paths {
  double shortest = infinity; ///< minimum time
  double logWeight = 0;       ///< of the sum of exp((shortest - time) / temperature), which is at least 1
  double expected = infinity; ///< mean time
};

/// Combines the paths of all approaches to a point.
class Combination {
public:
  Combination(const Values<Paths>& pathsTo, double temperatureOfPaths)
      : paths(pathsTo), temperature(temperatureOfPaths) {}

  /// Returns all paths to a point.
  Paths of(std::span<const Approach> approaches) {
    Paths all;
    for (const Approach& a : approaches) all.shortest = std::min(all.shortest, at(a).shortest + a.time);
    share.clear();
    double largest = 0;
    for (const Approach& a : approaches) {
      share.push_back(at(a).logWeight + (all.shortest - (at(a).shortest + a.time)) / temperature);
      largest = std::max(largest, share.back());
    }
    double sum = 0;
    for (double& s : share) sum += s = std::exp(s - largest);
    all.logWeight = largest + std::log(sum);
    all.expected = 0;
    for (std::size_t i = 0; i < share.size(); ++i) {
      share[i] /= sum;
      all.expected += share[i] * (at(approaches[i]).expected + approaches[i].time);
    }
    return all;
  }

  /// Returns the probabilities of the approaches of the last call.
  std::span<const double> shares() const { return share; }

private:
  static constexpr Paths source{0, 0, 0};
  const Values<Paths>& paths;
  double temperature;
  std::vector<double> share;

  const Paths& at(const Approach& a) const { return a.from < 0 ? source : paths[std::size_t(a.from)]; }
};

GridIndex plus(GridIndex a, const GridIndex& b) {
  for (int axis = 0; axis < 3; ++axis) a[axis] += b[axis];
  return a;
}

/// Returns the point of the image that a point of the grid with periodic axes repeats, both in that grid.
GridIndex inImage(const PeriodicProblem& periodic, const GridIndex& point) {
  return plus(periodic.inImage(point), periodic.first());
}

/// The edges that lead away from the sources of a field. Points are those of the grid of its problem; with
/// periodic axes that is the one in parts, and a point of its margin stands for its copy in the image.
template <class Real>
class EfficientEdges {
public:
  /// @param periodicAxes  null: none; its problem, field and sources are the other arguments
  EfficientEdges(const Problem& p, const Options& o, const Field& f,
                 std::span<const std::int32_t> sourcesOfField, const PeriodicProblem* periodicAxes)
      : problem(p), rule(o.rule), times(timesOf<Real>(f)), sources(sourcesOfField), periodic(periodicAxes),
        edges(p, o), starts(startsOf<double>(p, o, sources)) {
    std::ranges::stable_sort(starts, {}, &Start<double>::point);
    for (std::size_t s = 0, same = 0; s < starts.size(); ++s) {
      same = s > 0 && starts[s].point == starts[s - 1].point ? same + 1 : 1;
      mostStarts = std::max(mostStarts, int(same));
    }
  }

  /// Prepares the weights. Returns false if the monitor requested a stop.
  bool compute(execution::RoundPool& pool, const Monitor& monitor) { return edges.compute(pool, monitor); }

  double timeOf(std::int64_t point) const { return double(times[std::size_t(point)]); }

  std::size_t bytes() const { return edges.bytes(); }
  /// Returns the maximum number of approaches to a point.
  int most() const { return edges.count() + mostStarts; }

  /// Writes the approaches to a point. Returns their number.
  int write(std::int64_t point, Approach* to) const {
    const Approach* const begin = to;
    const double time = timeOf(point);
    const auto place = edges.placeOf(point);
    for (int o = 0; o < edges.count(); ++o) {
      const std::int64_t from = edges.neighbour(place, o);
      if (from < 0 || !(timeOf(from) < time)) continue;
      if (const double weight = edges.weight(place, o, from); leadsAway(timeOf(from), time, weight))
        *to++ = {imagePoint(from), weight};
    }
    for (auto start = std::ranges::lower_bound(starts, point, {}, &Start<double>::point);
         start != starts.end() && start->point == point; ++start)
      *to++ = {-1, start->time};
    return int(to - begin);
  }

  /// Returns the approaches to a receiver; none if nothing reaches it.
  std::vector<Approach> approachesTo(const Position& receiver) const {
    const auto steps = stepsTo(problem, periodic ? periodic->inGrid(receiver) : receiver);
    if (!steps) return {};
    const std::vector<EndpointEdge> ends = endpointEdges(problem, rule, *steps);
    std::vector<Approach> all;
    if (!ends.empty() && !isPoint(*steps))
      for (const std::int32_t s : sources) {
        const Source& source = problem.sources[std::size_t(s)];
        const Position from = *stepsTo(problem, source.at);
        if (isPoint(from)) continue; // its straight way is the edge from this point
        if (const auto direct = straightEdge(problem, rule, from, *steps))
          all.push_back({-1, source.startTime + direct->time});
      }
    double arrival = infinity;
    for (const Approach& direct : all) arrival = std::min(arrival, direct.time);
    for (const EndpointEdge& end : ends) arrival = std::min(arrival, timeOf(end.point) + end.time);
    if (std::isinf(arrival)) return {};
    for (const EndpointEdge& end : ends) {
      const double time = timeOf(end.point);
      if (time + end.time == arrival || leadsAway(time, arrival, end.time))
        all.push_back({imagePoint(end.point), end.time});
    }
    return all;
  }

  /// Returns the points that this process computes with times up to `latest`, ascending.
  std::vector<std::int64_t> pointsUpTo(double latest) const {
    std::vector<std::int64_t> points;
    grid::forEachPoint(grid::ownPoints(problem.grid, problem.part), [&](const GridIndex& at) {
      if (const std::int64_t p = problem.grid.index(at); timeOf(p) <= latest) points.push_back(p);
    });
    return points;
  }

  const Grid& grid() const { return problem.grid; }

  /// Returns the name of a point in messages.
  std::string nameOf(std::int64_t point) const {
    GridIndex at = problem.grid.indices(point);
    if (periodic) at = periodic->inImage(at);
    if (problem.pointName) return problem.pointName(at[0], at[1], at[2]);
    return "point (" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) +
           ")";
  }

private:
  const Problem& problem;
  WeightRule rule;
  std::span<const Real> times;
  std::span<const std::int32_t> sources;
  const PeriodicProblem* periodic;
  EdgesAround<Real> edges;
  std::vector<Start<double>> starts; ///< by points
  int mostStarts = 0;

  /// Returns whether an edge leads away from the sources: its times differ by more than rounding could make
  /// them differ along a front.
  static bool leadsAway(double from, double to, double edge) { return to - from >= 0.01 * edge; }

  std::int64_t imagePoint(std::int64_t point) const {
    return periodic ? problem.grid.index(inImage(*periodic, problem.grid.indices(point))) : point;
  }
};

/// The approaches to points in their order. All threads find those of a share of the points, then the caller
/// visits these one by one.
template <class Real>
class Sweep {
public:
  Sweep(const EfficientEdges<Real>& edgesOfField, const std::vector<std::int64_t>& pointsInOrder,
        execution::RoundPool& threads)
      : edges(edgesOfField), points(pointsInOrder), pool(threads),
        length(std::min<std::int64_t>(std::ssize(points), std::max(1, (1 << 18) / edges.most()))),
        list(std::size_t(length * edges.most())), counts(std::size_t(length)) {}

  /// Calls visit(point, approaches) for all points. Returns whether the monitor let it finish.
  template <class Visit>
  bool run(bool backwards, const Monitor& monitor, const Visit& visit) {
    const std::int64_t all = std::ssize(points), most = edges.most();
    for (std::int64_t done = 0; done < all; done += length) {
      if (!monitor.report(double(done) / double(all))) return false;
      const std::int64_t count = std::min(length, all - done), first = backwards ? all - done - count : done;
      pool.forEach(count, [&](std::int64_t i) {
        counts[std::size_t(i)] = edges.write(points[std::size_t(first + i)], list.data() + i * most);
      });
      for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t i = backwards ? count - 1 - n : n;
        visit(points[std::size_t(first + i)],
              std::span<const Approach>(list.data() + i * most, std::size_t(counts[std::size_t(i)])));
      }
    }
    return true;
  }

private:
  const EfficientEdges<Real>& edges;
  const std::vector<std::int64_t>& points;
  execution::RoundPool& pool;
  std::int64_t length; ///< of a share
  std::vector<Approach> list;
  std::vector<int> counts;
};

/// The ends of random paths at their receivers.
struct Ends {
  std::vector<std::vector<Approach>> of; ///< per receiver: its approaches; none if it is not reached
  double reached = 0;                    ///< number of receivers
  double latest = -infinity;             ///< time of a point from which a receiver is reached
};

/// Returns fewer ends than receivers if the monitor requested a stop.
template <class Real>
Ends endsOf(const EfficientEdges<Real>& edges, std::span<const Position> receivers, const Monitor& monitor) {
  Ends ends;
  for (const Position& receiver : receivers) {
    if (!monitor.report(0)) break;
    ends.of.push_back(edges.approachesTo(receiver));
    if (!ends.of.back().empty()) ++ends.reached;
    for (const Approach& a : ends.of.back())
      if (a.from >= 0) ends.latest = std::max(ends.latest, edges.timeOf(a.from));
  }
  return ends;
}

/// Returns the probabilities of the points of the grid of the edges. Nothing if the monitor requested a stop.
template <class Real>
PathProbability probabilityOn(const EfficientEdges<Real>& edges, const Ends& ends, double temperature,
                              execution::RoundPool& pool, const Monitor& monitor) {
  // 1. Sort the points, since the paths to a point come from earlier ones.
  const std::vector<std::int64_t> among = edges.pointsUpTo(ends.latest);
  const std::vector<std::int64_t> points = inCausalOrder(
      among, [&](std::int64_t point) { return edges.timeOf(point); }, pool, monitor.part(0, 0.1));
  if (points.size() < among.size()) return {};

  // 2. Combine the paths to each point.
  Values<Paths> paths(std::size_t(edges.grid().points()));
  Combination combination(paths, temperature);
  Sweep<Real> sweep(edges, points, pool);
  const auto combine = [&](std::int64_t point, std::span<const Approach> approaches) {
    if (approaches.empty())
      fail("rounding hides that the travel time grows along an edge to ", edges.nameOf(point), ": ",
           sizeof(Real) == 4 ? "request double precision"
                             : "reduce the range of the slowness and of the start times");
    paths[std::size_t(point)] = combination.of(approaches);
  };
  if (!sweep.run(false, monitor.part(0.1, 0.45), combine)) return {};

  // 3. Share the probability of each receiver, and then of each point, among its approaches.
  PathProbability result;
  result.probability.assign(std::size_t(edges.grid().points()), 0);
  const auto distribute = [&](double amount, std::span<const Approach> approaches) {
    const Paths all = combination.of(approaches);
    for (std::size_t i = 0; i < approaches.size(); ++i)
      if (approaches[i].from >= 0)
        result.probability[std::size_t(approaches[i].from)] += amount * combination.shares()[i];
    return all;
  };
  for (const std::vector<Approach>& end : ends.of)
    result.expectedTime.push_back(end.empty() ? infinity : distribute(1 / ends.reached, end).expected);
  const auto passOn = [&](std::int64_t point, std::span<const Approach> approaches) {
    if (const double amount = result.probability[std::size_t(point)]; amount > 0)
      distribute(amount, approaches);
  };
  if (!sweep.run(true, monitor.part(0.55, 0.45), passOn) || !monitor.report(1)) return {};
  return result;
}

/// Returns sources with all their copies, each once.
std::vector<std::int32_t> distinctCopies(const PeriodicProblem& periodic,
                                         std::span<const std::int32_t> sources) {
  const Problem& problem = periodic.problem();
  std::vector<std::int32_t> all;
  for (const std::int32_t s : periodic.withCopies(sources)) {
    const auto repeats = [&](std::int32_t other) {
      return (s - other) % problem.distinctSources == 0 &&
             problem.sources[std::size_t(s)].at == problem.sources[std::size_t(other)].at;
    };
    if (std::ranges::none_of(all, repeats)) all.push_back(s);
  }
  return all;
}

/// @param image  null without periodic axes, else the problem of the image
template <class Real>
PathProbability probabilityIn(const Problem& problem, const Options& options, const Field& field,
                              std::span<const std::int32_t> sources, std::span<const Position> receivers,
                              double temperature, const Monitor& monitor, const PeriodicProblem* periodic) {
  constexpr double nanoseconds = 1000; // for a point
  const auto points = std::size_t(problem.grid.points());
  execution::RoundPool pool(chooseThreads(options.threads, nanoseconds * double(points)));
  EfficientEdges<Real> edges(problem, options, field, sources, periodic);
  requireHostMemory(edges.bytes() + points * (sizeof(Paths) + 2 * sizeof(std::int64_t) + sizeof(double)),
                    "the path probabilities of " + std::to_string(points) + " points");
  if (!edges.compute(pool, monitor)) return {};
  const Ends ends = endsOf(edges, receivers, monitor);
  if (ends.of.size() < receivers.size()) return {};
  return probabilityOn(edges, ends, temperature, pool, monitor);
}

template <class Real>
PathProbability probabilityOf(const Problem& problem, const Options& options, const Field& field,
                              std::span<const std::int32_t> sources, std::span<const Position> receivers,
                              double temperature, const Monitor& monitor) {
  if (std::int64_t(timesOf<Real>(field).size()) != problem.grid.points()) throw Error(foreignTimes);
  if (!isPeriodic(problem))
    return probabilityIn<Real>(problem, options, field, sources, receivers, temperature, monitor, nullptr);
  const PeriodicProblem periodic(problem, options);
  PathProbability result =
      probabilityIn<Real>(periodic.problem(), options, periodic.extended(field),
                          distinctCopies(periodic, sources), receivers, temperature, monitor, &periodic);
  if (result.probability.empty()) return {};
  Values<double> ofImage(std::size_t(problem.grid.points()));
  for (std::int64_t p = 0; p < problem.grid.points(); ++p) {
    const GridIndex at = inImage(periodic, plus(problem.grid.indices(p), periodic.first()));
    ofImage[std::size_t(p)] = result.probability[std::size_t(periodic.problem().grid.index(at))];
  }
  result.probability = std::move(ofImage);
  return result;
}

} // namespace

void requireRandomPaths(std::span<const Position> receivers, double temperature) {
  if (!(temperature > 0) || std::isinf(temperature))
    fail("the temperature of path probabilities must be positive and finite, got ", text(temperature));
  if (receivers.empty()) fail("path probabilities need a receiver: give at least one");
}

PathProbability pathProbability(const Problem& problem, const Options& options, const Field& field,
                                std::span<const std::int32_t> sources, std::span<const Position> receivers,
                                double temperature, const Monitor& monitor) {
  requireSources(problem, sources);
  requireRandomPaths(receivers, temperature);
  if (!problem.startTimes.empty() || !problem.preciseStartTimes.empty())
    fail("path probabilities are those of waves from sources: solve without start times of points");
  if (problem.part.isDivided()) fail("path probabilities need the whole image: give it to every process");
  return options.doublePrecision
             ? probabilityOf<double>(problem, options, field, sources, receivers, temperature, monitor)
             : probabilityOf<float>(problem, options, field, sources, receivers, temperature, monitor);
}

} // namespace isochrone::rays
