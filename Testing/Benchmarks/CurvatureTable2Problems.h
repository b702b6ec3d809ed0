// CurvatureTable2Problems.h - the test cases of the paper's Table 2 (Mirebeau et al. 2022, section 3). The
// paper's own data, a museum, an angiogram and two retinas, is replaced by synthetic images of the same size.
#pragma once

#include "CurvatureProblems.h"

#include <algorithm>
#include <numbers>

namespace isochrone::benchmark {

/// A row of the table with the paper's times: seconds on a GTX 1080 and on one core of a Xeon E5-2678 v3.
struct PaperRow {
  const char* experiment;
  Model model;
  double gpu, cpu;
};
inline constexpr PaperRow table2[] = {
    {"Empty", Model::ReedsShepp, 0.28, 34.3},    {"Empty", Model::ReedsSheppForward, 0.25, 15.7},
    {"Empty", Model::Elastica, 1.53, 117},       {"Empty", Model::Dubins, 0.44, 46.5},
    {"Building", Model::ReedsShepp, 1.37, 50.5}, {"Building", Model::ReedsSheppForward, 0.59, 29},
    {"Building", Model::Elastica, 3.21, 174},    {"Building", Model::Dubins, 1.02, 55.4},
    {"Boat", Model::Dubins, 0.52, 30.2},         {"MRI", Model::ReedsSheppForward, 0.93, 30.8},
    {"MRI", Model::Elastica, 3.32, 275.9},       {"Retina1", Model::ReedsSheppForward, 0.66, 21.1},
    {"Retina1", Model::Elastica, 2.22, 171.3},   {"Retina2", Model::ReedsSheppForward, 0.98, 32.8},
    {"Retina2", Model::Elastica, 3.21, 256.1},   {"Radar", Model::Dubins, 0.26, 9.57}};

/// A case with an optional drift.
struct Table2Case : Case {
  std::vector<float> driftX, driftY;
};

/// Returns the grid of an experiment on [-1, 1] x [-ny / nx, ny / nx], with its edges divided by `shrink`.
inline Table2Case table2Case(Model model, int nx, int ny, int headings, int shrink) {
  Table2Case c;
  nx /= shrink, ny /= shrink;
  c.problem.grid = {nx, ny, headings, 2. / (nx - 1), 2. / (nx - 1)};
  c.problem.model = model;
  return c;
}

/// Adds the drift of section 3.4: unit speed, turning radius 0.3, V = 0.6 sin(pi x) sin(pi y) (x, y) / |(x,
/// y)| on [-1, 1]^2.
inline void addDrift(Table2Case& c) {
  const auto& grid = c.problem.grid;
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) {
      const double x = i * grid.hx - 1, y = j * grid.hy - 1, r = std::hypot(x, y);
      const double v = r > 0 ? 0.6 * std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y) / r : 0;
      c.driftX.push_back(float(v * x)), c.driftY.push_back(float(v * y));
    }
}

