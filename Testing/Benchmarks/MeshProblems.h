// MeshProblems.h - the meshes of the travel-time benchmark.
//
//   cube   n x n x n cubes of six tetrahedra each (Kuhn); points inside moved by a fifth of an edge at random
//   wall   the same, 2n x 2n x n/4: as many, but thin
//
// Fibres turn from -60 to 60 degrees from the lowest layer to the highest one. The seed is a corner.
#pragma once

#include "Error.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "Noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::benchmark {

struct MeshProblem {
  mesh::Problem problem;
  std::vector<float> points, fibres;
  std::vector<std::int64_t> cells;

  MeshProblem() = default;
  MeshProblem(MeshProblem&&) = default; // keeps the memory that the problem views
};

/// Returns the numbers 0 ... n - 1 in random order.
inline std::vector<std::int64_t> shuffledNumbers(std::int64_t n, std::uint64_t seed) {
  std::vector<std::int64_t> number(static_cast<std::size_t>(n));
  std::iota(number.begin(), number.end(), 0);
  for (std::size_t i = number.size(); i > 1; --i)
    std::swap(number[i - 1], number[std::size_t(noise(seed + i) * double(i))]);
  return number;
}

/// @param ratio     speed along the fibres relative to the speed across; 1: constant speed, without fibres
/// @param shuffled  whether vertices and cells are in random order
inline MeshProblem makeMeshProblem(const std::string& shape, std::int64_t n, double ratio, bool shuffled) {
  if (shape != "cube" && shape != "wall") throw Error("unknown mesh '" + shape + "'");
  const bool wall = shape == "wall";
  const std::array<std::int64_t, 3> count{wall ? 2 * n : n, wall ? 2 * n : n,
                                          wall ? std::max<std::int64_t>(1, n / 4) : n};
  const std::array<std::int64_t, 3> step{1, count[0] + 1, (count[0] + 1) * (count[1] + 1)};
  const std::int64_t vertices = step[2] * (count[2] + 1), cells = 6 * count[0] * count[1] * count[2];
  const double h = 1 / double(n);

  // 1. Numbers of vertices and positions of cells.
  std::vector<std::int64_t> number, place;
  if (shuffled) number = shuffledNumbers(vertices, 1u << 30), place = shuffledNumbers(cells, 1u << 31);

  // 2. Points.
  MeshProblem m;
  m.points.resize(std::size_t(3 * vertices));
  for (std::int64_t v = 0; v < vertices; ++v)
    for (int a = 0; a < 3; ++a) {
      const std::int64_t at = v / step[a] % (count[a] + 1);
      const double move = at > 0 && at < count[a] ? 0.4 * noise(std::uint64_t(3 * v + a)) - 0.2 : 0;
      m.points[std::size_t(3 * (shuffled ? number[v] : v) + a)] = float(h * (double(at) + move));
    }

  // 3. Cells and their fibres.
  m.cells.resize(std::size_t(4 * cells));
  if (ratio != 1) m.fibres.resize(std::size_t(3 * cells));
  std::int64_t next = 0;
  for (std::int64_t k = 0; k < count[2]; ++k)
    for (std::int64_t j = 0; j < count[1]; ++j)
      for (std::int64_t i = 0; i < count[0]; ++i) {
        std::array<int, 3> axes{0, 1, 2};
        do {
          const std::int64_t c = shuffled ? place[next] : next;
          std::int64_t v = i * step[0] + j * step[1] + k * step[2];
          for (int corner = 0; corner < 4; ++corner) {
            m.cells[std::size_t(4 * c + corner)] = shuffled ? number[v] : v;
            if (corner < 3) v += step[axes[corner]];
          }
          if (ratio != 1) {
            const double angle = (-60 + 120 * (double(k) + 0.5) / double(count[2])) * std::numbers::pi / 180;
            m.fibres[std::size_t(3 * c)] = float(std::cos(angle));
            m.fibres[std::size_t(3 * c + 1)] = float(std::sin(angle));
          }
          ++next;
        } while (std::ranges::next_permutation(axes).found);
      }

  // 4. The problem.
  mesh::Problem& p = m.problem;
  p.points.single = m.points, p.points.components = 3, p.points.ofVertices = true;
  p.cells = m.cells;
  if (ratio != 1) {
    p.speedType = mesh::SpeedType::Fibres, p.velocities = {ratio, 1, 1};
    p.fibre.single = m.fibres, p.fibre.components = 3;
  }
  p.seeds = {{shuffled ? number[0] : 0}};
  return m;
}

} // namespace isochrone::benchmark
