// Starts.h - the start states of a solve.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <array>
#include <cstdint>
#include <vector>

namespace isochrone::curvature {

/// A state and an upper bound of its travel time, world units. Only the minimum per state is kept.
struct StartState {
  std::int64_t state;
  std::int32_t seed; ///< index of the seed
  double travelTime;
};

/// Returns the grid locations of the seeds.
std::vector<Placement> placementsOf(const Problem& problem);

/// Returns the grid states nearest to the seeds, where FirstOrder starts; ascending, each state once. Leaves
/// out seeds that are not Inside.
/// @param seeds  placements of the seeds
std::vector<StartState> seedStarts(const Problem& problem, const std::vector<Placement>& seeds);

/// Returns the start position of a seed that keeps its place: its own, moved between the outermost grid
/// points if necessary.
State clampedToGrid(const StateGrid& grid, State state);

/// Returns the first and the last of n points with spacing h on an axis that lie within `reach` of `middle`.
std::array<std::int64_t, 2> pointsWithin(double reach, double middle, double h, std::int64_t n);

/// Sorts by state and keeps the minimum travel time of each state; among equal times, the first seed.
void keepMinimum(std::vector<StartState>& starts);

/// Returns the minimum travel time, the origin of the solvers' times.
double earliestOf(const std::vector<StartState>& starts);

} // namespace isochrone::curvature
