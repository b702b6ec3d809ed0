// Predecessors.h - the neighbour from which the wave reached a point, determined from the final times.
//
// The predecessor of a point is the first neighbour, in the order of the forward star, that has an earlier
// time and whose time and edge give exactly the time of the point. It depends on the times alone, not on the
// solver. Where an edge is so short that adding it does not change the time, neighbours can have the same
// time, and a set of points, a plateau, may have no earlier neighbours. There the wave takes the minimum
// number of edges from the rim of the plateau; among neighbours equally near to the rim, the first one is
// taken.
#pragma once

#include "Execution/RoundPool.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Seeds/Starts.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::rays {

template <class Real>
struct TilePlan;

/// Message for times that do not belong to the problem.
inline constexpr const char* foreignTimes = "travel times must be computed for the same problem and options";

template <class Real>
class Predecessors {
public:
  /// The arguments that are passed by reference must outlive this object.
  /// @param times  final ones, per point
  /// @param starts  of the run that gave them
  Predecessors(const EdgeWeights<Real>& edges, std::span<const Real> times, std::vector<Start<Real>> starts);

  /// Returns the starts that gave their points the time, one per point, ascending.
  std::span<const Start<Real>> startPoints() const { return starts; }

  /// Returns the first start that gave the point its time, null if none did.
  const Start<Real>* startAt(std::int64_t point) const;

  /// Returns the offset index of the earlier neighbour, noOffset if none exists.
  std::uint16_t earlier(std::int64_t point) const;

  /// Returns whether a point is reached, not a start, and without an earlier neighbour.
  bool onPlateau(std::int64_t point) const;

  /// Returns all points of the plateau of a point, ascending.
  std::vector<std::int64_t> plateauOf(std::int64_t point) const;

  /// Returns the predecessors of all points of some plateaus, in the order of the points. noOffset:
  /// unreachable, so that the times do not belong to the edges and starts.
  /// @param plateaus  points, ascending
  std::vector<std::uint16_t> across(std::span<const std::int64_t> plateaus) const;

  /// Returns the first neighbour, by the index of its offset, from which the wave crosses a plateau to a
  /// point; noOffset if there is none.
  /// @param isDecided  isDecided(point): the neighbour lies outside the plateau or has a predecessor
  template <class IsDecided>
  std::uint16_t levelStep(std::int64_t point, IsDecided&& isDecided) const {
    for (int o = 0; o < edges.count(); ++o)
      if (const std::int64_t from = level(point, o); from >= 0 && isDecided(from)) return std::uint16_t(o);
    return noOffset;
  }

private:
  const EdgeWeights<Real>& edges;
  std::span<const Real> times;
  std::vector<Start<Real>> starts;

  /// Returns the neighbour at an offset, if the edge from there leaves the time unchanged; else -1.
  std::int64_t level(std::int64_t point, int offset) const;
};

/// Fills Field::predecessor and Field::source from the times, as far as the options request them. A solver
/// may leave the offset indices of earlier neighbours in Field::predecessor.
/// @param plan  of the problem, with its slowness
/// @param sources  indices of the sources of the field
/// @param plateaus  whether there may be plateaus; in a part, the predecessors are then needed for rays
template <class Real>
void describeWaves(const Problem& problem, const Options& options, const TilePlan<Real>& plan,
                   std::span<const std::int32_t> sources, bool plateaus, execution::RoundPool& pool,
                   Field& field);

} // namespace isochrone::rays
