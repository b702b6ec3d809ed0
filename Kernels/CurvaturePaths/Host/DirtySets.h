// DirtySets.h - marks the headings that may have to be lowered (SectorView::dirty).
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"

namespace isochrone::curvature::ISOCHRONE_ISA {

using Word = std::uint64_t;

/// Calls use(number) for the bits of a word.
template <class Use>
inline void forEachBit(Word word, Use&& use) {
  for (; word; word &= word - 1) use(__builtin_ctzll(word));
}

/// Calls use(heading) for the headings of a set.
template <class Use>
inline void forEachHeading(const Word* set, int words, Use&& use) {
  for (int w = 0; w < words; ++w) forEachBit(set[w], [&](int bit) { use(w * wordHeadings + bit); });
}

/// Adds words, a multiple of setAlignment, to others.
inline void add(Word* to, const Word* from, int words) {
  typedef Word Words
      __attribute__((vector_size(setAlignment * sizeof(Word)), aligned(alignof(Word)), may_alias));
  for (int w = 0; w < words; w += setAlignment)
    *reinterpret_cast<Words*>(to + w) |= *reinterpret_cast<const Words*>(from + w);
}

/// The sets of SectorView::dirty.
enum Source { Own, Before, After };

/// Returns the dirty headings of a row and block.
inline Word* dirtyOf(const SectorView& s, Source from, int row, int block) {
  return s.dirty + (std::int64_t(block) * 3 + from) * s.dirtyPitch + std::int64_t(row) * s.words;
}

/// Marks the readers in other rows than a change, in the block `at`.
/// @param entry  of Readers::acrossRows
inline void markAcrossRows(const SectorView& s, const Readers& readers, int entry, Source from, int row,
                           int at) {
  const Word* sets = readers.acrossRows + std::int64_t(entry) * (s.wordsBefore + s.wordsAfter);
  Word* dirty = dirtyOf(s, from, row, at);
  // The row of the change is left out: the block beside may be swept there.
  add(dirty - s.wordsBefore, sets, s.wordsBefore);
  add(dirty + s.words, sets + s.wordsBefore, s.wordsAfter);
}

/// Likewise, in the block before (after) the change, of which `lanes` changed.
inline void markBefore(const SectorView& s, const Readers& readers, int row, int block, std::uint32_t lanes) {
  markAcrossRows(s, readers, 1 + __builtin_ctz(lanes), After, row, block - 1);
}
inline void markAfter(const SectorView& s, const Readers& readers, int row, int block, std::uint32_t lanes) {
  markAcrossRows(s, readers, 1 + s.columnReach + __builtin_clz(lanes), Before, row, block + 1);
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
