// OrthogonalUpwind.h - the neighbours on an orthogonal grid that the value of a point comes from.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace isochrone::image {

/// An earlier neighbour of a place.
struct OrthogonalSource {
  std::int64_t from; ///< the point of the place that it is next to
  std::int64_t point;
  int axis, side;      ///< it lies on the lower (-1) or upper (1) side of `from`
  double fall, length; ///< of the travel time and in space, from the place to it
};

/// A short list of them.
struct OrthogonalSources {
  int count = 0;
  std::array<OrthogonalSource, 3> source;

  const OrthogonalSource* begin() const { return source.data(); }
  const OrthogonalSource* end() const { return source.data() + count; }
};

class OrthogonalUpwind {
public:
  /// Finds the sources of the poles and of the centre, each of which is many points.
  OrthogonalUpwind(const Problem& problem, std::span<const float> travelTime);

  /// Returns the steepest earlier neighbour on each axis that has one; at a pole the steepest on a meridian,
  /// at the centre the steepest of all.
  OrthogonalSources sources(std::int64_t point) const;
  /// Returns the gradient of the travel time in space; 0 where unreached.
  grid::Vector3 gradient(std::int64_t point) const;

private:
  const Problem& problem;
  std::span<const float> u;
  std::unordered_map<std::int64_t, OrthogonalSources> ofPlaces; ///< by their first points
};

/// Returns the minimum, over the points of its place, of the plain scheme's updates in double precision.
double orthogonalUpdate(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

} // namespace isochrone::image
