// Claims about rays in tilted transversely isotropic media: edges have the group velocity, in all rules,
// precisions and threads.
#include "Error.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "InstructionSets.h"
#include "Median.h"
#include "RayTracingChecks.h"
#include "RayTracingParts.h"
#include "RayTracingTiltedCases.h"
#include "Reference/Christoffel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

/// Returns the time along a vector by the Christoffel equation, with the parameters in single precision.
double groupTime(const Rock& r, const Position& v) {
  const reference::Elastic elastic(r.speed, float(r.epsilon), float(r.delta), float(r.shear));
  double along = 0, square = 0, length = 0;
  for (int a = 0; a < 3; ++a) {
    const double n = float(r.axis[a]);
    along += v[a] * n, length += n * n, square += v[a] * v[a];
  }
  along /= std::sqrt(length);
  return reference::groupTime(elastic, std::sqrt(std::max(0., square - along * along)), along);
}

const Grid plane{41, 33, 1, 1, 0.7, 1}, volume{13, 12, 11, 1, 0.7, 1.4};

Position vectorOf(const Grid& g, const GridIndex& from, const GridIndex& to) {
  return {double(to[0] - from[0]) * g.hx, double(to[1] - from[1]) * g.hy, double(to[2] - from[2]) * g.hz};
}

} // namespace

TEST(RayTracingTilted, TimesAlongEdgesAreThoseOfTheGroupVelocityAndNoTimeIsEarlier) {
  for (Rock rock : rocks())
    for (const bool flat : {true, false})
      for (const WeightRule rule : allRules) {
        rock.axis = {0.6, 0.5, flat ? 0 : 0.4};
        const Grid& g = flat ? plane : volume;
        const Options options =
            onHost(rule, StarKind::Coprime, flat ? std::array{6, 6, 6} : std::array{2, 2, 2}, true);
        const GridIndex middle{g.nx / 2, g.ny / 2, g.nz / 2};
        const TiltedCase c = tiltedCase(g, options, {double(middle[0]), double(middle[1]), double(middle[2])},
                                        [&](double, double, double) { return rock; });
        const Values<double> times = solve(c.problem, options).fields[0].preciseTravelTime;
        const ForwardStar star = makeForwardStar(g, options.neighbours, options.radius);
        std::size_t alongEdges = 0;
        for (std::int64_t n = 0; n < g.points(); ++n) {
          const GridIndex at = g.indices(n);
          const Position v = vectorOf(g, middle, at);
          if (v == Position{}) continue;
          const double exact = groupTime(rock, v), time = times[std::size_t(n)];
          ASSERT_GE(time, exact * (1 - 1e-9)) << n;
          ASSERT_LE(time, exact * (1 + 4 * star.worstAngularError)) << n;
          const auto steps = [&](std::size_t a) { return int(at[a] - middle[a]); };
          const int common = std::gcd(steps(0), std::gcd(steps(1), steps(2)));
          const Offset edge{steps(0) / common, steps(1) / common, steps(2) / common};
          if (std::ranges::find(star.offsets, edge) == star.offsets.end()) continue;
          ASSERT_LE(time, exact * (1 + 1e-9)) << n << nameOf(options);
          ++alongEdges;
        }
        EXPECT_GT(alongEdges, 300u);
      }
}

