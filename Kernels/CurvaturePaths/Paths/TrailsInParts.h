// TrailsInParts.h - traces of paths through the parts of a divided plane.
#pragma once

#include "CurvaturePaths/Paths/PathTrace.h"
#include "Paths/TrailRelay.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace isochrone::curvature {

struct Trail {
  std::int32_t tip = -1;
  Trace trace;
  std::optional<MassCloud> cloud; ///< none: traced by edges
  std::optional<GridState> next;  ///< where another process continues; none: it has ended
  /// Steps from the seed to its copy at which the trail has ended, in the plane that it has been moved to.
  std::array<double, 2> seedShift{};
  std::vector<int> way; ///< see TrailRelay
};

/// Moves a trail by a number of points.
void moveTrail(Trail& trail, const GridIndex& by);

class TrailsInParts : public TrailRelay<Trail> {
public:
  explicit TrailsInParts(const DescentFlow& flow)
      : TrailRelay(flow.input().part), window(flow.window().points()) {}

private:
  bool hasEnded(const Trail& trail) const override { return !trail.next; }
  /// Returns the next point or, outside the window, the point of the window nearest to it.
  GridIndex next(const Trail& trail) const override;
  void put(const Trail& trail, Numbers& message) const override;
  Trail taken(Numbers::const_iterator& at) const override;
  void move(Trail& trail, const GridIndex& by) const override { moveTrail(trail, by); }

  const grid::Box& window;
};

} // namespace isochrone::curvature
