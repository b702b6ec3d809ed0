// PathDescription.cxx - world units, heading, gear, curvature, energy and travel time of a path.
#include "CurvaturePaths/Paths/PathShape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::curvature {

namespace {

/// A path turns on the spot where it turns tighter than this share of the turning radius.
constexpr double onTheSpot = 0.1;

/// Travelled length, length along the heading and turn of one segment.
struct Motion {
  double length = 0, along = 0, turn = 0;
};

/// Returns the index of the nearest state.
std::int64_t nearest(const DescentFlow& flow, const Sample& p) {
  return flow.index({std::clamp<std::int64_t>(std::llround(p.x), 0, flow.grid().nx - 1),
                     std::clamp<std::int64_t>(std::llround(p.y), 0, flow.grid().ny - 1),
                     int(std::lround(p.k))});
}

class Description {
public:
  Description(const DescentFlow& f, const std::vector<Sample>& s)
      : flow(f), problem(f.input()), samples(s),
        turnsOnTheSpot(problem.model == Model::ReedsShepp || problem.model == Model::ReedsSheppForward) {}

  Path path;

  void positions() {
    const StateGrid& g = flow.grid();
    const double wholeTurns = std::floor(samples.front().k / g.headings) * g.headings; // start in [0, 2 pi)
    for (const Sample& p : samples) {
      path.x.push_back(p.x * g.hx);
      path.y.push_back(p.y * g.hy);
      path.heading.push_back((p.k - wholeTurns) * g.headingStep());
    }
    for (std::size_t n = 1; n < samples.size(); ++n) {
      const double dx = path.x[n] - path.x[n - 1], dy = path.y[n] - path.y[n - 1];
      const double middle = (path.heading[n] + path.heading[n - 1]) / 2;
      motions.push_back({std::hypot(dx, dy), dx * std::cos(middle) + dy * std::sin(middle),
                         path.heading[n] - path.heading[n - 1]});
      path.length += motions.back().length;
    }
  }

  void curvatures() {
    const std::ptrdiff_t last = std::ptrdiff_t(samples.size()) - 1;
    for (std::ptrdiff_t n = 0; n <= last; ++n) {
      const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, n - curvatureWindow),
                           end = std::min(last, n + curvatureWindow);
      Motion around;
      for (std::ptrdiff_t s = begin; s < end; ++s) {
        around.length += motions[s].length;
        around.along += motions[s].along;
        around.turn += motions[s].turn;
      }
      const std::int64_t state = nearest(flow, samples[n]);
      const double xi = valueAt(problem.turningRadius, state);
      const double run = std::max(around.length, minRun * std::min(flow.grid().hx, flow.grid().hy));
      const int gear = gearOf(around, xi);
      if (turnsOnTheSpot) path.gear.push_back(std::int8_t(gear));
      path.curvature.push_back(gear == 0 ? 0 : around.turn / run);

      // Cost of bending beyond the length, per segment. For Dubins, a turn tighter than the radius is a grid
      // error and is charged the arc length it would need.
      const double bend = xi * (around.turn - valueAt(problem.curvatureShift, state) * around.length);
      const double price =
          problem.model == Model::Elastica ? bend * bend / run : std::max(0., std::abs(bend) - around.length);
      bending.push_back(price / double(end - begin));
    }
  }

  /// Returns the energy up to each point.
  std::vector<double> energies() const {
    std::vector<double> energy{0};
    for (std::size_t n = 0; n + 1 < samples.size(); ++n) energy.push_back(energy.back() + segmentEnergy(n));
    return energy;
  }

private:
  /// Returns +1 forward, -1 backward, 0 turning on the spot. Elastica and Dubins only go forward.
  int gearOf(const Motion& m, double xi) const {
    if (!turnsOnTheSpot) return 1;
    if (m.length <= onTheSpot * xi * std::abs(m.turn)) return 0;
    if (m.along >= 0) return 1;
    return problem.model == Model::ReedsShepp ? -1 : 0; // forward only: a grid error while turning
  }

  double segmentEnergy(std::size_t n) const {
    const Sample& a = samples[n];
    const Sample& b = samples[n + 1];
    const std::int64_t state = nearest(flow, {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.k + b.k) / 2});
    const double cost = valueAt(problem.cost, state);
    const Motion& m = motions[n];
    if (turnsOnTheSpot) {
      const double xi = valueAt(problem.turningRadius, state);
      const double phi = valueAt(problem.curvatureShift, state);
      const double run = problem.model == Model::ReedsShepp && m.along < 0 ? -m.length : m.length;
      return cost * std::hypot(m.length, xi * (m.turn - phi * run));
    }
    return cost * (m.length + (bending[n] + bending[n + 1]) / 2);
  }

  const DescentFlow& flow;
  const Problem& problem;
  const std::vector<Sample>& samples;
  std::vector<Motion> motions; ///< per segment
  std::vector<double> bending; ///< per point
  const bool turnsOnTheSpot;
};

} // namespace

Path describePath(const DescentFlow& flow, const std::vector<Sample>& samples, double startTime,
                  double endTime) {
  Description description(flow, samples);
  description.positions();
  description.curvatures();
  const std::vector<double> energy = description.energies();
  Path& path = description.path;
  path.energy = energy.back();
  // Scales the energy to the values at the ends: interpolated values would jump where the travel time does.
  for (const double e : energy)
    path.travelTime.push_back(e < path.energy ? startTime + (endTime - startTime) * (e / path.energy)
                                              : endTime);
  path.travelTime.front() = startTime;
  return std::move(path);
}

} // namespace isochrone::curvature
