#include "Fuzz.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "Reference/MeshReference.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace isochrone::fuzz {

namespace {

using namespace mesh;

/// The memory of a problem, and measures of its difficulty.
struct Memory {
  std::vector<double> points;
  std::vector<float> singlePoints, speed, fibre, sheet, tensor;
  std::vector<std::int64_t> cells;
  std::vector<std::uint8_t> hidden;
  std::array<int, 3> cubes{};
  double jitter = 0, scale = 1, flatness = 1, ratio = 1;
  bool badCells = false; ///< some have invalid vertex indices
};

/// Adds cubes of six tetrahedra each; leaves some out, replaces some by triangles, and makes some degenerate.
void addCells(Draw& draw, bool triangles, Memory& m) {
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const auto number = [&](const std::array<int, 3>& at) {
    return at[0] + (m.cubes[0] + 1) * (at[1] + std::int64_t(m.cubes[1] + 1) * at[2]);
  };
  for (int cube = 0; cube < m.cubes[0] * m.cubes[1] * m.cubes[2]; ++cube)
    for (const auto& order : orders) {
      if (draw.chance(0.05)) continue;
      std::array<int, 3> corner{cube % m.cubes[0], cube / m.cubes[0] % m.cubes[1],
                                cube / (m.cubes[0] * m.cubes[1])};
      std::array<std::int64_t, 4> cell{number(corner)};
      for (int s = 0; s < 3; ++s) ++corner[std::size_t(order[s])], cell[std::size_t(s) + 1] = number(corner);
      if (triangles && draw.chance(0.7)) cell[3] = -1;
      if (draw.chance(0.01)) {
        const std::int64_t same = cell[std::size_t(draw.whole(0, 2))];
        cell[std::size_t(draw.whole(0, 2))] = same;
      }
      if (draw.chance(0.00005)) {
        const std::int64_t bad = draw.whole(-3, 100000);
        cell[std::size_t(draw.whole(0, 3))] = bad;
        m.badCells = true;
      }
      m.cells.insert(m.cells.end(), cell.begin(), cell.end());
    }
}

void addMesh(Draw& draw, Problem& p, Memory& m) {
  for (int& n : m.cubes) n = draw.number(1, 6);
  const bool triangles = draw.chance(0.25);
  m.jitter = draw.chance(0.3) ? 0 : draw.real(0, 0.45);
  m.scale = draw.chance(0.1) ? draw.power(-20, 20) : 1;
  m.flatness = draw.chance(0.1) ? draw.power(-9, 0) : draw.chance(0.03) ? 0 : 1;
  const double size[3] = {m.scale, m.scale, m.scale * m.flatness};
  for (int k = 0; k <= m.cubes[2]; ++k)
    for (int j = 0; j <= m.cubes[1]; ++j)
      for (int i = 0; i <= m.cubes[0]; ++i) {
        const int at[3] = {i, j, k};
        for (int a = 0; a < 3; ++a) m.points.push_back(size[a] * (at[a] + m.jitter * draw.real(-1, 1)));
      }
  addCells(draw, triangles, m);
  if (draw.chance(0.02)) draw.spoil(m.points, std::int64_t(m.points.size()));
  if (draw.chance(0.05)) std::copy_n(m.points.begin(), 3, m.points.end() - 3); // two coincident vertices
  p.points.components = 3;
  if (draw.chance(0.3)) {
    m.singlePoints.assign(m.points.begin(), m.points.end());
    p.points.single = m.singlePoints;
  } else {
    p.points.precise = m.points;
  }
  if (draw.chance(0.005) && !m.cells.empty()) m.cells.pop_back(), m.badCells = true;
  p.cells = m.cells;
  if (draw.chance(0.2)) {
    const double share = draw.real(0, 0.4);
    p.hidden = m.hidden = anyMask(draw, p.cellCount(), share);
  }
}

/// Adds one tuple per vertex or cell by `add`; rarely with a wild number, rarely too few.
template <class Add>
Numbers anyNumbers(Draw& draw, const Problem& p, std::vector<float>& values, int components, bool ofVertices,
                   const Add& add) {
  for (std::int64_t n = ofVertices ? p.vertexCount() : p.cellCount(); n > 0; --n) add();
  if (draw.chance(0.01) && !values.empty()) draw.spoil(values, std::int64_t(values.size()));
  if (draw.chance(0.004)) values.resize(values.size() / 2);
  Numbers numbers;
  numbers.single = values, numbers.components = components, numbers.ofVertices = ofVertices;
  return numbers;
}

void addFibres(Draw& draw, Problem& p, Memory& m) {
  const auto directions = [&](std::vector<float>& to) {
    const bool ofVertices = draw.chance(0.3);
    return anyNumbers(draw, p, to, 3, ofVertices, [&] {
      const double length = draw.chance(0.02) ? 0 : draw.chance(0.1) ? draw.power(-20, 18) : 1;
      for (int a = 0; a < 3; ++a) to.push_back(float(length * draw.normal()));
    });
  };
  p.fibre = directions(m.fibre);
  if (draw.chance(0.5)) p.sheet = directions(m.sheet);
  if (draw.chance(0.4)) {
    const int components = p.sheet.empty() ? draw.number(1, 3) : draw.chance(0.5) ? 1 : 3;
    const bool ofVertices = draw.chance(0.5);
    p.speed = anyNumbers(draw, p, m.speed, components, ofVertices, [&] {
      for (int k = 0; k < components; ++k) m.speed.push_back(float(draw.power(-1, 1)));
    });
  }
  p.velocities = {m.ratio, 1, p.sheet.empty() ? 1 : 1 / std::sqrt(m.ratio)};
  if (draw.chance(0.02)) draw.spoil(p.velocities, 3);
  p.velocityScale = draw.chance(0.02) ? draw.wild() : draw.power(-1, 1);
}

void addTensors(Draw& draw, Problem& p, Memory& m) {
  constexpr int indices[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  const bool ofVertices = draw.chance(0.4);
  p.tensor = anyNumbers(draw, p, m.tensor, 6, ofVertices, [&] {
    double axis[3];
    for (double& x : axis) x = draw.normal();
    const double across = draw.power(-2, 0);
    for (const auto& [i, j] : indices)
      m.tensor.push_back(float(m.ratio * axis[i] * axis[j] + (i == j ? across : 0)));
  });
}

void addSpeed(Draw& draw, Problem& p, Memory& m) {
  p.speedType = SpeedType(draw.whole(0, 4));
  p.constantSpeed = draw.chance(0.05) ? draw.wild() : draw.power(-2, 2);
  const double maximum = draw.chance(0.6) ? 1.2 : 4;
  m.ratio = draw.power(0, maximum);
  if (p.speedType == SpeedType::Scalar) {
    const bool ofVertices = draw.chance(0.5);
    p.speed = anyNumbers(draw, p, m.speed, 1, ofVertices,
                         [&] { m.speed.push_back(draw.chance(0.03) ? 0.f : float(draw.power(-1, 1))); });
  } else if (p.speedType == SpeedType::Tensor) {
    addTensors(draw, p, m);
  } else if (p.speedType != SpeedType::Constant) {
    addFibres(draw, p, m);
  }
}

/// Adds seeds at vertices and at the first places.
/// @param found  the locations of the places; empty if none were searched for
void addSeeds(Draw& draw, Problem& p, int count, std::span<const Position> places,
              const std::vector<Location>& found) {
  const std::int64_t vertices = p.vertexCount();
  for (std::size_t s = 0; s < std::size_t(count); ++s) {
    Seed seed;
    if (draw.chance(0.5) && vertices)
      seed.vertex = draw.whole(0, vertices - 1);
    else if (!found.empty() && !found[s].cells.empty())
      seed.cell = found[s].cells[0], seed.at = places[s];
    else if (!found.empty() && !found[s].vertices.empty())
      seed.vertex = found[s].vertices[0];
    if (draw.chance(0.3)) seed.startTime = draw.normal();
    if (draw.chance(0.01)) seed.startTime = draw.wild();
    if (draw.chance(0.005)) seed.vertex = draw.whole(-3, vertices + 10);
    p.seeds.push_back(seed);
  }
}

void checkPaths(Draw& draw, const Problem& p, std::span<const float> times, std::span<const Position> places,
                std::span<const Location> found, Report& report) {
  std::vector<Tip> tips;
  for (int t = 0; t < 4; ++t) {
    Tip tip;
    if (draw.chance(0.3) && p.vertexCount()) {
      tip.vertex = draw.whole(0, p.vertexCount() - 1);
    } else if (!found.empty()) {
      tip.at = places[std::size_t(t)];
      const Location& at = found[std::size_t(t)];
      if (!at.cells.empty())
        tip.cell = at.cells[0];
      else if (!at.vertices.empty())
        tip.vertex = at.vertices[0];
    }
    tips.push_back(tip);
  }
  report.outcome([&] {
    const std::vector<Path> one = extractPaths(p, times, tips, 1), two = extractPaths(p, times, tips, 2);
    for (std::size_t k = 0; k < one.size(); ++k) {
      report.expect(sameBits(one[k].x, two[k].x), "different bits of a path with two threads");
      report.expectFinite(one[k].x, "a path is");
    }
  });
}

/// Compares with a relaxation in double precision from the definition, for well-shaped cells: there the
/// single-precision fixed point is as accurate as the residual indicates.
void compareWithReference(const Problem& p, const Memory& m, std::span<const float> times, Report& report) {
  const bool moderate = m.ratio < 20 && m.flatness > 0.3 && m.scale > 1e-3 && m.scale < 1e3 &&
                        m.jitter < 0.3 && p.ballRadius == 0 && p.cellCount() < 300 &&
                        within(m.speed, 0.05, 20);
  const bool simple = p.speedType == SpeedType::Constant || p.speedType == SpeedType::Scalar;
  const bool early =
      std::ranges::all_of(p.seeds, [](const Seed& s) { return std::abs(s.startTime) < 10 && s.vertex >= 0; });
  if (!moderate || !simple || !early || !(p.constantSpeed > 0.005 && p.constantSpeed < 200)) return;
  const std::vector<double> expected = reference::meshTravelTimes(p);
  double latest = 0, worst = 0;
  bool sameReach = true;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    sameReach &= std::isfinite(expected[v]) == std::isfinite(double(times[v]));
    if (!std::isfinite(expected[v])) continue;
    latest = std::max(latest, std::abs(expected[v]));
    worst = std::max(worst, std::abs(expected[v] - times[v]));
  }
  report.expect(sameReach, "the reference reaches different vertices");
  report.expect(!(worst > 2e-5 * latest),
                "the reference is " + std::to_string(worst) + " off, of " + std::to_string(latest));
}

/// Checks the derivatives of the times of some vertices, also of problems whose derivatives are refused. The
/// weights of the tips arrive at seeds or are lost, and the rows of the Jacobian, times slowness, add up to
/// the sum of the times.
void checkDerivatives(const Problem& p, const Memory& m, const Result& r, Report& report) {
  std::vector<WeightedTip> weighted;
  std::vector<Tip> tips;
  for (std::int64_t v = 1; v < p.vertexCount(); v += 7) tips.push_back({v}), weighted.push_back({{v}, 1});
  report.outcome([&] {
    const Sensitivities one = differentiate(p, r.travelTime, weighted, {Backend::Host, 1}),
                        two = differentiate(p, r.travelTime, weighted, {Backend::Host, 2});
    report.expect(sameBits(one.medium, two.medium) && one.objective == two.objective,
                  "different bits of a sensitivity with two threads");
    report.expectFinite(one.medium, "a sensitivity is");
    const Jacobian rows = differentiateEach(p, r.travelTime, tips, {Backend::Host, 1}),
                   rows2 = differentiateEach(p, r.travelTime, tips, {Backend::Host, 2});
    report.expect(rows.matrix.element == rows2.matrix.element && rows.seed == rows2.seed &&
                      sameBits(rows.matrix.weight, rows2.matrix.weight),
                  "different bits of a Jacobian with two threads");
    double left = one.lostWeight - double(std::ranges::count(one.counts, true)), size = 0, starts = 0;
    for (std::size_t s = 0; s < p.seeds.size(); ++s)
      left += one.startTime[s], starts += one.startTime[s] * p.seeds[s].startTime;
    report.expect(std::abs(left) < 1e-6, "weights differ by " + std::to_string(left) + " at tips and seeds");
    double sum = 0;
    for (std::size_t n = 0; n < rows.matrix.element.size(); ++n)
      sum += rows.matrix.weight[n] / (p.speedType == SpeedType::Constant ? p.constantSpeed
                                      : p.speedType == SpeedType::Scalar
                                          ? p.speed[std::size_t(rows.matrix.element[n])]
                                          : 1);
    for (std::size_t t = 0; t < tips.size(); ++t)
      if (one.counts[t]) size += std::abs(double(r.travelTime[std::size_t(tips[t].vertex)]));
    const bool moderate = m.ratio < 20 && m.flatness > 0.3 && r.straightened.count == 0;
    if (moderate && one.lostWeight == 0)
      report.expect(std::abs(sum + starts - one.objective) <= 1e-5 * (size + std::abs(starts)),
                    "rows of the Jacobian add up to " + std::to_string(sum + starts) + ", the times to " +
                        std::to_string(one.objective));
  });
}

std::string wordsOf(const Problem& p, const Options& o, const Memory& m) {
  char text[200];
  std::snprintf(text, sizeof text, "%lld cells, speed type %d, ratio %g, method %d, scale %g, flatness %g",
                (long long)p.cellCount(), int(p.speedType), m.ratio, int(o.method), m.scale, m.flatness);
  return text;
}

} // namespace

