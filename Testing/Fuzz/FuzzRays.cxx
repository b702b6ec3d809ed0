#include "Fuzz.h"
#include "RayTracing/RayTracing.h"
#include "Reference/Christoffel.h"
#include "Reference/DijkstraReference.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace isochrone::fuzz {

namespace {

using namespace rays;

struct Medium {
  std::vector<float> single, singleStarts;
  std::vector<double> precise, preciseStarts;
};

/// Adds the slowness of each point or cell, and rarely start times.
void addMedium(Draw& draw, Options& o, Problem& p, Medium& memory) {
  const Grid& g = p.grid;
  std::int64_t size = g.points();
  if (o.rule == WeightRule::Cells)
    size = std::max<std::int64_t>(g.nx - 1, 1) * std::max<std::int64_t>(g.ny - 1, 1) *
           std::max<std::int64_t>(g.nz - 1, 1);
  const int kind = draw.number(0, 6);
  memory.single = anyMedium(draw, size, kind);
  for (float& s : memory.single)
    if ((s == 0 || std::isnan(s)) && draw.chance(0.999)) s = float(infinity);
  if (o.doublePrecision)
    for (const float s : memory.single)
      memory.precise.push_back(double(s) * (draw.chance(0.01) ? draw.power(-40, 40) : 1.1));
  if (o.doublePrecision)
    p.preciseSlowness = memory.precise;
  else
    p.slowness = memory.single;
}

void addStarts(Draw& draw, Options& o, Problem& p, Medium& memory) {
  const int sources = draw.chance(0.03) ? 0 : draw.number(1, 5);
  for (int s = 0; s < sources; ++s) {
    const Position at = anyPosition(draw, p.grid);
    p.sources.push_back({at, draw.chance(0.3) ? draw.normal() : draw.chance(0.02) ? draw.wild() : 0});
  }
  if (!draw.chance(0.1)) return;
  o.separateSources = false;
  for (std::int64_t n = 0; n < p.grid.points(); ++n) {
    const double start = draw.chance(0.1) ? draw.real(0, 3) : infinity;
    memory.singleStarts.push_back(float(start)), memory.preciseStarts.push_back(start);
  }
  if (o.doublePrecision)
    p.preciseStartTimes = memory.preciseStarts;
  else
    p.startTimes = memory.singleStarts;
}

bool sameFields(const Field& a, const Field& b) {
  return sameBits(a.travelTime, b.travelTime) && sameBits(a.preciseTravelTime, b.preciseTravelTime) &&
         sameBits(a.predecessor, b.predecessor) && sameBits(a.source, b.source);
}

/// Checks rays of a field: the matrix times the slowness equals their travel times.
void checkRays(Draw& draw, const Problem& p, const Options& o, const Field& field,
               std::span<const std::int32_t> sources, std::span<const Position> tips, Report& report) {
  report.outcome([&] {
    const std::vector<Ray> rays = traceRays(p, o, field, sources, tips);
    const RayMatrix matrix = rayMatrix(p, o, rays);
    for (std::size_t r = 0; r < rays.size(); ++r) {
      const Ray& ray = rays[r];
      if (ray.status != PathStatus::Complete) continue;
      pathOf(p, ray, draw.chance(0.5));
      double sum = 0;
      for (std::int64_t e = matrix.row[r]; e < matrix.row[r + 1]; ++e) {
        const std::int64_t element = matrix.element[e];
        if (matrix.weight[e] != 0)
          sum += matrix.weight[e] *
                 (o.doublePrecision ? p.preciseSlowness[element] : double(p.slowness[element]));
      }
      const double expected = ray.travelTime - ray.startTime;
      const double scale = std::max({std::abs(ray.travelTime), std::abs(ray.startTime), std::abs(expected)});
      const double slack = o.doublePrecision ? 1e-9 * scale + 1e-300 : 2e-4 * scale + 1e-43; // of denormals
      if (std::isfinite(expected))
        report.expect(std::abs(sum - expected) <= slack, "the row of a ray gives " + std::to_string(sum) +
                                                             ", its time is " + std::to_string(expected));
    }
  });
}

/// Checks the probabilities of random paths: between 0 and 1; the same bits with two threads; no random path
/// is faster than the ray. They are refused only where rounding may hide edges.
void checkProbability(const Problem& p, Options o, const Field& field, std::span<const std::int32_t> sources,
                      std::span<const Position> tips, bool roundingRisk, Report& report) {
  double latest = 0;
  const std::vector<Ray> rays = traceRays(p, o, field, sources, tips);
  for (const Ray& ray : rays) latest = std::max(latest, std::abs(ray.travelTime));
  const double temperature = latest > 0 ? latest / 30 : 1;
  PathProbability one, two;
  o.threads = 1;
  const std::string refusal =
      report.outcome([&] { one = pathProbability(p, o, field, sources, tips, temperature); });
  o.threads = 2;
  const std::string refusal2 =
      report.outcome([&] { two = pathProbability(p, o, field, sources, tips, temperature); });
  report.expect(refusal == refusal2, "probabilities refused as '" + refusal + "' and '" + refusal2 + "'");
  report.expect(refusal.empty() || roundingRisk, "probabilities refused as '" + refusal + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.probability, two.probability) && sameBits(one.expectedTime, two.expectedTime),
                "different probabilities with two threads");
  const bool proper =
      std::ranges::all_of(one.probability, [](double share) { return share >= 0 && share <= 1 + 1e-9; });
  report.expect(proper, "probabilities are not between 0 and 1");
  for (std::size_t r = 0; r < rays.size(); ++r) {
    const bool reached = rays[r].status == PathStatus::Complete;
    report.expect(reached == std::isfinite(one.expectedTime[r]), "an expected time is missing");
    if (reached)
      report.expect(one.expectedTime[r] >= rays[r].travelTime - (o.doublePrecision ? 1e-9 : 1e-3) * latest,
                    "random paths take " + std::to_string(one.expectedTime[r]) + ", the ray " +
                        std::to_string(rays[r].travelTime));
  }
}

