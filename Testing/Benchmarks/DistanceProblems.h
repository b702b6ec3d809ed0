// DistanceProblems.h - the images of the distance transform's benchmark.
//
//   random P   P percent of the points are sites, at random
//   shell      points about a third of the size from the centre: smooth distances everywhere
//   circles, squares, lines   outlines of circles, filled squares, straight lines, at random places
//
// Steps between the points are equal, another on each axis, or from 0.5 to 1.5 at random (rectilinear). With
// equal ones all axes may be periodic.
// Photographs are read from a file of one byte per point.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "Error.h"
#include "Noise.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace isochrone::benchmark {

struct DistanceCase {
  std::string name;
  distance::Problem problem;
  std::vector<std::uint8_t> sites;
  std::unique_ptr<grid::OrthogonalGrid> uneven;

  DistanceCase(const std::string& called, const distance::Grid& grid) : name(called), sites(grid.points()) {
    problem.grid = grid;
    problem.sites = sites;
  }
  DistanceCase(DistanceCase&&) = default; // keeps the memory that the problem views

  /// Changes the steps between the points from equal to unequal or uneven ones, or makes all axes periodic.
  void setSteps(const std::string& kind) {
    if (kind == "equal") return;
    if (kind != "unequal" && kind != "uneven" && kind != "periodic")
      throw Error("the steps are equal, unequal, uneven or periodic, got " + kind);
    name += ", " + kind;
    if (kind == "periodic") {
      problem.periodic = {true, true, true};
      return;
    }
    distance::Grid& g = problem.grid;
    if (kind == "unequal") {
      g = {g.nx, g.ny, g.nz, 1, 1.1, 1.2};
      return;
    }
    grid::OrthogonalGrid::Coordinates at;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::int64_t i = 0; i < g.sizes()[a]; ++i)
        at[a].push_back(i > 0 ? at[a].back() + 0.5 + noise(std::uint64_t(3 * i) + a) : 0);
    uneven = std::make_unique<grid::OrthogonalGrid>(at);
    problem.rectilinear = uneven.get();
  }

  void mark(double x, double y) {
    const auto i = std::int64_t(std::lround(x)), j = std::int64_t(std::lround(y));
    if (i >= 0 && j >= 0 && i < problem.grid.nx && j < problem.grid.ny)
      sites[problem.grid.index(i, j, 0)] = 1;
  }
};

inline void markShell(DistanceCase& c) {
  const distance::Grid& g = c.problem.grid;
  const double radius = double(g.nx) / 3;
  for (std::int64_t p = 0; p < g.points(); ++p) {
    const double x = double(p % g.nx - g.nx / 2), y = double(p / g.nx % g.ny - g.ny / 2),
                 z = double(p / (g.nx * g.ny) - g.nz / 2);
    c.sites[p] = std::abs(std::sqrt(x * x + y * y + z * z) - radius) < 0.5;
  }
}

/// Draws forty shapes up to a fifth of the image's size.
inline void markShapes(DistanceCase& c) {
  const double n = double(c.problem.grid.nx);
  for (std::uint64_t s = 0; s < 40; ++s) {
    const double x = n * noise(4 * s), y = n * noise(4 * s + 1), size = 0.2 * n * noise(4 * s + 2);
    if (c.name == "circles")
      for (double a = 0; a < 2 * M_PI * size; a += 0.5)
        c.mark(x + size * std::cos(a / size), y + size * std::sin(a / size));
    if (c.name == "squares")
      for (double dy = 0; dy < size; ++dy)
        for (double dx = 0; dx < size; ++dx) c.mark(x + dx, y + dy);
    if (c.name == "lines") {
      const double angle = M_PI * noise(4 * s + 3);
      for (double t = 0; t < 2 * size; t += 0.5) c.mark(x + t * std::cos(angle), y + t * std::sin(angle));
    }
  }
}

/// @param file  the sites of a photograph; otherwise nullptr
inline DistanceCase makeDistanceCase(const std::string& name, const distance::Grid& grid, const char* file) {
  DistanceCase c(name, grid);
  if (file) {
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(c.sites.data()), std::streamsize(c.sites.size()));
    if (!in) throw Error(std::string("'") + file + "' has fewer bytes than the image has points");
  } else if (name.starts_with("random ")) {
    const double share = std::atof(name.c_str() + 7) / 100;
    for (std::size_t p = 0; p < c.sites.size(); ++p) c.sites[p] = noise(p) < share;
  } else if (name == "shell") {
    markShell(c);
  } else if (name == "circles" || name == "squares" || name == "lines") {
    markShapes(c);
  } else {
    throw Error("unknown image '" + name + "'; photographs need --sites");
  }
  return c;
}

} // namespace isochrone::benchmark
