// Claims about paths: their course, their ends, and that they always end.
#include "MeshTravelTimeChecks.h"
#include "MeshTravelTimeParts.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

using Point = std::array<double, 3>;

std::int64_t vertexAt(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  return i + (n + 1) * (j + (n + 1) * k);
}

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(const Point& a) { return std::hypot(a[0], a[1], a[2]); }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point pointOf(const Path& path, std::size_t i) { return {path.x[i], path.y[i], path.z[i]}; }

Path pathTo(const MeshCase& c, const Values<float>& times, const Tip& tip) {
  return extractPaths(c.problem, times, std::vector<Tip>{tip}, 1).front();
}

/// Returns whether a point lies in a tetrahedron, by signs of volumes.
bool holds(const MeshCase& c, std::int64_t cell, const Point& x) {
  std::array<Point, 4> p;
  for (std::size_t k = 0; k < 4; ++k) p[k] = c.at(c.cells[std::size_t(4 * cell) + k]);
  const auto volume = [](const Point& o, const Point& a, const Point& b, const Point& d) {
    return dot(minus(a, o), cross(minus(b, o), minus(d, o)));
  };
  const double whole = volume(p[0], p[1], p[2], p[3]);
  for (std::size_t k = 0; k < 4; ++k) {
    std::array<Point, 4> q = p;
    q[k] = x;
    if (volume(q[0], q[1], q[2], q[3]) / whole < -1e-9) return false;
  }
  return true;
}

struct LineComparison {
  double deviation = 0; ///< maximum distance from the straight line, relative to its length
  double delay = 0;     ///< time along the path beyond the time along the line, relative to the latter
};

LineComparison compareWithLine(const Path& path, const Point& from, const Point& to, double straight) {
  const Point line = minus(to, from);
  LineComparison found;
  for (std::size_t i = 0; i < path.size(); ++i)
    found.deviation =
        std::max(found.deviation, length(cross(minus(pointOf(path, i), from), line)) / dot(line, line));
  found.delay = path.energy / straight - 1;
  return found;
}

MeshCase oblique(MeshCase c, double along) {
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    for (const double x : {1., 2., 0.5}) c.fibre.push_back(x);
  c.problem.speedType = SpeedType::Fibres, c.problem.velocities = {along, 1, 1};
  c.link();
  return c;
}

/// Returns means over tips all over a cube, at least four edges from the seed.
LineComparison meanComparison(std::int64_t n, double along, double ball) {
  MeshCase c = oblique(cubes(n, n, n, 1 / double(n), 0.2), along);
  const std::int64_t seed = vertexAt(n, n / 4, n / 4, n / 4);
  c.problem.seeds = {{seed}};
  c.problem.ballRadius = ball / double(n);
  const Values<float> times = solve(c, onHost(2)).travelTime;
  std::vector<Tip> tips;
  for (std::int64_t v = 0; v < c.vertexCount(); v += 11)
    if (length(minus(c.at(v), c.at(seed))) > 4 / double(n)) tips.push_back({v});
  LineComparison mean;
  const auto paths = extractPaths(c.problem, times, tips, 2);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const Point to = c.at(tips[t].vertex);
    const double straight = reference::timeAlong(*reference::metricOf(c.problem, 0), minus(to, c.at(seed)));
    const LineComparison found = compareWithLine(paths[t], c.at(seed), to, straight);
    EXPECT_GT(found.delay, -1e-9); // no path is faster than the line
    mean.deviation += found.deviation / double(tips.size()), mean.delay += found.delay / double(tips.size());
  }
  return mean;
}

} // namespace

/// Runs on every mesh of the cases.
class MeshTravelTimeAllPaths : public testing::TestWithParam<std::string> {
protected:
  const std::string name = GetParam();
  const MeshCase c = meshMakerOf(name).make();
  const Values<float> times = solve(c, onHost()).travelTime;
  const std::vector<Path> paths = extractPaths(c.problem, times, everyVertex(c), 2);
};

