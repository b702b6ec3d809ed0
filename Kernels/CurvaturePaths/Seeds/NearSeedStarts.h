// NearSeedStarts.h - travel times near the seeds, better than the scheme finds them on its grid.
//
// At a seed the travel time is not smooth, and what the scheme loses there, half of its whole error, every
// path carries along. So the states of a ball around each seed start with a travel time of their own, which
// the scheme may still lower: Dubins' words where they are the fastest paths, else a solve on grids that get
// finer towards the seed. Both know the seed's true place and heading. Words are paths, so theirs are upper
// bounds; those of the fine grids are estimates.
#pragma once

#include "CurvaturePaths/Scheme/Starts.h"

#include <span>
#include <vector>

namespace isochrone::curvature {

/// The states that a problem starts from, each once: those nearest to its seeds (FirstOrder) or those in
/// their balls that see them. A seed whose ball holds none starts at its nearest state.
/// Empty if the monitor said stop.
/// @param placements  of the seeds; told how far the seeds are moved
/// @param cache       may be null
std::vector<StartState> startsOf(const Problem& problem, std::vector<Placement>& placements,
                                 StartCache* cache, int threads, const Monitor& monitor);

/// The place where a seed starts: its own, if need be moved to the nearest point between the outermost grid
/// points.
State clampedToGrid(const StateGrid& grid, State state);

/// Ball of a Dubins seed with a heading, for a constant turning radius and no shift: words that stay in the
/// ball and meet no wall, priced with the cost along them.
std::vector<StartState> dubinsBall(const Problem& problem, std::int32_t seed, double radius);

/// Ball of any seed: two nested grids, of half and of a quarter of the grid step and heading step, each
/// solved with corrected differences. Empty if the monitor said stop.
std::vector<StartState> nestedBall(const Problem& problem, std::int32_t seed, StartCache* cache, int threads,
                                   const Monitor& monitor);

// Derivatives of sum of mass * travel time since the seed over states of balls, as these times are made. Each
// returns that sum, without the rounding of the times, and adds the derivatives to `sum`: those by the cost,
// and those by radius and shift if it has them.

/// A state of a ball.
struct BallMass {
  std::int64_t state;
  std::int32_t seed;
  double mass;
};

/// @param masses  at states of any seeds
double differentiateBalls(const Problem& problem, std::vector<BallMass> masses, StartCache* cache,
                          int threads, Sensitivities& sum);

/// By the cost where the words were priced with it. By the radius the price is differentiated as it is, and
/// that is shared out to where the words turn, in proportion to the derivatives of their lengths there; by
/// the shift likewise, which is exact where the cost varies little.
double differentiateDubinsBall(const Problem& problem, std::int32_t seed, double radius,
                               std::span<const BallMass> masses, Sensitivities& sum);

/// Through both grids to the fields that theirs are sampled from. Corrections count as constants.
double differentiateNestedBall(const Problem& problem, std::int32_t seed, std::span<const BallMass> masses,
                               StartCache* cache, int threads, Sensitivities& sum);

} // namespace isochrone::curvature