TEST(RayTracingTilted, TimesEqualDijkstrasAlgorithmOnWeightsOfTheChristoffelEquation) {
  for (const bool flat : {true, false})
    for (const bool rough : {false, true})
      for (const WeightRule rule : allRules) {
        const Grid g = flat ? Grid{25, 19, 1, 1, 0.7, 1} : Grid{7, 8, 6, 1, 0.7, 1.4};
        const Options options =
            onHost(rule, StarKind::Coprime, flat ? std::array{3, 3, 3} : std::array{1, 1, 1}, true);
        const TiltedCase c = tiltedCase(g, options, {3, 4, 2. * !flat}, [&](double i, double j, double k) {
          return rough ? noisy(numberOf(std::int64_t(i), std::int64_t(j), std::int64_t(k)), flat)
                       : varying(g, i, j, k);
        });
        const Grid elements = elementsOf(g, rule);
        const std::vector<Offset> offsets = reference::offsetsOf(g, options.neighbours, options.radius);
        std::vector<std::vector<reference::Share>> shares;
        for (Offset o : offsets) {
          if (std::tuple(o[2], o[1], o[0]) < std::tuple(0, 0, 0)) o = {-o[0], -o[1], -o[2]};
          shares.push_back(reference::sharesOf(g, rule, o));
        }
        const auto weight = [&](std::int64_t from, std::int64_t to, std::size_t o) {
          const GridIndex start = g.indices(std::min(from, to));
          const Position v = vectorOf(g, g.indices(from), g.indices(to));
          const double length = std::hypot(v[0], v[1], v[2]);
          const auto slownessOf = [&](std::int64_t n) {
            const double s = c.preciseSlowness[std::size_t(n)];
            if (std::isinf(s)) return s;
            Rock rock = c.rocks[std::size_t(n)];
            rock.speed = 1 / s; // near the source nothing is blanked
            return groupTime(rock, v) / length;
          };
          double sum = 0;
          for (const reference::Share& share : shares[o]) {
            double minimum = blanked;
            for (const Offset& s : share.samples)
              if (const std::int64_t n = indexAt(elements, start, s); n >= 0)
                minimum = std::min(minimum, slownessOf(n));
            sum += double(share.length) * minimum;
          }
          return rule == WeightRule::Fast && std::isfinite(sum)
                     ? length / 2 * (slownessOf(from) + slownessOf(to))
                     : sum;
        };
        const std::vector<double> expected =
            reference::minTimes<double>(g, offsets, {{g.index(3, 4, flat ? 0 : 2), 0.}}, weight);
        const Result result = solve(c.problem, options);
        expectEach(c, nameOf(options), result.fields[0].preciseTravelTime, expected, within(1e-9));
        const Options single = onHost(rule, options.neighbours, options.radius);
        const TiltedCase s = tiltedCase(g, single, {3, 4, 2. * !flat}, [&](double i, double j, double k) {
          return c.rocks[std::size_t(elements.index(std::int64_t(i), std::int64_t(j), std::int64_t(k)))];
        });
        expectEach(s, nameOf(single), solve(s.problem, single).fields[0].travelTime, expected, within(3e-6));
      }
}

TEST(RayTracingTilted, EveryBitFollowsFromTheWeightsForAnyThreadsAndInstructionSet) {
  for (const bool flat : {true, false})
    for (const WeightRule rule : allRules)
      for (const bool precise : {false, true}) {
        const Grid g = flat ? Grid{68, 66, 1, 1, 0.7, 1} : Grid{66, 5, 6, 1, 0.7, 1.4};
        Options options =
            onHost(rule, StarKind::Coprime, flat ? std::array{3, 3, 3} : std::array{1, 1, 1}, precise);
        options.predecessors = options.sourceIds = true;
        const TiltedCase c =
            tiltedCase(g, options, {3.3, 3.6, 2.2 * !flat}, [&](double i, double j, double k) {
              return noisy(numberOf(std::int64_t(i), std::int64_t(j), std::int64_t(k)), flat);
            });
        options.threads = 1;
        const Result one = solve(c.problem, options);
        if (precise)
          expectEach(c, nameOf(options), one.fields[0].preciseTravelTime,
                     withOwnWeights<double>(c.problem, options), equal);
        else
          expectEach(c, nameOf(options), one.fields[0].travelTime, withOwnWeights<float>(c.problem, options),
                     equal);
        for (const int threads : {2, 5}) {
          options.threads = threads;
          expectSame(c, "threads", solve(c.problem, options), one);
        }
        if (flat)
          onEachInstructionSet([&](const char* isa) { expectSame(c, isa, solve(c.problem, options), one); });
      }
}

