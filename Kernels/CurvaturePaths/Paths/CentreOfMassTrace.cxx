// CentreOfMassTrace.cxx - the discrete path: a unit mass flows down the grid, and its centre of mass draws
// the path.
#include "CurvaturePaths/Paths/PathTrace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace isochrone::curvature {

namespace {

constexpr double recordEvery = 0.25; ///< grid steps between two points of the path

/// Masses below this share of the cloud are dropped: they cost time and do not move the centre.
constexpr double leastMass = 1e-3;

/// States level with each other up to this share of a step down all move before the centre is evaluated.
/// Otherwise the centre swings where the cloud is symmetric.
constexpr double levelTie = 1e-3;

/// The cloud is gathered in its centre when the determinant of its covariance exceeds this, in grid steps^6:
/// about 1.4 steps in each direction. With a larger bound, paths swing between the two sides of a cut locus
/// before they choose one and jump there, and the elastica takes longer.
constexpr double widestCloud = 8;

/// Length of the path, in grid steps, that is drawn again when the cloud chooses one side of a tear.
constexpr double tearLength = 6;

/// States by descending value, so that a state is visited after all states that flow into it; headings
/// unwrapped.
struct Key {
  float value;
  std::int64_t j, i;
  int k;
  bool operator<(const Key& o) const { return std::tie(o.value, j, i, k) < std::tie(value, o.j, o.i, o.k); }
};

/// Mass, centre and covariance of a set of weighted states, relative to a nearby origin to keep digits.
class Moments {
public:
  explicit Moments(const Sample& o) : origin(o) {}

  void add(double m, std::int64_t i, std::int64_t j, int k) {
    const double v[3] = {i - origin.x, j - origin.y, k - origin.k};
    mass += m;
    for (int a = 0; a < 3; ++a) {
      first[a] += m * v[a];
      for (int b = 0; b <= a; ++b) second[a][b] += m * v[a] * v[b];
    }
  }

  Sample centre() const {
    return {origin.x + first[0] / mass, origin.y + first[1] / mass, origin.k + first[2] / mass};
  }

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

class MassTracer {
public:
  MassTracer(const Flow& f, const GridState& tip)
      : flow(f), last{double(tip.i), double(tip.j), double(tip.k)}, moments(last) {
    put(tip, 1);
  }

  Trace run() {
    trace.samples.push_back(last);
    while (!cloud.empty()) {
      const auto [key, mass] = *cloud.begin();
      cloud.erase(cloud.begin());
      const GridState q{key.i, key.j, key.k};
      if (flow.seedAt(q) >= 0) {
        arrived[key] += mass;
        continue;
      }
      moments.add(-mass, q.i, q.j, q.k);
      double level = key.value;
      if (mass > leastMass * moments.mass || cloud.empty()) {
        const Flow::Descent descent = flow.at(q);
        if (descent.count == 0) return {};
        level -= levelTie * descent.drop;
        for (int e = 0; e < descent.count; ++e) {
          const Offset& o = descent.edges[e].offset;
          put({q.i + o[0], q.j + o[1], q.k + o[2]}, mass * descent.edges[e].weight / descent.total);
        }
      }
      const bool alone = cloud.empty() || cloud.begin()->first.value < level;
      if (alone && !follow()) return {};
    }
    return finish();
  }

private:
  void put(const GridState& q, double mass) {
    cloud[{flow.value(q), q.j, q.i, q.k}] += mass;
    moments.add(mass, q.i, q.j, q.k);
  }

  bool seen(const Sample& p) const { return flow.walls().freeSegment(last.x, last.y, p.x, p.y); }

  void record(const Sample& p) {
    trace.samples.push_back(p);
    last = p;
  }

  /// Draws the path up to the centre of mass, and gathers the cloud where it is too wide or torn by a wall.
  bool follow() {
    const Sample centre = moments.centre();
    const bool moved = stepDistance(centre, last) >= recordEvery;
    const bool wide = moments.spread() > widestCloud;
    if (!moved && !wide) return true;
    if (seen(centre)) {
      if (moved) record(centre);
      if (!wide || gather(usableCorners(flow, centre))) return true;
    }
    return gatherInHeaviest();
  }

  /// Puts the whole mass on the corners around the centre, unless their values lie outside the cloud's range
  /// of values. Then the cloud has split, and its centre is not near a path.
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

  bool gatherInHeaviest() {
    const std::pair<const Key, double>* best = nullptr;
    for (const auto* states : {&cloud, &arrived})
      for (const auto& entry : *states)
        if ((!best || entry.second > best->second) && seen({double(entry.first.i), double(entry.first.j), 0}))
          best = &entry;
    if (!best) return false;
    const GridState q{best->first.i, best->first.j, best->first.k};
    restart();
    put(q, 1);
    const Sample choice{double(q.i), double(q.j), double(q.k)};
    forgetTear(choice);
    record(choice);
    return true;
  }

  /// Removes the trailing samples from which the chosen branch is visible. While the mass was split, its
  /// centre followed neither branch.
  void forgetTear(const Sample& choice) {
    std::vector<Sample>& s = trace.samples;
    std::size_t keep = s.size();
    for (std::size_t n = s.size(); n > 0 && stepDistance(s[n - 1], choice) <= tearLength; --n)
      if (flow.walls().freeSegment(s[n - 1].x, s[n - 1].y, choice.x, choice.y)) keep = n;
    s.resize(keep);
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
    trace.seedState = {best->first.i, best->first.j, best->first.k};
    const Sample end{double(best->first.i), double(best->first.j), double(best->first.k)};
    if (!seen(end)) return {};
    record(end);
    trace.seed = flow.seedAt(trace.seedState);
    return trace;
  }

  const Flow& flow;
  Sample last; ///< the last point drawn
  Moments moments;
  std::map<Key, double> cloud, arrived;
  Trace trace;
};

} // namespace

Trace traceByMass(const Flow& flow, const GridState& tip) { return MassTracer(flow, tip).run(); }

} // namespace isochrone::curvature