/// Compares with Dijkstra's algorithm on weights from the definition: the same bits in single precision. In
/// double precision the last bits of the weights differ, so the times agree approximately.
void compareWithDijkstra(const Problem& p, const Options& o, const Field& field, Report& report) {
  if (!o.doublePrecision) {
    const std::vector<float> expected = reference::dijkstra<float>(p, o);
    report.expect(std::ranges::equal(field.travelTime, expected),
                  "the times differ from Dijkstra's algorithm");
    return;
  }
  const std::vector<double> expected = reference::dijkstra<double>(p, o);
  double maximum = 0; // including start times, which reduce the precision of later times
  for (const Source& source : p.sources)
    if (std::isfinite(source.startTime)) maximum = std::max(maximum, std::abs(source.startTime));
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const double got = field.preciseTravelTime[n], slack = 1e-10 * std::max(maximum, std::abs(expected[n]));
    if (got == expected[n] || std::abs(got - expected[n]) <= slack) continue;
    report.fault("time " + std::to_string(got) + ", by Dijkstra's algorithm " + std::to_string(expected[n]));
    return;
  }
}

/// Slownesses of a tilted medium along vectors, by the Christoffel equation.
struct TiltedReference {
  const Problem& p;
  const Options& o;

  /// Returns the slowness of a point or cell along a vector, +infinity if blanked.
  double slowness(std::int64_t n, const Position& v, double length) const {
    const auto in = [n](std::span<const float> values) {
      return double(values[values.size() == 1 ? 0 : std::size_t(n)]);
    };
    const double s = o.doublePrecision ? p.preciseSlowness[std::size_t(n)] : p.slowness[std::size_t(n)];
    const double epsilon = in(p.thomsen.epsilon), delta = in(p.thomsen.delta), shear = in(p.thomsen.shear);
    const std::size_t axes = p.grid.nz == 1 ? 2 : 3;
    const std::size_t first = p.thomsen.epsilon.size() == 1 ? 0 : std::size_t(n) * axes;
    double along = 0, square = 0, norm = 0;
    for (std::size_t a = 0; a < axes; ++a) {
      const double axis = p.thomsen.axis[first + a];
      along += v[a] * axis / length, norm += axis * axis, square += v[a] * v[a] / (length * length);
    }
    along /= std::sqrt(norm);
    if (std::isinf(s) || std::isnan(epsilon + delta + shear + along)) return infinity;
    const reference::Elastic elastic(1, epsilon, delta, shear);
    return s * reference::groupTime(elastic, std::sqrt(std::max(0., square - along * along)), along);
  }
};

