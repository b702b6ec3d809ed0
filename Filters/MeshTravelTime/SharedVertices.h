// SharedVertices.h - which vertices of a distributed mesh several ranks have, and how these agree on them.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <vector>

class vtkUnstructuredGrid;

namespace isochrone::filters {

class Ranks;

/// The shared vertices of the part of this rank. What a cell belongs to must be on one rank only.
class SharedVertices {
public:
  SharedVertices() = default; ///< none
  /// By the global ids of the points where every rank that has cells has them, else by equal coordinates.
  /// Only the surfaces of the parts are sent. Collective.
  SharedVertices(const Ranks& ranks, const mesh::Problem& part, vtkUnstructuredGrid* grid);

  /// Of this part, ascending.
  const std::vector<std::int64_t>& vertices() const { return mine; }
  /// Number that the ranks agree on, of each of them.
  const std::vector<std::int64_t>& slots() const { return slotOf; }
  std::int64_t slotCount() const { return count; }
  /// Whether a rank before this one has it, too, per shared vertex.
  const std::vector<bool>& elsewhere() const { return before; }

private:
  std::vector<std::int64_t> mine, slotOf;
  std::vector<bool> before;
  std::int64_t count = 0;
};

/// The talk of the ranks during one solve. Whatever happens on one of them, none waits for ever: a rank that
/// fails says so in place of its next message, and all stop.
class Exchange {
public:
  Exchange(const Ranks& ranks, const SharedVertices& shared) : ranks(ranks), shared(shared) {}

  /// For the problem; lives no longer than this.
  mesh::Sharing sharing();
  /// After the solve, whether it ended well on this rank. Collective.
  /// @return whether it did on all
  bool finish(bool well);

private:
  enum class Message { Stop, Times, Seeds, Finish };
  bool agree(Message message);
  double exchangeTimes(std::span<double> times, double pending, double band);
  bool exchangeSeeds(std::span<std::int32_t> seeds);

  const Ranks& ranks;
  const SharedVertices& shared;
  bool stopped = false;
  std::vector<double> known; ///< the least times of all slots at the last exchange
};

} // namespace isochrone::filters
