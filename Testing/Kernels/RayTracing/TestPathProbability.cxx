// Claims about the probabilities of random paths.
#include "Error.h"
#include "RayTracing/Paths/EdgesAround.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracingRayCases.h"
#include "Reference/DijkstraReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace isochrone::rays {
namespace {

constexpr double blanked = std::numeric_limits<double>::infinity();

Options oneStep(bool precise = true, StarKind kind = StarKind::Full) {
  Options options;
  options.radius = {1, 1, 1}, options.neighbours = kind, options.doublePrecision = precise;
  return options;
}

PathProbability probability(const RayCase& c, const std::vector<Position>& receivers, double temperature) {
  return pathProbability(c.problem, c.options, solve(c).fields[0], allSources(c), receivers, temperature);
}

/// Returns a case with sources in the first row of a plane, of slowness 2.
RayCase planeWave(std::int64_t width, std::int64_t rows, const Options& options) {
  RayCase c = makeRayCase("plane wave", {width, rows, 1}, options, [](auto...) { return 2.; });
  for (std::int64_t i = 0; i < width; ++i) c.problem.sources.push_back({{double(i), 0, 0}});
  return c;
}

double sum(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.); }

/// A case of six by five points for all of whose paths there is time.
RayCase tiny(const Options& options) {
  RayCase c = makeRayCase("tiny", {6, 5, 1, 1, 0.8, 1}, options, [](auto i, auto j, auto) {
    return i == 3 && j == 1 ? blanked : 0.5 + noise(std::uint64_t(31 * i + 7 * j));
  });
  c.problem.sources = {{{0.3, 0.5, 0}, 0.25}, {{5, 0, 0}, 0.5}};
  return c;
}

/// The last lies in a cell with the second source, which is a grid point.
const std::vector<Position> tinyReceivers{{3.6, 2.9, 0}, {0, 3.2, 0}, {4.7, 0.3, 0}};

/// From left to right of a ring two ways lead around its middle, six edges long each.
TEST(PathProbability, OfTwoWaysIsTheLogisticFunctionOfTheirTimes) {
  for (const bool precise : {false, true}) {
    RayCase c = makeRayCase("ring", {5, 3, 1}, oneStep(precise), [](auto i, auto j, auto) {
      return j == 1 && i > 0 && i < 4 ? blanked : j == 2 ? 1.02 : 1.;
    });
    c.problem.sources = {{{0, 1, 0}, 3}};
    for (const double temperature : {0.02, 0.1, 5.}) {
      const auto found = probability(c, {{4, 1, 0}}, temperature);
      const double slower = 1 / (1 + std::exp(0.1 / temperature)); // 6.1 beside 6
      const double tolerance = precise ? 1e-13 : 1e-5;
      for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(found.probability[i], 1 - slower, tolerance);
        EXPECT_NEAR(found.probability[10 + i], slower, tolerance);
        EXPECT_NEAR(found.probability[5 + i], i % 4 == 0 ? 1 : 0, 1e-15);
      }
      EXPECT_NEAR(found.expectedTime[0], 9 + 0.1 * slower, tolerance);
    }
  }
}

/// A path from a plane wave goes one row ahead with each edge: a random walk, whose steps aside have the
/// weight q = exp(-(time along the diagonal - time ahead) / temperature).
TEST(PathProbability, OfAPlaneWaveIsThatOfARandomWalk) {
  constexpr int n = 10;
  for (const bool precise : {false, true}) {
    const RayCase c = planeWave(2 * n + 1, n + 1, oneStep(precise));
    for (const double temperature : {0.1, 1., 100.}) {
      const auto found = probability(c, {{n, n, 0}}, temperature);
      const double diagonal = 2 * std::sqrt(2.), q = std::exp(-(diagonal - 2) / temperature);
      const auto logFactorial = [](int k) { return std::lgamma(k + 1.); };
      for (int k = 0; k <= n; ++k)
        for (int aside = -n; aside <= n; ++aside) {
          double expected = 0; // trinomial coefficients
          for (int left = std::max(0, -aside); 2 * left + aside <= k; ++left) {
            const int right = left + aside, ahead = k - left - right;
            expected += std::exp(logFactorial(k) - logFactorial(left) - logFactorial(right) -
                                 logFactorial(ahead) + (left + right) * std::log(q) - k * std::log1p(2 * q));
          }
          EXPECT_NEAR(found.probability[c.problem.grid.index(n + aside, n - k, 0)], expected, 1e-13)
              << k << " rows back, " << aside << " aside";
        }
      EXPECT_NEAR(found.expectedTime[0], n * (2 + 2 * diagonal * q) / (1 + 2 * q), 1e-11);
    }
  }
}

