// SectorSweep.h - what the sweep of one sector works on: plain data, so that it crosses the border between
// sources compiled for different instruction sets.
//
// Words used here: a heading's values form a plane, stored in rows; a row is cut into blocks of 32 columns,
// one bit each. A sector is a quarter of the headings, those whose motion crosses rows. Dirty bits say which
// blocks of which row and heading may have to be lowered. See DESIGN.md for why this order is fast.
#pragma once

#include <cstdint>

namespace isochrone::curvature {

inline constexpr int blockWidth = 32;    ///< columns of a block, lanes of an update
inline constexpr int wordBlocks = 64;    ///< blocks of one dirty word
inline constexpr int mostTerms = 32;     ///< terms of a scheme; the elastica has up to 30
inline constexpr int mostBlockTerms = 6; ///< terms of one upwind block
inline constexpr int mostSchemes = 2;

/// A finite difference seen from point (0, 0) of its heading's plane.
struct Neighbour {
  const float* value;           ///< u(p + offset)
  const float* opposite;        ///< u(p - offset) of a symmetric term, else null
  int visible, oppositeVisible; ///< indices into the visibility words of a block near a wall
};

/// Where a solution before this one is read to correct what a term reads (Corrections.h).
struct Prior {
  const float *near, *far; ///< V(p + offset), V(p + 2 offset)
  int farVisible;
  const float *oppositeNear, *oppositeFar; ///< likewise of the other side of a symmetric term, else null
  int oppositeFarVisible;
};

/// A term whose weight is the same at every point.
struct UniformTerm {
  Neighbour at;
  float weight, reach; ///< reach = 1 / sqrt(weight): the term alone bounds u by value + cost * reach
  float limit;         ///< of its difference, over the cost; used where heading.stopsLeaks
};

/// Where only xi varies, the one term that depends on it is the turn on the spot: the last of `terms`, whose
/// weight at a point is its `weight` / xi^2 there.
struct UniformScheme {
  int count;
  bool turnVaries;
  UniformTerm terms[mostTerms];
  const Prior* priors; ///< one per term, or null: differences are not corrected
};

/// A term with weight a0 + a1 k + a2 k^2, k the turning rate less `middle` of its piece; times nothing below
/// `floor`.
struct VaryingTerm {
  Neighbour at;
  float a0, a1, a2;
  float floor; ///< smaller weights are rounding and count as zero
  float reach; ///< an upper bound of 1 / sqrt(weight), or negative: take the root lane by lane
  float limit; ///< as that of a UniformTerm
};

/// The terms of a block for turning rates in [lo, hi).
struct VaryingPiece {
  float lo, hi, middle;
  int count;
  VaryingTerm terms[mostBlockTerms];
  Prior priors[mostBlockTerms]; ///< where differences are corrected
};

/// Turning rate kappa = phi + factor / xi.
struct VaryingBlock {
  float factor;
  int count;
  const VaryingPiece* pieces;
};

struct VaryingScheme {
  int blockCount;
  const VaryingBlock* blocks;
  bool turnsOnTheSpot;
  Neighbour turn; ///< weight turnWeight / xi^2
  float turnWeight;
  Prior turnPrior;
};

/// A heading whose update reads the plane at hand: it has to look again where that plane changed.
struct Reader {
  int heading;   ///< index within the sector
  int row;       ///< it reads row r + row for its row r
  int low, high; ///< and columns c + low to c + high
};

/// A heading that turns on the spot into the plane at hand; it need look again only where it now reads less
/// than it has itself.
struct TurnReader {
  int heading;
  const float* value; ///< its own value at (0, 0)
};

/// A plane that the opposite sector writes while this one reads it: what is read is the copy, brought up to
/// date between the sweeps.
struct PlaneCopy {
  const float* from; ///< value of (0, 0), or null
  float* to;
};

/// One heading of a sector.
struct SectorHeading {
  float* value;               ///< u at (row 0, column 0)
  float* transposed;          ///< the same plane in the other orientation, or null
  const float* cost;          ///< rows of blockCount * 32 values
  const float* inverseRadius; ///< 1 / xi, likewise; used where stencils or turns vary
  const float* shift;         ///< phi, likewise
  const float* bounds;        ///< per block: least and largest 1 / xi and phi
  int schemeCount;
  const UniformScheme* uniform; ///< or null
  const VaryingScheme* varying; ///< or null
  int readerCount, turnReaderCount;
  const Reader* readers;
  const TurnReader* turnReaders;
  int otherCount; ///< other sectors that hold this plane
  const int* others;
  int plane;           ///< heading index in the grid
  const float* before; ///< solution before this one at (row 0, column 0); null: differences are not corrected
  float correctionLimit;
  bool stopsLeaks; ///< differences are limited (LimitedDifference.h)
};

/// Blocks near walls: which lanes see which offset, shared by all headings.
struct SectorWalls {
  const std::int32_t* slot; ///< per row and block: index of its words, -1 far from walls
  const std::uint32_t*
      visible; ///< per slot: one word per planar offset, then the word of the lanes that are free
  const std::uint64_t* affected; ///< per slot: one bit per heading that has a blocked term
  int offsets, affectedWords;
};

/// A sector: planes in one orientation, its dirty words, and the words by which other sectors tell what they
/// changed.
struct SectorView {
  bool ascending; ///< rows are swept in ascending order (the motion goes that way)
  bool bothWays;  ///< reversible model: swept in both orders
  int rows, columns, blocks, words;
  std::int64_t pitch, otherPitch;
  int headings;
  const SectorHeading* heading;
  std::uint64_t* dirty; ///< [row][heading][word]
  SectorWalls walls;    ///< slot is null without walls
  /// Per grid heading whose plane this sector holds (else null): words [row][word] of changed blocks whose
  /// readers in this sector are not told yet: those of other sectors, and its own above the limit
  std::uint64_t* const* pending;
  const float* const* planes;        ///< per grid heading: value of (0, 0), where this sector holds the plane
  const PlaneCopy* copies;           ///< per grid heading
  const Reader* const* planeReaders; ///< per grid heading: the headings of this sector that read it
  const int* planeReaderCount;
};

/// What a sweep did, and how it can be stopped.
struct SweepState {
  std::int64_t blocks = 0;                   ///< block updates
  std::int64_t changed = 0;                  ///< those that lowered something
  float limit = __builtin_huge_valf();       ///< values above it are told to their readers in a later round
  bool findLeast = false;                    ///< whether to keep leastChange
  float leastChange = __builtin_huge_valf(); ///< least new value; what is still to come is no less
  const int* stop = nullptr;                 ///< nonzero (read atomically): return at the end of the row
  void (*atRow)(void* context, std::int64_t blocks) = nullptr; ///< called after each row of values, or null
  void* context = nullptr;
};

/// Tells the readers of a sector what is pending and not above the limit; `planes` is the number of headings
/// of the grid. Returns the least value that stays pending. Not while the opposite sector is swept.
using TakeChanges = float (*)(const SectorView& sector, int planes, float limit);

/// Sweeps sector `sector` of the four `sectors` once. The opposite one may be swept at the same time.
using SweepSector = void (*)(const SectorView* sectors, int sector, SweepState& state);

/// The sweep for the best instruction set of this processor, and its name; ISOCHRONE_HOST_ISA (sse2, avx2,
/// avx512) in the environment asks for a lesser one.
struct SectorKernels {
  TakeChanges takeChanges;
  SweepSector sweep;
  const char* isa;
};
SectorKernels chooseSectorKernels();

} // namespace isochrone::curvature
