// SearchTile.h - the nearest pieces of a block of points, by teams: each lane searches the boxes for one
// point.
#pragma once

#include "Execution/Scalar.h"
#include "Execution/Team.h"
#include "Surface/PieceTree.h"

#include <cstdint>

namespace isochrone::surface {

/// The arrays of a PieceTree. The boxes of all levels lie one after the other.
struct TreeView {
  static constexpr int maxLevels = 11; ///< 8^11 pieces exceed 2^31

  const PieceTerms* terms;
  const double* number;
  const PieceBox* boxes;
  int pieces, levels;
  int first[maxLevels + 1]; ///< number of the first box of a level

  TEAM_FN int size(int level) const { return first[level + 1] - first[level]; }
};

/// Numbers of points, x fastest.
struct SearchedPoints {
  std::int64_t low[3];
  int size[3];
  double step[3]; ///< spacing, in units of the tree
};

struct SearchTile {
  using Lanes = execution::Box<8, 8, 4>;
  struct Shared {};
  using Ops = execution::ScalarOf<double>;
  static constexpr double rounding = 1e-11; ///< see Blocks.h

  TreeView tree;
  SearchedPoints points;
  double limit; ///< squared distances above it are not searched
  double* square;
  std::int32_t* piece;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int nx = (points.size[0] + Lanes::nx - 1) / Lanes::nx,
              ny = (points.size[1] + Lanes::ny - 1) / Lanes::ny;
    team.each(Lanes{}, [&](execution::Cell c) {
      const int i = position % nx * Lanes::nx + c.x, j = position / nx % ny * Lanes::ny + c.y,
                k = position / nx / ny * Lanes::nz + c.z;
      if (i >= points.size[0] || j >= points.size[1] || k >= points.size[2]) return;
      search(double(points.low[0] + i) * points.step[0], double(points.low[1] + j) * points.step[1],
             double(points.low[2] + k) * points.step[2],
             i + points.size[0] * (j + std::int64_t(points.size[1]) * k));
    });
  }

private:
  /// The nearest piece so far.
  struct Nearest {
    double square, number;
  };

  TEAM_FN void search(double x, double y, double z, std::int64_t point) const {
    Nearest nearest{limit, -1};
    // The way down to the nearest box of each level gives a first bound.
    int box = 0, level = tree.levels - 1;
    if (level >= 0) box = nearestBox(0, tree.size(level), level, x, y, z);
    while (level > 0) {
      const int begin = box * PieceTree::fan, end = begin + PieceTree::fan;
      --level;
      box = nearestBox(begin, end < tree.size(level) ? end : tree.size(level), level, x, y, z);
    }
    if (tree.levels > 0) consider(box, x, y, z, nearest);

    walk(x, y, z, nearest);
    const bool reached = nearest.number >= 0;
    square[point] = reached ? nearest.square : __builtin_inf();
    piece[point] = reached ? std::int32_t(nearest.number) : -1;
  }

  /// Visits the boxes depth first. After the last of its parts, a box is followed by the next one.
  TEAM_FN void walk(double x, double y, double z, Nearest& nearest) const {
    int level = tree.levels - 1, box = 0;
    if (level < 0) return;
    for (;;) {
      if (boundOf(tree.boxes[tree.first[level] + box], x, y, z) <= nearest.square * (1 + rounding)) {
        if (level > 0) {
          --level;
          box *= PieceTree::fan;
          continue;
        }
        consider(box, x, y, z, nearest);
      }
      ++box;
      while (level < tree.levels - 1 && (box % PieceTree::fan == 0 || box == tree.size(level))) {
        box = (box - 1) / PieceTree::fan + 1;
        ++level;
      }
      if (level == tree.levels - 1 && box == tree.size(level)) return;
    }
  }

  TEAM_FN int nearestBox(int begin, int end, int level, double x, double y, double z) const {
    int best = begin;
    double least = __builtin_inf();
    for (int b = begin; b < end; ++b) {
      const double bound = boundOf(tree.boxes[tree.first[level] + b], x, y, z);
      if (bound < least) least = bound, best = b;
    }
    return best;
  }

  /// Returns a lower bound of the squared distances to the pieces in a box, by the box and by the disc.
  TEAM_FN static double boundOf(const PieceBox& box, double x, double y, double z) {
    const double at[3] = {x, y, z};
    double byBox = 0, square = 0, height = 0;
    execution::unroll<3>([&](auto a) {
      const double d = Ops::max(Ops::max(box.low[a] - at[a], at[a] - box.high[a]), 0);
      byBox += d * d;
      const double m = at[a] - box.middle[a];
      square += m * m;
      height += m * box.normal[a];
    });
    const double above = Ops::max(Ops::max(height, -height) - box.thickness, 0);
    const double beside = (square - height * height) * 0.5 - box.radius;
    return Ops::max(byBox, above * above + Ops::max(beside, 0));
  }

  TEAM_FN void consider(int run, double x, double y, double z, Nearest& nearest) const {
    const int begin = run * PieceTree::fan,
              end = begin + PieceTree::fan < tree.pieces ? begin + PieceTree::fan : tree.pieces;
    for (int p = begin; p < end; ++p) {
      const double s = squareTo<Ops>(tree.terms[p], x, y, z), number = tree.number[p];
      const bool first =
          s < nearest.square || (s == nearest.square && (nearest.number < 0 || number < nearest.number));
      if (first) nearest = {s, number};
    }
  }
};

} // namespace isochrone::surface
