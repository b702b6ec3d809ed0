// TimeMatrix.h - the dependence of travel times on the slowness: a sparse matrix.
#pragma once

#include <cstdint>
#include <vector>

namespace isochrone {

/// One row for each travel time: travelTime - startTime = sum of weight * slowness[element].
struct TimeMatrix {
  std::vector<std::int64_t> row;     ///< index of each row's first entry, then the number of entries
  std::vector<std::int64_t> element; ///< number of a point or cell; ascending within a row
  std::vector<double> weight;        ///< derivative with respect to its slowness, world length
};

} // namespace isochrone
