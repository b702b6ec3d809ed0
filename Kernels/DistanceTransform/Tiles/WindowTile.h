// WindowTile.h - a pass along y or z where sites are near and all spacings are equal: squared distances up to
// 31^2 in 16 bits, two columns per word.
#pragma once

#include "DistanceTransform/Tiles/LineTile.h"

namespace isochrone::distance {

/// Represents this squared distance or more: windows do not search farther.
inline constexpr std::uint32_t farSquare = (windowReach + 1) * (windowReach + 1);

/// Calls f(0), ..., f(N - 1). Unrolled on the device, where arrays thus become registers; on the host this
/// would take minutes to compile.
template <int N, class F>
TEAM_FN void steps(F&& f) {
#ifdef __CUDA_ARCH__
  execution::unroll<N>(f);
#else
  for (int i = 0; i < N; ++i) f(i);
#endif
}

/// A lane has two columns, with their squares in the halves of a word. Sums stay below 2 * farSquare < 2^16.
struct PairOfColumns {
  static constexpr int columns = 2;
  static constexpr std::uint32_t one = 0x10001;

  TEAM_FN static std::uint32_t pack(std::uint32_t a, std::uint32_t b, int) { return a + (b << 16); }
  TEAM_FN static std::uint32_t minOf(std::uint32_t a, std::uint32_t b) { return minHalves(a, b); }
  TEAM_FN static std::uint32_t maxOf(std::uint32_t a, std::uint32_t b) { return maxHalves(a, b); }
  TEAM_FN static std::uint32_t minSum(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return minSumHalves(a, b, c);
  }
  TEAM_FN static std::uint32_t square(std::uint32_t value, int column) {
    return column == 0 ? value & 0xffff : value >> 16;
  }
  TEAM_FN static int row(std::uint32_t) { return 0; }
};

/// A lane has one column. The squares are followed by the row of the window that they came from in the lowest
/// bits, so that among equal squares the minimum is the lowest row's.
struct SquareAndRow {
  static constexpr int columns = 1;
  static constexpr std::uint32_t one = 256;

  TEAM_FN static std::uint32_t pack(std::uint32_t a, std::uint32_t, int row) { return a * one + row; }
  TEAM_FN static std::uint32_t minOf(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
  TEAM_FN static std::uint32_t maxOf(std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }
  TEAM_FN static std::uint32_t minSum(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return minOf(a + b, c);
  }
  TEAM_FN static std::uint32_t square(std::uint32_t value, int) { return value / one; }
  TEAM_FN static int row(std::uint32_t value) { return int(value % one); }
};

/// Source of a pass along y: squared distances along x, of up to 31 points to either side.
template <class Axis>
struct NearBits {
  struct alignas(16) Words {
    std::uint32_t of[4];
  };
  /// Per row, the tile's two words between their neighbours, and the same words with their bits in reverse
  /// order.
  template <int rows>
  struct Shared {
    Words forward[rows], backward[rows];
  };
  const std::uint32_t* bits;
  int wordsOfRow;
  Axis axis; ///< x

  /// Loads the rows of a window from `top` on, along `line`.
  template <class Team, int rows>
  TEAM_FN void gather(Team& team, Shared<rows>& tile, const Lines& lines, const Axis& line,
                      const Column& first, int top) const {
    team.each(execution::Box<4, rows, 1>{}, [&](Cell c) {
      const int row = top + c.y, word = int(first.column / warpSize) - 1 + c.x;
      const bool holds = line.holds(row, lines.n) && axis.holds(word, wordsOfRow);
      const std::uint32_t loaded =
          holds ? axis.wordOf(bits + (first.slab * lines.n + line.inWindow(row, lines.n)) * wordsOfRow, word)
                : 0;
      tile.forward[c.y].of[c.x] = loaded;
      tile.backward[c.y].of[c.x] = reversedBits(loaded);
    });
  }
  /// Returns the square of row r of the window and column `lane` of its word 0 or 1.
  template <int rows>
  TEAM_FN std::uint32_t operator()(const Shared<rows>& tile, const Lines&, const Axis&, const Column&, int,
                                   int r, int lane, int word) const {
    const Words &f = tile.forward[r], &b = tile.backward[r];
    const std::uint32_t left = shiftedRight(f.of[word], f.of[word + 1], lane + 1);
    const std::uint32_t right = shiftedRight(b.of[word + 2], b.of[word + 1], 32 - lane);
    const std::uint32_t distance = leadingZeros(left | right | 1);
    return distance * distance;
  }
};

/// Source of squared distances: the previous pass.
template <class Axis>
struct NearSquares {
  using T = typename Axis::Number;
  template <int>
  struct Shared {};
  const T* squares;

