#include "Fuzz.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "Kernels/ImageTravelTime/ImageHostTiles.h"
#include "Reference/ImageTravelTimeReference.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

namespace isochrone::fuzz {

namespace {

using namespace image;

struct Medium {
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> regions;
  std::vector<float> drift;
  Tilt tilt;
};

/// Returns a rotation by three angles, in a plane by one.
std::array<std::array<double, 3>, 3> anyRotation(Draw& draw, bool plane) {
  double c[3], s[3];
  for (int a = 0; a < 3; ++a) {
    const double angle = draw.real(0, 6.28);
    c[a] = std::cos(angle), s[a] = std::sin(angle);
    if (plane && a > 0) c[a] = 1, s[a] = 0;
  }
  return {{{c[0] * c[1], c[0] * s[1] * s[2] - s[0] * c[2], c[0] * s[1] * c[2] + s[0] * s[2]},
           {s[0] * c[1], s[0] * s[1] * s[2] + c[0] * c[2], s[0] * s[1] * c[2] - c[0] * s[2]},
           {-s[1], c[1] * s[2], c[1] * c[2]}}};
}

/// Adds tensors with random axes and eigenvalues, constant or varying; rarely with an invalid number.
/// @return an upper bound of the ratio of the speeds
double addTensors(Draw& draw, const Grid& g, std::vector<float>& speed) {
  const bool plane = g.nz == 1;
  const double anisotropy = draw.power(0, draw.chance(0.5) ? 1.5 : 4);
  const bool same = draw.chance(0.3);
  constexpr int indices[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  std::array<std::array<double, 3>, 3> axes{};
  double value[3] = {1, 1, 1};
  for (std::int64_t p = 0; p < g.points(); ++p) {
    if (!same || p == 0) {
      axes = anyRotation(draw, plane);
      for (int a = 1; a < 3; ++a) value[a] = std::pow(anisotropy, draw.real(0, 2));
    }
    for (const auto& [i, j] : indices) {
      if (plane && (i == 2 || j == 2)) continue;
      double sum = 0;
      for (int a = 0; a < 3; ++a) sum += axes[i][a] * value[a] * axes[j][a];
      speed.push_back(float(sum));
    }
    if (draw.chance(0.01)) {
      const double bad = draw.chance(0.8) ? notANumber : draw.wild();
      speed[speed.size() - 1 - std::size_t(draw.whole(0, plane ? 2 : 5))] = float(bad);
    }
  }
  return anisotropy;
}

/// Draws speed, barriers and seeds. Returns their description.
std::string addMedium(Draw& draw, int kind, Problem& p, Medium& memory) {
  const std::int64_t points = p.grid.points();
  std::string words = "speed";
  if (kind >= 6) {
    p.speedType = kind % 2 ? SpeedType::MetricTensor : SpeedType::SquaredVelocityTensor;
    words = "tensors up to 1:" + std::to_string(addTensors(draw, p.grid, memory.speed));
  } else {
    p.speedType = kind % 2 ? SpeedType::Slowness : SpeedType::Speed;
    if (draw.chance(0.85)) {
      const int medium = draw.number(0, 6);
      memory.speed = anyMedium(draw, points, medium);
    }
    p.constantSpeed = draw.chance(0.05) ? draw.wild() : draw.power(-2, 2);
    if (p.speedType == SpeedType::Slowness)
      std::replace(memory.speed.begin(), memory.speed.end(), 0.f, float(infinity));
  }
  if (draw.chance(0.5)) {
    const double share = draw.chance(0.2) ? 0.55 : draw.real(0, 0.4);
    memory.barriers = anyMask(draw, points, share);
  }
  const int seeds = draw.chance(0.03) ? 0 : draw.chance(0.1) ? draw.number(5, 200) : draw.number(1, 4);
  for (int s = 0; s < seeds; ++s) {
    const Position at = anyPosition(draw, p.grid);
    const double start = draw.chance(0.3) ? draw.normal() * 10 : draw.chance(0.02) ? draw.wild() : 0;
    p.seeds.push_back({at, start, false});
  }
  if (draw.chance(0.1) && seeds && points > 0) {
    memory.regions.assign(std::size_t(points), -1);
    for (std::int32_t& region : memory.regions)
      if (draw.chance(0.05)) region = 0;
    p.seeds[0].isRegion = true;
    if (draw.chance(0.02)) memory.regions[0] = draw.number(-5, 300);
  }
  p.speed = memory.speed, p.barriers = memory.barriers, p.seedRegions = memory.regions;
  return words;
}

/// Adds a drift of up to a share of the speed, constant, in whirls or rough; rarely with an invalid number.
std::string addDrift(Draw& draw, Problem& p, Medium& memory) {
  const Grid& g = p.grid;
  const int axes = g.nz == 1 ? 2 : 3, ofTensor = g.nz == 1 ? 3 : 6,
            all = p.speedType >= SpeedType::MetricTensor ? ofTensor : 1;
  const int components =
      std::int64_t(p.speed.size()) == all * g.points() ? all : 0; // 0: none, or a wrong number
  const double share = draw.chance(0.3) ? 1 - draw.power(-5, -0.5) : draw.real(0, 0.9);
  const int kind = draw.number(0, 2);
  const double turn = draw.real(0, 6.28);
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const auto [i, j, k] = g.indices(n);
    double v[3], length = 0;
    for (int a = 0; a < 3; ++a) {
      const double phase = kind == 0   ? 2. * a
                           : kind == 1 ? 0.2 * double(i - 2 * j + 3 * k) + 2 * a
                                       : draw.real(0, 6.28);
      v[a] = a < axes ? std::cos(turn + phase) : 0, length += v[a] * v[a];
    }
    // The minimum speed of a tensor in any direction.
    double slowest = 1;
    if (components == 0 || components == 1) {
      const double value = components == 0 ? p.constantSpeed : double(p.speed[std::size_t(n)]);
      slowest = p.speedType == SpeedType::Slowness ? 1 / value : value;
    } else if (p.speedType == SpeedType::MetricTensor) {
      double trace = 0;
      for (int a = 0; a < axes; ++a) trace += p.speed[std::size_t(n * components + a)];
      slowest = 1 / std::sqrt(trace);
    }
    const double size = share * (kind == 2 ? draw.real(0, 1) : 1) * slowest / std::sqrt(length);
    for (int a = 0; a < axes; ++a) {
      const bool bad = draw.chance(0.0005);
      memory.drift.push_back(bad ? float(draw.chance(0.8) ? notANumber : draw.wild()) : float(size * v[a]));
    }
  }
  p.drift = memory.drift;
  p.towardsSeeds = draw.chance(0.5);
  return ", drift up to " + std::to_string(share) + " of kind " + std::to_string(kind);
}

/// Returns n coordinates in increasing order, in a range.
std::vector<double> anyCoordinates(Draw& draw, std::int64_t n, double low, double high) {
  const double ratio = draw.power(0, draw.chance(0.2) ? 3 : 1);
  std::vector<double> at{0};
  for (std::int64_t i = 1; i < n; ++i) at.push_back(at.back() + std::pow(ratio, draw.real()));
  const double last = at.back();
  for (double& x : at) x = n > 1 ? low + (high - low) * x / last : low;
  return at;
}

/// Makes the grid rectilinear or spherical; rarely with a bad coordinate, which throws.
std::string addAxes(Draw& draw, Problem& p, std::unique_ptr<grid::OrthogonalGrid>& axes) {
  std::array<std::int64_t, 3> size{p.grid.nx, p.grid.ny, p.grid.nz};
  const bool spherical = draw.chance(0.6);
  const double scale = draw.chance(0.9) ? 1 : draw.power(-6, 6);
  grid::OrthogonalGrid::Coordinates at;
  for (std::size_t a = 0; a < 3; ++a)
    at[a] = anyCoordinates(draw, size[a], draw.real(-3, 0) * scale, draw.real(1, 9) * scale);
  if (spherical) {
    const double pole = draw.chance(0.5) ? 0 : draw.real(1, 60),
                 other = draw.chance(0.5) ? 180 : draw.real(90, 179);
    const double first = draw.real(-360, 180), round = draw.chance(0.6) ? 360 : draw.real(20, 350);
    const bool copy = draw.chance(0.5);
    at[0] = anyCoordinates(draw, size[0], draw.chance(0.3) ? 0 : draw.real(0.1, 4) * scale,
                           draw.real(5, 9) * scale);
    at[1] = anyCoordinates(draw, size[1], pole, other);
    const double n = double(std::max<std::int64_t>(size[2], 2));
    at[2] = anyCoordinates(draw, size[2], first, first + (copy ? round : round * (n - 1) / n));
  }
  if (draw.chance(0.03)) {
    std::vector<double>& any = at[std::size_t(draw.whole(0, 2))];
    if (!any.empty()) draw.spoil(any, std::int64_t(any.size()));
  }
  axes = std::make_unique<grid::OrthogonalGrid>(std::move(at), spherical ? grid::OrthogonalGrid::spherical
                                                                         : grid::OrthogonalGrid::cartesian);
  p.orthogonal = axes.get();
  return spherical ? ", spherical" : ", rectilinear";
}

void compareWithReference(const Problem& p, std::span<const float> times, Report& report) {
  const std::vector<double> expected = reference::march(p);
  double earliest = infinity, latest = -infinity, worst = 0;
  bool sameReach = true;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    sameReach &= std::isfinite(expected[n]) == std::isfinite(double(times[n]));
    if (!std::isfinite(expected[n])) continue;
    earliest = std::min(earliest, expected[n]), latest = std::max(latest, expected[n]);
    worst = std::max(worst, std::abs(expected[n] - times[n]));
  }
  report.expect(sameReach, "the reference reaches different points");
  const double scale = std::max({std::abs(earliest), std::abs(latest), latest - earliest});
  report.expect(!(worst > 2e-5 * scale),
                "the reference is " + std::to_string(worst) + " off, of " + std::to_string(scale));
}

/// Returns whether a point is a barrier.
bool isClosed(const Problem& p, std::int64_t point) {
  const float v = p.speed.empty() ? 1 : p.speed[std::size_t(point)];
  return !(v > 0) || std::isinf(v) || (!p.barriers.empty() && p.barriers[std::size_t(point)]);
}

/// Returns whether a seed lies in the image and is more than a step away from barriers. It then starts all
/// corners of its cell, as in the reference.
bool startsFreely(const Problem& p, const Seed& seed) {
  const Grid& g = p.grid;
  const double h[3] = {g.hx, g.hy, g.hz};
  const std::int64_t n[3] = {g.nx, g.ny, g.nz};
  std::int64_t low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    const double at = seed.at[std::size_t(a)] / h[a];
    if (!(at >= 0 && at <= double(n[a] - 1))) return false;
    low[a] = std::max<std::int64_t>(0, std::int64_t(at) - 1);
    high[a] = std::min<std::int64_t>(n[a] - 1, std::int64_t(at) + 2);
  }
  for (std::int64_t k = low[2]; k <= high[2]; ++k)
    for (std::int64_t j = low[1]; j <= high[1]; ++j)
      for (std::int64_t i = low[0]; i <= high[0]; ++i)
        if (isClosed(p, g.index(i, j, k))) return false;
  return true;
}

