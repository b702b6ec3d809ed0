// MassCloud.h - a unit mass on the states of the grid.
#pragma once

#include "CurvaturePaths/Paths/DescentFlow.h"

#include <cstdint>
#include <map>

namespace isochrone::curvature {

/// Orders states by descending value, so that a state is visited after all states that flow into it. Headings
/// are unwrapped.
struct StateKey {
  float value;
  GridState state;

  bool operator<(const StateKey& o) const;
};

/// Mass, centre and covariance of a set of weighted states, relative to a nearby origin to keep digits.
struct Moments {
  Sample origin;
  double mass = 0;
  double first[3] = {}, second[3][3] = {};

  void add(double m, const GridState& q);
  Sample centre() const;
  /// Returns the determinant of the covariance.
  double spread() const;
};

/// A unit mass on its way down the grid.
struct MassCloud {
  struct Arrival {
    double mass = 0;
    std::int32_t seed = -1;
  };

  /// Places the mass on the tip.
  MassCloud(const DescentFlow& flow, const GridState& tip);
  MassCloud() = default;

  Sample last; ///< the last point drawn
  Moments moments;
  std::map<StateKey, double> masses;   ///< per state
  std::map<StateKey, Arrival> arrived; ///< at seed states
  bool moved = false;                  ///< since the path was drawn up to the centre
};

inline Sample sampleAt(const GridState& q) { return {double(q.i), double(q.j), double(q.k)}; }

} // namespace isochrone::curvature
