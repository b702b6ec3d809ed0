// LineTile.h - a pass along y or z: the memory layout of lines, the sources and targets of their values, and
// the kernel for short distances. Lanes lie across lines, along x, so that all accesses are contiguous
// without a transpose.
#pragma once

#include "DistanceTransform/Tiles/RowBits.h"

#include <cmath>

namespace isochrone::distance {

/// The lines of a pass, in strips of 32 adjacent columns, split into tiles of 64 rows. Along y, each z is a
/// slab with a column per x; along z, there is one slab with a column per x and y.
struct Lines {
  static constexpr int tileRows = 64;
  int n;               ///< rows: points of a line
  std::int64_t stride; ///< from row to row
  std::int64_t columns, slabs;

  TEAM_FN int stripsOfSlab() const { return int((columns + warpSize - 1) / warpSize); }
  TEAM_FN int tilesOfLine() const { return (n + tileRows - 1) / tileRows; }
  TEAM_FN std::int64_t index(std::int64_t column, std::int64_t slab, int row) const {
    return (slab * n + row) * stride + column;
  }
  std::int64_t strips() const { return stripsOfSlab() * slabs; }
  std::int64_t tiles() const { return strips() * tilesOfLine(); }
};

/// A column of a slab, or one of the 32 columns of a strip.
struct Column {
  std::int64_t column, slab;

  TEAM_FN Column(std::int64_t c, std::int64_t s) : column(c), slab(s) {}
  TEAM_FN Column(const Lines& lines, int strip, int lane) // in int: divisions in 64 bits are slow
      : column(std::int64_t(strip % lines.stripsOfSlab()) * warpSize + lane),
        slab(strip / lines.stripsOfSlab()) {}
};

/// Source of a pass along y: squared distances along x.
template <class Axis>
struct FromWords {
  using T = typename Axis::Number;
  const SiteWord* words;
  int wordsOfRow;
  Axis axis; ///< x

  TEAM_FN T operator()(const Lines& lines, const Column& at, int row) const {
    const std::int64_t word = (at.slab * lines.n + row) * wordsOfRow + at.column / warpSize;
    const int x = int(at.column), site = nearestInRow(words[word], x, axis);
    return site <= Axis::noRow ? none<T> : axis.squareAt(x, site, T(0));
  }
};

/// Source of squared distances: the previous pass.
template <class T>
struct FromSquares {
  const T* squares;

  TEAM_FN T operator()(const Lines& lines, const Column& at, int row) const {
    return squares[lines.index(at.column, at.slab, row)];
  }
};

/// Target of the pass along y of a volume: the input of the pass along z.
template <class T>
struct ToSquares {
  T* squares;
  int* owners; ///< per point: the y of the row that attained the minimum; null if not requested

  TEAM_FN void operator()(const Lines& lines, const Column& at, int row, T square, int owner) const {
    const std::int64_t i = lines.index(at.column, at.slab, row);
    squares[i] = square;
    if (owners) owners[i] = owner;
  }
  /// Returns whether only squares are requested; setPlain then writes the square of point i.
  TEAM_FN bool plain() const { return owners == nullptr; }
  TEAM_FN void setPlain(std::int64_t i, int square) const { squares[i] = square; }
};

/// Target of the last pass: the requested results; null: not requested.
template <class Axis>
struct ToResult {
  using T = typename Axis::Number;
  float* distance;
  double* preciseDistance;
  double* squaredDistance;
  std::int64_t* nearestSite;
  double unit;           ///< world length of a distance of 1
  T limit;               ///< larger squares exceed the maximum distance; below `none`
  bool othersOnly;       ///< keeps the values of points with distance 0: points of the other kind
  bool negative;         ///< distances are negated
  const SiteWord* words; ///< result of the pass along x
  int wordsOfRow;
  const int* owners; ///< owners of the pass along y; null if that is the last one
  std::int64_t nx, ny;
  Axis axis; ///< x

  TEAM_FN void operator()(const Lines& lines, const Column& at, int row, T square, int owner) const {
    if (othersOnly && square == 0) return;
    const bool reached = square <= limit;
    const std::int64_t i = lines.index(at.column, at.slab, row);
    if (distance) {
      const float d = reached ? root(square) : float(none<double>);
      distance[i] = negative ? -d : d;
    }
    if (preciseDistance) {
      const double d = reached ? std::sqrt(double(square)) * unit : none<double>;
      preciseDistance[i] = negative ? -d : d;
    }
    if (squaredDistance) squaredDistance[i] = reached ? double(square) * (unit * unit) : none<double>;
    if (nearestSite) nearestSite[i] = reached ? site(lines, at, owner) : -1;
  }

