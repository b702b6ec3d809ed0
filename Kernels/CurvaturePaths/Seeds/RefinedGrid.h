// RefinedGrid.h - a small grid around a seed, with finer steps than the problem's grid.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// Position and orientation of the fine grids of a seed. Their middle is the seed, and their axes are rotated
/// by the angle from the nearest grid heading to the seed's heading. So the seed is always a state of the
/// fine grids. If the seed is a state of the problem's grid, the states near it in that grid are states of
/// the fine grids too.
class SeedFrame {
public:
  static constexpr int halfWidth = 16; ///< points from the seed to the border of a fine grid
  static constexpr int width = 2 * halfWidth + 1;

  /// @param seed  inside the grid
  SeedFrame(const Problem& problem, const Walls& walls, const State& seed);

  /// A problem on a fine grid, with the arrays that it views. It has no seeds.
  struct Fine {
    Problem problem;
    std::array<std::vector<float>, 3> fields; ///< cost, turning radius and shift; empty where constant
    std::vector<std::uint8_t> walls;
  };
  /// @param finer  factor by which grid steps and heading steps are smaller
  Fine fine(int finer) const;

  /// Returns the index of the seed's heading in a fine grid.
  int heading(int finer) const { return nearest * finer; }

  /// States of a fine grid with their interpolation weights.
  struct Mixture {
    struct Part {
      std::int64_t state;
      double share;
    };
    std::array<Part, 8> parts;
    int count = 0;
  };
  /// Returns the interpolation of a solution on a fine grid at state (i, j, k) of the problem's grid; empty
  /// if the state lies in a wall or outside the fine grid, or is unreached. Interpolates linearly where the
  /// surrounding states differ little. Else takes the latest of them, which is not below the true travel
  /// time.
  Mixture at(const StateGrid& fine, std::span<const float> times, std::int64_t i, std::int64_t j,
             int k) const;

  /// Adds `factor` times the derivatives with respect to the field values of a fine grid to the derivatives
  /// with respect to the field of the problem that they are sampled from.
  void spread(const StateGrid& fine, std::span<const double> derivatives, double factor,
              std::span<double> perState) const;

private:
  void sample(Fine& grid, const Field& from, Field& to, std::vector<float>& values) const;
  std::array<double, 2> place(const StateGrid& fine, int i, int j) const;
  std::array<double, 3> sampleAt(const StateGrid& fine, int i, int j, int k) const;

  const Problem& problem;
  const Walls& walls;
  State seed;
  int nearest = 0;                         ///< heading of the problem's grid
  double turned = 0, cosine = 1, sine = 0; ///< radians
};

} // namespace isochrone::curvature
