// CentreOfMassTrace.cxx - a unit mass flows down the grid, and its centre of mass draws the path.
//
// The cloud holds the mass by state. The latest state passes its mass on to its neighbours below, in
// proportion to the flow, until all mass has arrived at seeds. The path follows the centre of the cloud.
// Where the cloud becomes wide, or the centre leaves the free space, the whole mass is gathered at the centre
// or at the heaviest state, and flows on from there.
#include "CurvaturePaths/Paths/PathTrace.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

constexpr double recordEvery = 0.25; ///< grid steps between two points of the path

/// Masses below this share of the cloud are dropped: they cost time and do not move the centre.
constexpr double minMass = 1e-3;

/// States whose values agree up to this share of a step down all pass their mass on before the centre is
/// evaluated. Otherwise the centre swings where the cloud is symmetric.
constexpr double levelTie = 1e-3;

/// The cloud is gathered in its centre when the determinant of its covariance exceeds this, in grid steps^6:
/// about 1.4 steps in each direction. With a larger bound, paths swing between the two sides of a cut locus
/// before they choose one and jump there, and the elastica takes longer.
constexpr double widestCloud = 8;

/// The cloud is gathered in corners whose value exceeds the minimum by at most this many steps down.
/// Mirebeau's GPU code takes 4.
constexpr double jumpThreshold = 4;

/// The minimum is sought among corners with at least this share, so that it lies on the centre's side of a
/// jump.
constexpr double minShare = 1. / 16;

/// Length of the path, in grid steps, that is drawn again when the cloud chooses one side of a tear.
constexpr double tearLength = 6;

/// A corner of the grid cell around a point, with its weight in trilinear interpolation.
struct Corner {
  GridState state;
  double share = 0, value = 0;
};

/// Returns the corners that a path at `p` may use: in the grid, reached, seen from p, and with values close
/// enough to the minimum to lie on the same side of any jump of the travel time.
std::vector<Corner> usableCorners(const DescentFlow& flow, const Sample& p) {
  const double fx = std::floor(p.x), fy = std::floor(p.y), fk = std::floor(p.k);
  std::vector<Corner> corners;
  for (int c = 0; c < 8; ++c) {
    const int a = c & 1, b = c >> 1 & 1, d = c >> 2;
    const double share =
        (a ? p.x - fx : 1 - p.x + fx) * (b ? p.y - fy : 1 - p.y + fy) * (d ? p.k - fk : 1 - p.k + fk);
    const GridState q{std::int64_t(fx) + a, std::int64_t(fy) + b, int(fk) + d};
    if (!(share > 1e-9) || !flow.inside(q) || !std::isfinite(flow.value(q))) continue;
    if (!flow.walls().freeSegment(p.x, p.y, double(q.i), double(q.j))) continue;
    corners.push_back({q, share, flow.value(q)});
  }
  if (corners.empty()) return corners;

  const auto order = [](const Corner& a, const Corner& b) {
    const bool heavyA = a.share >= minShare, heavyB = b.share >= minShare;
    return heavyA != heavyB ? heavyA : a.value < b.value;
  };
  std::iter_swap(corners.begin(), std::min_element(corners.begin(), corners.end(), order));
  const double bound = corners[0].value + jumpThreshold * flow.at(corners[0].state).drop;
  if (flow.seedAt(corners[0].state) < 0)
    std::erase_if(corners, [&](const Corner& c) { return c.value > bound; });
  return corners;
}

/// Returns the point next to a sample, inside the grid.
GridState nearestPoint(const DescentFlow& flow, const Sample& p) {
  return {std::clamp<std::int64_t>(std::llround(p.x), 0, flow.grid().nx - 1),
          std::clamp<std::int64_t>(std::llround(p.y), 0, flow.grid().ny - 1), int(std::lround(p.k))};
}

/// Returns whether the flow is known at all corners of the grid cell around a sample.
bool knowsCorners(const DescentFlow& flow, const Sample& p) {
  for (const double dx : {0., 1.})
    for (const double dy : {0., 1.}) {
      const GridState q{std::int64_t(std::floor(p.x) + dx), std::int64_t(std::floor(p.y) + dy), 0};
      if (flow.inside(q) && !flow.knows(q)) return false;
    }
  return true;
}

class MassTracer {
public:
  MassTracer(const DescentFlow& f, MassCloud& c, Trace& t)
      : flow(f), trace(t), last(c.last), moments(c.moments), masses(c.masses), arrived(c.arrived),
        moved(c.moved) {}

  std::optional<GridState> run() {
    if (trace.samples.empty()) trace.samples.push_back(last);
    while (moved || !masses.empty()) {
      const std::optional<GridState> elsewhere = moved ? unknownToFollow() : unknownToFlow();
      if (elsewhere) return elsewhere;
      if (!(moved ? follow() : flowDown())) return fail();
    }
    if (!finish()) return fail();
    return {};
  }

private:
  using Masses = std::map<StateKey, double>;

  std::optional<GridState> fail() {
    trace = {};
    return {};
  }

  std::optional<GridState> unknownToFlow() const {
    const GridState& latest = masses.begin()->first.state;
    if (flow.knows(latest)) return {};
    return latest;
  }

