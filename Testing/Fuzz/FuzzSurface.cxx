#include "Fuzz.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "Reference/GeodesicReference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace isochrone::fuzz {

namespace {

using namespace mesh;

/// The memory of a surface, and measures of its difficulty.
struct Surface {
  std::vector<double> points;
  std::vector<std::int64_t> cells;
  std::vector<std::uint8_t> hidden;
  int columns = 1, rows = 1;
  double jitter = 0, height = 0, scale = 1;
  bool degenerate = false; ///< triangles without area, or points that coincide
  bool spoilt = false;     ///< a coordinate may be 1e38 times larger than the others
};

void addPoints(Draw& draw, Surface& s) {
  s.columns = draw.number(1, 9), s.rows = draw.number(1, 9);
  s.jitter = draw.chance(0.2) ? 0 : draw.real(0, 0.49);
  s.height = draw.chance(0.2) ? 0 : draw.power(-3, 1);
  s.scale = draw.chance(0.1) ? draw.power(-15, 15) : 1;
  for (int j = 0; j <= s.rows; ++j)
    for (int i = 0; i <= s.columns; ++i) {
      const double at[3] = {i + s.jitter * draw.real(-1, 1), j + s.jitter * draw.real(-1, 1),
                            s.height * draw.normal()};
      for (const double x : at) s.points.push_back(s.scale * x);
    }
  if (draw.chance(0.05)) std::copy_n(s.points.begin(), 3, s.points.end() - 3), s.degenerate = true;
  if (draw.chance(0.02)) draw.spoil(s.points, std::int64_t(s.points.size())), s.degenerate = s.spoilt = true;
}

/// Adds squares of two triangles each; leaves some out, adds copies and triangles between any vertices.
void addCells(Draw& draw, Surface& s) {
  const std::int64_t across = s.columns + 1, vertices = across * (s.rows + 1);
  const auto add = [&](std::int64_t u, std::int64_t v, std::int64_t w) {
    if (draw.chance(0.03)) return;
    for (int copies = draw.chance(0.02) ? 3 : 1; copies > 0; --copies)
      s.cells.insert(s.cells.end(), {u, v, w, -1});
  };
  for (int j = 0; j < s.rows; ++j)
    for (int i = 0; i < s.columns; ++i) {
      const std::int64_t v = i + across * j;
      const bool turned = draw.chance(0.5);
      add(v, v + 1, turned ? v + across : v + across + 1);
      add(turned ? v + 1 : v, v + across + 1, v + across);
    }
  while (draw.chance(0.2)) {
    std::array<std::int64_t, 3> any{};
    for (std::int64_t& v : any) v = draw.whole(0, vertices - 1);
    s.degenerate = s.degenerate || any[0] == any[1] || any[1] == any[2] || any[2] == any[0];
    s.cells.insert(s.cells.end(), {any[0], any[1], any[2], -1});
  }
}

void addSeeds(Draw& draw, Problem& p) {
  for (int left = draw.number(1, 4); left > 0; --left) {
    Seed seed;
    if (draw.chance(0.6) || p.cellCount() == 0) {
      seed.vertex = draw.whole(0, p.vertexCount() - 1);
    } else {
      seed.cell = draw.whole(0, p.cellCount() - 1);
      double weight[3] = {draw.real(), draw.real(), draw.chance(0.3) ? 0 : draw.real()};
      const double sum = weight[0] + weight[1] + weight[2];
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t a = 0; a < 3; ++a)
          seed.at[a] +=
              weight[k] / sum * p.points[std::size_t(3 * p.cells[std::size_t(4 * seed.cell) + k]) + a];
    }
    if (draw.chance(0.3)) seed.startTime = draw.normal();
    if (draw.chance(0.01)) seed.startTime = draw.wild();
    p.seeds.push_back(seed);
  }
}

double lengthOf(const Problem& p, std::int64_t v, std::int64_t w) {
  double square = 0;
  for (std::size_t a = 0; a < 3; ++a)
    square += std::pow(p.points[std::size_t(3 * v) + a] - p.points[std::size_t(3 * w) + a], 2);
  return std::sqrt(square);
}

double largest(std::span<const float> times) {
  double all = 0;
  for (const float time : times)
    if (std::isfinite(time)) all = std::max(all, double(std::abs(time)));
  return all;
}

