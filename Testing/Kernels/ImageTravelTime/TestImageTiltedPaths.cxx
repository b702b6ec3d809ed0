// Claims about paths and gradients in tilted transversely isotropic media, and about bad input.
#include "Error.h"
#include "ImageHostSolves.h"
#include "ImageThomsenCases.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "Median.h"
#include "Reference/Christoffel.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

TEST(ImageTiltedPaths, LeadToEveryReachedPoint) {
  for (const std::string& name : thomsenCaseNames()) {
    const ThomsenCase c = makeThomsenCase(name);
    const Grid& g = c.problem.grid;
    const Values<float> u = solve(c.problem, additive()).travelTime;
    std::vector<Position> tips;
    for (std::int64_t n = 0; n < g.points(); n += 19) {
      if (!std::isfinite(u[std::size_t(n)])) continue;
      const GridIndex at = g.indices(n);
      tips.push_back({double(at[0]) * g.hx, double(at[1]) * g.hy, double(at[2]) * g.hz});
    }
    const std::vector<Path> paths = extractPaths(c.problem, u, tips, 2);
    ASSERT_EQ(paths.size(), tips.size());
    for (const Path& path : paths) EXPECT_GE(path.x.size(), 1u) << name;
  }
}

TEST(ImageTiltedPaths, AreStraightInAHomogeneousMedium) {
  for (Rock rock : rocks()) {
    rock.axis = {0.6, 0.8, 0};
    const ThomsenCase c = homogeneous({81, 81, 1, 1, 1, 1}, rock);
    const Values<float> u = solve(c.problem, additive()).travelTime;
    std::vector<Position> tips;
    for (int n = 0; n < 12; ++n)
      tips.push_back({40 + 32 * std::cos(n / 1.91), 40 + 32 * std::sin(n / 1.91), 0});
    const reference::Elastic elastic(rock.speed, rock.epsilon, rock.delta, rock.shear);
    const std::vector<Path> paths = extractPaths(c.problem, u, tips, 1);
    double farthest = 0;
    for (std::size_t n = 0; n < paths.size(); ++n) {
      const double x = tips[n][0] - 40, y = tips[n][1] - 40;
      ASSERT_FALSE(paths[n].x.empty());
      for (std::size_t m = 0; m < paths[n].x.size(); ++m)
        farthest = std::max(farthest, std::abs((paths[n].x[m] - 40) * y - (paths[n].y[m] - 40) * x) / 32);
    }
    EXPECT_LT(farthest, 1.2) << rock.epsilon << ' ' << rock.delta;
  }
}

TEST(ImageTiltedGradient, IsTheSlownessVector) {
  const Rock rock{2, 0.24, 0.1, 0.5, {0.6, 0.8, 0}};
  const ThomsenCase c = homogeneous({61, 61, 1, 1, 1, 1}, rock);
  const Values<float> u = solve(c.problem, additive()).travelTime, g = gradient(c.problem, u, 1);
  const reference::Elastic elastic(rock.speed, rock.epsilon, rock.delta, rock.shear);
  std::vector<double> errors;
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
    const double x = g[std::size_t(3 * n)], y = g[std::size_t(3 * n + 1)];
    const double along = 0.6 * x + 0.8 * y, across = 0.8 * x - 0.6 * y;
    if (u[std::size_t(n)] > 0) errors.push_back(std::abs(elastic.eigenvalue(across, along) - 1));
  }
  EXPECT_LT(median(errors), 0.05); // the plain differences of factored times
}

namespace {

std::string errorOf(const Problem& problem, const Options& options = {}) {
  try {
    solve(problem, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST(ImageTiltedInput, IsRefusedWithWhatValueWhereAndRemedy) {
  const auto with = [](const Rock& rock) {
    return thomsenCase({9, 8, 1, 1, 1, 1}, [&](double i, double j, double) {
      return i >= 3 && j == 2 ? rock : Rock{1, 0.1, 0.1, 0.5, {0, 1, 0}};
    });
  };
  const auto expect = [&](const Rock& rock, std::initializer_list<const char*> parts) {
    const std::string message = errorOf(with(rock).problem);
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
    EXPECT_NE(message.find("point (3, 2, 0), the first of 6 such points"), std::string::npos) << message;
    EXPECT_NE(message.find("make them barriers"), std::string::npos) << message;
  };
  expect({1, -0.5, 0, 0, {0, 1, 0}}, {"epsilon must be finite and above -0.5, got -0.5"});
  expect({1, INFINITY, 0, 0, {0, 1, 0}}, {"epsilon must be finite"});
  expect({1, 0, -0.5, 0, {0, 1, 0}}, {"1 + 2 delta must be", "delta = -0.5"});
  expect({1, 0, 0, 1, {0, 1, 0}}, {"Vs / Vp must not be negative", "got 1"});
  expect({1, 0, 0, -1, {0, 1, 0}}, {"Vs / Vp must not be negative", "got -1"});
  expect({1, -0.45, 0, 0.5, {0, 1, 0}}, {"Vs / Vp must not be negative", "epsilon = -0.45"});
  expect({1, 0, 1.6, 0, {0, 1, 0}}, {"not convex", "delta = 1.6"});
  expect({1, 0, 0, 0, {0, 0, 0}}, {"the symmetry axis must be finite and not zero"});
  const std::string flat = errorOf(with({1, 50000, 50000, 0, {0, 1, 0}}).problem);
  EXPECT_NE(flat.find("the medium at point (3, 2, 0) is too anisotropic"), std::string::npos) << flat;
  EXPECT_NE(errorOf(with({-1, 0, 0, 0, {0, 1, 0}}).problem).find("speed"), std::string::npos);
  ThomsenCase c = with({});
  c.epsilon.pop_back();
  c.bind();
  EXPECT_NE(errorOf(c.problem).find("epsilon must have 1 value for each of 72 points, or 1 for all, got 71"),
            std::string::npos);
  c = with({1, 0, 0, 0, {0, 1, 0}});
  c.axis.resize(3);
  c.bind();
  EXPECT_NE(errorOf(c.problem).find("the symmetry axis must have 2 values"), std::string::npos);
  c = with({1, 0, 0, 0, {0, 1, 0}});
  c.bind();
  Options options;
  options.order = 2;
  EXPECT_NE(errorOf(c.problem, options).find("the second order is not possible in a tilted medium"),
            std::string::npos);
  options = {};
  options.factoring = SourceFactoring::Multiplicative;
  EXPECT_NE(errorOf(c.problem, options).find("multiplicative source factoring"), std::string::npos);
  const std::vector<float> drift(144, 0.1f);
  c.problem.drift = drift;
  EXPECT_NE(errorOf(c.problem).find("a drift is not possible in a tilted medium"), std::string::npos);
}