  /// Passes on the mass of the latest state. Returns whether the path can go on.
  bool flowDown() {
    const auto [latest, mass] = *masses.begin();
    masses.erase(masses.begin());
    if (const std::int32_t seed = flow.seedAt(latest.state); seed >= 0) {
      MassCloud::Arrival& there = arrived[latest];
      there.mass += mass, there.seed = seed;
      return true;
    }
    moments.add(-mass, latest.state);
    double drop = 0;
    if ((mass > minMass * moments.mass || masses.empty()) && !pass(latest.state, mass, drop)) return false;
    moved = masses.empty() || masses.begin()->first.value < latest.value - levelTie * drop;
    return true;
  }

  void put(const StateKey& at, double mass) {
    masses[at] += mass;
    moments.add(mass, at.state);
  }

  /// Distributes mass over the neighbours below q. Returns whether there are any.
  /// @param drop  receives the size of a step down
  bool pass(const GridState& q, double mass, double& drop) {
    const DescentFlow::Descent descent = flow.at(q);
    drop = descent.drop;
    for (int e = 0; e < descent.count; ++e) {
      const GridState to = curvature::moved(q, descent.edges[e].offset);
      put({flow.value(to), to}, mass * descent.edges[e].weight / descent.total);
    }
    return descent.count > 0;
  }

  bool isVisible(const Sample& p) const { return flow.walls().freeSegment(last.x, last.y, p.x, p.y); }
  bool isWide() const { return moments.spread() > widestCloud; }

  void record(const Sample& p) {
    trace.samples.push_back(p);
    last = p;
  }

  std::optional<GridState> unknownToFollow() const {
    const Sample centre = moments.centre();
    if (!isWide() || knowsCorners(flow, centre)) return {};
    return nearestPoint(flow, centre);
  }

  /// Draws the path up to the centre of mass, and gathers the cloud where it is too wide or torn by a wall.
  /// Returns whether the path can go on.
  bool follow() {
    moved = false;
    const Sample centre = moments.centre();
    const bool far = stepDistance(centre, last) >= recordEvery;
    const bool wide = isWide();
    if (!far && !wide) return true;
    if (isVisible(centre)) {
      if (far) record(centre);
      if (!wide || gather(usableCorners(flow, centre))) return true;
    }
    return gatherInHeaviest();
  }

  /// Puts the whole mass on the corners around the centre whose values lie in the cloud's range. Fails if
  /// most lie outside: then the cloud has split, and its centre is not near a path.
  bool gather(std::vector<Corner> corners) {
    if (masses.empty()) return false;
    const float highest = masses.begin()->first.value, lowest = masses.rbegin()->first.value;
    std::erase_if(corners, [&](const Corner& c) { return c.value < lowest || c.value > highest; });
    double share = 0;
    for (const Corner& c : corners) share += c.share;
    if (share < 0.5) return false;
    restart();
    for (const Corner& c : corners) put({float(c.value), c.state}, c.share);
    return true;
  }

  /// Puts the whole mass on the heaviest state that is visible from the last point.
  bool gatherInHeaviest() {
    const StateKey* best = nullptr;
    double largest = 0;
    const auto consider = [&](const StateKey& at, double mass) {
      if ((!best || mass > largest) && isVisible(sampleAt(at.state))) best = &at, largest = mass;
    };
    for (const auto& [at, mass] : masses) consider(at, mass);
    for (const auto& [at, arrival] : arrived) consider(at, arrival.mass);
    if (!best) return false;
    const StateKey heaviest = *best;
    restart();
    put(heaviest, 1);
    removeTear(sampleAt(heaviest.state));
    record(sampleAt(heaviest.state));
    return true;
  }

  /// Removes the trailing samples from which the chosen branch is visible. While the mass was split, its
  /// centre followed neither branch.
  void removeTear(const Sample& choice) {
    std::vector<Sample>& samples = trace.samples;
    std::size_t kept = samples.size();
    for (std::size_t n = kept; n > 0 && stepDistance(samples[n - 1], choice) <= tearLength; --n)
      if (flow.walls().freeSegment(samples[n - 1].x, samples[n - 1].y, choice.x, choice.y)) kept = n;
    samples.resize(kept);
  }

  void restart() {
    masses.clear();
    arrived.clear();
    moments = {last};
  }

  /// Ends at the seed state that received the maximum mass. Returns whether there is one.
  bool finish() {
    const auto best = std::max_element(arrived.begin(), arrived.end(), [](const auto& a, const auto& b) {
      return a.second.mass < b.second.mass;
    });
    if (best == arrived.end()) return false;
    const Sample end = sampleAt(best->first.state);
    if (!isVisible(end)) return false;
    record(end);
    trace.seed = best->second.seed;
    return true;
  }

  const DescentFlow& flow;
  Trace& trace;
  Sample& last;
  Moments& moments;
  Masses& masses;
  std::map<StateKey, MassCloud::Arrival>& arrived;
  bool& moved;
};

} // namespace

std::optional<GridState> traceByMass(const DescentFlow& flow, MassCloud& cloud, Trace& trace) {
  return MassTracer(flow, cloud, trace).run();
}

} // namespace isochrone::curvature
