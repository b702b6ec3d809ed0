// MassLevels.h - the kernels of masses that pass level by level.
//
// A point gives its mass to the points that it uses, those that give it its time. First the points are found
// that the tips depend on, and the users of each are counted. Then each point passes its mass on when all of
// its users have: once, with all of its mass. Points that use each other wait for ever, as do those that they
// use, and keep the mass that has arrived.
#pragma once

#include "Adjoint/FetchAdd.h"
#include "Adjoint/TipMass.h"
#include "Execution/Team.h"

#include <cmath>
#include <cstdint>

namespace isochrone::adjoint {

using execution::Box;
using execution::Cell;

/// A list to which each point of a level appends points of the next one.
struct LevelControl {
  int level;
  int begin, end; ///< of the level in the list
  int listed;     ///< points in the list
  int blocks;     ///< of the points of the level, by LevelLanes
  int isTooLarge; ///< a mass exceeded the maximum, and was not passed on
};

using LevelLanes = Box<128, 1, 1>;

struct LevelView {
  LevelControl* control;
  int* points; ///< the list, no point twice
  int* users;  ///< per point, those that have not passed their mass on
  bool manyThreads;

  TEAM_FN void append(int point) const { points[fetchAdd(control->listed, 1, manyThreads)] = point; }
  /// Changes the number of users of a point, and returns the previous one.
  TEAM_FN int addUsers(int point, int number) const { return fetchAdd(users[point], number, manyThreads); }

  /// Calls visit(point) for the points of the level in a block.
  template <class Team, class F>
  TEAM_FN void each(Team& team, int block, F&& visit) const {
    const std::int64_t begin = control->begin, end = control->end;
    team.each(LevelLanes{}, [&](Cell c) {
      const std::int64_t i = begin + std::int64_t(block) * LevelLanes::size + c.index;
      if (i < end) visit(points[i]);
    });
  }
};

/// Starts at the first points of a list.
struct StartList {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  LevelControl* control;
  int listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] { *control = {0, 0, 0, listed, 0, 0}; });
  }
};

/// Goes on to the points that have been appended, or to some of them.
struct NextLevel {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  LevelControl* control;
  int maximum; ///< number of points

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      ++control->level;
      control->begin = control->end;
      const int listed = control->listed - control->begin, count = listed < maximum ? listed : maximum;
      control->end = control->begin + count;
      control->blocks = int((std::int64_t(count) + LevelLanes::size - 1) / LevelLanes::size);
    });
  }
};

/// Added to the users of a tip while users are counted.
inline constexpr int isTip = 1 << 30;

/// Lists the tips.
struct PlaceTips {
  using Lanes = LevelLanes;
  struct Shared {};
  LevelView level;
  const TipMass* tips;
  int count;
  std::int64_t* mass; ///< per point

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int block) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = block * Lanes::size + c.index;
      if (i >= count) return;
      level.points[i] = tips[i].state;
      level.users[tips[i].state] = isTip;
      mass[tips[i].state] = tips[i].mass;
    });
  }
};

/// Counts the points of a level as users of the points that they use, and appends those found first.
/// @tparam Graph  has forUsed(point, f), which calls f(used, share) for each point that a point uses. The
///                shares of a point add up to 1. It may use a point twice. A graph with a member
///                `evaluates` takes long for this
template <class Graph>
struct CountUsers {
  using Lanes = LevelLanes;
  struct Shared {};
  static constexpr bool isSlow = requires { Graph::evaluates; };
  Graph graph;
  LevelView level;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int block) const {
    level.each(team, block, [&](int point) {
      graph.forUsed(point, [&](int used, double) {
        if (level.addUsers(used, 1) == 0) level.append(used);
      });
    });
  }
};

/// Lists the points without users, of those that were found.
struct ListFirst {
  using Lanes = LevelLanes;
  struct Shared {};
  const int* found;
  int count;
  LevelView level;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int block) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = block * Lanes::size + c.index;
      if (i >= count) return;
      int& users = level.users[found[i]];
      users &= ~isTip;
      if (users == 0) level.append(found[i]);
    });
  }
};

/// Passes the masses of a level on, and appends the points whose last user this was.
/// @tparam Graph  as in CountUsers
template <class Graph>
struct PassLevel {
  using Lanes = LevelLanes;
  struct Shared {};
  Graph graph;
  LevelView level;
  std::int64_t* mass;   ///< per point
  std::int64_t maximum; ///< of a mass and of its parts: their sums must fit into 64 bits

  /// The first of the largest shares gets what the rounded parts of the others leave.
  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int block) const {
    level.each(team, block, [&](int point) {
      int number = 0, strongest = 0;
      double largest = 0;
      graph.forUsed(point, [&](int, double share) {
        if (share > largest) largest = share, strongest = number;
        ++number;
      });
      const std::int64_t own = checked(double(mass[point])) ? mass[point] : 0;
      std::int64_t rest = own;
      number = 0;
      graph.forUsed(point, [&](int used, double share) {
        if (number++ == strongest) return;
        const double exact = double(own) * share;
        const std::int64_t part = checked(exact) ? std::int64_t(exact) : 0;
        rest -= part;
        give(used, part);
      });
      number = 0;
      graph.forUsed(point, [&](int used, double) {
        if (number++ == strongest) give(used, rest);
      });
    });
  }

private:
  /// Returns whether a mass is at most the maximum; false for NaN.
  TEAM_FN bool checked(double exact) const {
    if (std::abs(exact) <= double(maximum)) return true;
    execution::storeRelaxed(level.control->isTooLarge, 1);
    return false;
  }

  TEAM_FN void give(int point, std::int64_t part) const {
    fetchAdd(mass[point], part, level.manyThreads);
    if (level.addUsers(point, -1) == 1) level.append(point);
  }
};

} // namespace isochrone::adjoint