TEST_P(MeshTravelTimeAllPaths, RunFromTheSeedToTheTip) {
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    const Path& path = paths[std::size_t(v)];
    const double time = times[std::size_t(v)], last = std::abs(time) + std::abs(c.problem.timeOrigin);
    ASSERT_EQ(path.status == PathStatus::Complete, std::isfinite(time)) << "vertex " << v;
    if (path.status != PathStatus::Complete) continue;
    ASSERT_GE(path.size(), 2u);
    const Seed& seed = c.problem.seeds[std::size_t(path.seed)];
    EXPECT_EQ(pointOf(path, 0), seed.vertex >= 0 ? c.at(seed.vertex) : seed.at);
    EXPECT_EQ(pointOf(path, path.size() - 1), c.at(v));
    EXPECT_NEAR(path.travelTime[0], seed.startTime, 3e-7 * last);
    EXPECT_EQ(path.travelTime.back(), time);
    EXPECT_TRUE(std::isfinite(path.energy));
    double sum = 0;
    bool again = false;
    for (std::size_t i = 1; i < path.size(); ++i) {
      sum += length(minus(pointOf(path, i), pointOf(path, i - 1)));
      again = again || pointOf(path, i) == pointOf(path, i - 1);
    }
    EXPECT_NEAR(path.length, sum, 1e-12 * sum);
    for (std::size_t i = 1; i < path.size(); ++i) { // strictly, unless points coincide
      ASSERT_GE(path.travelTime[i], path.travelTime[i - 1]);
      if (!again) ASSERT_GT(path.travelTime[i], path.travelTime[i - 1]) << "vertex " << v;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTravelTimeAllPaths, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });

/// The direction of steepest descent in a plane wave is the ray, and the time decreases by the time spent.
TEST(MeshTravelTimePaths, FollowTheRaysOfPlaneWavesExactly) {
  const MeshCase c = withSeeds(permuted(oblique(cubes(5, 5, 5, 1, 0.25), 4)), {});
  const auto metric = *reference::metricOf(c.problem, 0);
  const Point ray{-0.3, 0.8, 0.4}; // the gradient is metric * ray for a ray of length 1
  const double unit = reference::timeAlong(metric, ray);
  Point g{};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) g[a] += metric[a][b] * ray[b] / unit;
  std::vector<float> times;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) times.push_back(float(20 + dot(g, c.at(v))));
  const PathTracer tracer(c.problem, times);
  for (std::int64_t cell = 0; cell < c.cellCount(); cell += 7) {
    PathHead head;
    ASSERT_EQ(tracer.find({-1, cell, c.middle(cell)}, head), PathStatus::Complete);
    EXPECT_EQ(head.vertices.size(), 4u);
    EXPECT_NEAR(tracer.steepness(head), 1, 2e-5);
    const Path path = tracer.follow(head).path;
    ASSERT_GE(path.size(), 2u);
    const std::size_t last = path.size() - 1;
    const Point step = minus(pointOf(path, last), pointOf(path, last - 1));
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(step[a] / length(step), ray[a] / length(ray), 2e-5);
  }
}

/// Straight up to the error of the times, which is first order.
TEST(MeshTravelTimePaths, AreStraightWhereTheTensorIsConstant) {
  const LineComparison coarse = meanComparison(10, 1, 0), fine = meanComparison(24, 1, 0),
                       ball = meanComparison(24, 1, 4);
  EXPECT_LT(coarse.deviation, 0.09);
  EXPECT_LT(fine.deviation, 0.8 * coarse.deviation);
  EXPECT_LT(ball.deviation, 0.5 * fine.deviation);
  EXPECT_LT(fine.delay, 0.012);
  EXPECT_LT(ball.delay, 0.003);
  const LineComparison oblique = meanComparison(16, 3, 4);
  EXPECT_LT(oblique.deviation, 0.04);
  EXPECT_LT(oblique.delay, 0.005);
}

