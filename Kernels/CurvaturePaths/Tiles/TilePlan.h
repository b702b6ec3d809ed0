// TilePlan.h - a problem laid out for the tile kernels: plain tables, built once on the host and copied to
// the device.
#pragma once

#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/Starts.h"
#include "CurvaturePaths/Scheme/StateLayout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isochrone::curvature {

/// An offset, and the number of its planar part (x, y) in the wall tables; -1 for turns on the spot, which no
/// wall blocks. The opposite of planar number n is n ^ 1.
struct Step {
  std::int16_t x = 0, y = 0, heading = 0, planar = -1;
};

/// Index differences in StateLayout from a state to its neighbours on both sides of a step. An empty step
/// leads to the state itself, which is never earlier than itself.
struct Neighbours {
  int ahead = 0, behind = 0;
};

/// A finite difference, loaded at once by a device: neighbours, weight, 1 / sqrt(weight).
struct alignas(16) Difference {
  Neighbours to;
  float weight = 0, reach = 0; ///< weight is 1 / length squared
};

/// A finite difference with the same weight at every point; an empty slot has weight 0 and reach +infinity.
struct alignas(16) Slot {
  Difference difference;
  Step step;
  float limit = 0; ///< limit of the difference, over the cost (LimitedDifference.h)
  float mass = 0;  ///< sum of the weights, in the first slot of each sum
};

/// weight = a0 + a1 d + a2 d^2 with d the turning rate minus the `middle` of its piece; treated as 0 below
/// `floor`.
struct alignas(16) VaryingSlot {
  Neighbours to;
  float a0 = 0, a1 = 0, a2 = 0, floor = 1; ///< an empty slot
  Step step;
  float limit = 0; ///< limit of the difference, over the cost
};

inline constexpr int blockSlots = 6; ///< terms of an upwind block

/// One interval of turning rates, up to `high`.
struct TilePiece {
  float high, middle;
  VaryingSlot slots[blockSlots];
};

/// A planar offset and the pixels that it touches, in steps from its start.
struct PlanarCover {
  std::int16_t x, y;
  TableRange pixels; ///< of TilePlan::cover; empty without walls
};

/// The dependence of varying stencils on xi, apart from the pieces.
struct TurningTerms {
  float factors[maxBlocks] = {}; ///< turning rate of a block = phi + factor / xi
  float weight = 0;              ///< weight of turning on the spot times xi^2
};

/// A start state and its start value.
struct SeedState {
  std::int64_t state;
  float value;
};

/// Stencils of all headings and the wall tables, in `units`.
struct TilePlan {
  SolverUnits units;
  int schemes = 1, slots = 4; ///< slots per scheme: 4 or 7 (Reeds-Shepp), 6 (Dubins), 30 (elastica)
  StateLayout layout;
  int longestStep = 0;  ///< its extent along an axis, points
  bool varying = false; ///< xi or phi vary from point to point: `pieces` instead of `shared`

  std::vector<Slot> shared;       ///< [heading][scheme][slot], a symmetric turn on the spot first
  std::vector<TilePiece> pieces;  ///< ascending turning rates
  std::vector<TableRange> ranges; ///< [heading][block], scheme after scheme
  TurningTerms turning;

  std::vector<PlanarCover> planar; ///< distinct planar offsets, each followed by its opposite
  int doubled = 0;                 ///< SecondOrder: offset number n + doubled is twice offset n
  std::vector<Pixel> cover;
  std::vector<std::uint8_t> view; ///< per plane point: inWall, nearWall or farFromWalls; empty: no walls

  std::size_t wallWords() const { return view.empty() ? 0 : (planar.size() + 31) / 32; }
};

/// Values of TilePlan::view. Far means that no step of the stencils can touch a wall.
inline constexpr std::uint8_t inWall = 0, nearWall = 1, farFromWalls = 2;

TilePlan makeTilePlan(const Problem& problem, const Discretisation& discretisation);

/// The start states of a solve, each once. Values are in units of the plan, relative to `earliest`.
struct PlacedSeeds {
  std::vector<SeedState> states;
  double earliest = 0; ///< minimum start value, world units
};
PlacedSeeds placedSeeds(const std::vector<StartState>& starts, const TilePlan& plan);

} // namespace isochrone::curvature