/// Their sum, 3^2000, has no double.
TEST(PathProbability, HoldsAnyNumberOfPaths) {
  RayCase c = planeWave(5, 2001, oneStep());
  c.problem.periodic = {true, false, false};
  constexpr double hot = 1e6;
  const auto found = probability(c, {{2, 2000, 0}}, hot);
  const double diagonal = 2 * std::sqrt(2.), q = std::exp(-(diagonal - 2) / hot);
  EXPECT_NEAR(found.expectedTime[0], 2000 * (2 + 2 * diagonal * q) / (1 + 2 * q), 1e-8);
  for (std::int64_t row = 0; row <= 2000; row += 100) {
    EXPECT_NEAR(sum(std::span(found.probability).subspan(std::size_t(5 * row), 5)), 1, 1e-11);
    if (row < 1900) EXPECT_NEAR(found.probability[5 * row], 0.2, 1e-6);
  }
}

/// The sum over all paths to a receiver, one by one.
class AllPaths {
public:
  AllPaths(const RayCase& c, double temperatureOfPaths)
      : grid(c.problem.grid), temperature(temperatureOfPaths),
        offsets(reference::offsetsOf(grid, c.options.neighbours, c.options.radius)),
        weight(reference::weightOf<double>(c.problem, c.options.rule, offsets)),
        starts(reference::startsOf<double>(c.problem, c.options.rule)),
        times(reference::dijkstra<double>(c.problem, c.options)) {}

  PathProbability to(const RayCase& c, const Position& receiver) {
    Problem reverse = c.problem;
    reverse.sources = {{receiver}};
    const auto ends = reference::startsOf<double>(reverse, c.options.rule);
    double arrival = blanked;
    for (const auto& [point, time] : ends) arrival = std::min(arrival, times[point] + time);
    shares.assign(times.size(), 0), total = mean = 0;
    for (const auto& [point, time] : ends)
      if (arrival - times[point] >= 0.01 * time) backFrom(point, time);
    PathProbability result;
    for (const double share : shares) result.probability.push_back(share / total);
    result.expectedTime = {mean / total};
    return result;
  }

private:
  Grid grid;
  double temperature;
  std::vector<Offset> offsets;
  reference::Weight<double> weight;
  reference::Starts starts;
  std::vector<double> times, shares;
  double total = 0, mean = 0;
  std::vector<std::int64_t> path;

  /// @param time  from the point to the receiver
  void backFrom(std::int64_t point, double time) {
    path.push_back(point);
    for (const auto& [at, start] : starts)
      if (at == point) {
        const double likelihood = std::exp(-(start + time) / temperature);
        total += likelihood, mean += likelihood * (start + time);
        for (const std::int64_t passed : path) shares[passed] += likelihood;
      }
    for (std::size_t o = 0; o < offsets.size(); ++o) {
      const std::int64_t i = point % grid.nx + offsets[o][0], j = point / grid.nx + offsets[o][1];
      if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) continue;
      const std::int64_t from = grid.index(i, j, 0);
      const double edge = weight(from, point, o);
      if (std::isfinite(edge) && times[point] - times[from] >= 0.01 * edge) backFrom(from, time + edge);
    }
    path.pop_back();
  }
};

