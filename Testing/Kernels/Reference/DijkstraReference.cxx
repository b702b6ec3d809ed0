#include "Reference/DijkstraReference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace isochrone::reference {

using rays::Grid;
using rays::Offset;
using rays::Problem;
using rays::StarKind;
using rays::WeightRule;

namespace {

using Index = std::array<std::int64_t, 3>;
using Place = std::array<long double, 3>;

Index pointsAlong(const Grid& g) { return {g.nx, g.ny, g.nz}; }
Index indexOf(const Grid& g, std::int64_t p) { return {p % g.nx, p / g.nx % g.ny, p / g.nx / g.ny}; }
bool inside(const Index& i, const Index& n) {
  for (int a = 0; a < 3; ++a)
    if (i[a] < 0 || i[a] >= n[a]) return false;
  return true;
}

/// Returns the number of slowness elements along each axis.
Index samplesAlong(const Grid& g, WeightRule rule) {
  Index n = pointsAlong(g);
  if (rule == WeightRule::Cells)
    for (auto& count : n) count = std::max<std::int64_t>(count - 1, 1);
  return n;
}

template <class Real>
auto slownessOf(const Problem& p) {
  if constexpr (sizeof(Real) == 4)
    return p.slowness;
  else
    return p.preciseSlowness;
}

long double lengthOf(const Grid& g, const Place& v) {
  const long double x = v[0] * g.hx, y = v[1] * g.hy, z = v[2] * g.hz;
  return std::sqrt(x * x + y * y + z * z);
}

/// Returns the weights of the corners in the (bi, tri)linear interpolation, integrated along a segment within
/// a cell. The integrands are products of at most three linear functions, so Simpson's rule is exact. Corner
/// bits: x, y, z.
std::array<long double, 8> cornerLengths(const Grid& g, const Place& from, const Place& to,
                                         const Index& cell) {
  std::array<long double, 8> lengths{};
  const long double length = lengthOf(g, {to[0] - from[0], to[1] - from[1], to[2] - from[2]});
  for (const auto& [at, part] : {std::pair{0.L, 1.L}, {0.5L, 4.L}, {1.L, 1.L}})
    for (int corner = 0; corner < 8; ++corner) {
      long double weight = 1;
      for (int a = 0; a < 3; ++a) {
        const long double rest = from[a] + at * (to[a] - from[a]) - (long double)(cell[a]);
        weight *= corner >> a & 1 ? rest : 1 - rest;
      }
      lengths[corner] += part / 6 * weight * length;
    }
  return lengths;
}

/// Smaller shares are rounding errors.
constexpr long double minShare = 1e-14L;

/// Returns where the segment from 0 to the offset crosses planes of points, as fractions, with both ends.
std::vector<std::pair<int, int>> crossings(const Offset& o) {
  const auto less = [](const auto& a, const auto& b) { return a.first * b.second < b.first * a.second; };
  std::set<std::pair<int, int>, decltype(less)> fractions(less);
  for (const int steps : o)
    for (int i = 0; i <= std::abs(steps); ++i)
      if (steps != 0) fractions.insert({i, std::abs(steps)});
  return {fractions.begin(), fractions.end()};
}

Place along(const Offset& o, const std::pair<int, int>& fraction) {
  const auto [p, q] = fraction;
  return {(long double)(o[0] * p) / q, (long double)(o[1] * p) / q, (long double)(o[2] * p) / q};
}

Share cellsBeside(const Grid& g, const Offset& o, const Place& from, const Place& to) {
  Share share{lengthOf(g, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}), {}};
  std::vector<int> choices[3];
  for (int a = 0; a < 3; ++a)
    if (o[a] != 0)
      choices[a] = {int(std::floor((from[a] + to[a]) / 2))};
    else if (pointsAlong(g)[a] == 1)
      choices[a] = {0};
    else
      choices[a] = {-1, 0}; // the piece lies between both
  for (const int x : choices[0])
    for (const int y : choices[1])
      for (const int z : choices[2]) share.samples.push_back({x, y, z});
  return share;
}

