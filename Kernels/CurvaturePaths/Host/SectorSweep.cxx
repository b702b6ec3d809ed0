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

/// Changed blocks of one word of a row, and the blocks with a change in their lower or upper half.
struct Change {
  Word any = 0, low = 0, high = 0;
};

/// Marks the blocks of a reader that may read the change. A reader reads columns c + low .. c + high, so
/// blocks left of the change read it if high > 0 and blocks right of it if low < 0. Reaches stay below one
/// block.
inline void markReader(const SectorView& s, const Reader& reader, int row, int w, const Change& change) {
  const int r = row - reader.row;
  if (r < s.firstRow || r >= s.endRow) return;
  const Word left = reader.high <= 0 ? 0 : reader.high <= blockWidth / 2 ? change.low : change.any;
  const Word right = reader.low >= 0 ? 0 : reader.low >= -blockWidth / 2 ? change.high : change.any;
  Word* dirty = s.dirty + (std::int64_t(r) * s.headings + reader.heading) * s.words;
  dirty[w] |= (change.any | left >> 1 | right << 1) & s.swept[w];
  if (w > 0) dirty[w - 1] |= left << (wordBlocks - 1) & s.swept[w - 1];
  if (w + 1 < s.words) dirty[w + 1] |= right >> (wordBlocks - 1) & s.swept[w + 1];
}

/// Copies the changed blocks of word `w` of a row.
void update(const SectorView& s, const SectorPlane& plane, int row, int w, Word changed) {
  for (; changed; changed &= changed - 1) {
    const int block = w * wordBlocks + __builtin_ctzll(changed);
    const std::int64_t at = row * s.pitch + std::int64_t(block) * blockWidth;
    for (int l = 0; l < blockWidth; l += Floats::width)
      Floats::store(plane.copy + at + l, Floats::load(plane.value + at + l));
  }
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
    Word* pending = other.planes[h.plane].pending;
    if ((h.others[o] ^ s) & 1) { // the other orientation: columns here are rows there
      const int b = row / blockWidth;
      for (std::uint32_t l = lanes; l; l &= l - 1)
        pending[std::int64_t(block * blockWidth + __builtin_ctz(l)) * other.words + b / wordBlocks] |=
            Word(1) << (b % wordBlocks);
    } else {
      pending[std::int64_t(row) * other.words + block / wordBlocks] |= Word(1) << (block % wordBlocks);
    }
  }
}

