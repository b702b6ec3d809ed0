// DistanceTransformEnvelope.h - a pass along y or z where sites are far: the points of a line that are
// nearest to some point of it, found by stacks. Manduhu and Jones, section IV: a line is cut into bands; a
// stack for each, their merging, of which only the ends of the lists move, and painting. Where there are many
// lines a band is a whole line, and nothing is merged.
#pragma once

#include "DistanceTransform/DistanceTransformTile.h"

namespace isochrone::distance {

/// A point of a line that is nearest to the points `begin` and the following ones of it.
struct alignas(8) Owner {
  int row, begin;
};

/// The part of a band's stack that is left: entries first .. last - 1.
struct alignas(8) Part {
  int first, last;
};

/// The stacks of all lines. Entry k of a band lies where the point k rows above the band's first would, so
/// that the stacks of neighbouring columns are interleaved.
struct Stacks {
  Lines lines;
  int bands, bandRows;
  Owner* entries;
  Part* parts; ///< [band][line]
  int* heads;  ///< [band][line]: first point that a band or one above it owns

  TEAM_FN std::int64_t part(const Column& at, int band) const {
    return (band * lines.slabs + at.slab) * lines.columns + at.column;
  }
  TEAM_FN Owner& entry(const Column& at, int band, int k) const {
    return entries[lines.index(at.column, at.slab, band * bandRows + k)];
  }
};

/// How many items the kernels of a pass work on, decided on the device. An item is what a warp does.
struct Work {
  static constexpr int mostRuns = 32;
  int tiles, strips;
  int items[mostRuns], blocks[mostRuns];
};

inline constexpr int warpsOfBlock = 4;

/// Marks the strips with an unresolved tile.
struct ListStrips {
  using Lanes = Box<128, 1, 1>;
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

/// Items of each run: run 0 builds stacks, the others merge them, the last one looks for heads.
struct CountWork {
  using Lanes = Box<Work::mostRuns, 1, 1>;
  struct Shared {};
  int itemsOfStrip[Work::mostRuns];
  Work* work;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.each(Lanes{}, [&](Cell c) {
      work->items[c.index] = work->strips * itemsOfStrip[c.index];
      work->blocks[c.index] = (work->items[c.index] + warpsOfBlock - 1) / warpsOfBlock;
    });
  }
};

/// The item of a warp: a strip of the list, and one of `share` parts of the work on it.
struct ListedStrips {
  const int* list;
  const Work* work;
  int run, share;

  TEAM_FN bool holds(int position, Cell c) const { return position * warpsOfBlock + c.y < work->items[run]; }
  TEAM_FN int strip(int position, Cell c) const { return list[(position * warpsOfBlock + c.y) / share]; }
  TEAM_FN int part(int position, Cell c) const { return (position * warpsOfBlock + c.y) % share; }
};

/// The stack of each column and band. Points on or above a chord of their neighbours never get onto it.
template <class T, class Source>
struct BuildStacks {
  using Lanes = Box<warpSize, warpsOfBlock, 1>;
  struct Shared {};
  Stacks stacks;
  Source source;
  T weight;
  ListedStrips listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      if (!listed.holds(position, c)) return;
      const Column at(stacks.lines, listed.strip(position, c), c.x);
      if (at.column < stacks.lines.columns) build(at, listed.part(position, c));
    });
  }

