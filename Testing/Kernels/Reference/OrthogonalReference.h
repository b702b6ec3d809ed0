// OrthogonalReference.h - travel times on rectilinear and spherical grids, by sweeps over all points in
// double precision and bisection for the value of each.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace isochrone::reference {

struct OrthogonalModel {
  std::array<std::vector<double>, 3> coordinates; ///< spherical: radius, colatitude and longitude in degrees
  bool spherical = false;
  bool goesAround = false; ///< the longitudes close the circle; their last one is no copy of the first one
  std::vector<double> slowness;                        ///< +infinity in barriers
  std::vector<std::pair<std::int64_t, double>> starts; ///< point and value
};

/// Returns the fixed point of the plain scheme, +infinity where unreached.
std::vector<double> travelTimes(const OrthogonalModel& model);

} // namespace isochrone::reference
