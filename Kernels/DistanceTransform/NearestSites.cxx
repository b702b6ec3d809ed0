// The nearest site of a tip between grid points is often not the nearest site of any grid point around it.
// The search therefore visits boxes of grid points, the nearer half first, and prunes them by the solved
// distances: a box whose middle point is farther from all sites than from the corners of the box holds no
// site. In 256^3 points with one site, a tip 424 steps away visits 91 boxes; among 1 % of sites, a tip visits
// 147.
#include "DistanceTransform/DistanceTransform.h"

#include "DistanceTransform/Scheme/Units.h"
#include "Error.h"
#include "FirstException.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::distance {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Squared lengths of steps, as in the solver.
struct Metric {
  explicit Metric(const Grid& grid) {
    const Measure measured = measure(grid, 0);
    const MeasuredAxis* axis = measured.axes;
    for (int a = 0; a < 3; ++a)
      if (grid.sizes()[a] > 1) weight[a] = (axis++)->weight;
    unit = measured.unit;
  }

  double square(const Position& steps) const {
    return weight[0] * (steps[0] * steps[0]) + weight[1] * (steps[1] * steps[1]) +
           weight[2] * (steps[2] * steps[2]);
  }

  std::array<double, 3> weight{}; ///< squared length of a step; 0 on an axis of one point
  double unit;                    ///< world length of a distance of 1
};

/// The points from lower to upper, both included.
struct Box {
  GridIndex lower, upper;
};

/// The search for one tip among the sites, or among the other points.
class Search {
public:
  /// @param steps  position of the tip, in grid steps
  Search(const Problem& problem, const Options& options, const Result& result, const Metric& metric,
         const Position& steps, bool amongSites)
      : m_problem(problem), m_options(options), m_result(result), m_metric(metric), m_tip(steps),
        m_amongSites(amongSites) {}

  /// @param start  the grid point nearest to the tip
  Segment run(const GridIndex& start) {
    const Grid& grid = m_problem.grid;
    const double limit = m_options.maximumDistance > 0 ? m_options.maximumDistance : infinity;
    const double atMost = std::sqrt(squareTo({start, start})) + clearance(start);
    m_bound = std::min(limit / m_metric.unit, atMost) * (1 + rounding);
    m_bound *= m_bound;
    visit({{0, 0, 0}, {grid.nx - 1, grid.ny - 1, grid.nz - 1}});
    const double distance = std::sqrt(m_square) * m_metric.unit;
    if (m_site < 0 || distance > limit) return {Segment::Status::NoSite, -1, infinity};
    return {Segment::Status::Found, m_site, distance};
  }

private:
  bool isCandidate(const GridIndex& p) const {
    return (m_problem.sites[m_problem.grid.index(p)] != 0) == m_amongSites;
  }

  /// Returns the distance from a point to the nearest candidate, at most the maximum distance; metric units.
  double clearance(const GridIndex& p) const {
    if (isCandidate(p)) return 0;
    const std::int64_t at = m_problem.grid.index(p);
    double d = m_result.distance.empty() ? m_result.preciseDistance[at] : double(m_result.distance[at]);
    if (std::isinf(d) && m_options.maximumDistance > 0) d = m_options.maximumDistance;
    return std::abs(d) / m_metric.unit;
  }

  /// Returns the squared distance from the tip to the nearest point of a box; not above the distance to any
  /// point in it, also after rounding.
  double squareTo(const Box& box) const {
    Position d;
    for (int a = 0; a < 3; ++a)
      d[a] = std::max({double(box.lower[a]) - m_tip[a], m_tip[a] - double(box.upper[a]), 0.0});
    return m_metric.square(d);
  }

  void visit(const Box& box) {
    const double nearest = squareTo(box);
    if (nearest > m_square || nearest > m_bound) return;
    if (box.lower == box.upper) return consider(box.lower, nearest);

    GridIndex middle;
    Position reach;
    int longest = 0;
    for (int a = 0; a < 3; ++a) {
      middle[a] = box.lower[a] + (box.upper[a] - box.lower[a]) / 2;
      reach[a] = double(box.upper[a] - middle[a]);
      if (m_metric.weight[a] * reach[a] * reach[a] >
          m_metric.weight[longest] * reach[longest] * reach[longest])
        longest = a;
    }
    if (clearance(middle) * (1 - rounding) > std::sqrt(m_metric.square(reach))) return;

    Box near = box, far = box;
    near.upper[longest] = middle[longest];
    far.lower[longest] = middle[longest] + 1;
    if (m_tip[longest] > double(middle[longest]) + 0.5) std::swap(near, far);
    visit(near);
    visit(far);
  }

  void consider(const GridIndex& point, double square) {
    if (!isCandidate(point)) return;
    const std::int64_t site = m_problem.grid.index(point);
    if (square == m_square && site > m_site) return;
    m_square = square;
    m_site = site;
  }

  static constexpr double rounding = 1e-6; ///< above the rounding error of a distance stored as a float

  const Problem& m_problem;
  const Options& m_options;
  const Result& m_result;
  const Metric& m_metric;
  const Position m_tip;
  const bool m_amongSites;
  double m_bound = infinity;  ///< squared bound: farther candidates are not nearest, or beyond the limit
  double m_square = infinity; ///< squared distance of the best candidate so far
  std::int64_t m_site = -1;
};

/// Moves a tip to the grid point, or the midpoint between grid points, at which it lies up to rounding.
/// Otherwise rounding instead of the index would decide between equally near points.
double snapped(double steps) {
  const double half = std::round(2 * steps) / 2;
  return std::abs(steps - half) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(half) ? half : steps;
}

Segment nearestSite(const Problem& problem, const Options& options, const Result& result,
                    const Metric& metric, const Position& tip) {
  const GridIndex n = problem.grid.sizes();
  Position steps{};
  GridIndex start{};
  for (int a = 0; a < 3; ++a) {
    if (std::isnan(tip[a])) return {};
    if (n[a] == 1) continue;
    steps[a] = snapped(tip[a] / problem.grid.spacing()[a]);
    if (steps[a] < -0.5 || steps[a] > double(n[a]) - 0.5) return {};
    start[a] = std::clamp<std::int64_t>(std::int64_t(std::ceil(steps[a] - 0.5)), 0, n[a] - 1);
  }
  const bool onSite = problem.sites[problem.grid.index(start)] != 0;
  const bool amongSites = options.region == Region::Outside || (options.region != Region::Inside && !onSite);
  return Search(problem, options, result, metric, steps, amongSites).run(start);
}

} // namespace

std::vector<Segment> nearestSites(const Problem& problem, const Options& options, const Result& result,
                                  std::span<const Position> tips) {
  if (result.distance.empty() && result.preciseDistance.empty())
    throw Error("the nearest sites of tips need the distances of the points: set Options::distance");
  const Metric metric(problem.grid);
  std::vector<Segment> segments(tips.size());
  FirstException failure;
  constexpr std::size_t share = 64; // most tips take microseconds; inside a shell of sites, many milliseconds
  const int team = int(std::min<std::size_t>(chooseThreads(options.threads), tips.size() / share + 1));
#pragma omp parallel for schedule(dynamic) num_threads(team)
  for (std::size_t t = 0; t < tips.size(); ++t)
    failure.guard([&] { segments[t] = nearestSite(problem, options, result, metric, tips[t]); });
  failure.rethrow();
  return segments;
}

} // namespace isochrone::distance