/// The path between two speeds obeys Snell's law at the interface.
TEST(MeshTravelTimePaths, BendAtAnInterface) {
  const std::int64_t n = 24;
  MeshCase c = withSpeed(cubes(n, 6, n, 1, 0), false, [](auto, auto& x) { return x[2] < 12 ? 1. : 2.; });
  const auto at = [&](std::int64_t i, std::int64_t k) { return i + (n + 1) * (3 + 7 * k); };
  c.problem.seeds = {{at(2, 2)}};
  c.problem.ballRadius = 8;
  const Path path = pathTo(c, solve(c, onHost()).travelTime, {at(21, 23)});
  ASSERT_EQ(path.status, PathStatus::Complete);
  double best = HUGE_VAL, crossing = 0; // Fermat: the minimum time over all points of the interface
  for (double x = 2; x < 21; x += 1e-3)
    if (const double time = std::hypot(x - 2, 10) + std::hypot(21 - x, 11) / 2; time < best)
      best = time, crossing = x;
  EXPECT_GT(path.energy, best * (1 - 1e-9));
  EXPECT_LT(path.energy, best * 1.01);
  double nearest = HUGE_VAL, x = 0;
  for (std::size_t i = 0; i < path.size(); ++i)
    if (std::abs(path.z[i] - 12) < nearest) nearest = std::abs(path.z[i] - 12), x = path.x[i];
  EXPECT_EQ(nearest, 0);
  EXPECT_NEAR(x, crossing, 1.5);
  EXPECT_LT(std::abs(x - 2), 0.8 * 19 * 10 / 21); // a straight line would cross at 11.05
}

TEST(MeshTravelTimePaths, StayWithinOpenCells) {
  for (const char* name : {"Everything", "Holes", "Maze", "SpeedsAtRandom"}) {
    const MeshCase c = meshMakerOf(name).make();
    const Values<float> times = solve(c, onHost(2)).travelTime;
    std::vector<Tip> tips;
    for (std::int64_t v = 5; v < c.vertexCount(); v += 61) tips.push_back({v});
    std::vector<std::int64_t> open;
    for (std::int64_t t = 0; t < c.cellCount(); ++t)
      if (reference::metricOf(c.problem, t)) open.push_back(t);
    int segments = 0;
    for (const Path& path : extractPaths(c.problem, times, tips, 2))
      for (std::size_t i = 1; i < path.size(); ++i, ++segments) {
        const Point a = pointOf(path, i - 1), b = pointOf(path, i); // both ends in one cell, so all between
        const auto holdsBoth = [&](auto t) { return holds(c, t, a) && holds(c, t, b); };
        bool within = std::ranges::any_of(open, holdsBoth);
        for (int n = 0; i == 1 && n <= 50; ++n) { // the straight line to the seed may cross several
          Point x;
          for (std::size_t k = 0; k < 3; ++k) x[k] = a[k] + n / 50. * (b[k] - a[k]);
          within = (n == 0 || within) && std::ranges::any_of(open, [&](auto t) { return holds(c, t, x); });
        }
        EXPECT_TRUE(within) << name << ": segment " << i << " of " << path.size();
      }
    EXPECT_GT(segments, 100) << name;
  }
}

TEST(MeshTravelTimePaths, GoAroundABarrier) {
  MeshCase c = cubes(12, 12, 4, 1, 0);
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    const auto x = c.middle(t);
    c.hidden.push_back(x[0] > 5 && x[0] < 7 && x[1] < 9);
  }
  c.link();
  const auto at = [](std::int64_t i, std::int64_t j) { return i + 13 * (j + 13 * 2); };
  c.problem.seeds = {{at(2, 4)}};
  c.problem.ballRadius = 3;
  const Path path = pathTo(c, solve(c, onHost()).travelTime, {at(10, 4)});
  const double around = 2 * std::hypot(3, 5) + 2;
  EXPECT_GT(path.length, around * (1 - 1e-9));
  EXPECT_LT(path.length, around * 1.02);
}

