#include "CurvaturePaths/CurvaturePaths.h"
#include "Fuzz.h"
#include "Reference/CurvatureReference.h"

#include <algorithm>

namespace isochrone::fuzz {

namespace {

using namespace curvature;

struct Medium {
  std::vector<float> cost, radius, shift;
  std::vector<std::uint8_t> walls;
};

State anyState(Draw& draw, const ImageGrid& g) {
  const Position at = anyPosition(draw, g);
  State s;
  s.x = at[0], s.y = at[1];
  s.anyHeading = draw.chance(0.5);
  s.heading = draw.chance(0.03) ? draw.wild() : draw.real(-10, 10);
  return s;
}

void addMedium(Draw& draw, Problem& p, Medium& memory) {
  const std::int64_t points = p.grid.nx * p.grid.ny;
  const double h = std::max(p.grid.hx, p.grid.hy);
  if (draw.chance(0.7)) {
    const std::int64_t size = draw.chance(0.3) ? points * p.grid.headings : points;
    const int kind = draw.number(0, 3);
    p.cost.values = memory.cost = anyMedium(draw, size, kind);
  } else {
    p.cost.constant = draw.chance(0.04) ? draw.wild() : draw.power(-2, 2);
  }
  p.turningRadius.constant = draw.chance(0.04)  ? draw.wild()
                             : draw.chance(0.2) ? h * draw.power(-8, 8)
                                                : h * draw.power(-1, 1.5);
  if (draw.chance(0.15)) {
    memory.radius = anyMedium(draw, points, 1);
    for (float& radius : memory.radius) radius *= float(h * 2);
    p.turningRadius.values = memory.radius;
  }
  p.curvatureShift.constant = 0;
  if (draw.chance(0.2)) p.curvatureShift.constant = draw.chance(0.1) ? draw.wild() : draw.normal() / h;
  if (draw.chance(0.1)) {
    memory.shift = anyMedium(draw, points, 1);
    for (float& shift : memory.shift) shift *= float(draw.normal() / h);
    p.curvatureShift.values = memory.shift;
  }
  if (draw.chance(0.4)) {
    const double share = draw.real(0, 0.4);
    p.walls = memory.walls = anyMask(draw, points, share);
  }
}

void checkPaths(const std::vector<Path>& one, const std::vector<Path>& two, Report& report) {
  for (std::size_t k = 0; k < one.size(); ++k) {
    report.expect(sameBits(one[k].x, two[k].x), "different bits of a path with two threads");
    report.expectFinite(one[k].x, "a path is");
  }
}

void fuzzRoundTrip(Draw& draw, const Problem& p, Options o, const Monitor& monitor,
                   std::span<const State> tips, Report& report) {
  RoundTrip one, two;
  o.stopAt.clear();
  o.threads = 1, useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = solveRoundTrip(p, o, monitor); });
  if (monitor.progress) return;
  o.threads = 2, useInstructionSet(anyInstructionSet(draw));
  const std::string refusal2 = report.outcome([&] { two = solveRoundTrip(p, o, monitor); });
  report.expect(refusal == refusal2, "round trip refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.out.travelTime, two.out.travelTime) &&
                    sameBits(one.back.travelTime, two.back.travelTime),
                "different bits of a round trip with two threads");
  report.outcome([&] {
    reduceToPlane(p, one, 2);
    checkPaths(extractPaths(p, one, tips, 1), extractPaths(p, one, tips, 2), report);
  });
}

void checkSensitivity(Draw& draw, const Problem& p, const Result& r, std::span<const State> tips,
                      Report& report) {
  std::vector<WeightedTip> weighted;
  for (const State& tip : tips) weighted.push_back({tip, draw.real(0, 2)});
  SensitivityOptions o;
  o.backend = Backend::Host;
  o.radiusAndShift = draw.chance(0.5);
  report.outcome([&] {
    o.threads = 1;
    const auto one = differentiate(p, r, weighted, o, {});
    o.threads = 2;
    const auto two = differentiate(p, r, weighted, o, {});
    report.expect(sameBits(one.cost, two.cost), "different bits of a sensitivity with two threads");
    report.expectFinite(one.cost, "a sensitivity is");
  });
}

/// Compares with heap marching in double precision. The scheme is the same, so the times agree up to
/// rounding.
void compareWithReference(const Problem& p, const Result& r, Report& report) {
  const std::vector<double> expected = reference::march(p);
  double latest = 0, worst = 0;
  bool sameReach = true;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    sameReach &= std::isfinite(expected[n]) == std::isfinite(double(r.travelTime[n]));
    if (!std::isfinite(expected[n])) continue;
    latest = std::max(latest, std::abs(expected[n]));
    worst = std::max(worst, std::abs(expected[n] - r.travelTime[n]));
  }
  report.expect(sameReach, "the reference reaches different states");
  report.expect(!(worst > 1e-3 * latest),
                "the reference is " + std::to_string(worst) + " off, of " + std::to_string(latest));
}

double minOf(const Field& field) {
  double minimum = field.values.empty() ? field.constant : infinity;
  for (const float value : field.values) minimum = value > 0 ? std::min(minimum, double(value)) : minimum;
  return minimum;
}

double largestOf(const Field& field) {
  double largest = field.values.empty() ? std::abs(field.constant) : 0;
  for (const float value : field.values) largest = std::max(largest, std::abs(double(value)));
  return largest;
}

