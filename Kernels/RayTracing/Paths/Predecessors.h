// Predecessors.h - from which neighbour the wave came to a point, read from the final times.
//
// The predecessor of a point is the first neighbour, in the order of the template, that has an earlier time
// and whose time and edge give exactly the time of the point. So it depends on the times alone, not on how
// they were found. Where an edge is so short that adding it changed nothing, neighbours can have the same
// time, and a set of points, a plateau, may have no earlier neighbours: there the wave takes the fewest edges
// from the rim of the plateau, and where several neighbours are equally near to it, the first of them.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Seeds/Starts.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::rays {

/// What to say where times do not fit together.
inline constexpr const char* foreignTimes =
    "travel times must be those that were computed for the same problem and options";

template <class Real>
class Predecessors {
public:
  /// What is passed must outlive this.
  /// @param times   final ones, per point
  /// @param starts  of the run that gave them
  Predecessors(const EdgeWeights<Real>& edges, std::span<const Real> times, std::vector<Start<Real>> starts);

  /// Those that gave their points the time, one for each, ascending.
  std::span<const Start<Real>> startPoints() const { return starts; }

  /// The first of the starts that gave the point its time, null if none did.
  const Start<Real>* startAt(std::int64_t point) const;

  /// The earlier neighbour, noOffset if there is none.
  std::uint16_t earlier(std::int64_t point) const;

  /// A reached point that is no start and has no earlier neighbour.
  bool onPlateau(std::int64_t point) const;

  /// All points of the plateau of a point, ascending.
  std::vector<std::int64_t> plateauOf(std::int64_t point) const;

  /// The predecessors of all points of some plateaus, in the order of the points. noOffset: nothing leads
  /// there, so the times are not those of the edges and starts.
  /// @param plateaus  ascending
  std::vector<std::uint16_t> across(std::span<const std::int64_t> plateaus) const;

private:
  const EdgeWeights<Real>& edges;
  std::span<const Real> times;
  std::vector<Start<Real>> starts;

  /// The neighbour at an offset, if the edge from there changes the time by nothing; else -1.
  std::int64_t level(std::int64_t point, int offset) const;
};

/// Fills what the options ask for of Field::predecessor and Field::source from the times. A solver that has
/// the steps to the earlier neighbours at hand may leave them in Field::predecessor.
/// @param sources  numbers of the sources that the field is of
void describeWaves(const Problem& problem, const Options& options, std::span<const std::int32_t> sources,
                   int threads, Field& field);

} // namespace isochrone::rays