  /// Returns whether only distances in steps are requested; setPlain then writes the distance of point i from
  /// a square below 2^24.
  TEAM_FN bool plain() const {
    return distance && !preciseDistance && !squaredDistance && !nearestSite && unit == 1 && !othersOnly;
  }
  TEAM_FN void setPlain(std::int64_t i, int square) const {
    distance[i] = square <= limit ? std::sqrt(float(square)) : float(none<double>);
  }

private:
  TEAM_FN float root(T square) const {
    if constexpr (std::numeric_limits<T>::is_integer) // exact in float: the same number, without double
      if (unit == 1 && square < (1 << 24)) return std::sqrt(float(square));
    return float(std::sqrt(double(square)) * unit);
  }
  /// Returns the site of row `owner` in the column.
  TEAM_FN std::int64_t site(const Lines& lines, const Column& at, int owner) const {
    const std::int64_t x = owners ? at.column % nx : at.column, z = owners ? owner : 0;
    const std::int64_t y = owners ? owners[lines.index(at.column, at.slab, owner)] : owner;
    const SiteWord& word = words[(z * ny + y) * wordsOfRow + x / warpSize];
    return (z * ny + y) * nx + axis.inLine(nearestInRow(word, int(x), axis));
  }
};

/// A tile whose rows all search up to `reach` rows up and down, for unequal spacings and for any steps. A
/// result is final if it is nearer than the first row out of reach and than the undecided values of the
/// previous pass. Tiles with a result that is not final are marked; the values written for such results are
/// not below the limit of final ones.
/// @tparam withOwners  also finds the row of the minimum, the first one in a tie
template <class Source, class Target, class Axis, bool withOwners>
struct UnequalWindowTile {
  static constexpr int rows = Lines::tileRows, reach = windowReach, ownRows = 8;
  using Lanes = execution::Box<warpSize, rows / ownRows, 1>;
  using Window = execution::Box<warpSize, rows + 2 * reach, 1>;
  struct Shared {
    double square[Window::size];
    double minimum[Lanes::size]; ///< of the rows that a lane loaded
  };

  Lines lines;
  Source source;
  Target target;
  Axis axis;
  double before; ///< squares of the source are final below this
  bool isLast;   ///< the last pass: tiles that are not final need no values
  int needed;    ///< rows farther away exceed the maximum distance and are not searched
  std::uint8_t* unresolved;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    const int tilesOfLine = lines.tilesOfLine(), strip = position / tilesOfLine;
    const int first = position % tilesOfLine * rows; // first row of the tile
    const bool seesAll = axis.windowShowsAll(first, first + rows, lines.n);
    const int farthest = seesAll && axis.copiedRows() == 0 ? lines.n : reach;
    const auto boundFor = [&](double beyond) { // results below it are final
      const double outside = seesAll || needed <= reach ? none<double> : beyond;
      return outside < before ? outside : before;
    };
    const auto line = axis.from(first);
    const double bound = boundFor(axis.largestSquareBeyond()); // for no row it is larger
    PerLane<Team, double> best[ownRows];
    PerLane<Team, int> owner[ownRows];

    // 1. Load the columns of the window.
    team.each(Lanes{}, [&](Cell c) { load(tile, Column(lines, strip, c.x), first, c); });

    // 2. Skip the search in the last pass if some column has no point that can become final.
    const bool isSkipped = isLast && bound < none<double> && team.any([&](Cell c) {
      return Column(lines, strip, c.x).column < lines.columns && !hasSquareBelow(tile, bound, c.x);
    });
    if (isSkipped) return team.once([&] { unresolved[position] = true; });