/// Compares the times of a tilted medium with Dijkstra's algorithm on such slownesses. Sources between points
/// are left out, since they start with other formulas.
void compareWithTiltedDijkstra(const Problem& p, const Options& o, const Field& field, Report& report) {
  const Grid& g = p.grid;
  Grid elements = g;
  if (o.rule == WeightRule::Cells) {
    elements.nx = std::max<std::int64_t>(g.nx - 1, 1), elements.ny = std::max<std::int64_t>(g.ny - 1, 1);
    elements.nz = std::max<std::int64_t>(g.nz - 1, 1);
  }
  const TiltedReference medium{p, o};
  const std::vector<Offset> offsets = reference::offsetsOf(g, o.neighbours, o.radius);
  std::vector<std::vector<reference::Share>> shares;
  std::vector<double> lengths;
  std::vector<std::vector<double>> slowness; // per offset and element
  for (Offset e : offsets) {
    if (std::tuple(e[2], e[1], e[0]) < std::tuple(0, 0, 0)) e = {-e[0], -e[1], -e[2]};
    shares.push_back(reference::sharesOf(g, o.rule, e));
    const Position v{e[0] * g.hx, e[1] * g.hy, e[2] * g.hz};
    lengths.push_back(std::hypot(v[0], v[1], v[2]));
    std::vector<double>& along = slowness.emplace_back();
    for (std::int64_t n = 0; n < elements.points(); ++n)
      along.push_back(medium.slowness(n, v, lengths.back()));
  }
  const auto weight = [&](std::int64_t from, std::int64_t to, std::size_t e) {
    const GridIndex start = g.indices(std::min(from, to));
    double sum = 0;
    for (const reference::Share& share : shares[e]) {
      double minimum = infinity;
      for (const Offset& s : share.samples) {
        const std::int64_t i = start[0] + s[0], j = start[1] + s[1], k = start[2] + s[2];
        if (i >= 0 && j >= 0 && k >= 0 && i < elements.nx && j < elements.ny && k < elements.nz)
          minimum = std::min(minimum, slowness[e][std::size_t(elements.index(i, j, k))]);
      }
      sum += double(share.length) * minimum;
    }
    if (o.rule != WeightRule::Fast || std::isinf(sum)) return sum;
    return lengths[e] / 2 * (slowness[e][std::size_t(from)] + slowness[e][std::size_t(to)]);
  };
  const std::vector<double> expected = reference::minTimes<double>(
      g, offsets,
      o.doublePrecision ? reference::startsOf<double>(p, o.rule) : reference::startsOf<float>(p, o.rule),
      weight);
  double scale = 0;
  for (const double time : expected)
    if (std::isfinite(time)) scale = std::max(scale, std::abs(time));
  for (const Source& source : p.sources) scale = std::max(scale, std::abs(source.startTime));
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const double got = o.doublePrecision ? field.preciseTravelTime[n] : double(field.travelTime[n]);
    if (got == expected[n] || std::abs(got - expected[n]) <= (o.doublePrecision ? 1e-8 : 1e-5) * scale)
      continue;
    report.fault("time " + std::to_string(got) + " in a tilted medium, by Dijkstra's algorithm " +
                 std::to_string(expected[n]));
    return;
  }
}

/// Returns whether the reference for tilted media applies: a plane or a volume, moderate values, sources on
/// points.
bool hasTiltedReference(const Problem& p, const Options& o) {
  const Grid& g = p.grid;
  const auto onPoint = [&](const Source& s) {
    for (std::size_t a = 0; a < 3; ++a) {
      const double steps = s.at[a] / g.spacing()[a];
      if (g.sizes()[a] > 1 && steps != std::round(steps)) return false;
    }
    return std::abs(s.startTime) < 100;
  };
  const auto moderate = [](double s) { return std::isinf(s) || (s > 1e-3 && s < 1e3); };
  return g.nx > 1 && g.ny > 1 && g.points() <= 400 && p.startTimes.empty() && p.preciseStartTimes.empty() &&
         (o.doublePrecision ? std::ranges::all_of(p.preciseSlowness, moderate)
                            : std::ranges::all_of(p.slowness, moderate)) &&
         std::ranges::all_of(p.sources, onPoint);
}

