// Built once per instruction set. SectorSweep.h explains the terms, DESIGN.md the order of work.
#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Host/SectorBlock.h"

namespace isochrone::curvature::ISOCHRONE_ISA {

namespace {

using Word = std::uint64_t;

/// Returns the lanes of a block that are swept.
inline std::uint32_t sweptLanes(const SectorView& s, int block) {
  const auto before = [&](int column) {
    const int lanes = column - block * blockWidth;
    return lanes >= blockWidth ? ~0u : lanes <= 0 ? 0u : (1u << lanes) - 1;
  };
  return before(s.endColumn) & ~before(s.firstColumn);
}

/// Returns the dirty headings of a row and block (SectorView::dirty).
inline Word* dirtyOf(const SectorView& s, int row, int block) {
  return s.dirty + block * s.dirtyPitch + row * 3 * s.words;
}

inline void add(Word* set, const Word* headings, int words) {
  *set |= *headings;
  for (int w = 1; w < words; ++w) set[w] |= headings[w];
}

/// Calls use(heading) for the headings of a set.
template <class Use>
inline void forEachHeading(const Word* set, int words, Use&& use) {
  for (int w = 0; w < words; ++w)
    for (Word rest = set[w]; rest; rest &= rest - 1) use(w * wordHeadings + __builtin_ctzll(rest));
}

/// Marks readers in the block of a change.
/// @param dirty  of the row and block of the change
inline void markOwn(const SectorView& s, const RowReaders& readers, Word* dirty) {
  add(dirty + readers.place, readers.headings, s.words);
}

/// Marks readers in the blocks beside a change.
inline void markBeside(const SectorView& s, const RowReaders& readers, Word* dirty, std::uint32_t lanes) {
  if (lanes & readers.before)
    add(dirty - s.dirtyPitch + readers.place + 2 * s.words, readers.headings + s.words, s.words);
  if (lanes & readers.after)
    add(dirty + s.dirtyPitch + readers.place + s.words, readers.headings + 2 * s.words, s.words);
}

inline bool startsStrip(const SectorView& s, int block) { return block % s.stripBlocks == 0; }
inline bool endsStrip(const SectorView& s, int block) { return startsStrip(s, block + 1); }

/// Returns the lanes that headings of the strips beside a block read.
inline std::uint32_t lanesOfOthers(const SectorView& s, const RowReaders& readers, int block) {
  return (startsStrip(s, block) ? readers.before : 0) | (endsStrip(s, block) ? readers.after : 0);
}

/// Sets the bit of a row in words [row / 32][block].
inline void setRow(const SectorView& s, std::uint32_t* words, int row, int block) {
  words[std::int64_t(row / 32) * s.blocks + block] |= 1u << (row % 32);
}

inline void copyColumns(const float* from, float* to, int columns) {
  for (int c = 0; c < columns; ++c) to[c] = from[c];
}

/// Copies a changed block for readers that must not see changes of a sweep.
void update(const SectorView& s, const SectorPlane& plane, int row, int block) {
  const std::int64_t at = row * s.pitch + std::int64_t(block) * blockWidth;
  const float* values = plane.value + at;
  if (plane.copy) copyColumns(values, plane.copy + at, blockWidth);
  if (!plane.lines) return;
  float* line = plane.lines + lineOf(s, row, block);
  copyColumns(values, line, blockWidth);
  // The margins of the strips beside.
  if (startsStrip(s, block) && block > 0) copyColumns(values, line - 2 * s.margin, s.margin);
  if (endsStrip(s, block) && block + 1 < s.blocks)
    copyColumns(values + blockWidth - s.margin, line + blockWidth + s.margin, s.margin);
}

/// Copies the lowered lanes into the plane of the other orientation.
inline void transpose(const SectorView& s, const SectorHeading& h, int row, std::int64_t column,
                      const float* values, std::uint32_t lanes) {
  float* to = h.transposed + column * s.otherPitch + row;
  for (; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    to[lane * s.otherPitch] = values[lane];
  }
}

/// Marks the block as pending in the other sectors that hold this plane.
inline void markOtherSectors(const SectorView* sectors, int s, const SectorHeading& h, int row, int block,
                             std::uint32_t lanes) {
  for (int o = 0; o < h.otherCount; ++o) {
    const SectorView& other = sectors[h.others[o]];
    std::uint32_t* pending = other.planes[h.plane].pending;
    if ((h.others[o] ^ s) & 1) // the other orientation: the columns of this block are the rows of a word
      pending[std::int64_t(block) * other.blocks + row / blockWidth] |= lanes;
    else
      setRow(other, pending, row, block);
  }
}

/// Returns whether a heading that turns into this one now reads less than its own value.
inline bool turns(const SectorView& s, const TurnReader& reader, int row, int block, const float* values,
                  std::uint32_t lanes) {
  const float* theirs = reader.value + row * s.pitch + std::int64_t(block) * blockWidth;
  std::uint32_t lower = 0;
  for (int l = 0; l < blockWidth; l += Floats::width)
    lower |= Floats::bits(Floats::greater(Floats::load(theirs + l), Floats::load(values + l))) << l;
  return (lower & lanes) != 0;
}

/// Returns the lanes that are not above the limit.
inline std::uint32_t within(const float* values, float limit) {
  std::uint32_t above = 0;
  for (int l = 0; l < blockWidth; l += Floats::width)
    above |= Floats::bits(Floats::greater(Floats::load(values + l), Floats::broadcast(limit))) << l;
  return ~above;
}

inline float minOfLanes(const float* values, std::uint32_t lanes, float minimum) {
  for (; lanes; lanes &= lanes - 1) {
    const float v = values[__builtin_ctz(lanes)];
    if (v < minimum) minimum = v;
  }
  return minimum;
}

template <bool nearWalls, bool corrected>
inline std::uint32_t lower(const SectorHeading& h, const BlockInput& in, std::int64_t at) {
  if (!h.uniform) return lowerVaryingBlock<nearWalls, corrected>(h, in, at, h.bounds + at / blockWidth * 4);
  return h.uniform->turnVaries ? lowerBlock<nearWalls, true, corrected>(h, in, at)
                               : lowerBlock<nearWalls, false, corrected>(h, in, at);
}

/// Updates one block of a heading. Returns the lanes that were lowered.
inline std::uint32_t updateBlock(const SectorView& s, const SectorHeading& h, int row, int block) {
  const std::int64_t at = (std::int64_t(row) * s.blocks + block) * blockWidth;
  const std::int64_t offset = row * s.pitch + std::int64_t(block) * blockWidth;
  BlockInput in{h.value + offset, h.cost + at,         offset, s.margin ? lineOf(s, row, block) : 0,
                nullptr,          sweptLanes(s, block)};
  if (const std::int32_t slot = s.walls.slot ? s.walls.slot[at / blockWidth] : -1; slot >= 0) {
    const Word* affected = s.walls.affected + std::int64_t(slot) * s.walls.affectedWords;
    if (affected[h.plane / 64] >> (h.plane % 64) & 1) {
      in.seen = s.walls.visible + std::int64_t(slot) * (s.walls.offsets + 1);
      in.allowed &= in.seen[s.walls.offsets];
      if (!in.allowed) return 0;
    }
  }
  if (h.before) return in.seen ? lower<true, true>(h, in, at) : lower<false, true>(h, in, at);
  return in.seen ? lower<true, false>(h, in, at) : lower<false, false>(h, in, at);
}

/// Prefetches the block eight rows ahead of the sweep: planes lie too far apart for the hardware prefetcher.
inline void prefetchAhead(const float* values, std::int64_t pitch, bool ascending) {
  constexpr std::int64_t rows = 8;
  const auto ahead =
      std::uintptr_t(values) + (ascending ? rows : -rows) * pitch * std::int64_t(sizeof(float));
  for (std::size_t byte = 0; byte < blockWidth * sizeof(float); byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + byte), 1);
}

/// A row of at most 64 adjacent blocks that are swept.
struct Row {
  const SectorView* sectors;
  int sector, row, first; ///< block
  bool ascending;         ///< order of the rows
  Word* blocks;           ///< [heading]: where it is dirty, a bit for each block
  Word* headings;         ///< set of the headings that are dirty in a block