TEST(PathProbability, IsTheBoltzmannSumOverAllPaths) {
  for (const auto rule : {WeightRule::Accurate, WeightRule::Fast, WeightRule::Cells})
    for (const auto kind : {StarKind::Coprime, StarKind::Full})
      for (const double temperature : {0.05, 0.5, 1e300}) {
        Options options = oneStep(true, kind);
        options.rule = rule, options.radius = {kind == StarKind::Full ? 1 : 2, 1, 1};
        const RayCase c = tiny(options);
        AllPaths all(c, temperature);
        const auto found = probability(c, tinyReceivers, temperature);
        std::vector<double> expected(found.probability.size(), 0);
        for (std::size_t r = 0; r < tinyReceivers.size(); ++r) {
          const auto one = all.to(c, tinyReceivers[r]);
          for (std::size_t p = 0; p < expected.size(); ++p)
            expected[p] += one.probability[p] / double(tinyReceivers.size());
          EXPECT_NEAR(found.expectedTime[r], one.expectedTime[0], 1e-12) << r;
        }
        for (std::size_t p = 0; p < expected.size(); ++p)
          EXPECT_NEAR(found.probability[p], expected[p], 1e-12);
      }
}

TEST(PathProbability, OfLowTemperaturesIsOneOnTheFastestPath) {
  int checked = 0;
  for (const RayCase& c : roughCases()) {
    if (c.options.neighbours == StarKind::Full)
      continue; // a long edge and the short ones beneath it take the same time
    const Field field = std::move(solve(c).fields[0]);
    const Position receiver = placeOf(c.problem.grid, c.problem.grid.points() - 2);
    const Ray ray = trace(c, field, {receiver})[0];
    if (ray.status != PathStatus::Complete) continue;
    ++checked;
    for (const double temperature : {1e-7, 5e-324}) {
      const auto found =
          pathProbability(c.problem, c.options, field, allSources(c), std::vector{receiver}, temperature);
      std::size_t passed = 0;
      for (std::size_t p = 0; p < found.probability.size(); ++p)
        if (found.probability[p] > 0.5) {
          ++passed;
          EXPECT_NE(std::ranges::find(ray.points, std::int64_t(p)), ray.points.end()) << c.name;
        }
      EXPECT_EQ(passed, ray.points.size()) << c.name;
      EXPECT_NEAR(found.expectedTime[0], ray.travelTime, c.options.doublePrecision ? 1e-6 : 1e-5) << c.name;
    }
  }
  EXPECT_GE(checked, 9);
}

TEST(PathProbability, SurvivesAMirrorAndOtherUnits) {
  const auto slowness = [](std::int64_t i, std::int64_t j, std::int64_t) { return roughSlowness(i, j, 0); };
  constexpr std::int64_t width = 30;
  Options options;
  options.doublePrecision = true;
  RayCase c = makeRayCase("rough", {width, 20, 1}, options, slowness);
  c.problem.sources = {{{5, 5, 0}, 0.5}, {{8, 6, 0}, 0.25}};
  RayCase mirrored = makeRayCase("mirrored", {width, 20, 1}, options,
                                 [&](auto i, auto j, auto k) { return slowness(width - 1 - i, j, k); });
  mirrored.problem.sources = {{{24, 5, 0}, 0.5}, {{21, 6, 0}, 0.25}};
  RayCase scaled = makeRayCase("scaled", {width, 20, 1, 3, 3, 3}, options,
                               [&](auto i, auto j, auto k) { return 7 * slowness(i, j, k); });
  scaled.problem.sources = {{{15, 15, 0}, 10.5}, {{24, 18, 0}, 5.25}};
  const auto here = probability(c, {{26, 17, 0}}, 0.3), there = probability(mirrored, {{3, 17, 0}}, 0.3),
             other = probability(scaled, {{78, 51, 0}}, 6.3);
  for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
    EXPECT_NEAR(here.probability[p], there.probability[p + width - 1 - 2 * (p % width)], 1e-11);
    EXPECT_NEAR(here.probability[p], other.probability[p], 1e-11);
  }
  EXPECT_NEAR(here.expectedTime[0], other.expectedTime[0] / 21, 1e-11);
}