/// Adds the tubes of section 3.3: winding and crossing, with a cost of 1 along them and 50 elsewhere.
inline void addTubes(Table2Case& c, int tubes) {
  const auto& grid = c.problem.grid;
  const int nx = int(grid.nx), ny = int(grid.ny);
  std::mt19937 engine(11);
  const auto random = [&] { return double(engine() >> 8) * 0x1p-24; };
  std::vector<float> near(std::size_t(nx) * ny), along(near.size()); // 0 to 1; direction of the nearest tube
  for (int t = 0; t < tubes; ++t) {
    double x = t ? nx * random() : nx / 2., y = t ? ny * random() : ny / 2., heading = 6.28 * random(),
           turn = 0;
    const double radius = 1.5 + 2.5 * random(); // pixels
    for (int step = 0; step < (nx + ny) / 2; ++step) {
      turn = 0.95 * turn + 0.012 * (random() - 0.5), heading += turn;
      x += std::cos(heading), y += std::sin(heading);
      const int reach = int(3 * radius);
      for (int j = std::max(0, int(y) - reach); j <= std::min(ny - 1, int(y) + reach); ++j)
        for (int i = std::max(0, int(x) - reach); i <= std::min(nx - 1, int(x) + reach); ++i) {
          const double d = std::hypot(i - x, j - y) / radius;
          const float value = float(std::exp(-d * d));
          const std::size_t p = i + std::size_t(nx) * j;
          if (value > near[p]) near[p] = value, along[p] = float(heading);
        }
    }
  }
  for (int k = 0; k < grid.headings; ++k)
    for (std::size_t p = 0; p < near.size(); ++p) {
      const double s = std::sin(k * grid.headingStep() - along[p]); // either direction along the tube
      c.cost.push_back(float(std::pow(50, 1 - near[p] * std::exp(-8 * s * s))));
    }
  c.problem.cost.values = c.cost;
  c.problem.turningRadius.constant = 10 * grid.hx;
  c.problem.seeds = {{{nx / 2 * grid.hx, ny / 2 * grid.hy, 0, true}, 0}};
}

/// Adds the cost of section 3.5, equation (14), on [-1, 1] x [0, 1]: three radars, plus 0.5 per length, since
/// the probability of detection alone vanishes on curves.
inline void addRadars(Table2Case& c) {
  const auto& grid = c.problem.grid;
  struct Radar {
    double x, y, blindDistance;
  };
  constexpr Radar radars[] = {{-0.4, 0.4, 0.3}, {0.2, 0.8, 0.3}, {0.6, 0.3, 0.3}};
  const auto sigma = [](double s) { return 1 - std::pow((1 + std::cos(2 * std::numbers::pi * s)) / 2, 4); };
  for (int k = 0; k < grid.headings; ++k)
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i) {
        double cost = 0.5;
        for (const Radar& radar : radars) {
          const double x = i * grid.hx - 1 - radar.x, y = j * grid.hy - radar.y, r = std::hypot(x, y);
          const double t = k * grid.headingStep(), blindVelocity = 0.2 / radar.blindDistance;
          const double along = r > 0 ? (std::cos(t) * x + std::sin(t) * y) / r : 0;
          cost += sigma(r / radar.blindDistance) * sigma(along / blindVelocity) / (1 + 2 * r * r);
        }
        c.cost.push_back(float(cost));
      }
  c.problem.cost.values = c.cost;
  c.problem.turningRadius.constant = 0.2;
  c.problem.seeds = {{{0.1, 0.5, 0, true}, 0}};
}

/// @param shrink  1: the paper's size
inline Table2Case makeTable2Case(const PaperRow& row, int shrink) {
  const std::string name = row.experiment;
  if (name == "Empty" || name == "Boat") {
    const int n = name == "Empty" ? 300 : 151;
    Table2Case c = table2Case(row.model, n, n, 96, shrink);
    c.problem.turningRadius.constant = name == "Empty" ? 0.2 : 0.3;
    c.problem.seeds = {{{1, 1, 0, false}, 0}};
    if (name == "Boat") addDrift(c);
    return c;
  }
  if (name == "Building") {
    Table2Case c{makeCase(row.model, 705 / shrink, 447 / shrink, 60, 30, "floor"), {}, {}};
    for (curvature::Seed& seed : c.problem.seeds) seed.state.anyHeading = false;
    c.problem.seeds[1].state.heading = std::numbers::pi;
    return c;
  }
  if (name == "Radar") {
    Table2Case c = table2Case(row.model, 200, 100, 96, shrink);
    addRadars(c);
    return c;
  }
  Table2Case c = name == "MRI"       ? table2Case(row.model, 512, 512, 60, shrink)
                 : name == "Retina1" ? table2Case(row.model, 387, 449, 60, shrink)
                                     : table2Case(row.model, 398, 598, 60, shrink);
  addTubes(c, name == "MRI" ? 60 : 30);
  return c;
}

} // namespace isochrone::benchmark
