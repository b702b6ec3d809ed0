// EnvelopeTile.h - a pass along y or z where sites are far: finds the points of a line that are nearest to
// some point of it, by stacks. Manduhu and Jones, section IV: lines are cut into bands; each band has a
// stack; stacks are merged, which changes only the ends of the lists; and lines are painted. If there are
// many lines, a band is a whole line, and nothing is merged.
#pragma once

#include "DistanceTransform/Tiles/LineTile.h"

namespace isochrone::distance {

/// A row that is nearest to the points of a line from `begin` on, up to the next owner's. It may lie in a
/// copy of a periodic line.
struct alignas(8) Owner {
  int row, begin;
};

/// The remaining part of a band's stack: entries first .. last - 1.
struct alignas(8) Part {
  int first, last;
};

/// The stacks of all lines. Entry k of a band lies at the position of the k-th row of the band, so that the
/// stacks of adjacent columns are interleaved.
/// @tparam mayRepeat  whether lines may have copies
template <bool mayRepeat>
struct Stacks {
  Lines lines;
  int copied; ///< rows before and after a line, in its copies, that may own points of it
  int bands, bandRows;
  Owner* entries;
  Part* parts; ///< [band][line]
  int* heads;  ///< [band][line]: first point owned by this band or one above it

  TEAM_FN std::int64_t part(const Column& at, int band) const {
    return (band * lines.slabs + at.slab) * lines.columns + at.column;
  }
  TEAM_FN Owner& entry(const Column& at, int band, int k) const {
    const int row = band * bandRows + k;
    return entries[(at.slab * rows() + row) * lines.stride + at.column];
  }
  /// Returns the number of rows that may own points of a line.
  TEAM_FN int rows() const {
    if constexpr (mayRepeat) return lines.n + 2 * copied;
    return lines.n;
  }
};

inline constexpr int warpsOfBlock = 4;

/// Marks the strips with an unresolved tile.
struct ListStrips {
  using Lanes = execution::Box<128, 1, 1>;
  struct Shared {};
  int strips, tilesOfLine;
  const std::uint8_t* unresolved;
  std::uint8_t* listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t strip = std::int64_t(position) * Lanes::size + c.index;
      if (strip >= strips) return;
      bool any = false;
      for (int i = 0; i < tilesOfLine; ++i) any = any || unresolved[strip * tilesOfLine + i];
      listed[strip] = any;
    });
  }
};

/// Listed strips, on each of which `share` warps work, with a lane per column.
struct ListedStrips {
  using Lanes = execution::Box<warpSize, warpsOfBlock, 1>;
  const int* list;
  int count, share;

  /// Calls f(column, part) on the lanes of the warps of a block; part: 0 .. share - 1.
  template <class Team, class F>
  TEAM_FN void each(Team& team, int position, const Lines& lines, F&& f) const {
    team.each(Lanes{}, [&](Cell c) {
      const int item = position * warpsOfBlock + c.y;
      if (item >= count * share) return;
      const Column at(lines, list[item / share], c.x);
      if (at.column < lines.columns) f(at, item % share);
    });
  }
};

/// Builds the stack of each column and band. Points on or above a chord of their neighbours are never pushed.
template <class Axis, class Source>
struct BuildStacks {
  using T = typename Axis::Number;
  using Lanes = ListedStrips::Lanes;
  struct Shared {};
  Stacks<Axis::mayRepeat> stacks;
  Source source;
  Axis axis;
  ListedStrips listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    listed.each(team, position, stacks.lines, [&](const Column& at, int band) { build(at, band); });
  }

private:
  TEAM_FN void build(const Column& at, int band) const {
    const Lines& lines = stacks.lines;
    const int start = -axis.copiedRows(), stop = start + stacks.rows(), n = lines.n;
    const int first = start + band * stacks.bandRows;
    const int end = stop - first < stacks.bandRows ? stop : first + stacks.bandRows;
    const auto square = [&](int row) {
      return row >= start && row < stop ? source(lines, at, axis.inLine(row)) : none<T>;
    };
    T below2 = square(first - 2), below = square(first - 1), here = square(first), above = square(first + 1);
    Owner top{0, 0};
    T topSquare = 0;
    int count = 0;
    for (int row = first; row < end; ++row) {
      const T above2 = square(row + 2);
      if (here < none<T> && !axis.isDominated(here, below, above, row, 1) &&
          !axis.isDominated(here, below2, above2, row, 2)) {
        int begin = 0;
        while (count > 0) {
          begin = axis.firstOwned(topSquare, top.row, here, row, n, top.begin);
          if (begin > top.begin) break;
          begin = 0;
          if (--count > 0) {
            top = stacks.entry(at, band, count - 1);
            topSquare = source(lines, at, axis.inLine(top.row));
          }
        }
        if (begin < n) {
          top = {row, begin}, topSquare = here;
          stacks.entry(at, band, count++) = top;
        }
      }
      below2 = below, below = here, here = above, above = above2;
    }
    stacks.parts[stacks.part(at, band)] = {0, count};
  }
};