private:
  TEAM_FN void build(const Column& at, int band) const {
    const Lines& lines = stacks.lines;
    const int first = band * stacks.bandRows, n = lines.n;
    const int end = n - first < stacks.bandRows ? n : first + stacks.bandRows;
    const auto square = [&](int row) { return row >= 0 && row < n ? source(lines, at, row) : none<T>; };
    T below2 = square(first - 2), below = square(first - 1), here = square(first), above = square(first + 1);
    Owner top{0, 0};
    T topSquare = 0;
    int count = 0;
    for (int row = first; row < end; ++row) {
      const T above2 = square(row + 2);
      if (here < none<T> && !isDominated(here, below, above, weight, 1) &&
          !isDominated(here, below2, above2, weight, 2)) {
        int begin = 0;
        while (count > 0) {
          begin = firstOwned(topSquare, top.row, here, row, weight, n);
          if (begin > top.begin) break;
          begin = 0;
          if (--count > 0) {
            top = stacks.entry(at, band, count - 1);
            topSquare = source(lines, at, top.row);
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

/// Makes one list of two: the bands first .. first + span - 1 of a pair and the `span` ones above them.
template <class T, class Source>
struct MergeStacks {
  using Lanes = Box<warpSize, warpsOfBlock, 1>;
  struct Shared {};
  Stacks stacks;
  Source source;
  T weight;
  int span;
  ListedStrips listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      if (!listed.holds(position, c)) return;
      const Column at(stacks.lines, listed.strip(position, c), c.x);
      if (at.column < stacks.lines.columns) merge(at, 2 * span * listed.part(position, c));
    });
  }

private:
  /// An entry of the list of several bands.
  struct Cursor {
    int band = -1, k = 0; ///< band: -1 if there is none
    Part part{};
    Owner owner{};
    T square = 0;
  };

  TEAM_FN void read(const Column& at, Cursor& cursor) const {
    cursor.owner = stacks.entry(at, cursor.band, cursor.k);
    cursor.square = source(stacks.lines, at, cursor.owner.row);
  }
  /// The last entry of the bands from `first` up to `band`; the cursor then has none if they are empty.
  TEAM_FN void goToLast(const Column& at, int first, int band, Cursor& cursor) const {
    for (; band >= first; --band) {
      cursor.part = stacks.parts[stacks.part(at, band)];
      if (cursor.part.last == cursor.part.first) continue;
      cursor.band = band, cursor.k = cursor.part.last - 1;
      return read(at, cursor);
    }
    cursor.band = -1;
  }
  /// The first entry of the bands from `band` up to end - 1.
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

  /// Takes from the end of the left list what owns nothing beside the first entry of the right one, and from
  /// the beginning of the right list what owns nothing beside that and its own successor. The first entry of
  /// the right list that stays is the only one whose beginning changes (the paper's rule 3).
  TEAM_FN void merge(const Column& at, int first) const {
    const int middle = first + span, end = middle + span < stacks.bands ? middle + span : stacks.bands;
    Cursor left, right;
    goToLast(at, first, middle - 1, left);
    goToFirst(at, middle, end, right);
    while (left.band >= 0 && right.band >= 0) {
      const int n = stacks.lines.n;
      const int begin = firstOwned(left.square, left.owner.row, right.square, right.owner.row, weight, n);
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
    if (right.band >= 0) stacks.entry(at, right.band, right.k).begin = 0; // it is, but for rounding
  }
  TEAM_FN void drop(const Column& at, Cursor& cursor) const {
    ++cursor.part.first;
    stacks.parts[stacks.part(at, cursor.band)] = cursor.part;
  }
};

/// The first point that each band or one above it owns, so that the owner of a point can be found by halving.
struct FindHeads {
  using Lanes = Box<warpSize, warpsOfBlock, 1>;
  struct Shared {};
  Stacks stacks;
  ListedStrips listed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      if (!listed.holds(position, c)) return;
      const Column at(stacks.lines, listed.strip(position, c), c.x);
      if (at.column >= stacks.lines.columns) return;
      int head = stacks.lines.n;
      for (int band = stacks.bands; band-- > 0;) {
        const Part part = stacks.parts[stacks.part(at, band)];
        if (part.first < part.last) head = stacks.entry(at, band, part.first).begin;
        stacks.heads[stacks.part(at, band)] = head;
      }
    });
  }
};

/// Writes the unresolved tiles. In each column one lane notes the owners at the points where they begin, and
/// sets the bits of these points; the owner of any point is then at the next bit on its left (the paper's
/// step 3, in which a ballot makes the bits).
template <class T, class Source, class Target>
struct PaintTile {
  static constexpr int rows = Lines::tileRows;
  using Lanes = Box<warpSize, 8, 1>;
  struct Shared {
    T square[rows * warpSize];
    int owner[rows * warpSize];
    std::uint32_t begins[rows / 32 * warpSize];
  };

  Stacks stacks;
  Source source;
  Target target;
  T weight;
  const int* list;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    const Lines& lines = stacks.lines;
    const int tilesOfLine = lines.tilesOfLine(), strip = list[position] / tilesOfLine;
    const int first = list[position] % tilesOfLine * rows;
    team.each(Box<warpSize, 1, 1>{}, [&](Cell c) {
      const Column at(lines, strip, c.x);
      for (int i = 0; i < rows / 32; ++i) tile.begins[i * warpSize + c.x] = 0;
      if (at.column < lines.columns) noteOwners(at, c.x, first, tile);
    });
    team.each(Lanes{}, [&](Cell c) {
      const Column at(lines, strip, c.x);
      if (at.column >= lines.columns) return;
      for (int r = c.y; r < rows && first + r < lines.n; r += Lanes::ny) {
        int word = r / 32;
        std::uint32_t bits = tile.begins[word * warpSize + c.x] & bitsTo(r % 32);
        while (bits == 0 && word > 0) bits = tile.begins[--word * warpSize + c.x];
        if (bits == 0) {
          target(lines, at, first + r, none<T>, -1);
          continue;
        }
        const int slot = (word * 32 + highestBit(bits)) * warpSize + c.x, owner = tile.owner[slot];
        target(lines, at, first + r, squareAt(first + r, owner, tile.square[slot], weight), owner);
      }
    });
  }

private:
  TEAM_FN void noteOwners(const Column& at, int lane, int first, Shared& tile) const {
    int band = 0;
    for (int end = stacks.bands; end - band > 1;) { // the last one whose head is not above `first`
      const int middle = band + (end - band) / 2;
      (stacks.heads[stacks.part(at, middle)] <= first ? band : end) = middle;
    }
    Part part = stacks.parts[stacks.part(at, band)];
    if (part.first == part.last) return; // no owner at all
    int k = part.first;
    for (int end = part.last; end - k > 1;) { // the last one that does not begin above it
      const int middle = k + (end - k) / 2;
      (stacks.entry(at, band, middle).begin <= first ? k : end) = middle;
    }
    Owner owner = stacks.entry(at, band, k);
    for (int r = 0; r < rows;) {
      const int slot = r * warpSize + lane;
      tile.owner[slot] = owner.row;
      tile.square[slot] = source(stacks.lines, at, owner.row);
      tile.begins[r / 32 * warpSize + lane] |= 1u << (r % 32);
      ++k;
      while (k == part.last && ++band < stacks.bands) {
        part = stacks.parts[stacks.part(at, band)];
        k = part.first;
      }
      if (band == stacks.bands) return;
      owner = stacks.entry(at, band, k);
      r = owner.begin - first;
    }
  }
};

} // namespace isochrone::distance
