// MeshTravelTimeMeshes.h - meshes for tests: shapes, speeds, and modifications.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "Noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::mesh {

/// A problem with the memory of its spans; call `link` after any change.
struct MeshCase {
  std::string name;
  Problem problem;
  std::vector<double> points, speed, fibre, sheet, tensor;
  std::vector<std::int64_t> cells;
  std::vector<std::uint8_t> hidden;

  MeshCase() = default;
  MeshCase(MeshCase&&) = default; // keeps the memory that the problem views
  MeshCase& operator=(MeshCase&&) = default;

  void link() {
    problem.points.precise = points, problem.points.components = 3, problem.points.ofVertices = true;
    problem.cells = cells, problem.hidden = hidden;
    problem.speed.precise = speed;
    problem.fibre.precise = fibre, problem.fibre.components = 3;
    problem.sheet.precise = sheet, problem.sheet.components = 3;
    problem.tensor.precise = tensor, problem.tensor.components = 6;
  }
  std::int64_t vertexCount() const { return std::int64_t(points.size() / 3); }
  std::int64_t cellCount() const { return std::int64_t(cells.size() / 4); }
  double& at(std::int64_t vertex, int axis) { return points[std::size_t(3 * vertex + axis)]; }
  std::array<double, 3> at(std::int64_t vertex) const {
    const std::size_t i = std::size_t(3 * vertex);
    return {points[i], points[i + 1], points[i + 2]};
  }
  std::array<double, 3> middle(std::int64_t cell) const {
    std::array<double, 3> sum{};
    int corners = 0;
    for (int k = 0; k < 4; ++k)
      if (const std::int64_t v = cells[std::size_t(4 * cell + k)]; v >= 0) {
        for (int a = 0; a < 3; ++a) sum[a] += points[std::size_t(3 * v + a)];
        ++corners;
      }
    for (double& x : sum) x /= corners;
    return sum;
  }
};

/// A sequence of random numbers.
struct Dice {
  std::uint64_t next;
  double operator()(double low, double high) { return low + (high - low) * noise(next++); }
  std::size_t below(std::size_t n) { return std::size_t(noise(next++) * double(n)); }
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(i)]);
  }
};

/// Returns nx x ny x nz cubes of edge h with six tetrahedra each (Kuhn); inner points are moved by up to
/// `jitter` * h along each axis.
inline MeshCase cubes(std::int64_t nx, std::int64_t ny, std::int64_t nz, double h, double jitter,
                      std::uint64_t seed = 1) {
  MeshCase c;
  Dice dice{seed << 32};
  const std::array<std::int64_t, 3> n{nx, ny, nz};
  const auto number = [&](const std::array<std::int64_t, 3>& i) {
    return i[0] + (nx + 1) * (i[1] + (ny + 1) * i[2]);
  };
  for (std::int64_t k = 0; k <= nz; ++k)
    for (std::int64_t j = 0; j <= ny; ++j)
      for (std::int64_t i = 0; i <= nx; ++i) {
        const std::array<std::int64_t, 3> at{i, j, k};
        for (int a = 0; a < 3; ++a) {
          const double move = dice(-jitter, jitter);
          c.points.push_back(h * (double(at[a]) + (at[a] > 0 && at[a] < n[a] ? move : 0)));
        }
      }
  std::array<int, 3> axes{0, 1, 2};
  do {
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t j = 0; j < ny; ++j)
        for (std::int64_t i = 0; i < nx; ++i) {
          std::array<std::int64_t, 3> at{i, j, k};
          c.cells.push_back(number(at));
          for (const int a : axes) ++at[a], c.cells.push_back(number(at));
        }
  } while (std::ranges::next_permutation(axes).found);
  c.problem.seeds = {{0}};
  c.link();
  return c;
}

