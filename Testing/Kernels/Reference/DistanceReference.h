// DistanceReference.h - distance transforms by comparing every point with every site: simple, slow, and
// without code of the solver.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>
#include <vector>

namespace isochrone::reference {

/// The nearest target of each point.
struct Nearest {
  bool equalSpacing = true;         ///< along all axes with more than one point
  std::vector<std::int64_t> steps;  ///< squared distance in steps of an equal spacing, else empty; -1: none
  std::vector<long double> squared; ///< squared distance in world units, +infinity: none
  std::vector<std::int64_t> site;   ///< index, among equally near points the lowest; -1: none
};

/// @param region  the points and their targets; Both and Signed are equivalent here
Nearest compareAllPairs(const distance::Problem& problem, distance::Region region);

/// Returns the same for larger images of equal spacing: every point of a line is compared with every other
/// one, along x, then y, then z.
Nearest compareAlongLines(const distance::Problem& problem, distance::Region region);

/// Returns the squared distance of two points in world units.
long double squaredDistance(const distance::Grid& grid, std::int64_t p, std::int64_t q);

} // namespace isochrone::reference
