// Claims about flat tetrahedra, strong anisotropy and nearly coincident points: a solve terminates with the
// same bits in any order of work, and times agree with the shapes in double precision.
#include "InstructionSets.h"
#include "MeshTravelTimeChecks.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

MeshCase flat(MeshCase c, double height) {
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) c.at(v, 2) *= height;
  for (Seed& s : c.problem.seeds) s.at[2] *= height;
  c.link();
  return c;
}

/// Turns most cells into triangles by removing a corner.
MeshCase mostlyTriangles(MeshCase c) {
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    if (noise(700 + std::uint64_t(t)) < 0.7) c.cells[std::size_t(4 * t + 3)] = -1;
  c.link();
  return c;
}

/// Sets a different speed in each cell, from 0.1 to 10.
MeshCase withWildSpeeds(MeshCase c) {
  return withSpeed(std::move(c), false, [](std::int64_t cell, const auto&) {
    return std::pow(10, 2 * noise(std::uint64_t(cell)) - 1);
  });
}

/// Sets a different fibre in each cell, in any direction.
MeshCase withWildFibres(MeshCase c, double along, double across) {
  Dice dice{1717};
  for (std::int64_t i = 0; i < 3 * c.cellCount(); ++i) c.fibre.push_back(dice(-1, 1));
  c.problem.speedType = SpeedType::Fibres, c.problem.velocities = {along, across, across};
  c.link();
  return c;
}

/// Aborts after some seconds.
Result solveInTime(const MeshCase& c, const Options& options, double seconds = 10) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  return solveMeshTravelTime(c.problem, options, {[&](double) {
                               return std::chrono::duration<double>(Clock::now() - begin).count() < seconds;
                             }});
}

void expectSameBits(const MeshCase& c) {
  const Result first = solveInTime(c, onHost());
  ASSERT_FALSE(first.aborted) << c.name << " does not end";
  int run = 0;
  for (const Method method :
       {Method::Band, Method::PlainFim, Method::DecomposedManyBlocks, Method::DecomposedOneBlock})
    for (const Memory memory : {Memory::Fast, Memory::Compact}) {
      const char* isa = instructionSets[run % std::size(instructionSets)];
      Options options = onHost(1 + run++ % 2, method);
      options.memory = memory, options.subdomains = 1 + int(method);
      setenv("ISOCHRONE_HOST_ISA", isa, 1);
      const Result again = solveInTime(c, options);
      unsetenv("ISOCHRONE_HOST_ISA");
      ASSERT_FALSE(again.aborted) << c.name << " does not end";
      expectEach(
          c, "method " + std::to_string(int(method)) + ", memory " + std::to_string(int(memory)) + ", " + isa,
          again.travelTime, first.travelTime, equal);
    }
  EXPECT_LE(residual(c.problem, first.travelTime, 1), 3e-7) << c.name;
}

/// Returns the time of vertex 3, with the others as seeds, by search in long double.
long double exactApex(const MeshCase& c) {
  using Real = long double;
  std::array<std::array<Real, 3>, 4> x;
  for (int v = 0; v < 4; ++v)
    for (int a = 0; a < 3; ++a) x[v][a] = c.at(v)[std::size_t(a)];
  const auto& seeds = c.problem.seeds;
  const auto value = [&](Real s, Real t) { // the position relative to corner 0, and across it
    const std::array<Real, 3> w{1 - s, s * (1 - t), s * t};
    Real time = 0, square = 0;
    for (int v = 0; v < 3; ++v) time += w[v] * Real(seeds[std::size_t(v)].startTime);
    for (int a = 0; a < 3; ++a) {
      Real e = x[3][a];
      for (int v = 0; v < 3; ++v) e -= w[v] * x[v][a];
      square += e * e;
    }
    return time + std::sqrt(square);
  };
  const auto minimum = [](const auto& f) {
    Real low = 0, high = 1;
    for (int i = 0; i < 120; ++i) {
      const Real third = (high - low) / 3;
      if (f(low + third) < f(high - third))
        high -= third;
      else
        low += third;
    }
    return std::min({f(0.L), f(1.L), f((low + high) / 2)});
  };
  return minimum([&](Real s) { return minimum([&](Real t) { return value(s, t); }); });
}

} // namespace

