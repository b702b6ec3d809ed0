// ThomsenEquation.h - the update of a point of a tilted transversely isotropic medium: an extremum over the
// tangents of its slowness curve, piece by piece. The source of the host and of tile kernels.
#pragma once

#include "Execution/Team.h"
#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/ThomsenTerms.h"

namespace isochrone::image {

/// The sums alpha and beta of weights across and along the axis times squared differences.
struct ThomsenSums {
  float across, along;
};

/// Returns the extremum of the updates with the tangents of a piece; `own` if it is not below it. Each
/// tangent's update v leads to the tangent with the extremum of the left-hand side at v, and so to a better
/// update, until none is better (Howard's policy iteration). With bounds, a maximum of the left-hand side may
/// come from a side that applies from v on only, so the tangent for the sides before v has a turn, too.
/// @param sides  the neighbours that the piece uses, with
///   bounded            whether sides have bounds; see TensorFactoring.h
///   earliest()         the minimum of their values
///   sums(v, limit)     the sums for v, of sides with bounds up to a limit, relative to v - earliest(), so
///                      that squares do not overflow
///   weight(tangent)    the weights of all pairs with a tangent, none negative
///   isAbove(v, weight) whether the equation's left-hand side at v is above 1
///   solved(weight)     the solution of the equation; not a number or `never` without a positive weight
template <class Sides>
TEAM_FN float updatedInPiece(const ThomsenPoint& point, const ThomsenTerms& piece, const Sides& sides,
                             float own) {
  if (!(own > sides.earliest())) return own;
  const auto weightAt = [&](float v, float limit) {
    float direction = piece.last; // rounding: a step takes less than the spacing of numbers
    if (v > sides.earliest()) {
      const ThomsenSums sum = sides.sums(v, limit);
      direction = extremalDirection(sum.across, sum.along, piece.first, piece.last);
    }
    return sides.weight(point.curve.tangent(direction));
  };
  auto weight = weightAt(own, own);
  if (!sides.isAbove(own, weight)) return own;
  float best = own;
  for (bool first = true, before = false;;) {
    const float solution = sides.solved(weight), next = solution < own ? solution : own;
    if (first || (point.isMaximum ? next < best : next > best)) {
      best = next, first = before = false;
      weight = weightAt(best, best);
    } else if (Sides::bounded && point.isMaximum && !before) {
      before = true;
      weight = weightAt(best, best - best * 0x1p-23f);
    } else {
      return best;
    }
  }
}

/// Returns the update of a point, `own` if it is not below it: the extremum over its pieces.
/// @param updated  returns the update from the piece of a number
template <class Updated>
TEAM_FN float extremumOfPieces(const ThomsenPoint& point, float own, Updated&& updated) {
  float best = point.isMaximum ? own : -never;
  for (std::uint32_t k = point.first; k < point.first + point.count; ++k) {
    const float v = updated(k);
    best = (point.isMaximum ? v < best : v > best) ? v : best;
  }
  return best;
}

} // namespace isochrone::image
