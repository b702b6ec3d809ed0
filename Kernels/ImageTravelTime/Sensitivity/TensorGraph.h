// TensorGraph.h - the points that tips depend on, with the points that each of them uses, and the masses that
// pass from the tips to the start values.
#pragma once

#include "Execution/RoundPool.h"
#include "Grid/Components.h"
#include "ImageTravelTime/Sensitivity/TensorDependences.h"
#include "Monitor.h"
#include "Values.h"

#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

class TensorGraph {
public:
  /// @param tips     points, each once
  /// @param reached  number of points that they depend on at most
  TensorGraph(const Problem& problem, std::span<const std::int64_t> tips, std::size_t reached);

  /// Returns the memory if the tips depend on that many points.
  static std::size_t bytesNeeded(const Problem& problem, std::size_t reached);

  /// Finds the points that the tips depend on, and evaluates them on all threads. The numbers of points do
  /// not depend on the threads. Returns false if the monitor requested a stop.
  /// @param evaluate  evaluate(point) is called once for each of them, on any thread
  bool flood(const std::function<TensorDependence(std::int64_t)>& evaluate, execution::RoundPool& pool,
             const Monitor& monitor);
  /// Orders the points, after `flood`. Returns false if the monitor requested a stop.
  /// @throws Error if too many points depend on each other
  bool sort(const Monitor& monitor);
  /// Passes masses on, after `sort`. Returns false if the monitor requested a stop.
  /// @param mass  per point of the graph, those of the tips first, 0 elsewhere. Afterwards all that passed it
  bool spread(std::vector<double>& mass, const Monitor& monitor) const;

  std::size_t size() const { return points.size(); }
  std::int64_t point(std::size_t node) const { return points[node]; }
  TensorTimeFrom from(std::size_t node) const { return origins[node]; }
  /// Returns the number of a point in the graph that a point uses, and its share.
  std::span<const std::int64_t> usedBy(std::size_t node) const {
    return std::span(to).subspan(std::size_t(first[node]), std::size_t(first[node + 1] - first[node]));
  }
  std::span<const double> sharesOf(std::size_t node) const {
    return std::span(share).subspan(std::size_t(first[node]), std::size_t(first[node + 1] - first[node]));
  }
  /// Returns whether the masses of a point go nowhere; after `sort`.
  bool isLost(std::size_t node) const { return lost[node] || from(node) == TensorTimeFrom::Nothing; }

private:
  std::vector<std::int64_t> points; ///< per node
  Values<std::int32_t> nodes;       ///< per point of the image; -1: not in the graph
  std::vector<TensorTimeFrom> origins;
  std::vector<std::int64_t> first{0}, to; ///< edges, as grid::Components reads them
  std::vector<double> share;
  std::vector<std::int64_t> members; ///< points that depend on each other, or single ones; after all they use
  std::vector<std::size_t> ends;     ///< of each such set in `members`
  std::vector<std::uint8_t> lost;    ///< in such a set that uses no other point

  std::int64_t nodeOf(std::int64_t point);
  std::span<const std::int64_t> membersOf(std::size_t set) const {
    const std::size_t begin = set == 0 ? 0 : ends[set - 1];
    return std::span(members).subspan(begin, ends[set] - begin);
  }
  void solveCycle(std::span<const std::int64_t> cycle, std::vector<double>& mass) const;
};

} // namespace isochrone::image