TEST(MeshTravelTimePaths, ReportWhyThereIsNone) {
  MeshCase c = beside(cubes(4, 4, 4, 1, 0), cubes(2, 2, 2, 1, 0), 9);
  c.problem.seeds = {{0}};
  c.hidden.assign(std::size_t(c.cellCount()), 0);
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    c.hidden[std::size_t(t)] = c.middle(t)[0] > 3 && c.middle(t)[0] < 8;
  c.link();
  const Values<float> times = solve(c, onHost()).travelTime;
  const auto status = [&](const Tip& tip) { return pathTo(c, times, tip).status; };
  const auto hidden = std::ranges::find(c.hidden, 1) - c.hidden.begin();
  EXPECT_EQ(status({-1, hidden, c.middle(hidden)}), PathStatus::TipInWall);
  EXPECT_EQ(status({vertexAt(4, 4, 2, 2)}), PathStatus::TipInWall);
  EXPECT_EQ(status({vertexAt(4, 3, 2, 2)}), PathStatus::Complete); // on the side of the barrier
  EXPECT_EQ(status({c.vertexCount() - 1}), PathStatus::Unreachable);
  EXPECT_EQ(status({}), PathStatus::TipOutside);
  EXPECT_EQ(status({c.vertexCount()}), PathStatus::TipOutside);
  EXPECT_EQ(status({-1, c.cellCount()}), PathStatus::TipOutside);
  EXPECT_TRUE(pathTo(c, times, {c.vertexCount() - 1}).x.empty());
}

TEST(MeshTravelTimePaths, StartAndEndWithinCells) {
  MeshCase c = withTensors(cubes(6, 6, 6, 1, 0.2), 0.5, 2);
  c.problem.seeds = {{-1, 500, c.middle(500), 3}};
  const Values<float> times = solve(c, onHost()).travelTime;
  std::vector<Tip> tips;
  for (std::int64_t t = 0; t < c.cellCount(); ++t) tips.push_back({-1, t, c.middle(t)});
  const auto paths = extractPaths(c.problem, times, tips, 2);
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    const Path& path = paths[std::size_t(t)];
    ASSERT_EQ(path.status, PathStatus::Complete);
    EXPECT_LT(length(minus(pointOf(path, 0), c.middle(500))), 1e-12);
    EXPECT_LT(length(minus(pointOf(path, path.size() - 1), c.middle(t))), 1e-12);
    EXPECT_EQ(path.travelTime[0], 3);
  }
}

TEST(MeshTravelTimePaths, AreTheSameForAnyNumberOfThreads) {
  const MeshCase c = meshMakerOf("Everything").make();
  const Values<float> times = solve(c, onHost(2)).travelTime;
  const auto one = extractPaths(c.problem, times, everyVertex(c), 1),
             three = extractPaths(c.problem, times, everyVertex(c), 3);
  for (std::size_t t = 0; t < one.size(); ++t) {
    ASSERT_EQ(one[t].x, three[t].x);
    ASSERT_EQ(one[t].travelTime, three[t].travelTime);
  }
}

namespace {

/// A mesh in parts, as held by processes, and paths that continue from part to part.
class Divided {
public:
  Divided(const MeshCase& c, const Values<float>& times, int count, bool mixed) {
    std::vector<int> owner, holders(std::size_t(c.vertexCount()));
    for (std::int64_t t = 0; t < c.cellCount(); ++t)
      owner.push_back(mixed ? int(noise(std::uint64_t(t)) * count) : int(t * count / c.cellCount()));
    for (int p = 0; p < count; ++p) {
      parts.push_back(partOf(c, owner, p));
      for (const std::int64_t v : parts.back().whole) ++holders[std::size_t(v)];
    }
    partTimes.resize(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      Part& part = parts[p];
      number.emplace_back(std::size_t(c.vertexCount()), -1);
      for (std::size_t v = 0; v < part.whole.size(); ++v) {
        const auto whole = std::size_t(part.whole[v]);
        if (holders[whole] > 1) part.mesh.problem.sharing.vertices.push_back(std::int64_t(v));
        partTimes[p].push_back(times[whole]);
        number[p][whole] = std::int64_t(v);
      }
      tracers.push_back(std::make_unique<PathTracer>(part.mesh.problem, partTimes[p]));
    }
  }

