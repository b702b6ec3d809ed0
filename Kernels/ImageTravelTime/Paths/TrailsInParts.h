// TrailsInParts.h - traces of paths through the parts of a divided image.
#pragma once

#include "ImageTravelTime/Paths/PathTrace.h"
#include "Paths/Path.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

struct Trail {
  std::int32_t tip;
  PathTrace trace;
  std::vector<int> way; ///< the processes that it came through, the one of the tip first
};

/// Each process traces the trails in its part. A trail that enters another part goes to its process, and
/// back by the same way once it has ended.
class TrailsInParts {
public:
  explicit TrailsInParts(const Problem& problem);

  /// Follows the trails that start in this part to their ends. Returns false if the monitor requested a stop.
  /// Collective.
  /// @param trace  continues trails within this part; false: the monitor requested a stop
  bool follow(std::vector<Trail>& trails, const std::function<bool(std::vector<Trail>&)>& trace) const;

  /// Gives each path the status that the process of its tip found. Collective.
  void agree(std::span<Path> paths) const;

private:
  using Numbers = std::vector<double>;

  bool isDone(const Trail& trail) const;
  std::size_t linkTo(const GridCoordinates& at) const;
  void put(const Trail& trail, Numbers& message) const;
  std::vector<Trail> taken(const grid::Message& message, int from) const;

  const Problem& problem;
  GridCoordinates first; ///< of this part, in grid steps
};

} // namespace isochrone::image
