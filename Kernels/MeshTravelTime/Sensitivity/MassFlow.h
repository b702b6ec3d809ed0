// MassFlow.h - an order in which masses pass from the tips to the starts, also through vertices that use each
// other. Masses are derivatives of the objective with respect to the times of vertices.
#pragma once

#include "Execution/RoundPool.h"
#include "MeshTravelTime/Sensitivity/VertexDependence.h"
#include "Monitor.h"
#include "Values.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::mesh {

/// The vertices that some vertices depend on, and an order in which masses pass through them. The mass of a
/// vertex is that placed on it and those of its users, the vertices that it gives time to, in their shares.
/// Sums are taken in the order of the numbers of the users, so that they do not depend on threads.
class MassFlow {
public:
  /// Ranks of vertices: one vertex, or vertices that use each other, the latest first.
  struct Group {
    std::int64_t begin, end;
  };

  /// @param dependence  per vertex; count 0: masses end there. Must outlive this, as the pool
  MassFlow(std::span<const VertexDependence> dependence, execution::RoundPool& pool);

  /// Finds the vertices that some vertices depend on. Returns false if the monitor requested a stop.
  bool prepare(std::span<const std::int32_t> vertices, const Monitor& monitor);

  /// Passes the masses on, from those placed on vertices of `prepare` to those of all. Vertices from which
  /// nothing leads out lose their mass. Returns false if the monitor requested a stop.
  bool pass(std::span<double> mass, double& lost, const Monitor& monitor) const;

  /// The prepared vertices, each after its users unless these use each other.
  std::span<const std::int32_t> ranked() const { return order; }
  std::int64_t rankOf(std::int32_t vertex) const { return rank[std::size_t(vertex)]; }
  /// Returns the group of a rank.
  Group groupAt(std::int64_t rank) const;
  using GoOn = std::function<bool()>;
  /// Completes the masses of a group, whose users have theirs, and adds to the lost mass. Returns false if
  /// goOn() did, which is asked in sets that are solved by sweeps.
  bool complete(Group group, std::span<double> mass, double& lost, const GoOn& goOn) const;

  /// Calls f(vertex, share) for each vertex that a vertex uses, once.
  template <class F>
  void forUsed(std::int32_t vertex, const F& f) const {
    const VertexDependence& d = dependence[std::size_t(vertex)];
    for (std::size_t i = 0; i < d.count; ++i) {
      bool isFirst = true; // a cell may have a vertex twice
      double share = d.weight[i];
      for (std::size_t j = 0; j < d.count; ++j)
        if (j != i && d.vertex[j] == d.vertex[i]) isFirst = isFirst && i < j, share += d.weight[j];
      if (isFirst) f(d.vertex[i], share);
    }
  }

private:
  std::span<const VertexDependence> dependence;
  execution::RoundPool& pool;
  std::vector<std::int32_t> order;       ///< by rank
  std::vector<Group> groups;             ///< of more than one vertex
  Values<std::int32_t> rank;             ///< per vertex; -1: not prepared
  Values<std::uint32_t> firstUser, user; ///< per vertex; ascending

  using Visit = std::function<void(std::int32_t vertex, std::vector<std::int32_t>& next)>;
  bool visitLevels(std::vector<std::int32_t> front, const Visit& visit, const Monitor& monitor);
  bool orderGroups(const std::vector<std::int32_t>& left, const Monitor& monitor);
  bool collect(Group group, std::span<double> mass) const;
  void solveDensely(Group group, std::span<double> mass) const;
  bool solveBySweeps(Group group, std::span<double> mass, const GoOn& goOn) const;
  std::span<const std::int32_t> membersOf(Group group) const {
    return std::span(order).subspan(std::size_t(group.begin), std::size_t(group.end - group.begin));
  }
  template <class F>
  void forUsedWithin(Group group, std::int32_t vertex, const F& f) const;
};

} // namespace isochrone::mesh