std::vector<Offset> balanced(const Grid& g, bool many) {
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    if (pointsAlong(g)[a] > 1) axes.push_back(a);
  const std::vector<std::pair<int, int>> few{{1, 0}, {4, 1}, {7, 4}, {1, 1}},
      more{{1, 0}, {7, 1}, {4, 1}, {5, 2}, {7, 4}, {4, 3}, {1, 1}};
  std::set<Offset> offsets;
  for (const auto& [a, b] : many ? more : few)
    for (const int turn : {0, 1})
      for (const int u : {-1, 1})
        for (const int v : {-1, 1}) {
          Offset o{};
          o[axes[turn]] = u * a, o[axes[1 - turn]] = v * b;
          offsets.insert(o);
        }
  return {offsets.begin(), offsets.end()};
}

} // namespace

std::vector<Offset> offsetsOf(const Grid& g, StarKind kind, const std::array<int, 3>& radius) {
  if (kind == StarKind::Balanced24 || kind == StarKind::Balanced48)
    return balanced(g, kind == StarKind::Balanced48);
  Index r{};
  for (int a = 0; a < 3; ++a) r[a] = pointsAlong(g)[a] > 1 ? radius[a] : 0;
  std::vector<Offset> offsets;
  for (int x = -int(r[0]); x <= r[0]; ++x)
    for (int y = -int(r[1]); y <= r[1]; ++y)
      for (int z = -int(r[2]); z <= r[2]; ++z) {
        const int common = std::gcd(x, std::gcd(y, z));
        if (common == 1 || (common > 1 && kind == StarKind::Full)) offsets.push_back({x, y, z});
      }
  return offsets;
}

std::vector<Share> sharesOf(const Grid& g, WeightRule rule, const Offset& o) {
  const auto at = crossings(o);
  std::vector<Share> shares;
  std::map<std::tuple<int, int, int>, long double> points; // z, y, x
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const Place from = along(o, at[i]), to = along(o, at[i + 1]);
    if (rule == WeightRule::Cells) {
      shares.push_back(cellsBeside(g, o, from, to));
      continue;
    }
    Index cell;
    for (int a = 0; a < 3; ++a) cell[a] = std::int64_t(std::floor((from[a] + to[a]) / 2));
    const auto lengths = cornerLengths(g, from, to, cell);
    for (int c = 0; c < 8; ++c)
      points[{cell[2] + (c >> 2 & 1), cell[1] + (c >> 1 & 1), cell[0] + (c & 1)}] += lengths[c];
  }
  const long double length = lengthOf(g, {(long double)o[0], (long double)o[1], (long double)o[2]});
  for (const auto& [zyx, part] : points)
    if (part > minShare * length)
      shares.push_back({part, {{std::get<2>(zyx), std::get<1>(zyx), std::get<0>(zyx)}}});
  return shares;
}

namespace {

/// Weights of edges; their shares are computed once per offset.
template <class Real>
class EdgesOf {
public:
  EdgesOf(const Problem& p, WeightRule r, const std::vector<Offset>& offsets)
      : grid(p.grid), rule(r), slowness(slownessOf<Real>(p)), samples(samplesAlong(p.grid, r)) {
    for (const Offset& o : offsets) {
      const bool up = std::tuple(o[2], o[1], o[0]) > std::tuple(0, 0, 0);
      auto& shares = edges.emplace_back();
      for (Share& share : sharesOf(grid, rule, up ? o : Offset{-o[0], -o[1], -o[2]}))
        shares.emplace_back(Real(share.length), std::move(share.samples));
      halves.push_back(Real(lengthOf(grid, {(long double)o[0], (long double)o[1], (long double)o[2]}) / 2));
    }
  }

