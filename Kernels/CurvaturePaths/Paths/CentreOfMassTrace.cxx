// CentreOfMassTrace.cxx - a unit mass flows down the grid, and its centre of mass draws the path.
//
// The cloud holds the mass by state. The latest state passes its mass on to its neighbours below, in
// proportion to the flow, until all mass has arrived at seeds. The path follows the centre of the cloud.
// Where the cloud becomes wide, or the centre leaves the free space, the whole mass is gathered at the centre
// or at the heaviest state, and flows on from there.
#include "CurvaturePaths/Paths/PathTrace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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

/// Orders states by descending value, so that a state is visited after all states that flow into it. Headings
/// are unwrapped.
struct Key {
  float value;
  GridState state;

  bool operator<(const Key& o) const {
    return std::tie(o.value, state.j, state.i, state.k) < std::tie(value, o.state.j, o.state.i, o.state.k);
  }
};

using Cloud = std::map<Key, double>; ///< mass per state

Sample sampleAt(const GridState& q) { return {double(q.i), double(q.j), double(q.k)}; }

/// Mass, centre and covariance of a set of weighted states, relative to a nearby origin to keep digits.
class Moments {
public:
  explicit Moments(const Sample& o) : origin(o) {}

  void add(double m, const GridState& q) {
    const double v[3] = {q.i - origin.x, q.j - origin.y, q.k - origin.k};
    mass += m;
    for (int a = 0; a < 3; ++a) {
      first[a] += m * v[a];
      for (int b = 0; b <= a; ++b) second[a][b] += m * v[a] * v[b];
    }
  }

  Sample centre() const {
    return {origin.x + first[0] / mass, origin.y + first[1] / mass, origin.k + first[2] / mass};
  }

  /// Returns the determinant of the covariance.
  double spread() const {
    const auto c = [&](int a, int b) { return second[a][b] / mass - first[a] * first[b] / (mass * mass); };
    const double xx = c(0, 0), yy = c(1, 1), zz = c(2, 2), xy = c(1, 0), xz = c(2, 0), yz = c(2, 1);
    return xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  }

  double mass = 0;

private:
  Sample origin;
  double first[3] = {}, second[3][3] = {};
};

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

class MassTracer {
public:
  MassTracer(const DescentFlow& f, const GridState& tip) : flow(f), last(sampleAt(tip)), moments(last) {
    put(tip, 1);
  }

  Trace run() {
    trace.samples.push_back(last);
    while (!cloud.empty()) {
      const auto [latest, mass] = *cloud.begin();
      cloud.erase(cloud.begin());
      if (flow.seedAt(latest.state) >= 0) {
        arrived[latest] += mass;
        continue;
      }
      moments.add(-mass, latest.state);
      double drop = 0;
      if ((mass > minMass * moments.mass || cloud.empty()) && !pass(latest.state, mass, drop)) return {};
      const bool levelMoved = cloud.empty() || cloud.begin()->first.value < latest.value - levelTie * drop;
      if (levelMoved && !follow()) return {};
    }
    return finish();
  }

private:
  void put(const GridState& q, double mass) {
    cloud[{flow.value(q), q}] += mass;
    moments.add(mass, q);
  }

  /// Distributes mass over the neighbours below q. Returns whether there are any.
  /// @param drop  receives the size of a step down
  bool pass(const GridState& q, double mass, double& drop) {
    const DescentFlow::Descent descent = flow.at(q);
    drop = descent.drop;
    for (int e = 0; e < descent.count; ++e)
      put(moved(q, descent.edges[e].offset), mass * descent.edges[e].weight / descent.total);
    return descent.count > 0;
  }

  bool isVisible(const Sample& p) const { return flow.walls().freeSegment(last.x, last.y, p.x, p.y); }

  void record(const Sample& p) {
    trace.samples.push_back(p);
    last = p;
  }

  /// Draws the path up to the centre of mass, and gathers the cloud where it is too wide or torn by a wall.
  /// Returns whether the path can go on.
  bool follow() {
    const Sample centre = moments.centre();
    const bool moved = stepDistance(centre, last) >= recordEvery;
    const bool wide = moments.spread() > widestCloud;
    if (!moved && !wide) return true;
    if (isVisible(centre)) {
      if (moved) record(centre);
      if (!wide || gather(usableCorners(flow, centre))) return true;
    }
    return gatherInHeaviest();
  }

  /// Puts the whole mass on the corners around the centre whose values lie in the cloud's range. Fails if
  /// most lie outside: then the cloud has split, and its centre is not near a path.
  bool gather(std::vector<Corner> corners) {
    if (cloud.empty()) return false;
    const float highest = cloud.begin()->first.value, lowest = cloud.rbegin()->first.value;
    std::erase_if(corners, [&](const Corner& c) { return c.value < lowest || c.value > highest; });
    double share = 0;
    for (const Corner& c : corners) share += c.share;
    if (share < 0.5) return false;
    restart();
    for (const Corner& c : corners) put(c.state, c.share);
    return true;
  }

  /// Puts the whole mass on the heaviest state that is visible from the last point.
  bool gatherInHeaviest() {
    const Cloud::value_type* best = nullptr;
    for (const Cloud* states : {&cloud, &arrived})
      for (const auto& entry : *states)
        if ((!best || entry.second > best->second) && isVisible(sampleAt(entry.first.state))) best = &entry;
    if (!best) return false;
    const GridState heaviest = best->first.state;
    restart();
    put(heaviest, 1);
    removeTear(sampleAt(heaviest));
    record(sampleAt(heaviest));
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
    cloud.clear();
    arrived.clear();
    moments = Moments(last);
  }

  /// Ends at the seed state that received the maximum mass.
  Trace finish() {
    const auto best = std::max_element(arrived.begin(), arrived.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == arrived.end()) return {};
    const GridState end = best->first.state;
    if (!isVisible(sampleAt(end))) return {};
    record(sampleAt(end));
    trace.seed = flow.seedAt(end);
    return trace;
  }

  const DescentFlow& flow;
  Sample last; ///< the last point drawn
  Moments moments;
  Cloud cloud, arrived; ///< arrived: at seed states
  Trace trace;
};

} // namespace

Trace traceByMass(const DescentFlow& flow, const GridState& tip) { return MassTracer(flow, tip).run(); }

} // namespace isochrone::curvature
