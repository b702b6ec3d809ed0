// ImageDriftCases.h - images with a drift for the tests of the solver.
#pragma once

#include "ImageTensorCases.h"

#include <limits>
#include <numbers>

namespace isochrone::image {

/// A case with the memory of its drift.
struct DriftCase : Case {
  std::vector<float> drift;

  void bind() { problem.speed = speed, problem.barriers = barriers, problem.drift = drift; }
};

/// Sets the drift of each point: at(i, j, k) returns a velocity.
template <class At>
void setDrift(DriftCase& c, At&& at) {
  const Grid& g = c.problem.grid;
  const int components = g.nz == 1 ? 2 : 3;
  c.drift.resize(std::size_t(g.points() * components));
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const Position v = at(double(n % g.nx), double(n / g.nx % g.ny), double(n / (g.nx * g.ny)));
    for (int a = 0; a < components; ++a) c.drift[std::size_t(n * components + a)] = float(v[a]);
  }
  c.problem.drift = c.drift;
}

/// Returns a case with constant speed 1 and a constant drift, a seed in the middle.
inline DriftCase constantDrift(const Grid& grid, const Position& velocity) {
  DriftCase c;
  c.problem.grid = grid;
  setDrift(c, [&](double, double, double) { return velocity; });
  c.problem.seeds = {
      {{double(grid.nx / 2) * grid.hx, double(grid.ny / 2) * grid.hy, double(grid.nz / 2) * grid.hz}, 0}};
  return c;
}

inline const std::vector<std::string>& driftCaseNames() {
  static const std::vector<std::string> names{
      "Plane",       "Space",        "PlaneUnequal", "SpaceUnequal", "PlaneNoise",      "SpaceNoise",
      "PlaneRubble", "PlaneTensors", "SpaceTensors", "SpaceMetric",  "PlaneSlowness",   "SeveralSeeds",
      "PlaneLine",   "PlaneLand",    "LastPoint",    "NearTheSpeed", "SpaceTensorNoise"};
  return names;
}

/// Returns a case with a vortex, up to 0.8 of the speed, or the drift that the name says.
inline DriftCase makeDriftCase(const std::string& name) {
  constexpr double pi = std::numbers::pi;
  const bool plane = name.starts_with("Plane") || name == "NearTheSpeed";
  const bool tensors = name.ends_with("Tensors") || name.ends_with("Metric") || name.ends_with("TensorNoise");
  DriftCase c;
  c.name = name;
  Problem& p = c.problem;
  Grid& g = p.grid;
  g = plane ? Grid{45, 37, 1, 1, 1, 1} : Grid{15, 13, 12, 1, 1, 1};
  if (name == "PlaneLine") g = {1, 40, 1, 1, 0.5, 1};
  if (name.ends_with("Unequal")) g.hy = 0.4, g.hz = 1.6;
  const bool rough = name.ends_with("Noise");
  if (tensors) {
    p.speedType = name == "SpaceMetric" ? SpeedType::MetricTensor : SpeedType::SquaredVelocityTensor;
    c.speed = makeTensorCase(rough ? "SpaceNoise" : plane ? "Plane" : "Space").speed;
  } else if (name != "Plane") {
    c.speed.resize(std::size_t(g.points()));
    for (std::int64_t n = 0; n < g.points(); ++n) c.speed[std::size_t(n)] = float(1 + noise(n + 31));
    if (name == "PlaneSlowness") {
      p.speedType = SpeedType::Slowness;
      for (float& s : c.speed) s = 1 / s;
    }
  }
  if (name == "PlaneRubble") {
    c.barriers.assign(std::size_t(g.points()), 0);
    for (std::int64_t n = 0; n < g.points(); ++n) c.barriers[std::size_t(n)] = noise(n + 77) < 0.12;
    c.barriers[std::size_t(g.index(g.nx / 2, g.ny / 2, g.nz / 2))] = 0;
  }
  // Tensors have speeds from 1 / 10 (metrics from 1) on across the fast direction.
  const double largest = name == "NearTheSpeed" ? 0.98 : !tensors ? 0.8 : name == "SpaceMetric" ? 0.9 : 0.08;
  std::uint64_t count = 0;
  setDrift(c, [&](double i, double j, double k) -> Position {
    if (rough) {
      const double size = largest * noise(3 * count), angle = 2 * pi * noise(3 * count + 1);
      const Position d = direction(angle, plane ? 0 : pi * (noise(3 * count++ + 2) - 0.5));
      return {size * d[0], size * d[1], size * d[2]};
    }
    const double x = i / double(g.nx) - 0.5, y = j / double(g.ny) - 0.4, z = k / double(g.nz) - 0.5;
    const double size = largest / std::max(0.6, std::hypot(x, y, plane ? 0 : z));
    if (name == "PlaneLand" && std::hypot(x - 0.2, y) < 0.1)
      return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    if (name == "PlaneLine") return {0, largest * y, 0};
    return {-size * y, size * x, plane ? 0 : size * 0.5 * z};
  });
  p.seeds = {{{double(g.nx / 2) * g.hx, double(g.ny / 2) * g.hy, double(g.nz / 2) * g.hz}, 0}};
  if (name == "SeveralSeeds") p.seeds = {{{2, 3, 4}, -3}, {{12, 9, 2}, 1.5}, {{6, 10, 11}, 0}};
  if (name == "LastPoint") p.seeds = {{{double(g.nx - 1), double(g.ny - 1), double(g.nz - 1)}, 0}};
  c.bind();
  return c;
}

} // namespace isochrone::image