/// Returns nx x ny squares of two triangles each, on a wavy surface of the given height.
inline MeshCase squares(std::int64_t nx, std::int64_t ny, double h, double jitter, double height) {
  MeshCase c;
  Dice dice{77};
  for (std::int64_t j = 0; j <= ny; ++j)
    for (std::int64_t i = 0; i <= nx; ++i) {
      const double x = h * (double(i) + dice(-jitter, jitter)), y = h * (double(j) + dice(-jitter, jitter));
      for (const double at : {x, y, height * std::sin(9 * x) * std::cos(7 * y)}) c.points.push_back(at);
    }
  for (std::int64_t j = 0; j < ny; ++j)
    for (std::int64_t i = 0; i < nx; ++i) {
      const std::int64_t v = i + (nx + 1) * j;
      for (const std::int64_t w :
           {v, v + 1, v + nx + 2, std::int64_t(-1), v + nx + 2, v + nx + 1, v, std::int64_t(-1)})
        c.cells.push_back(w);
    }
  c.problem.seeds = {{0}};
  c.link();
  return c;
}

/// Returns tetrahedra around the edge between vertices 0 and 1, which they all share; a closed ring if there
/// are enough. The seed is a vertex of the ring.
inline MeshCase wheel(int tetrahedra) {
  MeshCase c;
  const bool closed = tetrahedra > 4;
  const int ring = closed ? tetrahedra : tetrahedra + 1;
  c.points = {0, 0, -0.3, 0.1, 0, 0.4};
  for (int i = 0; i < ring; ++i) {
    const double angle = closed ? 2 * std::numbers::pi * i / ring : 1.3 * i;
    const double r = 1 + 0.2 * noise(std::uint64_t(i));
    for (const double x : {r * std::cos(angle), r * std::sin(angle), 0.3 * noise(500 + std::uint64_t(i))})
      c.points.push_back(x);
  }
  for (int i = 0; i < tetrahedra; ++i)
    for (const std::int64_t v : {0, 1, 2 + i, 2 + (i + 1) % ring}) c.cells.push_back(v);
  c.problem.seeds = {{2 + ring / 3, -1, {}, 0.125}};
  c.link();
  return c;
}

/// Adds fibres that turn from -60 to 60 degrees from the lowest to the highest cell.
inline MeshCase withFibres(MeshCase c, double along, double across) {
  double top = 0;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) top = std::max(top, c.at(v)[2]);
  c.fibre.clear();
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    const double angle = (-60 + 120 * c.middle(t)[2] / (top > 0 ? top : 1)) * std::numbers::pi / 180;
    for (const double x : {std::cos(angle), std::sin(angle), 0.}) c.fibre.push_back(x);
  }
  c.problem.speedType = SpeedType::Fibres, c.problem.velocities = {along, across, across};
  c.link();
  return c;
}

/// Sets the speed of each cell (or vertex) from its centre.
inline MeshCase withSpeed(MeshCase c, bool ofVertices,
                          const std::function<double(std::int64_t, const std::array<double, 3>&)>& speed) {
  c.problem.speedType = SpeedType::Scalar, c.problem.speed.ofVertices = ofVertices;
  for (std::int64_t i = 0; i < (ofVertices ? c.vertexCount() : c.cellCount()); ++i)
    c.speed.push_back(speed(i, ofVertices ? c.at(i) : c.middle(i)));
  c.link();
  return c;
}

/// Sets a different tensor in each cell, with speeds between `slow` and `fast` along random axes.
inline MeshCase withTensors(MeshCase c, double slow, double fast, bool ofVertices = false) {
  Dice dice{4242};
  c.problem.speedType = SpeedType::Tensor, c.problem.tensor.ofVertices = ofVertices;
  for (std::int64_t i = 0; i < (ofVertices ? c.vertexCount() : c.cellCount()); ++i) {
    std::array<double, 6> m{};
    std::array<std::array<double, 3>, 3> axes;
    for (int a = 0; a < 3; ++a) { // Gram-Schmidt
      for (double& x : axes[a]) x = dice(-1, 1);
      for (int b = 0; b <= a; ++b) {
        double product = 0;
        for (int x = 0; x < 3; ++x) product += axes[a][x] * axes[b][x];
        for (int x = 0; x < 3; ++x)
          axes[a][x] = b < a ? axes[a][x] - product * axes[b][x] : axes[a][x] / std::sqrt(product);
      }
      const double speed = slow * std::pow(fast / slow, noise(dice.next++));
      const std::array<double, 3>& e = axes[a];
      const std::array<double, 6> outer{e[0] * e[0], e[1] * e[1], e[2] * e[2],
                                        e[0] * e[1], e[1] * e[2], e[0] * e[2]};
      for (int x = 0; x < 6; ++x) m[x] += speed * speed * outer[x];
    }
    c.tensor.insert(c.tensor.end(), m.begin(), m.end());
  }
  c.link();
  return c;
}