TEST(PathProbability, IsTheMeanOverTheReceiversThatAreReached) {
  Options options = oneStep();
  options.radius = {2, 2, 1};
  const RayCase c = tiny(options);
  const auto first = probability(c, {tinyReceivers[0]}, 0.3),
             second = probability(c, {tinyReceivers[1]}, 0.3);
  const auto all = probability(c, {tinyReceivers[0], {3, 0.8, 0}, tinyReceivers[1], {9, 9, 0}}, 0.3);
  for (std::size_t p = 0; p < all.probability.size(); ++p)
    EXPECT_NEAR(all.probability[p], (first.probability[p] + second.probability[p]) / 2, 1e-15);
  EXPECT_EQ(all.expectedTime[0], first.expectedTime[0]);
  EXPECT_EQ(all.expectedTime[1], blanked);
  EXPECT_EQ(all.expectedTime[3], blanked);
  EXPECT_EQ(sum(probability(c, {{3, 0.8, 0}}, 0.3).probability), 0);
}

/// Rounding would let some edges along a front lead away from the sources, and others not: here the front is
/// oblique, and its times are sums of different edges.
TEST(PathProbability, DoesNotDependOnRounding) {
  const auto obliqueWave = [](bool precise) {
    RayCase c = makeRayCase("oblique wave", {24, 24, 1}, oneStep(precise), [](auto...) { return 0.7; });
    for (int i = 0; i < 24; ++i)
      for (const Position& at : {Position{double(i), 0, 0}, Position{0, double(i), 0}})
        c.problem.sources.push_back({at, i * 0.7 / std::sqrt(2.)});
    return probability(c, {{23, 20, 0}}, 0.5);
  };
  const auto single = obliqueWave(false), precise = obliqueWave(true);
  for (std::size_t p = 0; p < precise.probability.size(); ++p)
    EXPECT_NEAR(single.probability[p], precise.probability[p], 1e-6);
}

/// Of the two paths to a receiver beside its source, the straight one passes no point.
TEST(PathProbability, CountsTheStraightWayWithinACell) {
  Options options = oneStep();
  RayCase c = makeRayCase("line", {4, 1, 1}, options, [](auto...) { return 1.; });
  c.problem.sources = {{{1.25, 0, 0}}};
  const auto found = probability(c, {{1.75, 0, 0}}, 0.5); // 0.5 straight; 1 over point 1, which is before it
  const double around = std::exp(-1.) / (1 + std::exp(-1.));
  EXPECT_NEAR(found.probability[1], around, 1e-12);
  EXPECT_EQ(found.probability[2], 0); // after the receiver
  c.problem.sources = {{{1, 0, 0}}};  // the straight way is the edge from this point, and is one path
  EXPECT_EQ(probability(c, {{1.75, 0, 0}}, 0.01).probability[1], 1);
}

/// In a plane and in space, at borders and beside blanked points.
TEST(PathProbability, HasTheWeightsOfTheSolver) {
  for (const RayCase& c : roughCases()) {
    const EdgeWeights<double> expected(c.problem, c.options);
    const auto compare = [&](const auto& edges) {
      for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
        const auto place = edges.placeOf(p);
        for (int o = 0; o < edges.count(); ++o) {
          const std::int64_t to = edges.neighbour(place, o);
          ASSERT_EQ(to, expected.neighbour(p, o)) << c.name;
          if (to >= 0) ASSERT_EQ(edges.weight(place, o, to), expected.weight(p, o)) << c.name;
        }
      }
    };
    if (c.options.doublePrecision)
      compare(EdgesAround<double>(c.problem, c.options));
    else
      compare(EdgesAround<float>(c.problem, c.options));
  }
}