  Real weight(std::int64_t from, std::int64_t to, std::size_t offset) const {
    const Index start = indexOf(grid, std::min(from, to));
    const auto& shares = edges[offset];
    Real sum = 0;
    for (const auto& [length, choices] : shares) {
      Real minimum = infinite;
      for (const Offset& s : choices) {
        const Index i{start[0] + s[0], start[1] + s[1], start[2] + s[2]};
        if (inside(i, samples))
          minimum = std::min(minimum, slowness[i[0] + samples[0] * (i[1] + samples[1] * i[2])]);
      }
      const Real part = length * minimum;
      sum = &length == &shares.front().first ? part : sum + part;
    }
    if (rule != WeightRule::Fast || sum == infinite) return sum;
    return halves[offset] * (slowness[from] + slowness[to]);
  }

private:
  static constexpr Real infinite = std::numeric_limits<Real>::infinity();
  Grid grid;
  WeightRule rule;
  std::span<const Real> slowness;
  Index samples;
  /// Per offset, from the end with the lower index: lengths and the samples to choose from. Rounded once,
  /// since long double is slow where it has no instructions.
  std::vector<std::vector<std::pair<Real, std::vector<Offset>>>> edges;
  std::vector<Real> halves; ///< half of the edges' lengths
};

/// Returns the time from a place in a cell to one of its corners, +infinity if closed.
template <class Real>
long double timeToCorner(const Problem& p, WeightRule rule, const Place& from, const Index& cell,
                         const Index& corner) {
  const auto slowness = slownessOf<Real>(p);
  const Index n = samplesAlong(p.grid, rule);
  const Place to{(long double)corner[0], (long double)corner[1], (long double)corner[2]};
  const auto element = [&](const Index& i) { return i[0] + n[0] * (i[1] + n[1] * i[2]); };
  const long double length = lengthOf(p.grid, {to[0] - from[0], to[1] - from[1], to[2] - from[2]});
  if (rule == WeightRule::Cells) return length * (long double)(slowness[element(cell)]);
  const auto lengths = cornerLengths(p.grid, from, to, cell);
  long double time = 0;
  for (int c = 0; c < 8; ++c)
    if (lengths[c] > minShare * length)
      time += lengths[c] * (long double)(slowness[element(
                               {cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1)})]);
  return time;
}

/// Returns whether a point, or one of the cells around it, is open.
template <class Real>
bool touchesOpen(const Problem& p, WeightRule rule, std::int64_t point) {
  const Index n = samplesAlong(p.grid, rule);
  const Index at{point % p.grid.nx, point / p.grid.nx % p.grid.ny, point / (p.grid.nx * p.grid.ny)};
  const int steps = rule == WeightRule::Cells ? 2 : 1;
  for (int z = 0; z < steps; ++z)
    for (int y = 0; y < steps; ++y)
      for (int x = 0; x < steps; ++x) {
        const Index i{at[0] - x, at[1] - y, at[2] - z};
        if (inside(i, n) && std::isfinite(slownessOf<Real>(p)[i[0] + n[0] * (i[1] + n[1] * i[2])]))
          return true;
      }
  return false;
}

