// TensorReference.h - travel times with tensors in double: slow, plain, and without a line of the solver's.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <vector>

namespace isochrone::reference {

struct Difference {
  std::array<int, 3> offset;
  double weight;
};

/// D as a sum of weight * offset offset^T, from an obtuse superbase that is searched for among the short
/// vectors of a reduced basis. D: xx yy zz xy yz xz.
std::vector<Difference> differencesOf(const std::array<double, 6>& d);

/// D at a point of the problem, in grid steps.
std::array<double, 6> gridTensor(const image::Problem& problem, std::int64_t point);

/// The fixed point of the scheme by sweeps over the image until nothing changes; seeds on grid points.
std::vector<double> tensorTimes(const image::Problem& problem);

} // namespace isochrone::reference