/// Returns whether double precision suffices for the numbers, and the reference starts the seeds alike.
bool isTame(const Problem& p) {
  const auto moderate = [](double x) { return x > 1e-4 && x < 1e4; };
  const auto simple = [&](const Seed& s) {
    return !s.isRegion && std::abs(s.startValue) < 1e3 && startsFreely(p, s);
  };
  return within(p.speed, 1e-4, 1e4) && (!p.speed.empty() || moderate(p.constantSpeed)) &&
         moderate(p.grid.hx) && moderate(p.grid.hy) && moderate(p.grid.hz) &&
         std::ranges::all_of(p.seeds, simple);
}

void checkPaths(const Problem& p, std::span<const float> times, std::span<const Position> tips,
                Report& report) {
  report.outcome([&] {
    const std::vector<Path> one = extractPaths(p, times, tips, 1), two = extractPaths(p, times, tips, 2);
    report.expect(one.size() == tips.size(), "the number of paths differs from the number of tips");
    for (std::size_t k = 0; k < one.size(); ++k) {
      report.expect(sameBits(one[k].x, two[k].x) && sameBits(one[k].y, two[k].y),
                    "different bits of a path with two threads");
      report.expectFinite(one[k].x, "a path is");
      report.expect(std::ranges::is_sorted(one[k].travelTime), "the time decreases along a path");
    }
  });
}