TEST(RayTracingTilted, PartsHaveTheBitsOfTheWhole) {
  for (const WeightRule rule : allRules) {
    Options options = onHost(rule, StarKind::Coprime, {3, 3, 3});
    options.predecessors = options.sourceIds = true, options.threads = 1;
    const Grid g{40, 33, 1, 1, 0.7, 1};
    const TiltedCase c = tiltedCase(g, options, {3.3, 4.6, 0}, [&](double i, double j, double k) {
      return noisy(numberOf(std::int64_t(i), std::int64_t(j), std::int64_t(k)), true);
    });
    const std::vector<Position> receivers{{30.5, 20.3, 0}, {3.1, 4.4 * 0.7, 0}, {12, 21 * 0.7, 0}};
    const PartedSolution parts = solveInParts(
        c.problem, options, {{{0, 0, 0}, {17, 20, 1}}, {{17, 0, 0}, {40, 20, 1}}, {{0, 20, 0}, {40, 33, 1}}},
        receivers);
    const Result whole = solve(c.problem, options);
    expectSame(c, nameOf(options), parts.result, whole);
    const std::int32_t source = 0;
    const std::vector<Ray> rays = traceRays(c.problem, options, whole.fields[0], {&source, 1}, receivers);
    for (std::size_t r = 0; r < rays.size(); ++r) {
      const auto had = std::ranges::find_if(parts.rays, [&](const auto& of) { return of[r].source >= 0; });
      ASSERT_NE(had, parts.rays.end());
      EXPECT_EQ((*had)[r].travelTime, rays[r].travelTime);
      EXPECT_EQ((*had)[r].points, rays[r].points);
    }
  }
}

TEST(RayTracingTilted, TimesHaveTheBitsOfAnIsotropicMediumWithoutAnisotropy) {
  for (const bool flat : {true, false})
    for (const WeightRule rule : allRules) {
      const Options options = onHost(rule, StarKind::Coprime, {2, 2, 2});
      const TiltedCase c =
          tiltedCase(flat ? plane : volume, options, {3, 4, 0}, [&](double i, double j, double k) {
            Rock rock = noisy(numberOf(std::int64_t(i), std::int64_t(j), std::int64_t(k)), flat);
            rock.epsilon = rock.delta = 0;
            return rock;
          });
      Problem isotropic = c.problem;
      isotropic.tilted = false;
      expectEach(c, nameOf(options), solve(c.problem, options).fields[0].travelTime,
                 solve(isotropic, options).fields[0].travelTime, equal);
    }
}

TEST(RayTracingTilted, EdgesOfAnEllipticMediumHaveTheClosedForm) {
  const Options options = onHost(WeightRule::Fast, StarKind::Coprime, {4, 4, 4}, true);
  const Rock rock{2, 0.25, 0.25, 0.3, {0.6, 0.8, 0}};
  const TiltedCase c = tiltedCase(plane, options, {0, 0, 0}, [&](double, double, double) { return rock; });
  const EdgeWeights<double> edges(c.problem, options);
  for (int o = 0; o < edges.count(); ++o) {
    const Offset& e = edges.terms(o).offset;
    const std::int64_t from = plane.index(20, 16, 0);
    const double x = e[0] * plane.hx, y = e[1] * plane.hy, nx = float(0.6), ny = float(0.8);
    const double length = std::hypot(nx, ny), along = (x * nx + y * ny) / length,
                 across = (x * ny - y * nx) / length;
    const double expected = std::sqrt(along * along + across * across / 1.5) / 2;
    EXPECT_NEAR(edges.weight(from, o), expected, 1e-14 * expected) << o;
  }
}

TEST(RayTracingTilted, TimesTurnWithTheImageAndItsAxes) {
  const Options options = onHost(WeightRule::Accurate, StarKind::Coprime, {3, 3, 3}, true);
  const auto at = [](double i, double j, double) { return varying(plane, i, j, 0); };
  const TiltedCase c = tiltedCase(plane, options, {5, 7, 0}, at);
  const Grid turned{plane.ny, plane.nx, 1, plane.hy, plane.hx, 1};
  const TiltedCase t = tiltedCase(turned, options, {7, 5, 0}, [&](double i, double j, double k) {
    Rock rock = at(j, i, k);
    rock.axis = {-rock.axis[1], -rock.axis[0], 0};
    return rock;
  });
  const Values<double> a = solve(c.problem, options).fields[0].preciseTravelTime,
                       b = solve(t.problem, options).fields[0].preciseTravelTime;
  for (std::int64_t j = 0; j < plane.ny; ++j)
    for (std::int64_t i = 0; i < plane.nx; ++i) {
      const double expected = a[std::size_t(plane.index(i, j, 0))];
      EXPECT_NEAR(b[std::size_t(turned.index(j, i, 0))], expected, 1e-13 * expected);
    }
}

