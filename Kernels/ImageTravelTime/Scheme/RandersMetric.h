// RandersMetric.h - travel in a medium that drifts (Zermelo's problem) as a Randers metric.
//
// A vehicle has the metric G relative to the medium, which has the velocity V. Along a vector v it takes the
// time F with <v / F - V, G (v / F - V)> = 1, which is
//
//   F(v) = sqrt(<v, M v>) + <w, v>,  M = (G + G V (G V)^T / s) / s,  w = -G V / s,  s = 1 - <V, G V>
//
// if the drift is slower than the vehicle: s > 0. The travel time solves <grad u - w, M^-1 (grad u - w)> = 1.
// Bao, Robles, Shen: Zermelo navigation on Riemannian manifolds, J. Differential Geom. 66 (2004).
#pragma once

#include "Grid/Symmetric3.h"

namespace isochrone::image {

struct RandersMetric {
  grid::Symmetric3 metric; ///< M
  grid::Vector3 oneForm;   ///< w, time per world length
};

/// Returns <V, G V>: the square of the drift's speed relative to the vehicle's speed in its direction.
inline double driftShare(const grid::Symmetric3& speedMetric, const grid::Vector3& drift) {
  return grid::square(speedMetric, drift);
}

/// @param speedMetric  G
/// @param drift        V, slower than the vehicle
inline RandersMetric randersMetric(const grid::Symmetric3& speedMetric, const grid::Vector3& drift) {
  const double s = 1 - driftShare(speedMetric, drift);
  const grid::Vector3 g = grid::times(speedMetric, drift);
  const grid::Symmetric3 product{g[0] * g[0], g[1] * g[1], g[2] * g[2],
                                 g[0] * g[1], g[1] * g[2], g[0] * g[2]};
  RandersMetric randers;
  for (int c = 0; c < 6; ++c) randers.metric[c] = (speedMetric[c] + product[c] / s) / s;
  for (int a = 0; a < 3; ++a) randers.oneForm[a] = -g[a] / s;
  return randers;
}

} // namespace isochrone::image