/// In a tilted medium edges have the slowness of their directions.
TEST(PathProbability, OfATiltedMediumHasTimesThatDependOnTheDirection) {
  constexpr int n = 6;
  const std::vector<float> epsilon{0.3f}, delta{0.1f};
  RayCase c = planeWave(2 * n + 1, n + 1, oneStep());
  c.problem.tilted = true, c.problem.thomsen.epsilon = epsilon, c.problem.thomsen.delta = delta;
  RayCase point = planeWave(3, 3, oneStep());
  point.problem.tilted = true, point.problem.thomsen = c.problem.thomsen,
  point.problem.sources = {{{1, 0, 0}}};
  const Field times = std::move(solve(point).fields[0]);
  const double ahead = times.preciseTravelTime[4], diagonal = times.preciseTravelTime[5];
  EXPECT_LT(diagonal, 0.95 * std::sqrt(2.) * ahead);
  const double temperature = 0.5, q = std::exp(-(diagonal - ahead) / temperature);
  const auto found = probability(c, {{n, n, 0}}, temperature);
  EXPECT_NEAR(found.expectedTime[0], n * (ahead + 2 * diagonal * q) / (1 + 2 * q), 1e-12);
  EXPECT_NEAR(found.probability[0], std::pow(q / (1 + 2 * q), n), 1e-15);
}

TEST(PathProbability, HasTheSameBitsForAnyNumberOfThreads) {
  RayCase c = makeRayCase("rough", {150, 140, 1}, {}, roughSlowness);
  c.problem.sources = {{{5, 5, 0}}};
  const Field field = std::move(solve(c).fields[0]);
  const auto by = [&](int threads, const Monitor& monitor = {}) {
    c.options.threads = threads;
    return pathProbability(c.problem, c.options, field, allSources(c),
                           std::vector<Position>{{143, 133, 0}, {100, 33.3, 0}}, 0.2, monitor);
  };
  double last = 0;
  int calls = 0;
  const auto one = by(1), three = by(3, {[&](double share) {
                                       EXPECT_GE(share, last);
                                       return ++calls, last = share, true;
                                     }});
  EXPECT_EQ(one.probability, three.probability);
  EXPECT_EQ(one.expectedTime, three.expectedTime);
  EXPECT_LT(one.expectedTime[0] + one.expectedTime[1], blanked);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 4);
  for (int stop = 0; stop < calls; ++stop) {
    int call = 0;
    const auto none = by(2, {[&](double) { return call++ < stop; }});
    EXPECT_TRUE(none.probability.empty() && none.expectedTime.empty()) << stop;
  }
}

TEST(PathProbability, RefusesBadInput) {
  const RayCase c = tiny(oneStep(false));
  const Field field = std::move(solve(c).fields[0]);
  const auto expectError = [&](const char* word, const Problem& problem, const Field& of,
                               const std::vector<Position>& receivers, double temperature) {
    try {
      pathProbability(problem, c.options, of, allSources(c), receivers, temperature);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
    }
  };
  for (const double bad : {0., -1., std::nan(""), blanked})
    expectError("temperature", c.problem, field, tinyReceivers, bad);
  expectError("receiver", c.problem, field, {}, 1);
  expectError("same problem", c.problem, {}, tinyReceivers, 1);
  Problem starts = c.problem;
  const std::vector<float> times(30, 0);
  starts.startTimes = times;
  expectError("start times", starts, field, tinyReceivers, 1);
}

TEST(PathProbability, RefusesTimesThatRoundingKeepsEqual) {
  for (const bool precise : {false, true}) {
    RayCase c = makeRayCase("late", {9, 9, 1}, oneStep(precise), [](auto...) { return 1.; });
    c.problem.sources = {{{0, 0, 0}, precise ? 0x1p55 : 0x1p26}};
    try {
      probability(c, {{8, 8, 0}}, 1);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const char* const remedy =
          precise ? "reduce the range" : "to point (1, 0, 0): request double precision";
      EXPECT_NE(std::string(error.what()).find(remedy), std::string::npos) << error.what();
    }
  }
}

} // namespace
} // namespace isochrone::rays
