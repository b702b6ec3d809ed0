// RowBits.h - tile kernels of the first pass, along x: the nearest site of the row for each point (after
// Manduhu and Jones, section III). The bits of 32 points form a word. Near sites are found in the adjacent
// words; for others, each word gets the nearest sites of its row, by ballots and leading zeros. This takes 4
// and 16 bytes per 32 points. Distances are computed from them where needed, so that they never go through
// memory.
#pragma once

#include "DistanceTransform/Tiles/LineAxis.h"

#include <cstring>

namespace isochrone::distance {

using execution::Cell;
using execution::Divisor;
using execution::PerLane;
using execution::PerWarp;
using execution::warpSize;

/// Rows of an image, split into words.
struct Rows {
  std::int64_t rows, nx;

  TEAM_FN int words() const { return int((nx + warpSize - 1) / warpSize); }
};

/// Packs the bits of 256 words, one lane per word.
struct PackSites {
  using Lanes = execution::Box<warpSize, 8, 1>;
  struct Shared {};
  Rows image;
  Divisor byWords; ///< divides by the words of a row
  const std::uint8_t* sites;
  bool complement; ///< treats points that are not sites as sites
  std::uint32_t* bits;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int word = position * Lanes::size + c.index, words = image.words();
      if (word >= image.rows * words) return;
      const int row = byWords.quotient(word), x = (word - row * words) * warpSize;
      const std::int64_t first = row * image.nx + x, left = image.rows * image.nx - first;
      const int count = image.nx - x < warpSize ? int(image.nx - x) : warpSize;
      const std::uint32_t marked = left >= warpSize + 4 ? nonzero(first) : nonzeroOneByOne(first, count);
      bits[word] = (complement ? ~marked : marked) & bitsTo(count - 1);
    });
  }

private:
  /// Returns four bytes from a multiple of four on.
  TEAM_FN std::uint32_t four(std::int64_t first) const {
#ifdef __CUDA_ARCH__
    return *reinterpret_cast<const std::uint32_t*>(sites + first);
#else
    std::uint32_t bytes;
    std::memcpy(&bytes, sites + first, 4);
    return bytes;
#endif
  }
  /// Returns the bits of 32 bytes that are not 0: sets the highest bit of each nonzero byte, four bytes at a
  /// time, and gathers these bits by a multiplication. The 36 bytes from the multiple of four below `first`
  /// must be readable.
  TEAM_FN std::uint32_t nonzero(std::int64_t first) const {
    const int shift = 8 * int(first & 3);
    std::uint32_t high = four(first - (first & 3) + warpSize), word = 0;
    execution::unroll<8>([&](auto i) {
      const std::uint32_t low = four(first - (first & 3) + 4 * (7 - i));
      const std::uint32_t bytes = shiftedRight(low, high, shift);
      const std::uint32_t set = (((bytes & 0x7f7f7f7f) + 0x7f7f7f7f) | bytes) & 0x80808080;
      word = shiftedRight(set * 0x204081, word, 28);
      high = low;
    });
    return word;
  }
  TEAM_FN std::uint32_t nonzeroOneByOne(std::int64_t first, int count) const {
    std::uint32_t word = 0;
    for (int i = 0; i < count; ++i) word |= (sites[first + i] != 0 ? 1u : 0u) << i;
    return word;
  }
};

/// Makes the words of eight rows, one warp per row: their bits, and the nearest sites to the left and right.
template <bool mayRepeat>
struct MakeWords {
  using Lanes = execution::Box<warpSize, 8, 1>;
  struct Shared {};
  static constexpr int none = noRowOf<mayRepeat>;
  Rows image;
  const std::uint32_t* bits;
  SiteWord* words;
  bool repeats; ///< whether rows are periodic

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    PerLane<Team, int> carry, firstSite, lastSite;
    const int perRow = image.words(), chunks = (perRow + warpSize - 1) / warpSize;
    team.each(Lanes{}, [&](Cell c) { carry[c] = firstSite[c] = none; });
    for (int chunk = 0; chunk < chunks; ++chunk)
      carryOver<true>(team, position, chunk * warpSize, carry, firstSite);
    team.each(Lanes{}, [&](Cell c) {
      lastSite[c] = carry[c];
      carry[c] = none;
      if constexpr (mayRepeat)
        if (repeats && firstSite[c] != none) carry[c] = firstSite[c] + int(image.nx);
    });
    for (int chunk = chunks; chunk-- > 0;)
      carryOver<false>(team, position, chunk * warpSize, carry, lastSite);
  }

private:
  /// Processes 32 words from `first` on; `carry` is the nearest site of the row before (after) them.
  /// @param end  to the right: set to the first site of the row; back: its last site
  template <bool toRight, class Team>
  TEAM_FN void carryOver(Team& team, int position, int first, PerLane<Team, int>& carry,
                         [[maybe_unused]] PerLane<Team, int>& end) const {
    PerLane<Team, int> site;
    PerLane<Team, std::uint32_t> own;
    const int perRow = image.words();
    const auto row = [&](Cell c) { return std::int64_t(position) * Lanes::ny + c.y; };
    const auto holds = [&](Cell c) { return row(c) < image.rows && first + c.x < perRow; };
    team.each(Lanes{}, [&](Cell c) {
      own[c] = holds(c) ? bits[row(c) * perRow + first + c.x] : 0;
      const int x = (first + c.x) * warpSize;
      site[c] = own[c] == 0 ? none : x + (toRight ? highestBit(own[c]) : lowestBit(own[c]));
    });
    const PerWarp<Team, std::uint32_t> filled = team.ballot([&](Cell c) { return own[c] != 0; });
    const auto passed = [&](Cell c) { return filled[c] & (toRight ? bitsBelow(c.x) : ~bitsTo(c.x)); };
    const auto nearest = [](std::uint32_t word) {
      return word == 0 ? 0 : toRight ? highestBit(word) : lowestBit(word);
    };
    if constexpr (mayRepeat && toRight) {
      PerLane<Team, int> lowest;
      team.each(Lanes{}, [&](Cell c) {
        lowest[c] = own[c] == 0 ? none : (first + c.x) * warpSize + lowestBit(own[c]);
      });
      const PerLane<Team, int> found =
          team.shuffle(lowest, [&](Cell c) { return filled[c] ? lowestBit(filled[c]) : 0; });
      team.each(Lanes{}, [&](Cell c) {
        if (end[c] == none) end[c] = found[c];
      });
    }
    const PerLane<Team, int> neighbour = team.shuffle(site, [&](Cell c) { return nearest(passed(c)); });
    const PerLane<Team, int> outermost = team.shuffle(site, [&](Cell c) { return nearest(filled[c]); });
    team.each(Lanes{}, [&](Cell c) {
      const int found = passed(c) ? neighbour[c] : carry[c];
      if (holds(c)) {
        SiteWord& word = words[row(c) * perRow + first + c.x];
        if constexpr (toRight)
          word = {own[c], found, none};
        else
          word.right = found;
        if constexpr (mayRepeat && !toRight)
          if (repeats && word.left == none && end[c] != none) word.left = end[c] - int(image.nx);
      }
      if (filled[c]) carry[c] = outermost[c];
    });
  }
};

} // namespace isochrone::distance
