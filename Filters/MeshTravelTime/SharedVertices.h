// SharedVertices.h - vertices shared by several ranks of a distributed mesh, and the exchange of their times.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <vector>

class vtkUnstructuredGrid;

namespace isochrone::filters {

class Ranks;

/// Shared vertices of the part of this rank. Each cell must be on one rank only.
class SharedVertices {
public:
  SharedVertices() = default; ///< none
  /// Matches points by global ids if every rank with cells has them, else by equal coordinates. Sends only
  /// the surfaces of the parts. Collective.
  SharedVertices(const Ranks& ranks, const mesh::Problem& part, vtkUnstructuredGrid* grid);

  /// Vertices of this part, ascending.
  const std::vector<std::int64_t>& vertices() const { return own; }
  /// Common number of each shared vertex on all ranks.
  const std::vector<std::int64_t>& slots() const { return slotOf; }
  std::int64_t slotCount() const { return count; }
  /// Per shared vertex, whether an earlier rank also has it.
  const std::vector<bool>& elsewhere() const { return before; }

private:
  std::vector<std::int64_t> own, slotOf;
  std::vector<bool> before;
  std::int64_t count = 0;
};

/// Communication between ranks during a solve. A rank that fails sends Stop in place of its next message, so
/// no rank blocks.
class Exchange {
public:
  Exchange(const Ranks& ranks, const SharedVertices& shared) : ranks(ranks), shared(shared) {}

  /// Returns the callbacks for the problem; valid while this object lives.
  mesh::Sharing sharing();
  /// Ends the exchange after the solve. Collective.
  /// @param well  whether the solve succeeded on this rank
  /// @return whether it succeeded on all ranks
  bool finish(bool well);

private:
  enum class Message { Stop, Times, Seeds, Finish };
  bool agree(Message message);
  double exchangeTimes(std::span<double> times, double pending, double band);
  bool exchangeSeeds(std::span<std::int32_t> seeds);

  const Ranks& ranks;
  const SharedVertices& shared;
  bool stopped = false;
  std::vector<double> known; ///< minimum times of all slots at the last exchange
};

} // namespace isochrone::filters
