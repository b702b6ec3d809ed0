// TensorReference.h - travel times with tensors and drifts in double: simple, slow, and without code of the
// solver.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <vector>

namespace isochrone::reference {

struct Difference {
  std::array<int, 3> offset;
  double weight;
};

/// Returns D as a sum of weight * offset offset^T, from an obtuse superbase found among the short vectors of
/// a reduced basis. D: xx yy zz xy yz xz.
std::vector<Difference> differencesOf(const std::array<double, 6>& d);

/// Returns D at a point of the problem, in grid steps.
std::array<double, 6> gridTensor(const image::Problem& problem, std::int64_t point);

/// Returns the one-form of the drift at a point, time per grid step along each axis.
std::array<double, 3> gridForm(const image::Problem& problem, std::int64_t point);

/// Returns the fixed point of the scheme by sweeps until nothing changes; seeds on grid points. A tilted
/// medium is the extremum over tensors, of which `tangents` are sampled.
std::vector<double> tensorTimes(const image::Problem& problem, int tangents = 0);

} // namespace isochrone::reference