/// Checks the rows of the Jacobian against the derivatives of their sum with the weights 1, 2, ...
void checkJacobian(const Problem& p, const Result& r, std::span<const Position> tips, SensitivityOptions o,
                   const Sensitivities& all, Report& report) {
  o.threads = 1;
  const TimeMatrix one = differentiateEach(p, r.travelTime, tips, o).matrix;
  o.threads = 2;
  const TimeMatrix two = differentiateEach(p, r.travelTime, tips, o).matrix;
  report.expect(one.row == two.row && one.element == two.element && sameBits(one.weight, two.weight),
                "different bits of a Jacobian with two threads");
  const bool tensors =
      p.speedType == SpeedType::MetricTensor || p.speedType == SpeedType::SquaredVelocityTensor;
  const std::size_t components = !tensors ? 1 : p.grid.nz == 1 ? 3 : 6;
  std::vector<double> rest(all.speed.size() / components, 0), size(rest.size(), 0); // of slownesses
  for (std::size_t n = 0; n < all.speed.size(); ++n) {
    if (all.speed[n] == 0) continue;
    const double value = p.speed.empty() ? p.constantSpeed : double(p.speed[n]);
    const double perSlowness = p.speedType == SpeedType::Slowness       ? 1
                               : p.speedType == SpeedType::Speed        ? -value * value
                               : p.speedType == SpeedType::MetricTensor ? 2 * value
                                                                        : -2 * value;
    rest[n / components] += perSlowness * all.speed[n];
    size[n / components] += std::abs(perSlowness * all.speed[n]);
  }
  for (std::size_t t = 0; t < tips.size(); ++t)
    for (auto n = std::size_t(one.row[t]); n < std::size_t(one.row[t + 1]); ++n) {
      const double term = double(t + 1) * one.weight[n];
      rest[std::size_t(one.element[n])] -= term;
      size[std::size_t(one.element[n])] += std::abs(term);
    }
  const double largest = rest.empty() ? 0 : *std::ranges::max_element(size);
  for (std::size_t n = 0; n < rest.size(); ++n)
    report.expect(std::abs(rest[n]) <= 1e-9 * largest,
                  "rows of the Jacobian do not add up to the sensitivity");
}

