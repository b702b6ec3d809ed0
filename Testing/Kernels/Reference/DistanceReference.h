// DistanceReference.h - distance transforms by comparing every point with every site: slow, plain, and
// without a line of the solver's.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>
#include <vector>

namespace isochrone::reference {

/// What is nearest to each point.
struct Nearest {
  bool equalSpacing = true;         ///< on all axes that have more than one point
  std::vector<std::int64_t> steps;  ///< squared distance in steps of an equal spacing, else empty; -1: none
  std::vector<long double> squared; ///< squared distance in world units, +infinity: none
  std::vector<std::int64_t> site;   ///< index, of equally near points the least; -1: none
};

/// @param region  which points measure to which; Both and Signed are the same here
Nearest compareAllPairs(const distance::Problem& problem, distance::Region region);

/// The same for larger images of equal spacing: every point of a line is compared with every other one, along
/// x, then y, then z.
Nearest compareAlongLines(const distance::Problem& problem, distance::Region region);

/// Squared distance of two points in world units.
long double squaredDistance(const distance::Grid& grid, std::int64_t p, std::int64_t q);

} // namespace isochrone::reference
