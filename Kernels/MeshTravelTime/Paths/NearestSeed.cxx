// Every update that equals the time of a vertex links the vertex to the corner that the wave came from. Seed
// indices propagate along the links from early to late, and the maximum index wins: a rule independent of the
// order of cells, threads and processes.
#include "MeshTravelTime/Paths/NearestSeed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace isochrone::mesh {

namespace {

struct Link {
  std::int32_t to, from;
};

/// Returns the minimum point of the update of a vertex, as weights of the corners a, b, c of the opposite
/// triangle.
std::array<double, 3> minPoint(const Opposite& o, double time) {
  const PlaneWave wave = planeWave(o);
  if (wave.a >= 0 && wave.b >= 0 && wave.c >= 0) return {wave.a, wave.b, wave.c};
  const double u[3] = {o.ua, o.ub, o.uc}, l[3] = {o.la, o.lb, o.lc}, between[3] = {o.bc, o.ac, o.ab};
  std::array<double, 3> weight{};
  for (int k = 0; k < 3; ++k) // ends first: where one gives the same time, the wave came straight from it
    if (float(u[k] + std::sqrt(l[k])) == float(time)) return weight[std::size_t(k)] = 1, weight;
  for (int k = 0; k < 3; ++k) { // on the edge opposite to corner k
    const int a = otherVertex(k, 0), b = otherVertex(k, 1);
    if (float(fromEdge(u[a], u[b], l[a], l[b], between[k])) != float(time)) continue;
    const double ofB = weightOnEdge(u[a], u[b], l[a], l[b], between[k]);
    weight[std::size_t(a)] = 1 - ofB, weight[std::size_t(b)] = ofB;
    return weight;
  }
  return weight;
}

/// Links to the earlier corner with the maximum weight; to all of them if several have it. Where steps are
/// below the last bit of the times, corners at the same time are used instead.
void linkThrough(const VertexStars& stars, Corner corner, std::span<const float> times,
                 std::vector<Link>& links) {
  const Tetrahedron& t = stars.tetrahedra[corner / 4];
  const int k = int(corner % 4);
  const std::int32_t v = t.vertex[k];
  const Opposite o = opposite(t, k, times.data());
  const double time = update(o, unreached);
  if (float(time) != times[v]) return;
  const std::array<double, 3> weight = minPoint(o, time);
  const double sum = weight[0] + weight[1] + weight[2];
  std::int32_t from[3];
  double share[3], maximum = 0;
  bool earlier = false;
  for (int i = 0; i < 3; ++i) {
    from[i] = t.vertex[otherVertex(k, i)];
    share[i] = std::round(0x1p20 * weight[std::size_t(i)] / sum); // so that rounding does not break ties
    earlier = earlier || (share[i] > 0 && times[from[i]] < times[v]);
  }
  const auto counts = [&](int i) { return earlier ? times[from[i]] < times[v] : times[from[i]] == times[v]; };
  for (int i = 0; i < 3; ++i)
    if (counts(i)) maximum = std::max(maximum, share[i]);
  for (int i = 0; i < 3; ++i)
    if (counts(i) && maximum > 0 && share[i] == maximum) links.push_back({v, from[i]});
}

std::vector<Link> linksOf(const VertexStars& stars, std::span<const float> times,
                          execution::RoundPool& pool) {
  const auto linkTo = [&](std::int32_t v, std::vector<Link>& own) {
    if (!(times[v] < unreached)) return;
    const auto count = std::ptrdiff_t(own.size());
    for (const Corner corner : stars.star(v)) linkThrough(stars, corner, times, own);
    std::ranges::sort(own.begin() + count, own.end(), {}, &Link::from);
    const auto same = [](Link a, Link b) { return a.from == b.from; };
    own.erase(std::unique(own.begin() + count, own.end(), same), own.end());
  };
  const auto linksIn = [&](std::int64_t begin, std::int64_t end, int) {
    std::vector<Link> own;
    for (auto v = std::int32_t(begin); v < end; ++v) linkTo(v, own);
    return own;
  };
  std::vector<Link> links =
      pool.reduce(stars.vertexCount, std::vector<Link>(), linksIn,
                  [](auto& all, const auto& own) { all.insert(all.end(), own.begin(), own.end()); });
  std::ranges::sort(links, {}, [&](Link link) { return std::pair(times[link.to], link.to); });
  return links;
}

/// Returns links from the earliest neighbours to the vertices that have no seed yet.
std::vector<Link> linksToEarliest(const VertexStars& stars, std::span<const float> times,
                                  const std::vector<std::int32_t>& seeds) {
  std::vector<Link> links;
  for (std::int32_t v = 0; v < stars.vertexCount; ++v) {
    if (seeds[v] >= 0 || !(times[v] < unreached)) continue;
    float minimum = times[v];
    for (const Corner corner : stars.star(v))
      for (const std::int32_t other : stars.tetrahedra[corner / 4].vertex)
        minimum = std::min(minimum, times[other]);
    for (const Corner corner : stars.star(v))
      for (const std::int32_t other : stars.tetrahedra[corner / 4].vertex)
        if (times[other] == minimum && other != v) links.push_back({v, other});
  }
  return links;
}

/// Propagates seeds along the links, and to and from other processes, until none changes.
void spread(const VertexStars& stars, const std::vector<Link>& links, const Sharing& sharing,
            std::vector<std::int32_t>& seeds) {
  std::vector<std::int32_t> shared(sharing.vertices.size());
  while (true) {
    // Links are in the order of time, so that more than two passes are needed only where times are equal.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Link link : links)
        if (seeds[link.from] > seeds[link.to]) seeds[link.to] = seeds[link.from], changed = true;
    }
    if (!sharing.exchangeSeeds) return;
    for (std::size_t i = 0; i < shared.size(); ++i) shared[i] = seeds[stars.number[sharing.vertices[i]]];
    if (!sharing.exchangeSeeds(shared)) return;
    for (std::size_t i = 0; i < shared.size(); ++i) seeds[stars.number[sharing.vertices[i]]] = shared[i];
  }
}

} // namespace

Values<std::int32_t> nearestSeeds(const VertexStars& stars, const std::vector<Start>& starts,
                                  std::span<const float> times, const Sharing& sharing,
                                  execution::RoundPool& pool) {
  std::vector<std::int32_t> seeds(std::size_t(stars.vertexCount) + 1, -1);
  for (const Start& start : starts)
    if (float(start.time) == times[start.vertex])
      seeds[start.vertex] = std::max(seeds[start.vertex], start.seed);
  std::vector<Link> links = linksOf(stars, times, pool);
  spread(stars, links, sharing, seeds);
  // If a cell has a point twice, all updates of a vertex may come from the vertex itself.
  links = linksToEarliest(stars, times, seeds);
  spread(stars, links, sharing, seeds);
  Values<std::int32_t> result(stars.vertexCount);
  for (std::int32_t v = 0; v < stars.vertexCount; ++v) result[v] = seeds[stars.number[v]];
  return result;
}

} // namespace isochrone::mesh