  const SectorView& view() const { return sectors[sector]; }
  void mark(int heading, Word where) const {
    blocks[heading] |= where;
    headings[heading / wordHeadings] |= Word(1) << (heading % wordHeadings);
  }
};

/// Marks the readers of a block of heading `i` where it changed.
inline void markReaders(const Row& p, const SectorHeading& h, int block, const float* values,
                        std::uint32_t lanes) {
  const SectorView& s = p.view();
  const Word here = Word(1) << (block - p.first);
  for (int k = 0; k < h.turnReaderCount; ++k)
    if (turns(s, h.turnReaders[k], p.row, block, values, lanes)) p.mark(h.turnReaders[k].heading, here);
  Word* dirty = dirtyOf(s, p.row, block);
  for (int k = 0; k < h.readerCount; ++k) {
    const RowReaders& readers = h.readers[k];
    if (!readers.sameRow) {
      markOwn(s, readers, dirty);
      markBeside(s, readers, dirty, lanes);
      continue;
    }
    const auto mark = [&](const Word* set, Word where) {
      forEachHeading(set, s.words, [&](int reader) { p.mark(reader, where); });
    };
    mark(readers.headings, here);
    if (lanes & readers.before && !startsStrip(s, block) && block > p.first)
      mark(readers.headings + s.words, here >> 1);
    if (lanes & readers.after && !endsStrip(s, block) && block + 1 < s.endBlock)
      mark(readers.headings + 2 * s.words, here << 1);
    // The strips beside may be swept now.
    if (lanes & lanesOfOthers(s, readers, block)) setRow(s, s.planes[h.plane].pendingMargins, p.row, block);
  }
}

/// Updates a block of a heading and marks its readers dirty.
void visit(const Row& p, const SectorHeading& h, int block, SweepState& state) {
  const SectorView& s = p.view();
  const float* values = h.value + p.row * s.pitch + std::int64_t(block) * blockWidth;
  prefetchAhead(values, s.pitch, p.ascending);
  const std::uint32_t lowered = updateBlock(s, h, p.row, block);
  ++state.blocks;
  if (!lowered) return;
  if (state.findMinimum) state.minChange = minOfLanes(values, lowered, state.minChange);
  if (h.lines) copyColumns(values, h.lines + lineOf(s, p.row, block), blockWidth);
  if (h.transposed) transpose(s, h, p.row, std::int64_t(block) * blockWidth, values, lowered);
  if (h.otherCount) markOtherSectors(p.sectors, p.sector, h, p.row, block, lowered);
  const std::uint32_t lanes = lowered & within(values, state.limit);
  if (lanes != lowered) setRow(s, s.planes[h.plane].pending, p.row, block);
  if (lanes) markReaders(p, h, block, values, lanes);
}

/// Visits a heading in the blocks where it is dirty.
inline void visitHeading(const Row& p, int i, SweepState& state) {
  p.headings[i / wordHeadings] &= ~(Word(1) << (i % wordHeadings));
  Word todo = p.blocks[i];
  p.blocks[i] = 0;
  for (; todo; todo &= todo - 1) visit(p, p.view().heading[i], p.first + __builtin_ctzll(todo), state);
}

/// Visits the dirty headings ascending, then descending, so that turns within the row need no further round.
void visitDirty(const Row& p, SweepState& state) {
  const int words = p.view().words;
  for (int w = 0; w < words; ++w)
    for (Word ahead = ~Word(0), rest; (rest = p.headings[w] & ahead) != 0;) {
      const int bit = __builtin_ctzll(rest);
      ahead = ~Word(1) << bit;
      visitHeading(p, w * wordHeadings + bit, state);
    }
  for (int w = words; w-- > 0;)
    for (Word ahead = ~Word(0), rest; (rest = p.headings[w] & ahead) != 0;) {
      const int bit = wordHeadings - 1 - __builtin_clzll(rest);
      ahead = (Word(1) << bit) - 1;
      visitHeading(p, w * wordHeadings + bit, state);
    }
}

/// Takes the dirty headings of the blocks from `first` to `end`. Returns whether there are any.
inline bool takeDirty(const Row& p, int end) {
  const SectorView& s = p.view();
  Word any = 0;
  for (int block = p.first; block < end; ++block) {
    Word* dirty = dirtyOf(s, p.row, block);
    for (int w = 0; w < s.words; ++w) {
      Word &own = dirty[w], &before = dirty[s.words + w], &after = dirty[2 * s.words + w];
      const Word set = own | before | after;
      if (!set) continue;
      own = before = after = 0;
      any |= set;
      p.headings[w] |= set;
      for (Word rest = set; rest; rest &= rest - 1)
        p.blocks[w * wordHeadings + __builtin_ctzll(rest)] |= Word(1) << (block - p.first);
    }
  }
  return any;
}

/// Leaves the headings that are still dirty to the next sweep.
inline void leaveDirty(const Row& p) {
  const SectorView& s = p.view();
  forEachHeading(p.headings, s.words, [&](int i) {
    for (Word rest = p.blocks[i]; rest; rest &= rest - 1)
      dirtyOf(s, p.row, p.first + __builtin_ctzll(rest))[i / wordHeadings] |= Word(1) << (i % wordHeadings);
    p.blocks[i] = 0;
  });
  for (int w = 0; w < s.words; ++w) p.headings[w] = 0;
}

/// Marks the readers of a plane for the changes of a block.
/// @param margin  only those that read it in a margin: the others know the changes
void takeBlock(const SectorView& s, const SectorPlane& plane, int row, int block, bool margin) {
  update(s, plane, row, block);
  Word* dirty = dirtyOf(s, row, block);
  for (int k = 0; k < plane.readerCount; ++k) {
    const RowReaders& readers = plane.readers[k];
    if (!margin) {
      markOwn(s, readers, dirty);
      markBeside(s, readers, dirty, ~0u);
    } else if (readers.sameRow) {
      markBeside(s, readers, dirty, lanesOfOthers(s, readers, block));
    }
  }
}

} // namespace