TEST(RayTracingTilted, TimesAgreeWithImageTravelTimesInAMediumThatVaries) {
  for (const std::int64_t n : {51, 101, 201}) { // first order
    const double h = 1 / double(n - 1);
    const Grid g{n, n, 1, h, h, 1};
    const Options options = onHost(WeightRule::Accurate, StarKind::Coprime, {6, 6, 6});
    const double i = double(n / 5), j = double(n / 3);
    const TiltedCase c =
        tiltedCase(g, options, {i, j, 0}, [&](double x, double y, double z) { return varying(g, x, y, z); });
    image::Problem p;
    p.grid = g;
    p.speedType = image::SpeedType::TiltedTransverse;
    p.thomsen = c.problem.thomsen;
    std::vector<float> speed;
    for (const Rock& rock : c.rocks) speed.push_back(float(rock.speed));
    p.speed = speed;
    p.seeds = {{{i * h, j * h, 0}, 0}};
    image::Options additive;
    additive.backend = Backend::Host;
    additive.factoring = image::SourceFactoring::Additive;
    const Values<float> u = solveImageTravelTime(p, additive, {}).travelTime,
                        t = solve(c.problem, options).fields[0].travelTime;
    std::vector<double> differences;
    for (std::size_t q = 0; q < u.size(); ++q)
      if (u[q] > 0) differences.push_back(t[q] / u[q] - 1);
    const double middle = median(differences);
    const auto [least, most] = std::ranges::minmax_element(differences);
    EXPECT_LT(std::abs(middle), 0.35 * h) << n;
    EXPECT_GT(*least, -0.3 * h) << n;
    EXPECT_LT(*most, 0.8 * h) << n;
  }
}

TEST(RayTracingTilted, RaysHaveTheTimesOfTheirReceiversAndTheMatrixGivesThem) {
  for (const WeightRule rule : allRules)
    for (const bool precise : {false, true}) {
      const Options options = onHost(rule, StarKind::Coprime, {3, 3, 3}, precise);
      const TiltedCase c = tiltedCase(plane, options, {3.3, 4.6, 0},
                                      [&](double i, double j, double k) { return varying(plane, i, j, k); });
      std::vector<Position> receivers;
      for (std::uint64_t n = 0; n < 40; ++n)
        receivers.push_back({noise(2 * n) * 40, noise(2 * n + 1) * 22.4, 0});
      receivers.push_back({3.5, 4.8 * 0.7, 0}); // in the source's cell
      const std::int32_t source = 0;
      const Field field = solve(c.problem, options).fields[0];
      const std::vector<Ray> rays = traceRays(c.problem, options, field, {&source, 1}, receivers);
      const RayMatrix matrix = rayMatrix(c.problem, options, rays);
      for (std::size_t r = 0; r < rays.size(); ++r) {
        ASSERT_EQ(rays[r].status, PathStatus::Complete);
        double sum = 0;
        for (std::int64_t e = matrix.row[r]; e < matrix.row[r + 1]; ++e)
          sum +=
              matrix.weight[std::size_t(e)] * c.preciseSlowness[std::size_t(matrix.element[std::size_t(e)])];
        EXPECT_NEAR(sum, rays[r].travelTime, (precise ? 1e-12 : 2e-6) * rays[r].travelTime)
            << nameOf(options);
      }
    }
}

TEST(RayTracingTilted, BadMediaAndOptionsAreRefused) {
  const Options options = onHost(WeightRule::Fast);
  const TiltedCase c = tiltedCase(plane, options, {3, 4, 0},
                                  [&](double i, double j, double k) { return varying(plane, i, j, k); });
  const auto expectError = [](const Problem& problem, const Options& with,
                              std::initializer_list<const char*> words) {
    try {
      solve(problem, with);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      for (const char* word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
    }
  };
  Problem p = c.problem;
  p.thomsen.epsilon = p.thomsen.epsilon.first(5);
  expectError(p, options, {"epsilon", "5"});
  std::vector<float> changed = c.epsilon;
  changed[7 + 41] = -0.6f;
  p = c.problem, p.thomsen.epsilon = changed;
  expectError(p, options, {"epsilon", "-0.6", "point (7, 1, 0)"});
  changed = c.delta, changed[9] = std::numeric_limits<float>::quiet_NaN();
  p = c.problem, p.thomsen.delta = changed;
  expectError(p, options, {"numbers", "point (9, 0, 0)"});
  changed = c.axis, changed[4] = changed[5] = 0;
  p = c.problem, p.thomsen.axis = changed;
  expectError(p, options, {"axis", "point (2, 0, 0)"});
}

TEST(RayTracingTilted, TheMonitorIsAskedWhileTheSlownessIsComputed) {
  const Options options = onHost(WeightRule::Fast, StarKind::Coprime, {1, 1, 1});
  const Grid g{300, 200, 1};
  const TiltedCase c =
      tiltedCase(g, options, {3, 4, 0}, [&](double i, double j, double k) { return varying(g, i, j, k); });
  int calls = 0;
  const Result result = solveRayTracing(c.problem, options, {[&](double) { return ++calls < 3; }});
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.fields.empty());
  EXPECT_EQ(calls, 3);
}