/// Merges two lists: the bands first .. first + span - 1 of a pair, and the `span` bands above them.
template <class Axis, class Source>
struct MergeStacks {
  using T = typename Axis::Number;
  using Lanes = ListedStrips::Lanes;
  struct Shared {};
  Stacks<Axis::mayRepeat> stacks;
  Source source;
  Axis axis;
  int span;
  ListedStrips listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    listed.each(team, position, stacks.lines,
                [&](const Column& at, int pair) { merge(at, 2 * span * pair); });
  }

private:
  /// An entry of the list of several bands.
  struct Cursor {
    int band = -1, k = 0; ///< band: -1 if none
    Part part{};
    Owner owner{};
    T square = 0;
  };

  TEAM_FN void read(const Column& at, Cursor& cursor) const {
    cursor.owner = stacks.entry(at, cursor.band, cursor.k);
    cursor.square = source(stacks.lines, at, axis.inLine(cursor.owner.row));
  }
  /// Moves the cursor to the last entry of the bands from `first` up to `band`; to none if they are empty.
  TEAM_FN void goToLast(const Column& at, int first, int band, Cursor& cursor) const {
    for (; band >= first; --band) {
      cursor.part = stacks.parts[stacks.part(at, band)];
      if (cursor.part.last == cursor.part.first) continue;
      cursor.band = band, cursor.k = cursor.part.last - 1;
      return read(at, cursor);
    }
    cursor.band = -1;
  }
  /// Moves the cursor to the first entry of the bands from `band` up to end - 1; to none if they are empty.
  TEAM_FN void goToFirst(const Column& at, int band, int end, Cursor& cursor) const {
    for (; band < end; ++band) {
      cursor.part = stacks.parts[stacks.part(at, band)];
      if (cursor.part.last == cursor.part.first) continue;
      cursor.band = band, cursor.k = cursor.part.first;
      return read(at, cursor);
    }
    cursor.band = -1;
  }
  TEAM_FN void next(const Column& at, int end, Cursor& cursor) const {
    if (++cursor.k < cursor.part.last)
      read(at, cursor);
    else
      goToFirst(at, cursor.band + 1, end, cursor);
  }

  /// Drops entries at the end of the left list that own nothing before the first entry of the right list, and
  /// entries at the beginning of the right list that own nothing between the left list and their successor.
  /// The first remaining entry of the right list is the only one whose `begin` changes (the paper's rule 3).
  TEAM_FN void merge(const Column& at, int first) const {
    const int middle = first + span, end = middle + span < stacks.bands ? middle + span : stacks.bands;
    Cursor left, right;
    goToLast(at, first, middle - 1, left);
    goToFirst(at, middle, end, right);
    while (left.band >= 0 && right.band >= 0) {
      const int n = stacks.lines.n;
      const int begin =
          axis.firstOwned(left.square, left.owner.row, right.square, right.owner.row, n, left.owner.begin);
      if (begin <= left.owner.begin) {
        --left.part.last;
        stacks.parts[stacks.part(at, left.band)] = left.part;
        if (left.part.last == left.part.first) {
          goToLast(at, first, left.band - 1, left);
        } else {
          --left.k;
          read(at, left);
        }
        continue;
      }
      Cursor after = right;
      next(at, end, after);
      if (begin < n && (after.band < 0 || after.owner.begin > begin)) {
        stacks.entry(at, right.band, right.k).begin = begin;
        return;
      }
      drop(at, right);
      right = after;
      if (after.band >= 0) right.part.first = right.k;
    }
    if (right.band >= 0) stacks.entry(at, right.band, right.k).begin = 0; // it is 0 already, up to rounding
  }
  TEAM_FN void drop(const Column& at, Cursor& cursor) const {
    ++cursor.part.first;
    stacks.parts[stacks.part(at, cursor.band)] = cursor.part;
  }
};

/// Finds the first point owned by each band or one above it, so that owners can be found by bisection.
template <bool mayRepeat>
struct FindHeads {
  using Lanes = ListedStrips::Lanes;
  struct Shared {};
  Stacks<mayRepeat> stacks;
  ListedStrips listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    listed.each(team, position, stacks.lines, [&](const Column& at, int) {
      int head = stacks.lines.n;
      for (int band = stacks.bands; band-- > 0;) {
        const Part part = stacks.parts[stacks.part(at, band)];
        if (part.first < part.last) head = stacks.entry(at, band, part.first).begin;
        stacks.heads[stacks.part(at, band)] = head;
      }
    });
  }
};

} // namespace isochrone::distance