  template <class Team, int rows>
  TEAM_FN void gather(Team&, Shared<rows>&, const Lines&, const Axis&, const Column&, int) const {}
  template <int rows>
  TEAM_FN std::uint32_t operator()(const Shared<rows>&, const Lines& lines, const Axis& line,
                                   const Column& at, int top, int r, int, int word) const {
    if (!line.holds(top + r, lines.n) || at.column + word * warpSize >= lines.columns) return farSquare;
    const int row = line.inWindow(top + r, lines.n);
    const T square = squares[lines.index(at.column + word * warpSize, at.slab, row)];
    return square < T(farSquare) ? std::uint32_t(square) : farSquare;
  }
};

/// Adjacent strips, and 128 rows of them: two tiles of each. All rows search up to 30 rows up and down.
/// Nearer results are final. Tiles with a result that is not final are marked; the value of such a result is
/// `none`.
template <class Axis, class Packing, class Source, class Target>
struct WindowTile {
  using T = typename Axis::Number;
  static constexpr int tiles = 2, rows = tiles * Lines::tileRows, ownRows = 16, halo = windowHalo;
  static constexpr int stageRows = 3; ///< number of steps between two tests for the end
  using Lanes = execution::Box<warpSize, rows / ownRows, 1>;
  static constexpr int windowRows = rows + 2 * halo;
  static_assert(windowReach <= halo && windowReach % stageRows == 0 && windowRows % Lanes::ny == 0);
  struct Shared {
    std::uint32_t value[windowRows * warpSize];
    typename Source::template Shared<windowRows> source;
  };

  Lines lines;
  Source source;
  Target target;
  Axis axis;
  bool complete; ///< all farther points exceed the maximum distance
  std::uint8_t* unresolved;
  Divisor byBlocksOfLine, byGroupsOfSlab;

  WindowTile(const Lines& l, const Source& from, const Target& to, const Axis& a, bool c, std::uint8_t* u)
      : lines(l), source(from), target(to), axis(a), complete(c), unresolved(u),
        byBlocksOfLine(blocksOfLine(l)), byGroupsOfSlab(groupsOfSlab(l)) {}
  TEAM_FN static int blocksOfLine(const Lines& l) { return (l.tilesOfLine() + tiles - 1) / tiles; }
  TEAM_FN static int groupsOfSlab(const Lines& l) {
    return (l.stripsOfSlab() + Packing::columns - 1) / Packing::columns;
  }
  int count() const { return int(blocksOfLine(lines) * groupsOfSlab(lines) * lines.slabs); }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    const int group = byBlocksOfLine.quotient(position), slab = byGroupsOfSlab.quotient(group);
    const int block = position - group * blocksOfLine(lines), first = block * rows;
    const int strip = (group - slab * groupsOfSlab(lines)) * Packing::columns; // first strip, within the slab
    const auto column = [&](Cell c) {
      return Column{std::int64_t(strip) * warpSize + c.x, std::int64_t(slab)};
    };
    PerLane<Team, std::uint32_t> best[ownRows], maximum;

    // 1. The squares of the window.
    source.gather(team, tile.source, lines, axis, Column{std::int64_t(strip) * warpSize, std::int64_t(slab)},
                  first - halo);
    team.each(Lanes{}, [&](Cell c) {
      const Column at = column(c);
      steps<windowRows / Lanes::ny>([&](auto i) {
        const int r = i * Lanes::ny + c.y;
        const auto square = [&](int word) {
          return source(tile.source, lines, axis, at, first - halo, r, c.x, word);
        };
        tile.value[r * warpSize + c.x] = Packing::pack(square(0), Packing::columns == 2 ? square(1) : 0, r);
      });
    });

