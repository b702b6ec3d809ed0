#include "DistanceTransform/DistanceTransform.h"
#include "Fuzz.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace isochrone::fuzz {

namespace {

using namespace distance;

/// Returns the distance from a point to the nearest point of the other kind, by brute force.
double distanceByBruteForce(const Problem& p, Region region, std::int64_t point) {
  const Grid& g = p.grid;
  const bool site = p.sites[point];
  if (region == Region::Outside ? site : region == Region::Inside && !site) return 0;
  const GridIndex from = g.indices(point);
  double minimum = infinity;
  for (std::int64_t q = 0; q < g.points(); ++q) {
    if ((p.sites[q] != 0) == site) continue;
    const GridIndex to = g.indices(q);
    double square = 0;
    for (int a = 0; a < 3; ++a) {
      std::int64_t steps = std::abs(to[a] - from[a]);
      if (p.periodic[a]) steps = std::min(steps, g.sizes()[a] - steps);
      const auto at = [&](std::int64_t index) { return p.rectilinear->coordinate(a, double(index)); };
      const double apart = p.rectilinear ? at(to[a]) - at(from[a]) : double(steps) * g.spacing()[a];
      square += apart * apart;
    }
    minimum = std::min(minimum, square);
  }
  return std::sqrt(minimum);
}

void compareSomePoints(Draw& draw, const Problem& p, const Options& o, const Result& r, Report& report) {
  for (int q = 0; q < 12; ++q) {
    const std::int64_t point = draw.whole(0, p.grid.points() - 1);
    const double expected = distanceByBruteForce(p, o.region, point);
    const double got = std::abs(o.doublePrecision ? r.preciseDistance[point] : double(r.distance[point]));
    if (o.maximumDistance > 0 && std::isfinite(o.maximumDistance)) {
      const double share = expected / o.maximumDistance;
      if (share > 1 + 1e-6) report.expect(std::isinf(got), "a distance beyond the maximum is finite");
      if (share > 1 - 1e-6) continue; // at the limit the result depends on rounding
    }
    const bool right = std::isinf(expected) ? std::isinf(got) : std::abs(expected - got) <= 1e-6 * expected;
    report.expect(right, "distance " + std::to_string(got) + ", brute force " + std::to_string(expected));
  }
}

/// Returns coordinates with steps of different orders of magnitude; rarely two are equal or descend.
grid::OrthogonalGrid::Coordinates anyCoordinates(Draw& draw, const Grid& g) {
  grid::OrthogonalGrid::Coordinates at;
  const double spread = draw.chance(0.5) ? 0.2 : 4, unit = draw.chance(0.8) ? 1 : draw.power(-30, 30);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::int64_t i = 0; i < g.sizes()[a]; ++i)
      at[a].push_back(i == 0 ? draw.real(-10, 10) * unit : at[a].back() + draw.power(-spread, 0) * unit);
  if (draw.chance(0.05)) at[0].back() = at[0].front();
  return at;
}

/// Distances to the level set of random values, of which some are equal to the iso value or no numbers.
void fuzzLevelSet(Draw& draw, Report& report) {
  surface::LevelSet levelSet;
  levelSet.grid = anyGrid(draw, 4000);
  std::vector<double> values(std::size_t(std::max<std::int64_t>(levelSet.grid.points(), 0)));
  const double step = draw.chance(0.5) ? 0.25 : 1e-9, missing = draw.chance(0.3) ? 0.05 : 0;
  const double slope = draw.chance(0.5) ? draw.power(-2, 1) : 0; // smooth or rough
  for (std::size_t i = 0; i < values.size(); ++i) {
    const GridIndex at = levelSet.grid.indices(std::int64_t(i));
    const double smooth = slope * (double(at[0]) + 0.7 * double(at[1]) - 0.4 * double(at[2]) - 5);
    values[i] = step * std::round((smooth + draw.real(-1, 1)) / step);
    if (missing > 0 && draw.chance(missing)) values[i] = draw.wild();
  }
  levelSet.doubles = values;
  levelSet.isoValue = draw.chance(0.7) ? 0 : draw.real(-1, 1);
  levelSet.insideBelow = draw.chance(0.5);
  levelSet.interpolation = surface::Interpolation(draw.whole(0, 1));
  report.describe("level set, " + sizeOf(levelSet.grid));

  surface::Surface surface;
  Problem p;
  p.grid = levelSet.grid;
  p.surface = &surface;
  Options o;
  o.backend = Backend::Host;
  o.region = Region(draw.whole(0, 3));
  o.doublePrecision = o.nearestSite = true;
  if (draw.chance(0.3)) o.maximumDistance = draw.power(-1, 1.5);
  Values<std::uint8_t> inside;
  std::int64_t count = 0;
  Result one, two;
  const auto solve = [&](int threads, Result& result) {
    return report.outcome([&] {
      surface = surface::extractLevelSet(levelSet, threads);
      inside = surface::insideOf(levelSet, threads, count);
      p.sites = inside;
      o.threads = threads;
      result = solveDistanceTransform(p, o, {});
    });
  };
  useInstructionSet("portable");
  const std::string refusal = solve(1, one);
  const char* other = anyInstructionSet(draw);
  useInstructionSet(other);
  const std::string refusal2 = solve(2, two);
  report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.preciseDistance, two.preciseDistance) &&
                    sameBits(one.nearestSite, two.nearestSite),
                std::string("different bits with two threads and ") + other);
  for (int q = 0; q < 12; ++q) {
    const std::int64_t point = draw.whole(0, p.grid.points() - 1);
    const GridIndex at = p.grid.indices(point);
    const Position position{double(at[0]) * p.grid.hx, double(at[1]) * p.grid.hy, double(at[2]) * p.grid.hz};
    double expected = surface::nearestFoot(surface.pieces, position).distance;
    if (o.maximumDistance > 0 && std::abs(expected / o.maximumDistance - 1) < 1e-6) continue;
    if (o.maximumDistance > 0 && expected > o.maximumDistance) expected = infinity;
    const bool isInside = inside[std::size_t(point)] != 0;
    if (o.region == Region::Outside ? isInside : o.region == Region::Inside && !isInside) expected = 0;
    const double got = std::abs(one.preciseDistance[point]);
    const bool right =
        std::isinf(expected) ? std::isinf(got) : std::abs(expected - got) <= 1e-9 * (expected + p.grid.hx);
    report.expect(right, "distance " + std::to_string(got) + ", brute force " + std::to_string(expected));
  }
}

