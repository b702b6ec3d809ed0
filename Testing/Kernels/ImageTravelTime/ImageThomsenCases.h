// ImageThomsenCases.h - images of tilted transversely isotropic media for the tests of the solver.
#pragma once

#include "ImageTensorCases.h"

#include <limits>

namespace isochrone::image {

/// The medium of a point: Vp, epsilon, delta, Vs / Vp and the symmetry axis.
struct Rock {
  double speed = 1, epsilon = 0, delta = 0, shear = 0;
  Position axis{0, 0, 1};
};

/// A case with the memory of its medium.
struct ThomsenCase : Case {
  std::vector<float> epsilon, delta, shear, axis;

  void bind() {
    problem.speed = speed, problem.barriers = barriers;
    problem.thomsen = {epsilon, delta, axis, shear};
  }
};

/// Returns a problem with the rocks at(i, j, k) and a seed in the middle. In the plane the axis has two
/// components.
template <class At>
ThomsenCase thomsenCase(const Grid& grid, At&& at) {
  ThomsenCase c;
  c.problem.grid = grid;
  c.problem.speedType = SpeedType::TiltedTransverse;
  for (std::int64_t n = 0; n < grid.points(); ++n) {
    const Rock r = at(double(n % grid.nx), double(n / grid.nx % grid.ny), double(n / (grid.nx * grid.ny)));
    c.speed.push_back(float(r.speed)), c.epsilon.push_back(float(r.epsilon));
    c.delta.push_back(float(r.delta)), c.shear.push_back(float(r.shear));
    for (int a = 0; a < (grid.nz == 1 ? 2 : 3); ++a) c.axis.push_back(float(r.axis[a]));
  }
  c.problem.seeds = {
      {{double(grid.nx / 2) * grid.hx, double(grid.ny / 2) * grid.hy, double(grid.nz / 2) * grid.hz}, 0}};
  c.bind();
  return c;
}

inline ThomsenCase homogeneous(const Grid& grid, const Rock& rock) {
  return thomsenCase(grid, [&](double, double, double) { return rock; });
}

/// Mesaverde mudshale, Taylor sandstone, Green River shale of Thomsen's table 1, and media without Vs.
inline const std::vector<Rock>& rocks() {
  static const std::vector<Rock> list{{4.53, 0.034, 0.211, 0.62}, {3.37, 0.11, -0.035, 0.54},
                                      {4.17, 0.195, -0.22, 0.6},  {2, 0.24, 0.1, 0},
                                      {2, 0.1, 0.3, 0},           {1, 0.6, -0.2, 0.3}};
  return list;
}

inline const std::vector<std::string>& thomsenCaseNames() {
  static const std::vector<std::string> names{"Plane",      "Space",      "PlaneUnequal", "SpaceUnequal",
                                              "PlaneNoise", "SpaceNoise", "PlaneRubble",  "SpaceRubble",
                                              "PlaneDelta", "SpaceDelta", "PlaneLine",    "SeveralSeeds",
                                              "PlaneLimit", "PlaneHoles", "LastPoint"};
  return names;
}

/// Returns a case with axes that turn over the image.
inline ThomsenCase makeThomsenCase(const std::string& name) {
  constexpr double pi = std::numbers::pi;
  const bool plane = name.starts_with("Plane");
  Grid g = plane ? Grid{23, 19, 1, 1, 1, 1} : Grid{9, 8, 7, 1, 1, 1};
  if (name == "PlaneLine") g = {1, 30, 1, 1, 0.5, 1};
  if (name.ends_with("Unequal")) g.hy = 0.5, g.hz = 1.6;
  std::uint64_t count = 0;
  ThomsenCase c = thomsenCase(g, [&](double i, double j, double k) -> Rock {
    const auto random = [&] { return noise(count++); };
    if (name.ends_with("Noise"))
      return {1 + random(), 0.5 * random() - 0.1, 0.5 * random() - 0.1, 0.6 * random(),
              direction(2 * pi * random(), plane ? 0 : pi * (random() - 0.5))};
    const double x = i / double(g.nx), y = j / double(g.ny), z = k / double(g.nz);
    Rock rock{1 + 0.5 * y, 0.24 + 0.1 * x, 0.1, 0.5, direction(pi * (x + 0.5 * y), plane ? 0 : 1.2 * z)};
    if (name.ends_with("Delta")) rock.epsilon = 0.05, rock.delta = 0.3 + 0.2 * y, rock.shear = 0;
    if (name.ends_with("Limit")) rock.epsilon = 0.6, rock.delta = -0.2, rock.shear = 0;
    if (name.ends_with("Holes") && noise(std::uint64_t(i + 100 * j)) < 0.1)
      rock.delta = std::numeric_limits<double>::quiet_NaN();
    return rock;
  });
  if (name.ends_with("Rubble")) {
    c.barriers.assign(std::size_t(g.points()), 0);
    for (std::int64_t n = 0; n < g.points(); ++n)
      c.barriers[std::size_t(n)] = noise(std::uint64_t(n + 77)) < 0.12;
  }
  if (name.ends_with("Holes")) c.delta[std::size_t(g.index(g.nx / 2, g.ny / 2, 0))] = 0.1f;
  if (name.ends_with("Rubble")) c.barriers[std::size_t(g.index(g.nx / 2, g.ny / 2, g.nz / 2))] = 0;
  if (name == "SeveralSeeds") c.problem.seeds = {{{2, 3, 4}, -0.3}, {{7, 6, 2}, 0.5}, {{6, 1, 5}, 0}};
  if (name == "LastPoint") c.problem.seeds = {{{double(g.nx - 1), double(g.ny - 1), double(g.nz - 1)}, 0}};
  c.name = name;
  c.bind();
  return c;
}

} // namespace isochrone::image
