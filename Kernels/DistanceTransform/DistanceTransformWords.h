// DistanceTransformWords.h - tile kernels of the first pass, along x: which site of its row is nearest to
// each point (Manduhu and Jones, section III). A row is a tree of depth three: the 32 points of a word, the
// 32 words of a group, the groups. In the tree a node learns the nearest sites beside it from the bits of a
// ballot, by counting zeros. What is kept are 16 bytes for 32 points: the distances follow from them wherever
// they are needed, so they never go through memory.
#pragma once

#include "DistanceTransform/DistanceTransformMath.h"

namespace isochrone::distance {

using execution::Box;
using execution::Cell;
using execution::PerLane;
using execution::PerWarp;
using execution::warpSize;

inline constexpr int groupPoints = warpSize * warpSize;

/// Rows of an image, split into words and groups.
struct Rows {
  std::int64_t rows, nx;

  TEAM_FN int words() const { return int((nx + warpSize - 1) / warpSize); }
  TEAM_FN int groups() const { return int((nx + groupPoints - 1) / groupPoints); }
  TEAM_FN int wordsOfGroup() const { return words() < warpSize ? words() : warpSize; } ///< at most
};

/// Two sites of a row, by their place along x (-1: none): the first and the last one of a group, or those
/// next to the group on its left and right.
struct TwoSites {
  int left, right;
};

/// Eight groups, a warp each: their bits, and their first and last sites.
struct PackSites {
  using Lanes = Box<warpSize, 8, 1>;
  struct Shared {};
  Rows image;
  const std::uint8_t* sites;
  bool complement; ///< points that are no sites are taken for sites
  std::uint32_t* bits;
  TwoSites* ends;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    PerLane<Team, std::uint32_t> mine;
    PerLane<Team, std::int64_t> start;
    PerLane<Team, int> points, first, last;
    const int groups = image.groups(), words = image.words();
    const auto row = [&](Cell c) { return (position * Lanes::ny + c.y) / groups; };
    const auto group = [&](Cell c) { return (position * Lanes::ny + c.y) % groups; };

    team.each(Lanes{}, [&](Cell c) {
      mine[c] = 0;
      start[c] = row(c) * image.nx + group(c) * groupPoints;
      points[c] = row(c) < image.rows ? int(image.nx) - group(c) * groupPoints : 0; // from there on
    });
    const int count = image.wordsOfGroup();
    for (int i = 0; i < count; ++i) {
      const PerWarp<Team, std::uint32_t> word = team.ballot([&](Cell c) {
        const int at = i * warpSize + c.x;
        return at < points[c] && (sites[start[c] + at] == 0) == complement;
      });
      team.each(Lanes{}, [&](Cell c) {
        if (c.x == i) mine[c] = word[c];
      });
    }
    const PerWarp<Team, std::uint32_t> filled = team.ballot([&](Cell c) { return mine[c] != 0; });
    team.each(Lanes{}, [&](Cell c) {
      const int x = group(c) * groupPoints + c.x * warpSize;
      first[c] = mine[c] ? x + lowestBit(mine[c]) : -1;
      last[c] = mine[c] ? x + highestBit(mine[c]) : -1;
    });
    const PerLane<Team, int> left =
        team.shuffle(first, [&](Cell c) { return filled[c] ? lowestBit(filled[c]) : 0; });
    const PerLane<Team, int> right =
        team.shuffle(last, [&](Cell c) { return filled[c] ? highestBit(filled[c]) : 0; });
    team.each(Lanes{}, [&](Cell c) {
      if (row(c) >= image.rows) return;
      const int word = group(c) * warpSize + c.x;
      if (word < words) bits[std::int64_t(row(c)) * words + word] = mine[c];
      if (c.x == 0) ends[position * Lanes::ny + c.y] = {left[c], right[c]};
    });
  }
};

