// UpdateShares.h - the derivatives of an update with respect to the values on the axes.
//
// The update is the minimum v with sum over the axes of weight * max(0, v - value)^2 = slowness^2. So
// dv/dvalue of an axis is its share weight * (v - value) / slope, with the sum of these as slope, and
// dv/dslowness is slowness / slope. Number is the number type, as in GodunovUpdate.h.
#pragma once

#include "ImageTravelTime/Scheme/GodunovUpdate.h"

namespace isochrone::image {

template <class Number>
struct UpdateShares {
  using Vec = typename Number::Vec;
  Vec update;
  Vec inverseSlope;              ///< not finite without a value
  Vec share[3];                  ///< per axis; 0 if it is not used
  typename Number::Mask used[3]; ///< axes
};

/// @param value     per axis; +infinity: none
/// @param slowness  NaN: no axis is used
/// @param weight    of each axis, 1 / h^2 without multiplicative factoring
template <class Number, class Vec = typename Number::Vec>
TEAM_FN UpdateShares<Number> updateShares(const Vec (&value)[3], Vec slowness, const Vec (&weight)[3]) {
  const Vec zero = Number::broadcast(0);
  UpdateShares<Number> result;
  result.update =
      godunovOf<Number>(value[0], value[1], value[2], slowness * slowness, weight[0], weight[1], weight[2]);
  Vec slope = zero;
  for (int axis = 0; axis < 3; ++axis) {
    result.used[axis] = Number::greater(result.update, value[axis]);
    result.share[axis] =
        Number::select(result.used[axis], (result.update - value[axis]) * weight[axis], zero);
    slope += result.share[axis];
  }
  result.inverseSlope = Number::broadcast(1) / slope;
  for (int axis = 0; axis < 3; ++axis)
    result.share[axis] = Number::select(result.used[axis], result.share[axis] * result.inverseSlope, zero);
  return result;
}

} // namespace isochrone::image