/// Returns the corners of all cells that contain a place.
template <class Real>
void addStarts(const Problem& p, WeightRule rule, const rays::Source& source, Starts& starts) {
  const Grid& g = p.grid;
  const Index n = pointsAlong(g);
  const double spacing[3] = {g.hx, g.hy, g.hz};
  Place at{};
  std::vector<std::int64_t> cells[3];
  bool onPoint = true;
  for (int a = 0; a < 3; ++a) {
    if (n[a] > 1) at[a] = source.at[a] / spacing[a];
    at[a] = std::clamp<long double>(at[a], 0, (long double)(n[a] - 1));
    if (std::abs(at[a] - std::round(at[a])) < 1e-6L) at[a] = std::round(at[a]);
    const auto base = std::int64_t(std::floor(at[a]));
    const bool onPlane = at[a] == (long double)base;
    onPoint = onPoint && onPlane;
    for (std::int64_t c = base - (onPlane ? 1 : 0); c <= base; ++c)
      if (n[a] == 1 ? c == 0 : c >= 0 && c + 1 < n[a]) cells[a].push_back(c);
  }
  if (onPoint) {
    starts.emplace_back(g.index(std::int64_t(at[0]), std::int64_t(at[1]), std::int64_t(at[2])),
                        source.startTime);
    return;
  }
  for (const std::int64_t x : cells[0])
    for (const std::int64_t y : cells[1])
      for (const std::int64_t z : cells[2])
        for (int c = 0; c < 8; ++c) {
          const Index corner{x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1)};
          if (!inside(corner, n)) continue;
          const long double time = timeToCorner<Real>(p, rule, at, {x, y, z}, corner);
          if (std::isfinite(time))
            starts.emplace_back(g.index(corner[0], corner[1], corner[2]), double(source.startTime + time));
        }
}

} // namespace

template <class Real>
Starts startsOf(const Problem& p, WeightRule rule) {
  Starts starts;
  for (const rays::Source& source : p.sources) addStarts<Real>(p, rule, source, starts);
  const auto add = [&](const auto& times) {
    for (std::size_t i = 0; i < times.size(); ++i)
      if (std::isfinite(times[i]) && touchesOpen<Real>(p, rule, std::int64_t(i)))
        starts.emplace_back(i, times[i]);
  };
  add(p.startTimes), add(p.preciseStartTimes);
  return starts;
}

template <class Real>
std::vector<Real> minTimes(const Grid& g, const std::vector<Offset>& offsets, const Starts& starts,
                           const Weight<Real>& weight) {
  std::vector<Real> times(g.points(), std::numeric_limits<Real>::infinity());
  using Entry = std::pair<Real, std::int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> front;
  const auto offer = [&](std::int64_t p, Real time) {
    if (time < times[p]) front.emplace(times[p] = time, p);
  };
  for (const auto& [p, time] : starts) offer(p, Real(time));
  while (!front.empty()) {
    const auto [time, p] = front.top();
    front.pop();
    if (time > times[p]) continue;
    const Index i = indexOf(g, p);
    for (std::size_t n = 0; n < offsets.size(); ++n) {
      const Offset& o = offsets[n];
      const Index to{i[0] + o[0], i[1] + o[1], i[2] + o[2]};
      if (!inside(to, pointsAlong(g))) continue;
      const std::int64_t q = g.index(to[0], to[1], to[2]);
      if (time < times[q]) offer(q, time + weight(p, q, n));
    }
  }
  return times;
}

template <class Real>
Weight<Real> weightOf(const Problem& p, WeightRule rule, const std::vector<Offset>& offsets) {
  return [edges = EdgesOf<Real>(p, rule, offsets)](std::int64_t from, std::int64_t to, std::size_t o) {
    return edges.weight(from, to, o);
  };
}

template <class Real>
std::vector<Real> dijkstra(const Problem& p, const rays::Options& options) {
  const std::vector<Offset> offsets = offsetsOf(p.grid, options.neighbours, options.radius);
  return minTimes<Real>(p.grid, offsets, startsOf<Real>(p, options.rule),
                        weightOf<Real>(p, options.rule, offsets));
}

template Starts startsOf<float>(const Problem&, WeightRule);
template Starts startsOf<double>(const Problem&, WeightRule);
template Weight<double> weightOf(const Problem&, WeightRule, const std::vector<Offset>&);
template std::vector<float> minTimes(const Grid&, const std::vector<Offset>&, const Starts&,
                                     const Weight<float>&);
template std::vector<double> minTimes(const Grid&, const std::vector<Offset>&, const Starts&,
                                      const Weight<double>&);
template std::vector<float> dijkstra<float>(const Problem&, const rays::Options&);
template std::vector<double> dijkstra<double>(const Problem&, const rays::Options&);

} // namespace isochrone::reference
