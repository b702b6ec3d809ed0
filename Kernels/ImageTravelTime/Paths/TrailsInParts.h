// TrailsInParts.h - traces of paths through the parts of a divided image.
#pragma once

#include "ImageTravelTime/Paths/PathTrace.h"
#include "Paths/TrailRelay.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

struct Trail {
  std::int32_t tip;
  PathTrace trace;
  std::vector<int> way; ///< see TrailRelay
};

class TrailsInParts : public TrailRelay<Trail> {
public:
  explicit TrailsInParts(const Problem& problem);

private:
  bool hasEnded(const Trail& trail) const override;
  GridIndex next(const Trail& trail) const override;
  void put(const Trail& trail, Numbers& message) const override;
  Trail taken(Numbers::const_iterator& at) const override;
  void move(Trail& trail, const GridIndex& by) const override;

  const Problem& problem;
  GridCoordinates first; ///< of this part, in grid steps
};

} // namespace isochrone::image