    // 2. Each lane handles 16 rows: each step adds two more rows of the window, until no farther row can be
    // nearer.
    team.each(Lanes{}, [&](Cell c) {
      const int top = c.y * ownRows;
      const std::uint32_t* column = tile.value + (halo + top) * warpSize + c.x;
      std::uint32_t value[ownRows + 2 * windowReach], minimum[ownRows];
      steps<ownRows>([&](auto j) { minimum[j] = value[windowReach + j] = column[j * warpSize]; });
      bool looks = first + top < lines.n;
      steps<windowReach / stageRows>([&](auto stage) {
        if (!looks) return;
        steps<stageRows>([&](auto i) {
          const int k = stage * stageRows + i + 1;
          value[windowReach - k] = column[-k * warpSize];
          value[windowReach + ownRows - 1 + k] = column[(ownRows - 1 + k) * warpSize];
          steps<ownRows>([&](auto j) {
            const std::uint32_t nearer =
                Packing::minOf(value[windowReach + j - k], value[windowReach + j + k]);
            minimum[j] = Packing::minSum(nearer, k * k * Packing::one, minimum[j]);
          });
        });
        const int next = (stage + 1) * stageRows + 1;
        looks = !allBelow(maxOfRows(minimum, ownRows), next * next);
      });
      steps<ownRows>([&](auto j) { best[j][c] = minimum[j]; });
      maximum[c] = maxOfRows(minimum, lines.n - first - top);
    });

    // 3. Find the tiles that are not final.
    steps<tiles>([&](auto i) {
      steps<Packing::columns>([&](auto s) {
        const bool open = team.any([&](Cell c) {
          return !complete && c.y / (Lanes::ny / tiles) == i &&
                 column(c).column + s * warpSize < lines.columns &&
                 Packing::square(maximum[c], s) >= farSquare;
        });
        const int tileOfLine = block * tiles + i;
        team.once([&] {
          if (tileOfLine < lines.tilesOfLine() && strip + s < lines.stripsOfSlab())
            unresolved[(slab * lines.stripsOfSlab() + strip + s) * lines.tilesOfLine() + tileOfLine] = open;
        });
      });
    });

    // 4. Write the results.
    team.each(Lanes{}, [&](Cell c) {
      const int row = first + c.y * ownRows, count = lines.n - row;
      const Column at = column(c);
      if constexpr (Packing::columns == 2)
        if (target.plain() && count >= ownRows && at.column + warpSize < lines.columns) {
          std::int64_t i = lines.index(at.column, at.slab, row);
          steps<ownRows>([&](auto j) {
            target.setPlain(i, int(Packing::square(best[j][c], 0)));
            target.setPlain(i + warpSize, int(Packing::square(best[j][c], 1)));
            i += lines.stride;
          });
          return;
        }
      std::uint32_t* values = tile.value + (halo + c.y * ownRows) * warpSize + c.x;
      steps<ownRows>([&](auto j) { values[j * warpSize] = best[j][c]; });
      for (int j = 0; j < ownRows && j < count; ++j)
        for (int s = 0; s < Packing::columns; ++s) {
          const Column here{at.column + s * warpSize, at.slab};
          if (here.column >= lines.columns) continue;
          const std::uint32_t value = values[j * warpSize], square = Packing::square(value, s);
          const bool found = square < farSquare;
          target(lines, here, row + j, found ? T(square) : none<T>,
                 found ? axis.inWindow(first - halo + Packing::row(value), lines.n) : -1);
        }
    });
  }

private:
  /// Returns the maximum of the first `count` of 16 values.
  TEAM_FN static std::uint32_t maxOfRows(const std::uint32_t (&values)[ownRows], int count) {
    std::uint32_t maximum = 0;
    steps<ownRows>([&](auto j) {
      if (j < count) maximum = Packing::maxOf(maximum, values[j]);
    });
    return maximum;
  }
  TEAM_FN static bool allBelow(std::uint32_t value, int square) {
    bool below = true;
    steps<Packing::columns>([&](auto s) { below = below && int(Packing::square(value, s)) < square; });
    return below;
  }
};

} // namespace isochrone::distance
