// BandBorders.h - the distance, in each column, from a band of a plane to the nearest site beyond it.
#pragma once

#include "DistanceTransform/Host/Passes.h"
#include "Values.h"

#include <cstdint>

namespace isochrone::distance {

class BandBorders {
public:
  using StepsToFirst = decltype(PassKernels<double>::stepsToFirst);

  BandBorders(std::int64_t nx, std::int64_t ny, std::int64_t rows, Kinds kinds);

  std::int64_t bands() const { return count; }
  /// Returns the number of bytes of one object.
  static std::int64_t bytes(std::int64_t nx, std::int64_t ny, std::int64_t rows, Kinds kinds) {
    const std::int64_t count = (ny + rows - 1) / rows;
    return count > 1 ? 10 * (kinds.others ? 2 : 1) * count * nx : 0;
  }

  // The steps, in this order. Different bands or columns may be processed by different threads.
  /// 1. Finds the first and the last site of a band in each column.
  void search(const std::uint8_t* plane, std::int64_t band, StepsToFirst stepsToFirst);
  /// 2. Propagates them from band to band, for the columns first ... last - 1.
  void carry(std::int64_t first, std::int64_t last);
  /// 3. Returns a band with its borders.
  Band band(const std::uint8_t* plane, std::int64_t band) const;

private:
  std::int64_t nx, ny, rows, count;
  Kinds kinds;
  enum Side { Above, Below };
  Values<std::uint8_t> inside[2];  ///< per kind, band and column: steps from the side to the first site
  Values<std::uint32_t> beyond[2]; ///< likewise: steps from the adjacent row beyond the band to the first
                                   ///< site

  std::int64_t rowsOf(std::int64_t band) const;
  std::int64_t at(int kind, std::int64_t band) const { return (kind * count + band) * nx; }
  /// Calls f for the requested kinds: 0 (sites) and 1 (other points).
  template <class F>
  void forKinds(F&& f) const {
    if (kinds.sites) f(0);
    if (kinds.others) f(1);
  }
};

} // namespace isochrone::distance