/// Marks the block of a heading that turns into this one, if it now reads less than its own value.
inline void markTurn(const SectorView& s, const TurnReader& reader, int row, int block, const float* values,
                     std::uint32_t lanes) {
  const float* theirs = reader.value + row * s.pitch + std::int64_t(block) * blockWidth;
  std::uint32_t lower = 0;
  for (int l = 0; l < blockWidth; l += Floats::width)
    lower |= Floats::bits(Floats::greater(Floats::load(theirs + l), Floats::load(values + l))) << l;
  if ((lower & lanes) == 0) return;
  Word* dirty = s.dirty + (std::int64_t(row) * s.headings + reader.heading) * s.words;
  dirty[block / wordBlocks] |= Word(1) << (block % wordBlocks);
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
  BlockInput in{h.value + offset, h.cost + at, offset, nullptr, sweptLanes(s, block)};
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

/// Updates the dirty blocks of word `w` of heading `i` in a row and marks their readers dirty.
void visit(const SectorView* sectors, int sector, int i, int row, int w, bool ascending, SweepState& state) {
  const SectorView& s = sectors[sector];
  const SectorHeading& h = s.heading[i];
  Word& dirty = s.dirty[(std::int64_t(row) * s.headings + i) * s.words + w];
  Word todo = dirty;
  dirty = 0;
  Change change;
  for (; todo; todo &= todo - 1) {
    const int bit = __builtin_ctzll(todo), block = w * wordBlocks + bit;
    const float* values = h.value + row * s.pitch + std::int64_t(block) * blockWidth;
    prefetchAhead(values, s.pitch, ascending);
    const std::uint32_t lowered = updateBlock(s, h, row, block);
    ++state.blocks;
    if (!lowered) continue;
    if (state.findMinimum) state.minChange = minOfLanes(values, lowered, state.minChange);
    if (h.transposed) transpose(s, h, row, std::int64_t(block) * blockWidth, values, lowered);
    if (h.otherCount) markOtherSectors(sectors, sector, h, row, block, lowered);
    const std::uint32_t lanes = lowered & within(values, state.limit);
    if (lanes != lowered) s.planes[h.plane].pending[std::int64_t(row) * s.words + w] |= Word(1) << bit;
    if (!lanes) continue;
    change.any |= Word(1) << bit;
    if (lanes & 0xffffu) change.low |= Word(1) << bit;
    if (lanes >> 16) change.high |= Word(1) << bit;
    for (int k = 0; k < h.turnReaderCount; ++k) markTurn(s, h.turnReaders[k], row, block, values, lanes);
  }
  if (!change.any) return;
  for (int k = 0; k < h.readerCount; ++k) markReader(s, h.readers[k], row, w, change);
}

/// Sweeps the headings of a row ascending, then descending, so that turns within the row need no further
/// round.
void sweepRow(const SectorView* sectors, int sector, int row, bool ascending, SweepState& state) {
  const SectorView& s = sectors[sector];
  const Word* dirty = s.dirty + std::int64_t(row) * s.headings * s.words;
  for (int pass = 0; pass < 2; ++pass) {
    bool any = false;
    for (int k = 0; k < s.headings; ++k) {
      const int i = pass ? s.headings - 1 - k : k;
      for (int w = 0; w < s.words; ++w)
        if (dirty[i * s.words + w]) {
          any = true;
          visit(sectors, sector, i, row, w, ascending, state);
        }
    }
    if (!any) break;
  }
}

/// Removes the blocks with a value within the limit from `pending` and returns them. Lowers the lanes of
/// `minimum` to the values of the rest.
inline Word takeWithin(const SectorView& s, const SectorPlane& plane, int row, int w, float limit,
                       Word& pending, Floats::Vec& minimum) {
  Word taken = 0;
  for (Word rest = pending; rest; rest &= rest - 1) {
    const int block = w * wordBlocks + __builtin_ctzll(rest);
    const float* values = plane.value + row * s.pitch + std::int64_t(block) * blockWidth;
    if (within(values, limit))
      taken |= rest & -rest;
    else
      for (int l = 0; l < blockWidth; l += Floats::width)
        minimum = Floats::min(minimum, Floats::load(values + l));
  }
  pending &= ~taken;
  return taken;
}

} // namespace

float takeChanges(const SectorView& s, int planes, float limit) {
  Floats::Vec minimum = Floats::broadcast(__builtin_huge_valf());
  for (int t = 0; t < planes; ++t) {
    const SectorPlane& plane = s.planes[t];
    if (!plane.pending) continue;
    for (int row = 0; row < s.rows; ++row)
      for (int w = 0; w < s.words; ++w) {
        Word& pending = plane.pending[std::int64_t(row) * s.words + w];
        if (!pending) continue;
        const Word changed = takeWithin(s, plane, row, w, limit, pending, minimum);
        if (!changed) continue;
        if (plane.copy) update(s, plane, row, w, changed);
        const Change change{changed, changed, changed};
        for (int i = 0; i < plane.readerCount; ++i) markReader(s, plane.readers[i], row, w, change);
      }
  }
  float lanes[Floats::width];
  Floats::store(lanes, minimum);
  return minOfLanes(lanes, (1u << Floats::width) - 1, __builtin_huge_valf());
}

void sweepSector(const SectorView* sectors, int sector, SweepState& state) {
  const SectorView& s = sectors[sector];
  const int passes = s.bothWays ? 2 : 1;
  for (int pass = 0; pass < passes; ++pass)
    for (int k = s.firstRow; k < s.endRow; ++k) {
      const bool ascending = s.ascending == (pass == 0);
      sweepRow(sectors, sector, ascending ? k : s.firstRow + s.endRow - 1 - k, ascending, state);
      if (state.atRow) state.atRow(state.context, state.blocks);
      if (__atomic_load_n(state.stop, __ATOMIC_RELAXED)) return;
    }
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