/// Also of problems whose derivatives are refused.
void checkSensitivity(const Problem& p, const Options& solved, const Result& r,
                      std::span<const Position> tips, Report& report) {
  std::vector<WeightedTip> weighted;
  double sum = 0;
  for (const Position& tip : tips) weighted.push_back({tip, 1 + double(weighted.size())});
  SensitivityOptions o;
  o.factoring = solved.factoring, o.order = solved.order;
  report.outcome([&] {
    o.threads = 1;
    const Sensitivities one = differentiate(p, r.travelTime, weighted, o);
    o.threads = 2;
    const Sensitivities two = differentiate(p, r.travelTime, weighted, o);
    report.expect(sameBits(one.speed, two.speed) && one.objective == two.objective,
                  "different bits of a sensitivity with two threads");
    report.expectFinite(one.speed, "a sensitivity is");
    for (std::size_t t = 0; t < weighted.size(); ++t)
      if (one.tips[t].point >= 0) sum += weighted[t].weight;
    sum = std::accumulate(one.startValue.begin(), one.startValue.end(), one.lostWeight - sum);
    report.expect(std::abs(sum) < 1e-9, "weights differ by " + std::to_string(sum) + " at tips and seeds");
    checkJacobian(p, r, tips, o, one, report);
  });
}