void solveAny(Draw& draw, Report& report, bool tilted, bool periodic) {
  Problem p;
  Options o;
  Medium memory;
  p.grid = anyGrid(draw, 1500);
  o.backend = Backend::Host;
  o.rule = WeightRule(draw.whole(0, 2));
  o.neighbours = draw.chance(0.8) ? StarKind::Coprime : StarKind(draw.whole(0, 3));
  for (int& reach : o.radius) reach = draw.number(1, p.grid.nz > 1 ? 2 : 8);
  if (draw.chance(0.02)) {
    const int reach = draw.number(-2, 20);
    o.radius[std::size_t(draw.whole(0, 2))] = reach;
  }
  o.method = Method(draw.whole(0, 1));
  o.doublePrecision = draw.chance(0.4);
  o.predecessors = draw.chance(0.3);
  o.sourceIds = draw.chance(0.3);
  o.separateSources = draw.chance(0.3);
  addMedium(draw, o, p, memory);
  addStarts(draw, o, p, memory);
  Tilt tilt;
  if (tilted) {
    tilt = anyTilt(draw, p.grid, std::int64_t(memory.single.size()));
    p.tilted = true, p.thomsen = tilt.arrays();
  }
  std::vector<Position> tips;
  for (int t = 0; t < 5; ++t) tips.push_back(anyPosition(draw, p.grid));
  if (periodic) {
    for (bool& axis : p.periodic) axis = draw.chance(0.6);
    if (draw.chance(0.98)) o.method = Method::OrderedTiles; // the only one that can
  }
  report.describe(sizeOf(p.grid) + (periodic ? ", periodic" : "") + ", rule " + std::to_string(int(o.rule)) +
                  ", template " + std::to_string(int(o.neighbours)) + ", method " +
                  std::to_string(int(o.method)) + (o.doublePrecision ? ", double" : ", single") + tilt.words);

  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  Result one, two, three;
  o.threads = 1, useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = solveRayTracing(p, o, monitor); });
  if (monitor.progress) return;
  const char* other = anyInstructionSet(draw);
  o.threads = 2, useInstructionSet(other);
  const std::string refusal2 = report.outcome([&] { two = solveRayTracing(p, o, monitor); });
  Options byOther = o;
  byOther.method = o.method == Method::OrderedTiles ? Method::PlainRelaxation : Method::OrderedTiles;
  const std::string refusal3 =
      periodic ? refusal : report.outcome([&] { three = solveRayTracing(p, byOther, monitor); });
  report.expect(refusal == refusal2 && refusal == refusal3,
                "refused as '" + refusal + "', '" + refusal2 + "' and '" + refusal3 + "'");
  if (!refusal.empty()) return;
  for (std::size_t f = 0; f < one.fields.size(); ++f) {
    const Field& field = one.fields[f];
    report.expect(sameFields(field, two.fields[f]),
                  std::string("different bits with two threads and ") + other);
    if (!periodic) report.expect(sameFields(field, three.fields[f]), "different bits by the other method");
    report.expectTimes(field.travelTime);
    std::vector<std::int32_t> sources{std::int32_t(f)};
    if (one.fields.size() == 1) {
      sources.clear();
      for (std::size_t s = 0; s < p.sources.size(); ++s) sources.push_back(std::int32_t(s));
    }
    checkRays(draw, p, o, field, sources, tips, report);
    if (p.startTimes.empty() && p.preciseStartTimes.empty())
      checkProbability(p, o, field, sources, tips, one.roundingRisk, report);
  }
  if (tilted && !periodic && !o.separateSources && hasTiltedReference(p, o))
    compareWithTiltedDijkstra(p, o, one.fields[0], report);
  if (o.separateSources || periodic || p.grid.points() > 600 || tilted) return;
  compareWithDijkstra(p, o, one.fields[0], report);
}

} // namespace

void fuzzRays(Draw& draw, Report& report) { solveAny(draw, report, false, false); }
void fuzzTiltedRays(Draw& draw, Report& report) { solveAny(draw, report, true, false); }
void fuzzPeriodicRays(Draw& draw, Report& report) { solveAny(draw, report, false, true); }
void fuzzPeriodicTiltedRays(Draw& draw, Report& report) { solveAny(draw, report, true, true); }

} // namespace isochrone::fuzz
