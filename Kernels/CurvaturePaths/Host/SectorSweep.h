// SectorSweep.h - the data of one sector's sweep: plain data, shared by sources compiled for different
// instruction sets.
//
// Terms: the values of a heading form a plane, stored in rows. A row is cut into blocks of 32 columns. One or
// two columns of blocks form a strip. A sector is a quarter of the headings, whose motion crosses its rows.
// Dirty bits mark the headings of a row and block that may have to be lowered. DESIGN.md explains why this
// order is fast, and what neighbouring strips may do at the same time.
#pragma once

#include <cstdint>

namespace isochrone::curvature {

inline constexpr int blockWidth = 32;     ///< columns of a block, lanes of an update
inline constexpr int wordHeadings = 64;   ///< headings of a word of a set
inline constexpr int setAlignment = 4;    ///< words: sets of adjacent rows are read and written together
inline constexpr int maxTerms = 32;       ///< terms of a scheme; the elastica has up to 30
inline constexpr int maxBlockTerms = 6;   ///< terms of one upwind block
inline constexpr int maxSchemeBlocks = 5; ///< upwind blocks of one scheme

/// A value that a difference reads, relative to point (0, 0) of its heading's plane.
struct Read {
  const float* value;   ///< u(p + offset)
  const float* border;  ///< where it lies in the same row: in SectorPlane::borders, else null
  std::int16_t visible; ///< index into the visibility words of a block near a wall
  std::int16_t column;  ///< of the offset; used with `border`
};

/// The values of a finite difference.
struct Neighbour {
  Read at;       ///< p + offset
  Read opposite; ///< p - offset of a symmetric term, else without a value
};

/// The same in the previous solution, for the correction of a term (Corrections.h).
struct Prior {
  Neighbour near, far; ///< V(p + offset), V(p + 2 offset)
};

/// A term whose weight is the same at every point.
struct UniformTerm {
  Neighbour at;
  float weight, reach; ///< reach = 1 / sqrt(weight): the term alone bounds u by value + cost * reach
  float limit;         ///< of its difference, over the cost; used where heading.stopsLeaks
};

/// Where only xi varies, the turn on the spot is the one term that depends on it. It is the last of `terms`,
/// and its weight at a point is `weight` / xi^2 there.
struct UniformScheme {
  int count;
  bool turnVaries;
  UniformTerm terms[maxTerms];
  const Prior* priors; ///< one per term, or null: differences are not corrected
};

/// A term with weight a0 + a1 k + a2 k^2, where k is the turning rate minus `middle` of its piece. Weights
/// below `floor` are treated as zero.
struct VaryingTerm {
  Neighbour at;
  float a0, a1, a2;
  float floor; ///< smaller weights are rounding
  float reach; ///< an upper bound of 1 / sqrt(weight), or negative: computed lane by lane
  float limit; ///< as in UniformTerm
};

/// The terms of a block for turning rates in [lo, hi).
struct VaryingPiece {
  float lo, hi, middle;
  int count;
  VaryingTerm terms[maxBlockTerms];
  Prior priors[maxBlockTerms]; ///< where differences are corrected
};

/// Turning rate kappa = phi + factor / xi.
struct VaryingBlock {
  float factor;
  int count;
  const VaryingPiece* pieces;
};

struct VaryingScheme {
  int blockCount;
  VaryingBlock blocks[maxSchemeBlocks];
  bool turnsOnTheSpot;
  Neighbour turn; ///< weight turnWeight / xi^2
  float turnWeight;
  Prior turnPrior;
};

/// The headings of a sector that become dirty where a block of a plane changes, as sets of SectorView::words.
struct Readers {
  /// Those in other rows. An entry has wordsBefore words for the rows before the change, then wordsAfter for
  /// those after it. The first entry is for the block of the change. The next ones are for the block before
  /// it, one for each lowest lane that changed, below columnReach; the last ones for the block after it, one
  /// for each highest lane, counted from the last.
  const std::uint64_t* acrossRows;
  const std::uint64_t* alongRow; ///< in the same row: those in the same block, before and after it; or null
  std::uint32_t before, after;   ///< lanes of the block that headings of alongRow read from before and after
};

/// A heading whose turn on the spot reads this plane. It becomes dirty only where it now reads less than its
/// own value.
struct TurnReader {
  int heading;
  const float* value; ///< its own value at (0, 0)
};

/// A plane that a sector reads or writes.
struct SectorPlane {
  const float* value; ///< of (0, 0)
  /// Value of (0, 0) in the copy, if the opposite sector writes the plane while this one reads it, else null.
  /// Reads use the copy, which is updated between the sweeps.
  float* copy;
  /// For reads along rows that end in the strip beside, which may be swept at the same time: the values as
  /// they were before the sweep, of the columns next to each border of two strips. Address of the border
  /// before column 0 in row 0: values before (after) the border lie before (at and after) it. Null unless the
  /// sector writes this plane and reads it along its rows.
  float* borders;
  /// Changed blocks whose readers in this sector are not marked yet: words [row / 32][block], a bit for each
  /// row. Holds changes by other sectors, and its own changes above the limit. Null if this sector does not
  /// hold the plane.
  std::uint32_t* pending;
  /// Likewise: own changes that readers in the strip beside do not know yet. Null without borders.
  std::uint32_t* pendingBorders;
  Readers readers; ///< turns included
};

/// One heading of a sector.
struct SectorHeading {
  float* value;               ///< u at (row 0, column 0)
  float* transposed;          ///< the same plane in the other orientation, or null
  const float* cost;          ///< rows of blockCount * 32 values
  const float* inverseRadius; ///< 1 / xi, likewise; used where stencils or turns vary
  const float* shift;         ///< phi, likewise
  const float* bounds;        ///< per block: minimum and maximum of 1 / xi, then of phi
  int schemeCount;
  const UniformScheme* uniform; ///< or null
  const VaryingScheme* varying; ///< or null
  Readers readers;              ///< without turnReaders
  int turnReaderCount;          ///< at most 2
  const TurnReader* turnReaders;
  int otherCount; ///< other sectors that hold this plane
  const int* others;
  int plane;           ///< heading index
  const float* before; ///< previous solution at (row 0, column 0); null: differences are not corrected
  float correctionLimit;
  bool stopsLeaks;    ///< differences are limited (LimitedDifference.h)
  bool readsAlongRow; ///< a term does, from a heading of the sector
};

/// Visibility in blocks near walls: which lanes see which offset, shared by all headings.
struct SectorWalls {
  const std::int32_t* slot;      ///< per row and block: index of its words, -1 far from walls
  const std::uint32_t* visible;  ///< per slot: one word per planar offset, then one word of the free lanes
  const std::uint64_t* affected; ///< per slot: one bit per heading that has a blocked term
  int offsets, affectedWords;
};

/// A sector: planes in one orientation, its dirty words, and the words in which other sectors mark their
/// changes.
struct SectorView {
  bool ascending; ///< rows are swept in ascending order, the order of the motion
  bool bothWays;  ///< reversible model: swept in both orders
  int rows, blocks;
  /// The rows and columns that are swept: of a part of a plane only its own, not those of the margin.
  int firstRow, endRow, firstColumn, endColumn;
  int firstBlock, endBlock; ///< the blocks with such columns
  std::int64_t pitch, otherPitch;
  int headings;
  const SectorHeading* heading;
  int words; ///< of a set of headings
  /// The dirty headings: for each block three sets per row, marked from the block's own column of blocks,
  /// from the one before and from the one after. Those of one kind lie below each other. A border of rows and
  /// blocks that are never swept takes marks unseen.
  std::uint64_t* dirty;
  std::int64_t dirtyPitch;     ///< words of the sets of one kind in a column of blocks
  int wordsBefore, wordsAfter; ///< of the sets of the rows before and after a change that may have readers
  int columnReach;             ///< the most columns that a heading reads beside its own
  int stripShift;              ///< a strip has 1 << stripShift blocks, one or two
  int borderReach;          ///< columns on each side of a border in SectorPlane::borders; 0 if there are none
  std::int64_t borderPitch; ///< of their rows
  SectorWalls walls;        ///< slot is null without walls
  const SectorPlane* planes; ///< per heading that is solved
};

/// The work done by a thread in a sweep. On a cache line of its own.
struct alignas(64) SweepState {
  std::int64_t blocks = 0;                 ///< block updates
  float limit = __builtin_huge_valf();     ///< changes above it mark their readers in a later round
  bool findMinimum = false;                ///< whether to update minChange
  float minChange = __builtin_huge_valf(); ///< minimum new value; later values are not less
  std::uint64_t* dirtyBlocks = nullptr;    ///< room for a word per heading of a sector, all 0
};

/// The sweep for the instruction set that execution::chooseHostIsa returns, and the name of the set.
struct SectorKernels {
  /// Marks the readers of a sector for pending changes of the blocks from `first` to `end` that are not above
  /// the limit. `planes` is the number of headings that are solved. Returns the minimum value that stays
  /// pending. Different blocks may be taken at the same time, but not while this or the opposite sector is
  /// swept.
  float (*takeChanges)(const SectorView& sector, int planes, int first, int end, float limit);
  /// Sweeps row number `step` of the blocks from `first` to `end`, at most 64, of sector `sector` of the four
  /// `sectors`. The rows before it must have been swept there and in the block on either side, which may
  /// sweep this one at the same time. The opposite sector may be swept at the same time.
  void (*sweepRow)(const SectorView* sectors, int sector, int step, int first, int end, SweepState& state);
  const char* isa;
};
SectorKernels chooseSectorKernels();

/// Returns the number of rows that a sweep takes: each once, or twice where it goes both ways.
inline int stepsOf(const SectorView& s) { return (s.endRow - s.firstRow) * (s.bothWays ? 2 : 1); }

inline bool startsStrip(const SectorView& s, int block) { return (block & ((1 << s.stripShift) - 1)) == 0; }
inline bool endsStrip(const SectorView& s, int block) { return startsStrip(s, block + 1); }

/// Returns the place of the border before (after) the strip of a block in SectorPlane::borders.
inline std::int64_t borderOf(const SectorView& s, int row, int block, bool after) {
  return row * s.borderPitch + std::int64_t((block >> s.stripShift) + after) * 2 * s.borderReach;
}

} // namespace isochrone::curvature