/// Returns whether rounding of a start far from 0 affects the residual. The filter makes start values
/// relative to the earliest one, and warns about seeds whose start is blurred.
bool startsAreRounded(const Problem& p) {
  constexpr double share = 1e-4, half = std::numeric_limits<float>::epsilon() / 2; // of the shortest step
  const double rate = 1 / minOf(p.turningRadius) + largestOf(p.curvatureShift);
  const double turn = p.grid.headingStep() / rate;
  const double shortest = minOf(p.cost) * std::min({p.grid.hx, p.grid.hy, turn});
  return std::ranges::any_of(p.seeds, [&](const Seed& s) {
    return place(p, s.state).status == Placement::Status::Inside &&
           std::abs(s.startValue) * half > share * shortest;
  });
}

/// Returns whether single precision suffices for the costs, radii, shifts and spacings.
bool isTame(const Problem& p) {
  const double h = std::max(p.grid.hx, p.grid.hy), radius = p.turningRadius.constant / h;
  return within(p.cost.values, 1e-2, 1e2) && p.cost.constant > 1e-3 && p.cost.constant < 1e3 &&
         radius > 0.1 && radius < 40 && p.turningRadius.values.empty() && p.curvatureShift.values.empty() &&
         std::abs(p.curvatureShift.constant) * h < 2 && h > 1e-3 && h < 1e3 &&
         std::min(p.grid.hx, p.grid.hy) > h / 4 && p.relaxation > 0.05 &&
         std::ranges::all_of(p.seeds, [](const Seed& s) { return std::abs(s.startValue) < 100; });
}

void solveAny(Draw& draw, Report& report, bool periodic) {
  Problem p;
  Medium memory;
  ImageGrid g = anyGrid(draw, 500);
  g.ny = std::min<std::int64_t>(g.ny * g.nz, 60);
  p.grid.nx = g.nx, p.grid.ny = g.ny, p.grid.hx = g.hx, p.grid.hy = g.hy;
  p.grid.headings = draw.chance(0.04) ? draw.number(-1, 4) : draw.number(4, 24);
  p.model = Model(draw.whole(0, 3));
  p.accuracy = Accuracy(draw.chance(0.5) ? 0 : draw.whole(0, 2));
  p.relaxation = draw.chance(0.03) ? draw.wild() : draw.real(0.02, 0.5);
  addMedium(draw, p, memory);
  const int seeds = draw.chance(0.03) ? 0 : draw.number(1, 3);
  for (int s = 0; s < seeds; ++s) {
    const State state = anyState(draw, g);
    p.seeds.push_back({state, draw.chance(0.2) ? draw.normal() : draw.chance(0.02) ? draw.wild() : 0});
  }
  std::vector<State> tips;
  for (int t = 0; t < 3; ++t) tips.push_back(anyState(draw, g));
  Options o;
  o.backend = Backend::Host;
  if (draw.chance(0.15)) o.stopAt = {tips[0]};
  const bool roundTrip = draw.chance(0.15);
  if (periodic)
    for (bool& axis : p.periodic) axis = draw.chance(0.7);
  report.describe(sizeOf(g) + (isPeriodic(p) ? ", periodic, " : ", ") + std::to_string(p.grid.headings) +
                  " headings, model " + std::to_string(int(p.model)) + ", accuracy " +
                  std::to_string(int(p.accuracy)) + ", radius " + std::to_string(p.turningRadius.constant));
  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  if (roundTrip) return fuzzRoundTrip(draw, p, o, monitor, tips, report);

  Result one, two;
  o.threads = 1, useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = solveCurvaturePaths(p, o, monitor); });
  if (monitor.progress) return;
  const char* other = anyInstructionSet(draw);
  o.threads = 2, useInstructionSet(other);
  const std::string refusal2 = report.outcome([&] { two = solveCurvaturePaths(p, o, monitor); });
  report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.travelTime, two.travelTime),
                std::string("different bits with two threads and ") + other);
  report.expectTimes(one.travelTime);
  PlanarResult plane;
  report.outcome([&] {
    plane = reduceToPlane(p, one, 1);
    const PlanarResult again = reduceToPlane(p, one, 2);
    report.expect(sameBits(plane.travelTime, again.travelTime) && sameBits(plane.seed, again.seed) &&
                      sameBits(plane.heading, again.heading),
                  "different bits of the plane with two threads");
  });
  if (p.accuracy == Accuracy::FirstOrder && o.stopAt.empty()) {
    const double residual = curvature::residual(p, one, 2);
    report.expect(residual <= 1e-3 || startsAreRounded(p), "residual " + std::to_string(residual));
    if (isTame(p) && !isPeriodic(p) && p.grid.nx * p.grid.ny <= 300) compareWithReference(p, one, report);
  }
  report.outcome([&] { checkPaths(extractPaths(p, one, tips, 1), extractPaths(p, one, tips, 2), report); });
  if (draw.chance(0.2)) checkSensitivity(draw, p, one, tips, report);
  if (!draw.chance(0.2)) return;
  o.startCache = makeStartCache(); // shared by the runs
  const auto solveOne = [&](std::int64_t seed, int threads) {
    Problem alone = p;
    Options mine = o;
    alone.seeds = {p.seeds[std::size_t(seed)]};
    mine.threads = threads;
    const Result result = solveCurvaturePaths(alone, mine, {});
    std::string bits = bitsOf(result.travelTime);
    for (const Path& path : extractPaths(alone, result, tips, threads)) bits += bitsOf(path.x);
    return bits;
  };
  expectSameRuns(std::ssize(p.seeds), solveOne, report);
}

} // namespace

void fuzzCurvature(Draw& draw, Report& report) { solveAny(draw, report, false); }
void fuzzPeriodicCurvature(Draw& draw, Report& report) { solveAny(draw, report, true); }

} // namespace isochrone::fuzz