/// Returns the refusal of a solve that may take some bytes of memory; empty if it is solved.
std::string refusalWith(double bytes, const Problem& problem, const Options& options) {
  const std::size_t free = freeHostMemory();
  shareHostMemory({2, bytes / double(free), free});
  std::string refusal;
  try {
    solve(problem, options);
  } catch (const Error& error) {
    refusal = error.what();
  }
  shareHostMemory({});
  return refusal;
}

TEST(RayTracingTilted, TheMemoryThatIsUsedIsRequiredBefore) {
  Rock rock{2, 0.24, 0.1, 0, {0.6, 0.5, 0}};
  // Many points; many directions in the tiles of several threads.
  for (const Grid& g : {Grid{700, 500, 1}, Grid{12, 12, 12}}) {
    Options options = onHost(WeightRule::Fast, StarKind::Coprime, {3, 3, 3});
    options.threads = g.nz > 1 ? 3 : 1;
    TiltedCase c =
        tiltedCase(g, options, {3, 4, 2. * (g.nz > 1)}, [&](double, double, double) { return rock; });
    const double used = double(solve(c.problem, options).workBytes), megabyte = 1 << 20;
    EXPECT_GT(used, 20 * megabyte);
    EXPECT_NE(refusalWith(0.9 * used, c.problem, options).find("the travel times of"), std::string::npos);
    EXPECT_EQ(refusalWith(1.1 * used + 10 * megabyte, c.problem, options), "");
    if (g.nz > 1) continue;
    c.problem.periodic = {true, false, false};
    const double copies = 24 * double(g.points()); // slowness, epsilon, delta, axis, Vs / Vp
    EXPECT_NE(refusalWith(0.9 * copies, c.problem, options).find("copies"), std::string::npos);
  }
}

/// The medium is altered once its slowness is known, so that a second look at it changes the predecessors.
TEST(RayTracingTilted, TheSlownessIsComputedOnceForTheTimesAndPredecessorsOfAllSources) {
  for (const WeightRule rule : allRules)
    for (const bool precise : {false, true}) {
      Options options = onHost(rule, StarKind::Coprime, {3, 3, 3}, precise);
      options.separateSources = options.predecessors = options.sourceIds = true;
      TiltedCase c = tiltedCase(plane, options, {3, 4, 0},
                                [&](double i, double j, double k) { return varying(plane, i, j, k); });
      c.problem.sources.push_back({{30, 7, 0}});
      c.problem.sources.push_back({{20, 14, 0}});
      const Result expected = solve(c.problem, options);
      int calls = 0; // the first one before the slowness is computed, the second one after it
      const Result result = solveRayTracing(c.problem, options, {[&](double) {
                                              if (++calls == 2) std::ranges::fill(c.epsilon, 0.9f);
                                              return true;
                                            }});
      EXPECT_GE(calls, 2);
      ASSERT_EQ(result.fields.size(), 3u);
      for (std::size_t f = 0; f < 3; ++f) {
        EXPECT_EQ(result.fields[f].travelTime, expected.fields[f].travelTime);
        EXPECT_EQ(result.fields[f].preciseTravelTime, expected.fields[f].preciseTravelTime);
        EXPECT_EQ(result.fields[f].predecessor, expected.fields[f].predecessor);
        EXPECT_EQ(result.fields[f].source, expected.fields[f].source);
      }
    }
}