    // 3. Search. Each lane handles eight rows of a column.
    const bool isUnresolved = team.any([&](Cell c) {
      double square[ownRows];
      int from[ownRows] = {};
      searchOwnRows(tile, c, line, square, from);
      searchOutwards(tile, c, line, farthest, square, from);
      bool isFinal = true;
      execution::unroll<ownRows>([&](auto j) {
        const int row = c.y * ownRows + j;
        best[j][c] = square[j];
        owner[j][c] = first + from[j];
        isFinal = isFinal &&
                  (first + row >= lines.n || square[j] < boundFor(line.squareBeyond(row, row, reach + 1)));
      });
      return !isFinal && bound < none<double> && Column(lines, strip, c.x).column < lines.columns;
    });
    team.once([&] { unresolved[position] = isUnresolved; });

    // 4. Write the results.
    team.each(Lanes{}, [&](Cell c) {
      const Column at(lines, strip, c.x);
      execution::unroll<ownRows>([&](auto j) {
        const int row = first + c.y * ownRows + j;
        if (row >= lines.n || at.column >= lines.columns) return;
        const bool found = best[j][c] < none<double>;
        target(lines, at, row, found ? best[j][c] : none<double>,
               found ? axis.inWindow(owner[j][c], lines.n) : -1);
      });
    });
  }

private:
  /// Loads every eighth row of a column of the window, and its minimum. The tile begins at row `first`.
  TEAM_FN void load(Shared& tile, const Column& at, int first, Cell c) const {
    double minimum = none<double>;
    for (int r = c.y; r < Window::ny; r += Lanes::ny) {
      const int row = first + r - reach;
      const bool holds = axis.holds(row, lines.n) && at.column < lines.columns;
      const double square = holds ? source(lines, at, axis.inWindow(row, lines.n)) : none<double>;
      tile.square[r * warpSize + c.x] = square;
      minimum = square < minimum ? square : minimum;
    }
    tile.minimum[c.index] = minimum;
  }

  /// Returns whether a column of the window has a square below the bound.
  TEAM_FN static bool hasSquareBelow(const Shared& tile, double bound, int column) {
    bool found = false;
    for (int i = 0; i < Lanes::ny; ++i) found = found || tile.minimum[i * warpSize + column] < bound;
    return found;
  }

  /// Returns the square of a row of the window, counted from the tile's first row.
  TEAM_FN static double squareOf(const Shared& tile, Cell c, int row) {
    return tile.square[(reach + row) * warpSize + c.x];
  }

  /// Finds the minimum among the lane's own rows, for each of them. Rows of `line` count from the tile's
  /// first row.
  TEAM_FN void searchOwnRows(const Shared& tile, Cell c, const auto& line, double (&square)[ownRows],
                             int (&from)[ownRows]) const {
    const int top = c.y * ownRows;
    execution::unroll<ownRows>([&](auto j) { square[j] = none<double>; });
    execution::unroll<ownRows>([&](auto i) {
      const double value = squareOf(tile, c, top + i);
      execution::unroll<ownRows>(
          [&](auto j) { look(value, line, top + i, top + j, false, square[j], from[j]); });
    });
  }

  /// Offers row after row outwards from the lane's own ones to all of them, until no farther row can be
  /// nearer.
  TEAM_FN void searchOutwards(const Shared& tile, Cell c, const auto& line, int farthest,
                              double (&square)[ownRows], int (&from)[ownRows]) const {
    const int top = c.y * ownRows;
    for (int k = 1; k <= farthest; ++k) {
      double maximum = square[0];
      execution::unroll<ownRows>([&](auto j) { maximum = square[j] > maximum ? square[j] : maximum; });
      if (maximum < line.squareBeyond(top, top + ownRows - 1, k)) return;
      const int lower = top - k, upper = top + ownRows - 1 + k;
      const double below = lower < -reach ? none<double> : squareOf(tile, c, lower);
      const double above = upper >= rows + reach ? none<double> : squareOf(tile, c, upper);
      execution::unroll<ownRows>([&](auto j) {
        look(below, line, lower, top + j, true, square[j], from[j]);
        look(above, line, upper, top + j, false, square[j], from[j]);
      });
    }
  }

  /// Offers row i to row j. The order of rows is such that a lower row than all before also wins a tie.
  TEAM_FN void look(double value, const auto& line, int i, int j, bool isLower, double& square,
                    int& from) const {
    const double sum = line.squareAt(j, i, value);
    if constexpr (withOwners) {
      const bool take = isLower ? sum <= square : sum < square;
      square = take ? sum : square;
      from = take ? i : from;
    } else {
      square = sum < square ? sum : square;
    }
  }
};

} // namespace isochrone::distance
