// NearSeedStarts.h - start values near the seeds, more accurate than the scheme on the problem's grid.
//
// The travel time is not smooth at a seed. The scheme's error there, half of its whole error, is carried
// along every path. So the states near each seed have start values of their own, which the scheme may still
// lower. They come from Dubins' words where these are the fastest paths, else from solves on grids that get
// finer towards the seed. Both use the seed's true position and heading. Words are paths, so their start
// values are upper bounds; start values from fine grids are estimates.
#pragma once

#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/Starts.h"

#include <span>
#include <vector>

namespace isochrone::curvature {

/// Returns the start states of a problem, each once: the states nearest to its seeds (FirstOrder), or the
/// states with near-seed start values that see their seed. A seed without any such state starts at its
/// nearest state. Returns nothing if the monitor stopped the solve.
/// @param placements  of the seeds; receives the distance by which each seed is moved
/// @param cache       may be null
std::vector<StartState> startsOf(const Problem& problem, const Discretisation& discretisation,
                                 std::vector<Placement>& placements, StartCache* cache, int threads,
                                 const Monitor& monitor);

/// Returns the start values of a Dubins seed with a heading, for a constant turning radius and no shift. They
/// come from words that stay near the seed and meet no wall, priced with the cost along them.
std::vector<StartState> dubinsStarts(const Problem& problem, const Walls& walls, std::int32_t seed,
                                     double radius);

/// Returns the start values of any seed from two refined grids, with half and a quarter of the grid step and
/// heading step, each solved with corrected differences. Returns nothing if the monitor stopped the solve.
std::vector<StartState> refinedStarts(const Problem& problem, const Walls& walls, std::int32_t seed,
                                      StartCache* cache, int threads, const Monitor& monitor);

// Derivatives of sum of mass * travel time since the seed over near-seed states, through the construction of
// these times. Each function returns that sum, without the rounding of the times, and adds the derivatives to
// `sum`: by the cost, and by radius and shift if `sum` holds these.

/// A near-seed state with its mass.
struct NearSeedMass {
  std::int64_t state;
  std::int32_t seed;
  double mass;
};

/// @param masses  at states of any seeds
double differentiateNearSeedStarts(const Problem& problem, const Discretisation& discretisation,
                                   std::vector<NearSeedMass> masses, StartCache* cache, int threads,
                                   Sensitivities& sum);

/// Differentiates by the cost where the words are priced with it. The derivative by the radius is a
/// difference quotient of the price, distributed over the turns of the word in proportion to the derivatives
/// of its length. The derivative by the shift is distributed likewise, which is exact where the cost varies
/// little.
double differentiateDubinsStarts(const Problem& problem, const Walls& walls, std::int32_t seed, double radius,
                                 std::span<const NearSeedMass> masses, Sensitivities& sum);

/// Differentiates through both grids to the fields that their fields are sampled from. Corrections are
/// treated as constants.
double differentiateRefinedStarts(const Problem& problem, const Walls& walls, std::int32_t seed,
                                  std::span<const NearSeedMass> masses, StartCache* cache, int threads,
                                  Sensitivities& sum);

} // namespace isochrone::curvature