/// Eight rows, a warp each: the sites next to every group.
struct CarrySites {
  using Lanes = Box<warpSize, 8, 1>;
  struct Shared {};
  Rows image;
  const TwoSites* ends;
  TwoSites* beside;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    PerLane<Team, int> carry;
    const int groups = image.groups(), chunks = (groups + warpSize - 1) / warpSize;
    team.each(Lanes{}, [&](Cell c) { carry[c] = -1; });
    for (int chunk = 0; chunk < chunks; ++chunk) carryOver<true>(team, position, chunk * warpSize, carry);
    team.each(Lanes{}, [&](Cell c) { carry[c] = -1; });
    for (int chunk = chunks; chunk-- > 0;) carryOver<false>(team, position, chunk * warpSize, carry);
  }

private:
  /// 32 groups from `first` on; `carry` is the nearest site of the row before them (after them).
  template <bool toRight, class Team>
  TEAM_FN void carryOver(Team& team, int position, int first, PerLane<Team, int>& carry) const {
    PerLane<Team, int> site;
    const int groups = image.groups();
    const auto place = [&](Cell c) {
      return (std::int64_t(position) * Lanes::ny + c.y) * groups + first + c.x;
    };
    const auto holds = [&](Cell c) {
      return std::int64_t(position) * Lanes::ny + c.y < image.rows && first + c.x < groups;
    };
    team.each(Lanes{}, [&](Cell c) {
      site[c] = !holds(c) ? -1 : toRight ? ends[place(c)].right : ends[place(c)].left;
    });
    const PerWarp<Team, std::uint32_t> filled = team.ballot([&](Cell c) { return site[c] >= 0; });
    const auto passed = [&](Cell c) { return filled[c] & (toRight ? bitsBelow(c.x) : ~bitsTo(c.x)); };
    const auto nearest = [](std::uint32_t word) {
      return word == 0 ? 0 : toRight ? highestBit(word) : lowestBit(word);
    };
    const PerLane<Team, int> neighbour = team.shuffle(site, [&](Cell c) { return nearest(passed(c)); });
    const PerLane<Team, int> outermost = team.shuffle(site, [&](Cell c) { return nearest(filled[c]); });
    team.each(Lanes{}, [&](Cell c) {
      const int found = passed(c) ? neighbour[c] : carry[c];
      if (holds(c)) (toRight ? beside[place(c)].left : beside[place(c)].right) = found;
      if (filled[c]) carry[c] = outermost[c];
    });
  }
};

/// Eight groups, a warp each, a lane a word: the words with the sites beside them.
struct MakeWords {
  using Lanes = Box<warpSize, 8, 1>;
  struct Shared {};
  Rows image;
  const std::uint32_t* bits;
  const TwoSites* beside;
  SiteWord* words;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    PerLane<Team, std::uint32_t> mine;
    PerLane<Team, int> first, last;
    const int groups = image.groups(), perRow = image.words();
    const auto row = [&](Cell c) { return std::int64_t((position * Lanes::ny + c.y) / groups); };
    const auto word = [&](Cell c) { return (position * Lanes::ny + c.y) % groups * warpSize + c.x; };
    const auto holds = [&](Cell c) { return row(c) < image.rows && word(c) < perRow; };

    team.each(Lanes{}, [&](Cell c) {
      mine[c] = holds(c) ? bits[row(c) * perRow + word(c)] : 0;
      const int x = word(c) * warpSize;
      first[c] = mine[c] ? x + lowestBit(mine[c]) : -1;
      last[c] = mine[c] ? x + highestBit(mine[c]) : -1;
    });
    const PerWarp<Team, std::uint32_t> filled = team.ballot([&](Cell c) { return mine[c] != 0; });
    const auto before = [&](Cell c) { return filled[c] & bitsBelow(c.x); };
    const auto after = [&](Cell c) { return filled[c] & ~bitsTo(c.x); };
    const PerLane<Team, int> left =
        team.shuffle(last, [&](Cell c) { return before(c) ? highestBit(before(c)) : 0; });
    const PerLane<Team, int> right =
        team.shuffle(first, [&](Cell c) { return after(c) ? lowestBit(after(c)) : 0; });
    team.each(Lanes{}, [&](Cell c) {
      if (!holds(c)) return;
      const TwoSites outside = beside[position * Lanes::ny + c.y];
      words[row(c) * perRow + word(c)] = {mine[c], before(c) ? left[c] : outside.left,
                                          after(c) ? right[c] : outside.right};
    });
  }
};

} // namespace isochrone::distance