void fuzzMesh(Draw& draw, Report& report) {
  Problem p;
  fuzz::Memory m;
  addMesh(draw, p, m);
  addSpeed(draw, p, m);
  const int seeds = draw.chance(0.03) ? 0 : draw.number(1, 5);
  std::vector<Position> places;
  for (int s = 0; s < seeds + 4; ++s) {
    Position at{};
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = m.scale * (a == 2 ? m.flatness : 1) * draw.real(-0.2, m.cubes[a] + 0.2);
    if (draw.chance(0.02)) draw.spoil(at, 3);
    places.push_back(at);
  }
  std::vector<Location> found;
  if (!m.badCells) report.outcome([&] { found = locate(p, places, 1e-6 * m.scale, 1); });
  addSeeds(draw, p, seeds, places, found);
  if (draw.chance(0.4)) p.ballRadius = draw.chance(0.05) ? draw.wild() : m.scale * draw.real(0, 3);
  Options o;
  o.backend = Backend::Host;
  o.seedIds = draw.chance(0.6);
  o.memory = mesh::Memory(draw.whole(0, 2));
  o.method = Method(draw.whole(0, 4));
  o.subdomains = draw.chance(0.5) ? 0 : draw.number(1, 20);
  if (draw.chance(0.01)) o.subdomains = draw.number(-5, 1000000);
  report.describe(wordsOf(p, o, m));

  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  Result one, two;
  o.threads = 1, useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = solveMeshTravelTime(p, o, monitor); });
  if (monitor.progress) return;
  Options o2 = o;
  o2.threads = 2;
  o2.method = Method(draw.whole(0, 4));
  o2.memory = mesh::Memory(draw.whole(0, 2));
  o2.subdomains = draw.number(0, 9);
  const char* other = anyInstructionSet(draw);
  useInstructionSet(other);
  const std::string refusal2 = report.outcome([&] { two = solveMeshTravelTime(p, o2, monitor); });
  if (o.subdomains >= 0)
    report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty() || !refusal2.empty()) return;
  report.expect(sameBits(one.travelTime, two.travelTime) && (!o.seedIds || sameBits(one.seed, two.seed)),
                std::string("different bits with two threads, ") + other + " and method " +
                    std::to_string(int(o2.method)));
  report.expectTimes(one.travelTime);
  const double residual = mesh::residual(p, one.travelTime, 2);
  report.expect(residual <= 2e-6, "residual " + std::to_string(residual));
  report.outcome([&] {
    const ConductionField a = conduction(p, one.travelTime, 1), b = conduction(p, one.travelTime, 2);
    report.expect(sameBits(a.direction, b.direction), "different bits of the conduction with two threads");
    report.expectFinite(a.direction, "conduction is");
  });
  const std::size_t first = std::size_t(seeds);
  checkPaths(draw, p, one.travelTime, std::span(places).subspan(first),
             found.empty() ? std::span<const Location>() : std::span<const Location>(found).subspan(first),
             report);
  compareWithReference(p, m, one.travelTime, report);
  checkDerivatives(p, m, one, report);
  if (!draw.chance(0.2)) return;
  o.seedIds = false;
  report.outcome([&] { o.setup = prepare(p, o); }); // shared by the runs
  const auto solveOne = [&](std::int64_t seed, int threads) {
    Problem alone = p;
    Options mine = o;
    alone.seeds = {p.seeds[std::size_t(seed)]};
    mine.threads = threads;
    return bitsOf(solveMeshTravelTime(alone, mine, {}).travelTime);
  };
  expectSameRuns(std::ssize(p.seeds), solveOne, report);
}

} // namespace isochrone::fuzz