/// Permutes the vertices within each cell; half of the cells become inverted.
inline MeshCase permuted(MeshCase c) {
  Dice dice{99};
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    for (std::size_t k = c.cells[std::size_t(4 * t + 3)] < 0 ? 3 : 4; k > 1; --k)
      std::swap(c.cells[std::size_t(4 * t) + k - 1], c.cells[std::size_t(4 * t) + dice.below(k)]);
  c.link();
  return c;
}

/// Renumbers the vertices; number[v] is the new number of v.
inline MeshCase renumbered(MeshCase c, std::vector<std::int64_t>& number, std::uint64_t seed = 5) {
  Dice dice{seed << 40};
  number.resize(std::size_t(c.vertexCount()));
  std::iota(number.begin(), number.end(), 0);
  dice.shuffle(number);
  const auto move = [&](std::vector<double>& values, std::size_t components) {
    const std::vector<double> old = values;
    for (std::size_t v = 0; v < number.size(); ++v)
      for (std::size_t a = 0; a < components; ++a)
        values[components * std::size_t(number[v]) + a] = old[components * v + a];
  };
  move(c.points, 3);
  const Problem& p = c.problem;
  if (!c.speed.empty() && p.speed.ofVertices) move(c.speed, std::size_t(p.speed.components));
  if (!c.fibre.empty() && p.fibre.ofVertices) move(c.fibre, 3);
  if (!c.sheet.empty() && p.sheet.ofVertices) move(c.sheet, 3);
  if (!c.tensor.empty() && p.tensor.ofVertices) move(c.tensor, 6);
  for (std::int64_t& v : c.cells)
    if (v >= 0) v = number[std::size_t(v)];
  for (Seed& s : c.problem.seeds)
    if (s.vertex >= 0) s.vertex = number[std::size_t(s.vertex)];
  c.link();
  return c;
}

inline MeshCase withHiddenCells(MeshCase c, double share) {
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    c.hidden.push_back(noise(9000 + std::uint64_t(t)) < share ? std::uint8_t(1 + t % 3) : 0);
  c.link();
  return c;
}

/// Adds another mesh at distance `away` along x, with its seeds; no cell joins the two.
inline MeshCase beside(MeshCase c, const MeshCase& other, double away) {
  const std::int64_t vertices = c.vertexCount(), cells = c.cellCount();
  for (std::size_t i = 0; i < other.points.size(); ++i)
    c.points.push_back(other.points[i] + (i % 3 == 0 ? away : 0));
  for (const std::int64_t v : other.cells) c.cells.push_back(v < 0 ? v : v + vertices);
  for (Seed s : other.problem.seeds) {
    (s.vertex >= 0 ? s.vertex : s.cell) += s.vertex >= 0 ? vertices : cells;
    c.problem.seeds.push_back(s);
  }
  c.link();
  return c;
}

inline MeshCase scaled(MeshCase c, double length) {
  for (double& x : c.points) x *= length;
  for (Seed& s : c.problem.seeds)
    for (double& x : s.at) x *= length;
  c.link();
  return c;
}

inline MeshCase withSeeds(MeshCase c, std::vector<Seed> seeds) {
  c.problem.seeds = std::move(seeds);
  for (const Seed& s : c.problem.seeds) c.problem.timeOrigin = std::min(c.problem.timeOrigin, s.startTime);
  return c;
}

/// Flattens a layer of cells: its vertices get the height of those below.
inline MeshCase flattened(MeshCase c, double low, double high, double height) {
  for (std::int64_t v = 0; v < c.vertexCount(); ++v)
    if (double& z = c.at(v, 2); z > low && z < high) z = low + height * (z - low);
  return c;
}

} // namespace isochrone::mesh