  /// Returns points and times from the tip to the seed; empty if the path did not reach a seed.
  std::vector<std::array<double, 4>> follow(std::int64_t tip) {
    std::vector<std::array<double, 4>> samples;
    PathHead head{{tip}, {1}, 0};
    while (true) {
      double steepest = -1;
      int best = -1;
      for (int p = 0; p < int(parts.size()); ++p) {
        PathHead own;
        if (!toPart(p, head, own)) continue;
        if (const double slope = tracers[std::size_t(p)]->steepness(own); slope > steepest)
          steepest = slope, best = p;
      }
      if (best < 0) return {};
      PathHead own;
      toPart(best, head, own);
      const PathPiece piece = tracers[std::size_t(best)]->follow(own);
      for (std::size_t i = piece.path.size(); i-- > 0;) {
        const std::array<double, 4> next{piece.path.x[i], piece.path.y[i], piece.path.z[i],
                                         piece.path.travelTime[i]};
        // Consecutive pieces share an end; a piece from a vertex at the seed has no length.
        if (samples.size() > 1 || i + 1 == piece.path.size())
          if (!samples.empty() && std::equal(next.begin(), next.begin() + 3, samples.back().begin()))
            continue;
        samples.push_back(next);
      }
      if (piece.path.status == PathStatus::Complete) return samples;
      if (piece.head.vertices.empty()) return {};
      head = piece.head;
      for (std::int64_t& v : head.vertices) v = parts[std::size_t(best)].whole[std::size_t(v)];
      turns = std::max(turns, head.turns);
    }
  }

  int turns = 0;

private:
  std::vector<Part> parts;
  std::vector<std::vector<float>> partTimes;
  std::vector<std::vector<std::int64_t>> number; ///< in the part, per vertex
  std::vector<std::unique_ptr<PathTracer>> tracers;

  bool toPart(int p, const PathHead& head, PathHead& own) const {
    own = head;
    for (std::int64_t& v : own.vertices) v = number[std::size_t(p)][std::size_t(v)];
    return std::ranges::find(own.vertices, -1) == own.vertices.end();
  }
};

} // namespace

TEST(MeshTravelTimePaths, AreTheSameInParts) {
  for (const char* name : {"Isotropic", "Everything", "TenToOneRough", "TrianglesInSpace", "SeedsInCells"})
    for (const bool mixed : {false, true}) {
      const MeshCase c = meshMakerOf(name).make();
      const Values<float> times = solve(c, onHost(2)).travelTime;
      Divided divided(c, times, 3, mixed);
      for (std::int64_t v = 3; v < c.vertexCount(); v += 29) {
        const Path path = pathTo(c, times, {v});
        const auto samples = divided.follow(v);
        ASSERT_EQ(samples.size(), path.size()) << name << ", vertex " << v;
        for (std::size_t i = 0; i < samples.size(); ++i) {
          const std::size_t j = samples.size() - 1 - i;
          ASSERT_NEAR(samples[i][0], path.x[j], 1e-7) << name << ", vertex " << v;
          ASSERT_NEAR(samples[i][1], path.y[j], 1e-7) << name << ", vertex " << v;
          ASSERT_NEAR(samples[i][2], path.z[j], 1e-7) << name << ", vertex " << v;
          ASSERT_NEAR(samples[i][3], path.travelTime[j], 1e-7 * std::abs(path.travelTime.back()) + 1e-7);
        }
      }
      EXPECT_GT(divided.turns, 3) << name;
    }
}