/// Distances differ along an edge by no more than its length.
void checkEdges(const Problem& p, std::span<const float> times, Report& report) {
  const double rounding = 1e-6 * largest(times);
  for (std::int64_t c = 0; c < p.cellCount(); ++c)
    for (std::size_t k = 0; k < 3 && (p.hidden.empty() || !p.hidden[std::size_t(c)]); ++k) {
      const std::int64_t v = p.cells[std::size_t(4 * c) + k], w = p.cells[std::size_t(4 * c) + (k + 1) % 3];
      const double length = lengthOf(p, v, w) / p.constantSpeed;
      report.expect(std::isfinite(times[v]) == std::isfinite(times[w]) &&
                        !(std::abs(times[v] - times[w]) > length * (1 + 1e-6) + rounding),
                    "the times of an edge differ by more than its length");
    }
}

void checkPaths(const Problem& p, const Surface& s, std::span<const float> times, Report& report) {
  std::vector<Tip> tips;
  for (std::int64_t v = 0; v < p.vertexCount(); v += 5) tips.push_back({v});
  report.outcome([&] {
    const std::vector<Path> one = extractPaths(p, times, tips, 1), two = extractPaths(p, times, tips, 2);
    for (std::size_t t = 0; t < one.size(); ++t) {
      report.expect(sameBits(one[t].x, two[t].x), "different bits of a path with two threads");
      report.expectFinite(one[t].x, "a path is");
      if (one[t].status != PathStatus::Complete || s.spoilt) continue;
      const double start = p.seeds[std::size_t(one[t].seed)].startTime, time = times[5 * t];
      report.expect(!(std::abs(start + one[t].energy - time) > 2e-6 * largest(times)),
                    "a path takes " + std::to_string(start + one[t].energy) + " instead of " +
                        std::to_string(time));
    }
  });
}

void compareWithReference(const Problem& p, const Surface& s, std::span<const float> times, Report& report) {
  const bool early = std::ranges::all_of(
      p.seeds, [](const Seed& seed) { return std::abs(seed.startTime) < 10 && seed.vertex >= 0; });
  if (s.degenerate || !early || p.cellCount() > 90 || s.height > 3) return;
  const auto lengths = reference::geodesicDistances(p);
  const double rounding = 2e-7 * largest(times);
  for (std::size_t v = 0; v < times.size(); ++v) {
    double expected = infinity;
    for (const Seed& seed : p.seeds)
      expected = std::min(expected, seed.startTime + lengths[std::size_t(seed.vertex)][v] / p.constantSpeed);
    if (lengths[v][(v + 1) % times.size()] == infinity && !std::isfinite(times[v])) continue; // no open cell
    report.expect(expected == times[v] || std::abs(expected - times[v]) <= rounding,
                  "the distance of vertex " + std::to_string(v) + " is " + std::to_string(times[v]) +
                      " instead of " + std::to_string(expected));
  }
}

} // namespace

void fuzzSurface(Draw& draw, Report& report) {
  Problem p;
  Surface s;
  addPoints(draw, s);
  addCells(draw, s);
  p.points.components = 3, p.points.precise = s.points, p.cells = s.cells;
  if (draw.chance(0.2)) p.hidden = s.hidden = anyMask(draw, p.cellCount(), draw.real(0, 0.4));
  p.constantSpeed = draw.chance(0.03) ? draw.wild() : draw.power(-2, 2);
  p.accuracy = Accuracy::Exact;
  addSeeds(draw, p);
  char words[120];
  std::snprintf(words, sizeof words, "%lld triangles, jitter %g, height %g, scale %g",
                (long long)p.cellCount(), s.jitter, s.height, s.scale);
  report.describe(words);

  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  Options o;
  o.backend = Backend::Host, o.threads = 1, o.seedIds = true;
  Result one, two;
  const std::string refusal = report.outcome([&] { one = solveMeshTravelTime(p, o, monitor); });
  if (monitor.progress) return;
  o.threads = 2;
  const std::string refusal2 = report.outcome([&] { two = solveMeshTravelTime(p, o, monitor); });
  report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty() || !refusal2.empty()) return;
  report.expect(sameBits(one.travelTime, two.travelTime) && sameBits(one.seed, two.seed),
                "different bits with two threads");
  report.expectTimes(one.travelTime);
  checkEdges(p, one.travelTime, report);
  checkPaths(p, s, one.travelTime, report);
  compareWithReference(p, s, one.travelTime, report);
}

} // namespace isochrone::fuzz
