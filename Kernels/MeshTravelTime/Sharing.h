// Sharing.h - a mesh distributed over processes: the vertices that several parts have, and the exchange of
// values at these vertices between neighbours.
//
// No memory here grows with the number of processes, only with the own vertices and neighbours: see
// DESIGN.md, "Parts of a mesh".
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::mesh {

struct Problem;

/// What the solver needs to know of the other parts of a distributed mesh.
struct Sharing {
  std::vector<std::int64_t> vertices; ///< vertices that another process has as well
  /// Called collectively by all processes, each time all of them have reached their limits. Lowers `times`
  /// (one per shared vertex, in world units since Problem::timeOrigin; +infinity: not reached) to the minimum
  /// over all processes.
  /// @param pending  lower bound of the times that can still change in this part; +infinity: no work is left.
  ///                 NaN: this process stops, and all others must stop as well
  /// @param band  time that a wave takes along a long edge of this part
  /// @return time up to which this part computes before the next call, later than the minimum pending time of
  /// all processes; NaN: all work is done or a process stopped, without distinction
  std::function<double(std::span<float> times, double pending, double band)> exchange;
  /// The same for seed indices, which must agree between processes; -1: not known yet. Raises each to its
  /// maximum over all processes. Returns false, and changes nothing, if no index has risen in any process
  /// since the last call.
  std::function<bool(std::span<std::int32_t> seeds)> exchangeSeeds;
};

/// Communication between the processes that hold the parts.
struct Processes {
  using Message = std::vector<char>;
  int index = 0, count = 1;
  /// Sends messages[i] to process partners[i], and returns what that process sends, in the same order. Each
  /// process must name the other, once, and call this as often; other processes need not call it.
  std::function<std::vector<Message>(std::span<const int> partners, std::span<const Message> messages)>
      exchange;
  /// Replaces each value by its minimum over all processes. Collective.
  std::function<void(std::span<double> values)> allMin;
};

/// Identifies a vertex in all processes: its coordinates, or its global id.
using VertexKey = std::array<std::uint64_t, 3>;

struct KeyedVertex {
  VertexKey key;
  std::int64_t vertex;

  auto operator<=>(const KeyedVertex&) const = default;
};

/// Returns the vertices that other parts may have as well, ascending: those on the surface of the
/// tetrahedra, and all vertices of triangles.
/// @param idOf  returns the global id of a vertex; empty: equal coordinates identify vertices. All processes
///              must choose the same
std::vector<KeyedVertex> candidatesOf(const Problem& part,
                                      const std::function<std::int64_t(std::int64_t)>& idOf);

/// The vertices of a part that other processes have as well. A key that several processes have is a shared
/// point; one of these processes owns it.
struct SharedVertices {
  std::vector<std::int64_t> vertices; ///< ascending
  std::vector<std::int32_t> point;    ///< per vertex: index of its shared point in this process; several
                                      ///< vertices of a part have the same point if their keys are equal
  std::vector<std::int64_t> name;     ///< per vertex: the same in all processes that have it; below 2^53
  std::vector<bool> owned;            ///< per vertex: whether this process owns its point
  std::int32_t pointCount = 0;

  /// A process with shared points of which one of the two is the owner. Both list these in the same order.
  struct Neighbour {
    int process = 0;
    std::vector<std::int32_t> owned, foreign; ///< points that this process owns; that the neighbour owns
  };
  std::vector<Neighbour> neighbours; ///< by process
};

/// Finds the vertices that several processes have, by a table of all keys that is distributed over the
/// processes. Collective.
/// @param candidates  of this part, ascending
SharedVertices findShared(const Processes& all, const std::vector<KeyedVertex>& candidates);

/// Exchanges values at the shared points during a solve. A process that fails sends Stop in place of its next
/// step, so no process blocks.
class Exchange {
public:
  /// Both must outlive this object.
  Exchange(const Processes& processes, const SharedVertices& shared);

  /// Returns the callbacks for the problem; valid while this object lives.
  Sharing sharing();
  /// Ends the exchange after the solve. Collective.
  /// @param well  whether the solve succeeded in this process
  /// @return whether it succeeded in all processes
  bool finish(bool well);

private:
  using Key = int; ///< order of a time or a seed, the smaller one wins: Execution/Key.h
  enum class Step { Stop, Times, Seeds, Finish };

  bool agree(Step step, double& pending, double& band);
  double exchangeTimes(std::span<float> times, double pending, double band);
  bool exchangeSeeds(std::span<std::int32_t> seeds);
  void settle(std::vector<Key>& agreed, std::vector<Key> keys);

  const Processes& all;
  const SharedVertices& shared;
  std::vector<int> partners; ///< the neighbours
  std::vector<Processes::Message> messages;
  bool stopped = false;
  std::vector<Key> times, seeds; ///< per shared point: minimum over all processes after the last exchange
};

} // namespace isochrone::mesh
