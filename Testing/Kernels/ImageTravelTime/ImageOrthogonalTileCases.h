// ImageOrthogonalTileCases.h - rectilinear and spherical grids for the tests of tile kernels.
#pragma once

#include "ImageOrthogonalCases.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace isochrone::image {

inline const std::vector<std::string>& rectilinearCaseNames() {
  static const std::vector<std::string> names{"Space",      "Constant", "Plane",    "Line",
                                              "OnePoint",   "Tiny",     "OneTile",  "Seeds",
                                              "OffTheGrid", "Wall",     "Enclosed", "Slowness"};
  return names;
}

/// Returns a rectilinear grid of uneven steps; rough speeds with barriers, unless the name states otherwise.
inline OrthogonalCase rectilinearCase(const std::string& name) {
  if (name == "Plane") return roughCase(unevenAxes(61, 45, 1, 10, 3), 20);
  if (name == "Line") return roughCase(unevenAxes(90, 1, 1, 20, 4), 5);
  if (name == "OnePoint") return roughCase(unevenAxes(1, 1, 1, 1, 5), 6);
  if (name == "Tiny") return roughCase(unevenAxes(5, 1, 3, 10, 6), 8);
  if (name == "OneTile") return roughCase(unevenAxes(8, 8, 8, 10, 6), 8);
  OrthogonalCase c = roughCase(unevenAxes(27, 22, 19, 8, 1), 30);
  if (name == "Space") return c;
  if (name == "Constant") {
    c.setSpeed([](const Position&) { return 1.5; });
    c.problem.seeds[0].at = {11.3, 20, 7.8};
  } else if (name == "Seeds") {
    c.setSpeed([&, n = std::uint64_t(0)](const Position&) mutable { return 1 + noise(n++); });
    c.problem.seeds = {{{4, 5, 6}, 0}, {{21.4, 17.1, 3}, 0.2}, {{13, 0, 18}, 0.4}, {{13, 1, 18}, 0.1}};
  } else if (name == "OffTheGrid") { // up to half a step beyond the border
    c.setSpeed([](const Position& at) { return 1 + 0.2 * at[0]; });
    c.problem.seeds = {{{-0.4, 21.3, 18.5}, 0}, {{400, 0, 0}, 0}};
  } else if (name == "Wall" || name == "Enclosed") {
    c.setSpeed([](const Position&) { return 1; });
    c.barriers.assign(c.size(), 0);
    for (std::size_t n = 0; n < c.size(); ++n) {
      const auto [i, j, k] = c.problem.grid.indices(std::int64_t(n));
      c.barriers[n] = i == 12 && (name == "Enclosed" || j > 2);
    }
    c.problem.barriers = c.barriers;
    c.problem.seeds = {{{3, 15, 9.5}, 0}};
  } else {
    c.problem.speedType = SpeedType::Slowness;
    for (float& v : c.speed) v = v > 0 ? v : std::numeric_limits<float>::infinity();
  }
  return c;
}

inline const std::vector<std::string>& sphericalCaseNames() {
  static const std::vector<std::string> names{
      "Ball", "Closed", "Sector",   "Shell",  "Surface",      "Disc",      "OtherAxes",
      "Pole", "Centre", "Meridian", "Region", "WedgeOfPoles", "SmallBall", "AroundThePole"};
  return names;
}

/// Returns a spherical grid; rough speeds with barriers, also at points that are one place, unless the name
/// states otherwise.
inline OrthogonalCase sphericalCase(const std::string& name) {
  using enum grid::AxisRole;
  const auto rough = [](const Axes& axes, std::uint64_t salt) {
    return roughCase(axes, salt, OrthogonalGrid::spherical);
  };
  const std::vector<double> radii = unevenly(0, 6, 11, 3, 1), theta = unevenly(0, 180, 18, 3, 2);
  if (name == "Ball") return rough({radii, theta, evenly(0, 345, 24)}, 3);
  if (name == "Closed") return rough({radii, theta, evenly(0, 360, 25)}, 4);
  if (name == "Sector")
    return rough({unevenly(3, 6, 19, 4, 1), unevenly(40, 120, 21, 4, 2), unevenly(10, 130, 12, 4, 3)}, 5);
  if (name == "Shell") return rough({unevenly(4, 6, 9, 4, 1), theta, evenly(-180, 165, 24)}, 6);
  if (name == "Surface")
    return roughCase({evenly(0, 180, 33), evenly(0, 350, 36), {6}}, 7, {Colatitude, Longitude, Radius});
  if (name == "Disc")
    return roughCase({evenly(0, 180, 40), evenly(0, 6, 30), {0}}, 8, {Colatitude, Radius, Longitude});
  if (name == "OtherAxes")
    return roughCase({evenly(0, 345, 24), radii, theta}, 9, {Longitude, Radius, Colatitude});
  if (name == "WedgeOfPoles") return rough({radii, theta, unevenly(10, 130, 12, 4, 3)}, 10);
  if (name == "SmallBall") return rough({evenly(0, 1, 2), evenly(0, 180, 3), evenly(0, 270, 4)}, 11);
  OrthogonalCase c({radii, evenly(0, 180, 19), evenly(0, 345, 24)}, OrthogonalGrid::spherical);
  c.setSpeed([](const Position& at) { return 1 + 0.1 * at[0] + 0.2 * std::cos(at[1] / 60); });
  if (name == "Pole") c.addSeed({4.3, 0, 77});
  if (name == "Centre") c.addSeed({0, 120, 40});
  if (name == "Meridian") c.addSeed({4.3, 95, 355}), c.addSeed({2, 80, 360}, 0.3);
  if (name == "AroundThePole") {
    c.setSpeed(
        [](const Position& at) { return at[1] > 15 && at[1] < 25 && std::abs(at[2] - 90) > 1 ? 0 : 1; });
    c.addSeed({6, 60, 270});
  }
  if (name == "Region") {
    c.regions.assign(c.size(), -1);
    c.regions[std::size_t(c.problem.grid.index(8, 0, 11))] = 0; // one point of the pole
    c.problem.seeds = {{{}, 0.5, true}};
    c.problem.seedRegions = c.regions;
  }
  return c;
}

/// Expects the times and the balls of another solve, times up to the rounding of an image: a share of the
/// larger of the time and of the time since the earliest arrival.
inline void expectSameTimes(const Result& result, const Result& expected) {
  const std::vector<double> times(expected.travelTime.begin(), expected.travelTime.end());
  expectTimes(result.travelTime, times, 1e-6);
  EXPECT_EQ(result.ballRadius, expected.ballRadius);
}

inline std::vector<std::string> orthogonalCaseNames() {
  std::vector<std::string> names;
  for (const std::string& name : rectilinearCaseNames()) names.push_back("Rectilinear" + name);
  for (const std::string& name : sphericalCaseNames()) names.push_back("Spherical" + name);
  return names;
}

/// Returns a case by a name of orthogonalCaseNames.
inline OrthogonalCase orthogonalCase(const std::string& name) {
  const std::string prefix = "Rectilinear";
  if (name.starts_with(prefix)) return rectilinearCase(name.substr(prefix.size()));
  return sphericalCase(name.substr(std::string("Spherical").size()));
}

} // namespace isochrone::image