float takeChanges(const SectorView& s, int planes, int block, float limit) {
  Floats::Vec minimum = Floats::broadcast(__builtin_huge_valf());
  for (int t = 0; t < planes; ++t) {
    const SectorPlane& plane = s.planes[t];
    if (!plane.pending) continue;
    for (int first = 0; first < s.rows; first += 32) {
      const std::int64_t word = std::int64_t(first / 32) * s.blocks + block;
      std::uint32_t& pending = plane.pending[word];
      for (std::uint32_t rest = pending; rest; rest &= rest - 1) {
        const int row = first + __builtin_ctz(rest);
        const float* values = plane.value + row * s.pitch + std::int64_t(block) * blockWidth;
        if (within(values, limit)) {
          pending &= ~(rest & -rest);
          takeBlock(s, plane, row, block, false);
        } else {
          for (int l = 0; l < blockWidth; l += Floats::width)
            minimum = Floats::min(minimum, Floats::load(values + l));
        }
      }
      if (!plane.pendingMargins) continue;
      for (std::uint32_t rest = plane.pendingMargins[word]; rest; rest &= rest - 1)
        takeBlock(s, plane, first + __builtin_ctz(rest), block, true);
      plane.pendingMargins[word] = 0;
    }
  }
  float lanes[Floats::width];
  Floats::store(lanes, minimum);
  return minOfLanes(lanes, (1u << Floats::width) - 1, __builtin_huge_valf());
}

void sweepRow(const SectorView* sectors, int sector, int step, int first, int end, SweepState& state) {
  const SectorView& s = sectors[sector];
  const int rows = s.endRow - s.firstRow, k = step % rows;
  const bool ascending = s.ascending == (step < rows);
  const Row row{sectors,
                sector,
                ascending ? s.firstRow + k : s.endRow - 1 - k,
                first,
                ascending,
                state.dirtyBlocks,
                state.dirtyBlocks + s.headings};
  if (!takeDirty(row, end)) return;
  visitDirty(row, state);
  leaveDirty(row);
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