/// Solves by the tile kernels on the host, on periodic axes, a rectilinear or a spherical grid, too.
Result solveByTiles(const Problem& p, Options options) {
  execution::HostDevice device{1};
  Result result;
  const auto solve = [&](const Problem& problem) {
    SolverInput input(problem, options);
    problem.orthogonal    ? solveOrthogonalTiles(device, input, {}, result)
    : hasTensors(problem) ? solveTensorTiles(device, input, {}, result)
                          : solveTiles(device, input, {}, result);
  };
  if (isOpenCircle(p)) {
    const ClosedProblem closed(p);
    solve(closed.problem());
    closed.crop(result.travelTime);
  } else if (isPeriodic(p)) {
    const Problem effective = withoutZeroDrift(p);
    const PeriodicProblem periodic(effective, *stencilReach(effective, 1, {}), true);
    solve(periodic.problem());
    periodic.part().crop(result.travelTime);
  } else {
    solve(p);
  }
  return result;
}

/// Solves by the tile kernels, too, and compares the times.
void compareWithTiles(const Problem& p, const Options& options, const Result& host, Report& report) {
  const std::span<const float> times = host.travelTime;
  Result tiles;
  const std::string refusal = report.outcome([&] { tiles = solveByTiles(p, options); });
  report.expect(refusal.empty(), "the tile kernels refuse what the host solves: " + refusal);
  if (tiles.travelTime.size() != times.size()) return;
  double earliest = infinity, latest = -infinity, worst = 0;
  bool sameReach = true;
  for (std::size_t n = 0; n < times.size(); ++n) {
    const double a = times[n], b = tiles.travelTime[n];
    sameReach &= std::isfinite(a) == std::isfinite(b);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    earliest = std::min(earliest, a), latest = std::max(latest, a);
    worst = std::max(worst, std::abs(a - b));
  }
  report.expect(sameReach, "the tile kernels reach different points");
  const double scale = std::max({std::abs(earliest), std::abs(latest), latest - earliest});
  // Near the speed of the drift, rounding grows with the one-form (DESIGN.md).
  const double share = host.largestDrift > 0.9 ? 2e-4 : 1e-5;
  report.expect(!(worst > share * scale),
                "the tile kernels are " + std::to_string(worst) + " off, of " + std::to_string(scale));
}

} // namespace

