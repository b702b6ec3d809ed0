// PaintTile.h - converts the lists of owners to the values of all points of a line.
#pragma once

#include "DistanceTransform/Tiles/EnvelopeTile.h"

namespace isochrone::distance {

/// An entry of the list of a column.
struct alignas(8) Place {
  int band, k; ///< band: -1 if the list is empty
};

/// Finds the owner of the first row of each unresolved tile, one warp per tile. Bisection is a chain of
/// reads, whose latency many independent warps hide.
template <bool mayRepeat>
struct FindOwners {
  using Lanes = execution::Box<warpSize, warpsOfBlock, 1>;
  struct Shared {};
  Stacks<mayRepeat> stacks;
  const int* list;
  int listed;    ///< number of listed tiles
  Place* places; ///< [tile of the list][lane]

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int item = position * warpsOfBlock + c.y, tilesOfLine = stacks.lines.tilesOfLine();
      if (item >= listed) return;
      const Column at(stacks.lines, list[item] / tilesOfLine, c.x);
      if (at.column >= stacks.lines.columns) return;
      places[std::int64_t(item) * warpSize + c.x] = ownerOf(at, list[item] % tilesOfLine * Lines::tileRows);
    });
  }

private:
  TEAM_FN Place ownerOf(const Column& at, int row) const {
    int band = 0;
    for (int end = stacks.bands; end - band > 1;) { // the last band whose head is not above the row
      const int middle = band + (end - band) / 2;
      (stacks.heads[stacks.part(at, middle)] <= row ? band : end) = middle;
    }
    const Part part = stacks.parts[stacks.part(at, band)];
    if (part.first == part.last) return {-1, 0};
    int k = part.first;
    for (int end = part.last; end - k > 1;) { // the last entry that does not begin above the row
      const int middle = k + (end - k) / 2;
      (stacks.entry(at, band, middle).begin <= row ? k : end) = middle;
    }
    return {band, k};
  }
};

/// Writes the unresolved tiles. Owners are stored at the points where they begin, a ballot over the rows of
/// each column converts these points to bits, and the owner of a point is at the nearest bit at or before it
/// (the paper's step 3).
template <class Axis, class Source, class Target>
struct PaintTile {
  using T = typename Axis::Number;
  static constexpr int rows = Lines::tileRows, wordsOfColumn = rows / warpSize;
  static constexpr int pitch = warpSize + 1; ///< both rows and columns then lie in 32 banks
  using Lanes = execution::Box<warpSize, 8, 1>;
  static constexpr int ballots = wordsOfColumn * warpSize / Lanes::ny;
  struct Shared {
    T square[rows * pitch];
    int owner[rows * pitch]; ///< noRow: none begins here
    std::uint32_t begins[wordsOfColumn * warpSize];
  };

  Stacks<Axis::mayRepeat> stacks;
  Source source;
  Target target;
  Axis axis;
  const int* list;
  const Place* places;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    const Lines& lines = stacks.lines;
    const int tilesOfLine = lines.tilesOfLine(), strip = list[position] / tilesOfLine;
    const int first = list[position] % tilesOfLine * rows;
    team.each(Lanes{}, [&](Cell c) {
      for (int r = c.y; r < rows; r += Lanes::ny) tile.owner[r * pitch + c.x] = Axis::noRow;
    });
    team.each(Lanes{}, [&](Cell c) {
      const Column at(lines, strip, c.x);
      if (at.column < lines.columns)
        noteOwners(at, places[std::int64_t(position) * warpSize + c.x], c, first, tile);
    });
    PerWarp<Team, std::uint32_t> bits[ballots];
    execution::unroll<ballots>([&](auto i) {
      bits[i] = team.ballot([&](Cell c) {
        const int word = c.y * ballots + i; // index in the tile; the words of a column are consecutive
        const int row = word % wordsOfColumn * warpSize + c.x;
        return tile.owner[row * pitch + word / wordsOfColumn] > Axis::noRow;
      });
    });
    team.each(Lanes{}, [&](Cell c) {
      execution::unroll<ballots>([&](auto i) {
        if (c.x == i) tile.begins[c.y * ballots + i] = bits[i][c];
      });
    });
    team.each(Lanes{}, [&](Cell c) {
      const Column at(lines, strip, c.x);
      if (at.column >= lines.columns) return;
      for (int r = c.y; r < rows && first + r < lines.n; r += Lanes::ny) {
        const int begin = lastBegin(tile, c.x, r);
        if (begin < 0) {
          target(lines, at, first + r, none<T>, -1);
          continue;
        }
        const int slot = begin * pitch + c.x, owner = tile.owner[slot];
        target(lines, at, first + r, axis.squareAt(first + r, owner, tile.square[slot]), axis.inLine(owner));
      }
    });
  }

private:
  /// Stores the owners of a column: its eight lanes share the entries of its list from `place` on.
  TEAM_FN void noteOwners(const Column& at, Place place, Cell c, int first, Shared& tile) const {
    if (place.band < 0) return;
    int k = place.k;
    for (int band = place.band;;) {
      const Part part = stacks.parts[stacks.part(at, band)];
      for (k += c.y; k < part.last; k += Lanes::ny) {
        const Owner owner = stacks.entry(at, band, k);
        if (owner.begin >= first + rows) return;
        const int slot = (owner.begin > first ? owner.begin - first : 0) * pitch + c.x;
        tile.owner[slot] = owner.row;
        tile.square[slot] = source(stacks.lines, at, axis.inLine(owner.row));
      }
      if (++band == stacks.bands || stacks.heads[stacks.part(at, band)] >= first + rows) return;
      k = stacks.parts[stacks.part(at, band)].first;
    }
  }
  /// Returns the row of a column, at or before r, at which an owner begins; -1: none.
  TEAM_FN static int lastBegin(const Shared& tile, int column, int r) {
    int word = r / warpSize;
    std::uint32_t bits = tile.begins[column * wordsOfColumn + word] & bitsTo(r % warpSize);
    while (bits == 0 && word > 0) bits = tile.begins[column * wordsOfColumn + --word];
    return bits == 0 ? -1 : word * warpSize + highestBit(bits);
  }
};

} // namespace isochrone::distance