/// Single precision rounds the cells of the first two heights flat; the solve must terminate all the same.
TEST(MeshTravelTimeFlat, EndsAtTheSameBits) {
  for (const double height : {2e-8, 5e-8, 1e-6, 1e-5, 1e-2})
    for (const double jitter : {0., 0.3}) {
      MeshCase c = flat(withTensors(cubes(3, 4, 3, 1, jitter), 0.3, 3, true), height);
      c.name = "tensors, height " + text(height) + ", jitter " + std::to_string(jitter);
      expectSameBits(c);
      c = flat(withWildFibres(cubes(4, 3, 3, 1, jitter), 6, 1), height);
      c.name = "fibres, height " + text(height) + ", jitter " + std::to_string(jitter);
      expectSameBits(c);
    }
}

TEST(MeshTravelTimeFlat, TrianglesEndAtTheSameBits) {
  for (const double height : {2e-8, 5e-8, 1e-7, 1e-5, 1e-2})
    for (const double jitter : {0., 0.3}) {
      MeshCase c = flat(withWildFibres(mostlyTriangles(cubes(3, 4, 3, 1, jitter)), 6, 1), height);
      c.name = "height " + text(height) + ", jitter " + std::to_string(jitter);
      expectSameBits(c);
    }
}

/// Layers with a small overlap: columns of nearby vertices, which lower each other in turn.
TEST(MeshTravelTimeFlat, UpdatesStayBelow12000PerVertex) {
  for (const double height : {1e-9, 1e-3})
    for (const double jitter : {1e-4, 1e-3, 3e-3, 1e-2, 0.1})
      for (const bool fibres : {false, true}) {
        const auto layers = [&] { return flat(cubes(6, 6, 4, 1, jitter), height); };
        const MeshCase c = fibres ? withWildFibres(layers(), 300, 1) : withWildSpeeds(layers());
        const Result r = solveInTime(c, onHost());
        const std::string name = "height " + text(height) + ", jitter " + text(jitter);
        ASSERT_FALSE(r.aborted) << name;
        EXPECT_LT(r.updatesPerVertex, 12000) << name;
        RecordProperty(name + (fibres ? ", fibres" : ", speeds"), std::to_string(r.updatesPerVertex));
      }
}

TEST(MeshTravelTimeFlat, StrongAnisotropyEndsAtTheSameBits) {
  for (const double ratio : {100., 1000., 17000.}) {
    MeshCase c = withWildFibres(cubes(4, 4, 4, 1, 0.3), ratio, 1);
    c.name = "fibres of " + std::to_string(ratio);
    expectSameBits(c);
  }
}

/// One tetrahedron over a wide base, with plane waves from below.
TEST(MeshTravelTimeFlat, TheApexHasTheExactTime) {
  Dice dice{5};
  for (const double height : {0.5, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5}) {
    double maximum = 0;
    for (int i = 0; i < 100; ++i) {
      MeshCase c;
      c.points = {0, 0, 0, 1, 0, 0, 0.4, 0.9, 0};
      std::array<double, 3> w{dice(0.1, 1), dice(0.1, 1), dice(0.1, 1)};
      const double sum = w[0] + w[1] + w[2];
      for (const double x : {(w[1] + 0.4 * w[2]) / sum, 0.9 * w[2] / sum, height}) c.points.push_back(x);
      c.cells = {0, 1, 2, 3};
      const double slope = dice(0, 0.9), angle = dice(0, 6.28);
      std::vector<Seed> seeds;
      for (int v = 0; v < 3; ++v)
        seeds.push_back(
            {v, -1, {}, slope * (2 + c.at(v)[0] * std::cos(angle) + c.at(v)[1] * std::sin(angle))});
      c.problem.seeds = seeds;
      c.link();
      const Values<float> times = solve(c, onHost()).travelTime;
      maximum = std::max(maximum, double(std::abs(times[3] - exactApex(c))));
    }
    EXPECT_LT(maximum, height > 2e-3 ? 1e-6 : height > 2e-4 ? 4e-6 : 3e-5) << "height " << height;
    RecordProperty("height " + text(height), std::to_string(maximum));
  }
}

/// Merges two points, in cells that contain both.
TEST(MeshTravelTimeFlat, CoincidentPointsHaveTheSameTime) {
  for (const double apart : {0., 1e-30, 1e-18, 1e-12, 1e-8}) {
    MeshCase c = cubes(3, 3, 3, 1, 0.2);
    const std::int64_t v = 21, w = 22; // ends of an edge
    for (int a = 0; a < 3; ++a) c.at(w, a) = c.at(v, a) + apart;
    const Values<float> times = solve(c, onHost()).travelTime;
    EXPECT_NEAR(times[v], times[w], 4e-7 + 2 * apart) << apart;
    expectReference(c, solve(c, onHost(2)));
  }
}