namespace {

enum class Extra { None, Drift, Tilt, Axes };

void solveAny(Draw& draw, Report& report, Extra extra, bool periodic = false) {
  Problem p;
  Medium memory;
  const bool drifts = extra == Extra::Drift, tilted = extra == Extra::Tilt;
  const bool onAxes = extra == Extra::Axes;
  const int kind = onAxes   ? draw.number(0, 5)
                   : tilted ? 2 * draw.number(0, 2)
                            : draw.number(0, 9); // tilted media have speeds
  const bool tensors = kind >= 6;
  p.grid = anyGrid(draw, tensors || tilted ? 500 : 4000);
  if (onAxes) p.grid.hx = p.grid.hy = p.grid.hz = 1; // positions are in grid steps
  std::string words = addMedium(draw, kind, p, memory);
  Options o;
  o.backend = Backend::Host;
  o.factoring = tensors && draw.chance(0.9) ? SourceFactoring::Off : SourceFactoring(draw.whole(0, 2));
  o.order = draw.chance(0.25) ? 2 : 1;
  if (draw.chance(0.01)) o.order = draw.number(-1, 5);
  if (draw.chance(0.15)) o.stoppingTime = draw.chance(0.05) ? draw.wild() : draw.power(-1, 2);
  std::vector<Position> tips;
  for (int t = 0; t < 5; ++t) tips.push_back(anyPosition(draw, p.grid));
  if (draw.chance(0.15)) o.stopAt = {tips[0], tips[1]};
  o.seedIds = draw.chance(0.5);
  o.updateCounts = draw.chance(0.2);
  if (drifts) {
    words += addDrift(draw, p, memory);
  }
  if (tilted) {
    memory.tilt = anyTilt(draw, p.grid, p.grid.points());
    p.speedType = SpeedType::TiltedTransverse, p.thomsen = memory.tilt.arrays();
    words += memory.tilt.words;
  }
  std::unique_ptr<grid::OrthogonalGrid> axes;
  if (onAxes) {
    const std::string refused = report.outcome([&] { words += addAxes(draw, p, axes); });
    if (!refused.empty()) return;
  }
  if (extra != Extra::None && draw.chance(0.98)) o.order = 1, o.factoring = SourceFactoring(draw.whole(0, 1));
  if (periodic) {
    for (bool& axis : p.periodic) axis = draw.chance(0.6);
    if (draw.chance(0.98)) o.order = 1, o.factoring = SourceFactoring(draw.whole(0, 1));
    words += ", periodic";
  }
  report.describe(sizeOf(p.grid) + ", " + words + ", factoring " + std::to_string(int(o.factoring)) +
                  ", order " + std::to_string(o.order));

  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  Result one, two;
  o.threads = 1, useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = solveImageTravelTime(p, o, monitor); });
  if (monitor.progress) return;
  const char* other = anyInstructionSet(draw);
  o.threads = 2, useInstructionSet(other);
  const std::string refusal2 = report.outcome([&] { two = solveImageTravelTime(p, o, monitor); });
  report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.travelTime, two.travelTime) && sameBits(one.seed, two.seed),
                std::string("different bits with two threads and ") + other);
  report.expectTimes(one.travelTime);
  const bool plain = o.factoring == SourceFactoring::Off && o.order == 1 && o.stopAt.empty();
  if (plain && o.stoppingTime == 0) {
    const double residual = image::residual(p, one.travelTime, 2);
    // The weights of a tilted medium are differences in single precision.
    report.expect(residual <= (drifts ? 1e-4 : tilted ? 1e-5 : 2e-6), "residual " + std::to_string(residual));
    if (!tensors && !periodic && extra == Extra::None && isTame(p))
      compareWithReference(p, one.travelTime, report);
  }
  p.reach = one.reach; // which takes as long to find as a solve
  if ((tilted || onAxes || periodic) && o.stopAt.empty() && o.stoppingTime == 0)
    compareWithTiles(p, o, one, report);
  checkPaths(p, one.travelTime, tips, report);
  checkSensitivity(p, o, one, tips, report);
  const std::string retaken = report.outcome([&] {
    report.expect(sameBits(takeTravelTime(p, o, one.travelTime, {}).seed, one.seed),
                  "other seeds of the same times");
    const std::vector<FactoringBall> balls = factoringBalls(p, one);
    report.expect(sameBits(gradient(p, one, balls, 1), gradient(p, one, balls, 2)),
                  "different bits of the factored gradient with two threads");
  });
  report.expect(retaken.empty(), "solved, but not taken: " + retaken);
  report.outcome([&] {
    report.expect(sameBits(gradient(p, one.travelTime, 1), gradient(p, one.travelTime, 2)),
                  "different bits of the gradient with two threads");
    const TwoWay a = combine(p, one.travelTime, two.travelTime, 1),
                 b = combine(p, one.travelTime, two.travelTime, 2);
    report.expect(sameBits(a.time, b.time) && a.meeting == b.meeting,
                  "different bits of two fronts combined");
  });
  if (periodic || !draw.chance(0.2)) return; // periodic axes take longest
  o.seedIds = false;
  const auto solveOne = [&](std::int64_t seed, int threads) {
    Problem alone = p;
    Options mine = o;
    alone.seeds = {p.seeds[std::size_t(seed)]};
    mine.threads = threads;
    const Result result = solveImageTravelTime(alone, mine, {});
    alone.reach = result.reach;
    std::string bits = bitsOf(result.travelTime);
    for (const Path& path : extractPaths(alone, result.travelTime, tips, threads))
      bits += bitsOf(path.travelTime);
    return bits;
  };
  expectSameRuns(std::ssize(p.seeds), solveOne, report);
}

} // namespace

void fuzzImage(Draw& draw, Report& report) { solveAny(draw, report, Extra::None); }
void fuzzDrift(Draw& draw, Report& report) { solveAny(draw, report, Extra::Drift); }
void fuzzTilted(Draw& draw, Report& report) { solveAny(draw, report, Extra::Tilt); }
void fuzzAxes(Draw& draw, Report& report) { solveAny(draw, report, Extra::Axes); }
void fuzzPeriodicImage(Draw& draw, Report& report) { solveAny(draw, report, Extra::None, true); }
void fuzzPeriodicDrift(Draw& draw, Report& report) { solveAny(draw, report, Extra::Drift, true); }
void fuzzPeriodicTilted(Draw& draw, Report& report) { solveAny(draw, report, Extra::Tilt, true); }

} // namespace isochrone::fuzz