enum class Extra { None, Periodic, Rectilinear };

void solveSites(Draw& draw, Report& report, Extra extra) {
  Problem p;
  p.grid = anyGrid(draw, 8000);
  const double share = draw.chance(0.3) ? 0.001 : draw.chance(0.3) ? 0.97 : draw.real(0, 0.3);
  const std::vector<std::uint8_t> sites = anyMask(draw, p.grid.points(), share);
  p.sites = sites;
  Options o;
  o.backend = Backend::Host;
  o.region = Region(draw.whole(0, 3));
  if (draw.chance(0.2)) o.maximumDistance = draw.chance(0.1) ? draw.wild() : draw.power(-1, 1.5);
  o.doublePrecision = draw.chance(0.4);
  o.squaredDistance = draw.chance(0.5);
  o.nearestSite = draw.chance(0.6);
  o.distance = draw.chance(0.9);
  if (extra == Extra::Periodic)
    for (bool& axis : p.periodic) axis = draw.chance(0.6);
  std::optional<grid::OrthogonalGrid> rectilinear;
  if (extra == Extra::Rectilinear) {
    const std::string refused = report.outcome([&] { rectilinear.emplace(anyCoordinates(draw, p.grid)); });
    if (!refused.empty()) return;
    p.rectilinear = &*rectilinear;
    p.grid = rectilinear->points();
  }
  report.describe(sizeOf(p.grid) + ", region " + std::to_string(int(o.region)) +
                  (extra == Extra::Periodic      ? ", periodic"
                   : extra == Extra::Rectilinear ? ", rectilinear"
                                                 : ""));

  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  Result one, two;
  o.threads = 1, useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = solveDistanceTransform(p, o, monitor); });
  if (monitor.progress) return;
  const char* other = anyInstructionSet(draw);
  o.threads = 2, useInstructionSet(other);
  const std::string refusal2 = report.outcome([&] { two = solveDistanceTransform(p, o, monitor); });
  report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.distance, two.distance) && sameBits(one.preciseDistance, two.preciseDistance) &&
                    sameBits(one.squaredDistance, two.squaredDistance) &&
                    sameBits(one.nearestSite, two.nearestSite),
                std::string("different bits with two threads and ") + other);
  if (!o.distance) return;
  compareSomePoints(draw, p, o, one, report);
  std::vector<Position> tips;
  for (int t = 0; t < 5; ++t) tips.push_back(anyPosition(draw, p.grid));
  report.outcome([&] {
    const std::vector<Segment> segments = nearestSites(p, o, one, tips);
    report.expect(segments.size() == tips.size(), "the number of segments differs from the number of tips");
    for (const Segment& s : segments)
      report.expect(s.status != Segment::Status::Found || s.distance >= 0, "a segment of negative length");
  });
}

} // namespace

void fuzzDistance(Draw& draw, Report& report) {
  if (draw.chance(0.3)) return fuzzLevelSet(draw, report);
  solveSites(draw, report, Extra::None);
}
void fuzzPeriodicDistance(Draw& draw, Report& report) { solveSites(draw, report, Extra::Periodic); }
void fuzzRectilinear(Draw& draw, Report& report) { solveSites(draw, report, Extra::Rectilinear); }

} // namespace isochrone::fuzz
