// Built once per instruction set. SectorSweep.h explains the terms, DESIGN.md the order of work.
#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Host/DirtySets.h"
#include "CurvaturePaths/Host/SectorBlock.h"

#include <utility>

namespace isochrone::curvature::ISOCHRONE_ISA {

namespace {

/// Returns the lanes of a block that are swept.
inline std::uint32_t sweptLanes(const SectorView& s, int block) {
  const auto before = [&](int column) {
    const int lanes = column - block * blockWidth;
    return lanes >= blockWidth ? ~0u : lanes <= 0 ? 0u : (1u << lanes) - 1;
  };
  return before(s.endColumn) & ~before(s.firstColumn);
}

/// Returns the lanes that headings of the strips beside a block read along their rows.
inline std::uint32_t lanesOfOthers(const SectorView& s, const Readers& readers, int block) {
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
  if (!plane.borders) return;
  const int reach = s.borderReach;
  if (startsStrip(s, block)) copyColumns(values, plane.borders + borderOf(s, row, block, false), reach);
  if (endsStrip(s, block))
    copyColumns(values + blockWidth - reach, plane.borders + borderOf(s, row, block, true) - reach, reach);
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

template <bool nearWalls, bool corrected, bool alongRow>
inline std::uint32_t lower(const SectorHeading& h, const BlockInput& in, std::int64_t at) {
  if (!h.uniform)
    return lowerVaryingBlock<nearWalls, corrected, alongRow>(h, in, at, h.bounds + at / blockWidth * 4);
  return h.uniform->turnVaries ? lowerBlock<nearWalls, true, corrected, alongRow>(h, in, at)
                               : lowerBlock<nearWalls, false, corrected, alongRow>(h, in, at);
}

template <bool nearWalls, bool corrected>
inline std::uint32_t lower(const SectorHeading& h, const BlockInput& in, std::int64_t at) {
  return h.readsAlongRow ? lower<nearWalls, corrected, true>(h, in, at)
                         : lower<nearWalls, corrected, false>(h, in, at);
}

/// Updates one block of a heading. Returns the lanes that were lowered.
inline std::uint32_t updateBlock(const SectorView& s, const SectorHeading& h, int row, int block) {
  const std::int64_t at = (std::int64_t(row) * s.blocks + block) * blockWidth;
  const std::int64_t offset = row * s.pitch + std::int64_t(block) * blockWidth;
  BlockInput in{h.value + offset, h.cost + at, offset, {}, {}, nullptr, sweptLanes(s, block)};
  if (h.readsAlongRow) {
    in.border[0] = borderOf(s, row, block, false), in.atBorder[0] = startsStrip(s, block);
    in.border[1] = borderOf(s, row, block, true), in.atBorder[1] = endsStrip(s, block);
  }
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
  int sector, row, first, end; ///< first and end block
  bool ascending;              ///< order of the rows
  Word* blocks;                ///< [heading]: where it is dirty, a bit for each block

  const SectorView& view() const { return sectors[sector]; }
};

/// The blocks of a heading that changed, a bit for each.
struct Change {
  Word any = 0;
  Word atStart = 0, atEnd = 0; ///< where the block before (after) may read lanes that changed
  Word turns[2] = {};          ///< where each of the turn readers reads less than its own value
  std::uint32_t lanes[64];     ///< that changed
};

/// Updates a block of a heading and notes whether it changed.
inline void visit(const Row& p, const SectorHeading& h, int bit, Change& change, SweepState& state) {
  const SectorView& s = p.view();
  const int block = p.first + bit;
  const float* values = h.value + p.row * s.pitch + std::int64_t(block) * blockWidth;
  prefetchAhead(values, s.pitch, p.ascending);
  const std::uint32_t lowered = updateBlock(s, h, p.row, block);
  ++state.blocks;
  if (!lowered) return;
  if (state.findMinimum) state.minChange = minOfLanes(values, lowered, state.minChange);
  if (h.transposed) transpose(s, h, p.row, std::int64_t(block) * blockWidth, values, lowered);
  if (h.otherCount) markOtherSectors(p.sectors, p.sector, h, p.row, block, lowered);
  const std::uint32_t lanes = lowered & within(values, state.limit);
  if (lanes != lowered) setRow(s, s.planes[h.plane].pending, p.row, block);
  if (!lanes) return;
  const Word here = Word(1) << bit;
  change.lanes[bit] = lanes;
  change.any |= here;
  change.atStart |= __builtin_ctz(lanes) < s.columnReach ? here : 0;
  change.atEnd |= __builtin_clz(lanes) < s.columnReach ? here : 0;
  for (int k = 0; k < h.turnReaderCount; ++k)
    change.turns[k] |= turns(s, h.turnReaders[k], p.row, block, values, lanes) ? here : 0;
}

/// Marks the readers in the row of a change.
inline void markAlongRow(const Row& p, const SectorHeading& h, const Change& change) {
  const SectorView& s = p.view();
  const Readers& readers = h.readers;
  Word before = 0, after = 0; // blocks that read the one after (before) them
  forEachBit(change.any, [&](int b) {
    const int block = p.first + b;
    const std::uint32_t lanes = change.lanes[b];
    const Word here = Word(1) << b;
    if (lanes & readers.before && !startsStrip(s, block)) before |= here >> 1;
    if (lanes & readers.after && !endsStrip(s, block) && block + 1 < p.end) after |= here << 1;
    // The strips beside may be swept now.
    if (lanes & lanesOfOthers(s, readers, block)) setRow(s, s.planes[h.plane].pendingBorders, p.row, block);
  });
  const auto mark = [&](int set, Word where) {
    if (where)
      forEachHeading(readers.alongRow + set * s.words, s.words,
                     [&](int reader) { p.blocks[reader] |= where; });
  };
  mark(0, change.any);
  mark(1, before);
  mark(2, after);
}

/// Visits a heading in the blocks where it is dirty and marks its readers.
void visitHeading(const Row& p, int i, SweepState& state) {
  const SectorView& s = p.view();
  const SectorHeading& h = s.heading[i];
  Change change;
  forEachBit(std::exchange(p.blocks[i], 0), [&](int b) { visit(p, h, b, change, state); });
  if (!change.any) return;
  for (int k = 0; k < h.turnReaderCount; ++k) p.blocks[h.turnReaders[k].heading] |= change.turns[k];
  if (h.readers.alongRow) markAlongRow(p, h, change);
  const Readers& readers = h.readers;
  forEachBit(change.any, [&](int b) { markAcrossRows(s, readers, 0, Own, p.row, p.first + b); });
  forEachBit(change.atStart, [&](int b) { markBefore(s, readers, p.row, p.first + b, change.lanes[b]); });
  forEachBit(change.atEnd, [&](int b) { markAfter(s, readers, p.row, p.first + b, change.lanes[b]); });
}

/// Takes the dirty headings of the blocks. Returns whether there are any.
inline bool takeDirty(const Row& p) {
  const SectorView& s = p.view();
  Word any = 0;
  for (int block = p.first; block < p.end; ++block) {
    Word *own = dirtyOf(s, Own, p.row, block), *before = own + s.dirtyPitch, *after = before + s.dirtyPitch;
    for (int w = 0; w < s.words; ++w) {
      const Word set = own[w] | before[w] | after[w];
      if (!set) continue;
      own[w] = before[w] = after[w] = 0;
      any |= set;
      forEachBit(set, [&](int b) { p.blocks[w * wordHeadings + b] |= Word(1) << (block - p.first); });
    }
  }
  return any;
}

/// Leaves the headings that are still dirty to the next sweep.
inline void leaveDirty(const Row& p) {
  const SectorView& s = p.view();
  for (int i = 0; i < s.headings; ++i)
    forEachBit(std::exchange(p.blocks[i], 0), [&](int b) {
      dirtyOf(s, Own, p.row, p.first + b)[i / wordHeadings] |= Word(1) << (i % wordHeadings);
    });
}

/// Marks the readers of a plane for the changes of a block.
/// @param atBorders  only those in the strips beside: the others know the changes
void takeBlock(const SectorView& s, const SectorPlane& plane, int row, int block, bool atBorders) {
  update(s, plane, row, block);
  const Readers& readers = plane.readers;
  constexpr std::uint32_t all = ~0u;
  if (!atBorders) {
    markAcrossRows(s, readers, 0, Own, row, block);
    if (s.columnReach) markBefore(s, readers, row, block, all), markAfter(s, readers, row, block, all);
  }
  if (!readers.alongRow) return;
  const auto mark = [&](Source from, int at, int set) {
    Word* dirty = dirtyOf(s, from, row, at);
    for (int w = 0; w < s.words; ++w) dirty[w] |= readers.alongRow[set * s.words + w];
  };
  if (!atBorders) mark(Own, block, 0);
  if (readers.before && (!atBorders || startsStrip(s, block))) mark(After, block - 1, 1);
  if (readers.after && (!atBorders || endsStrip(s, block))) mark(Before, block + 1, 2);
}

} // namespace

float takeChanges(const SectorView& s, int planes, int first, int end, float limit) {
  Floats::Vec minimum = Floats::broadcast(__builtin_huge_valf());
  const auto take = [&](const SectorPlane& plane, int firstRow, int block) {
    const std::int64_t word = std::int64_t(firstRow / 32) * s.blocks + block;
    std::uint32_t& pending = plane.pending[word];
    for (std::uint32_t rest = pending; rest; rest &= rest - 1) {
      const int row = firstRow + __builtin_ctz(rest);
      const float* values = plane.value + row * s.pitch + std::int64_t(block) * blockWidth;
      if (within(values, limit)) {
        pending &= ~(rest & -rest);
        takeBlock(s, plane, row, block, false);
      } else {
        for (int l = 0; l < blockWidth; l += Floats::width)
          minimum = Floats::min(minimum, Floats::load(values + l));
      }
    }
    if (plane.pendingBorders)
      forEachBit(std::exchange(plane.pendingBorders[word], 0),
                 [&](int row) { takeBlock(s, plane, firstRow + row, block, true); });
  };
  for (int t = 0; t < planes; ++t) {
    if (!s.planes[t].pending) continue;
    for (int row = 0; row < s.rows; row += 32)
      for (int block = first; block < end; ++block) take(s.planes[t], row, block);
  }
  float lanes[Floats::width];
  Floats::store(lanes, minimum);
  return minOfLanes(lanes, (1u << Floats::width) - 1, __builtin_huge_valf());
}

void sweepRow(const SectorView* sectors, int sector, int step, int first, int end, SweepState& state) {
  const SectorView& s = sectors[sector];
  const int rows = s.endRow - s.firstRow, k = step % rows;
  const bool ascending = s.ascending == (step < rows);
  const Row row{sectors,   sector,           ascending ? s.firstRow + k : s.endRow - 1 - k, first, end,
                ascending, state.dirtyBlocks};
  if (!takeDirty(row)) return;
  // Headings ascending, then descending, so that turns within the row need no further round.
  for (int i = 0; i < s.headings; ++i)
    if (row.blocks[i]) visitHeading(row, i, state);
  for (int i = s.headings; i-- > 0;)
    if (row.blocks[i]) visitHeading(row, i, state);
  leaveDirty(row);
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
