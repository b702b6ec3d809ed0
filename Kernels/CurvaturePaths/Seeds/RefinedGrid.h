// RefinedGrid.h - a small grid around a seed, with finer steps than the problem's.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// Where the fine grids of a seed lie: their middle is the seed, and their axes are turned by as much as the
/// seed is off the headings of the problem's grid. So the seed is a state of theirs, wherever it is; and
/// states of the problem's grid are states of theirs if the seed is one of the problem's grid.
class SeedFrame {
public:
  static constexpr int halfWidth = 16; ///< points from the seed to the border of a fine grid
  static constexpr int width = 2 * halfWidth + 1;

  /// @param seed  inside the grid
  SeedFrame(const Problem& problem, const State& seed);

  /// A problem on a fine grid, with the arrays that it views. Its seeds are left empty.
  struct Fine {
    Problem problem;
    std::array<std::vector<float>, 3> fields; ///< cost, turning radius, shift where they are no constants
    std::vector<std::uint8_t> walls;
  };
  /// @param finer  grid steps and heading steps are this many times smaller
  Fine fine(int finer) const;

  /// Heading of the seed among those of a fine grid.
  int heading(int finer) const { return nearest * finer; }

  /// States of a fine grid, and their shares in what lies between them.
  struct Mixture {
    struct Part {
      std::int64_t state;
      double share;
    };
    std::array<Part, 8> parts;
    int count = 0;
  };
  /// What a solution on a fine grid is at state (i, j, k) of the problem's grid; nothing where that lies
  /// outside or is not reached. Linear between states where those around differ little, else the largest of
  /// them, which is no lower than the truth.
  Mixture at(const StateGrid& fine, std::span<const float> times, std::int64_t i, std::int64_t j,
             int k) const;

  /// Takes derivatives with respect to a field at the states of a fine grid to those with respect to the
  /// field of the problem that it is sampled from, `factor` times, and adds them.
  void spread(const StateGrid& fine, std::span<const double> derivatives, double factor,
              std::span<double> perState) const;

  /// Columns (axis 0) or rows (axis 1) of the problem's grid that may lie in a fine grid: first and last.
  std::array<std::int64_t, 2> range(const StateGrid& fine, int axis) const;

private:
  void sample(Fine& fine, const Field& from, Field& to, std::vector<float>& values) const;
  std::array<double, 2> place(const StateGrid& fine, int i, int j) const;
  std::array<double, 3> sampleAt(const StateGrid& fine, int i, int j, int k) const;

  const Problem& problem;
  Walls walls;
  State seed;
  int nearest = 0;                         ///< heading of the problem's grid
  double turned = 0, cosine = 1, sine = 0; ///< radians
};

} // namespace isochrone::curvature
